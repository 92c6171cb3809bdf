"""Players and accounts. A person's account plays as the player that has the same id; a bot has an owner."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from gin_lobby.domain.tournament import PlayerId


@dataclass(frozen=True, slots=True)
class Player:
    """`bot` names the built-in bot that plays for it; None means that a client sends the actions."""

    player_id: PlayerId
    name: str
    kind: str
    bot: str | None
    owner_id: UUID | None
    revision: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Account:
    """A `guest` has no password yet: nobody can sign in to it."""

    account_id: UUID
    name: str
    password_hash: str
    administrator: bool
    guest: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Token:
    """It acts for the player `player_id`: a person, or a bot of theirs. A `session` is kept by a browser."""

    token_id: str
    player_id: UUID
    player_name: str
    scopes: list[str]
    session: bool
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None

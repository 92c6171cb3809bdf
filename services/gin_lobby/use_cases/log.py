"""The log of a tournament: what was decided, by whom and why; those whom it touches find it among their notices."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from gin_lobby.domain.tournament import EntrantState, Tournament
from gin_lobby.store import log, tournaments
from gin_lobby.store.log import LogEntry
from gin_lobby.use_cases import hints
from gin_lobby.use_cases.rights import find
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction, parse_id

MOST_HINTS = 200
IN_IT = (EntrantState.INVITED, EntrantState.REGISTERED, EntrantState.WAITLISTED)


def note(
    tx: Transaction,
    tournament: Tournament,
    caller: Caller | None,
    what: str,
    *,
    reason: str | None = None,
    details: dict[str, Any] | None = None,
    touched: Collection[UUID] = (),
) -> int:
    """Appends to the log, hints at it to whoever is touched, and returns the entry's number.

    Without a caller it happened by itself. The tournament must be locked.
    """
    actor = None if caller is None else UUID(caller.account_id)
    hints.changed(tx, tournament.tournament_id, tournament.state, tournament.current_round)
    # Where it touches more than these, it touches everybody, and the tournament's own topic tells them.
    for player_id in sorted(set(touched)) if len(set(touched)) <= MOST_HINTS else ():
        tx.announce(f"player:{player_id}", "noticed", {"tournament_id": str(tournament.tournament_id), "what": what})
    return log.append(tx, tournament.tournament_id, actor, what, reason, details or {}, set(touched))


def everybody(tx: Transaction, tournament: Tournament) -> list[UUID]:
    """All who are in the tournament, or might be."""
    return [e.player_id for e in tournaments.entrants(tx, tournament.tournament_id) if e.state in IN_IT]


def read_log(tx: Transaction, tournament_id: str, before: int | None, what: str | None, limit: int) -> list[LogEntry]:
    """Newest first. Raises NotFound."""
    return log.page(tx, find(tx, tournament_id).tournament_id, before, what, limit)


def read_notices(
    tx: Transaction, caller: Caller, before: tuple[datetime, UUID, int] | None, limit: int
) -> list[LogEntry]:
    """What touches the caller or their bots, in any tournament, newest first."""
    account_id = parse_id(caller.account_id)
    return [] if account_id is None else log.touching(tx, account_id, before, limit)

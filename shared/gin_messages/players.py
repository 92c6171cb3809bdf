"""Messages about players."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from marshmallow import Schema, fields, validate

from gin_messages.envelope import Message, body_schema


@dataclass(frozen=True, slots=True)
class PlayerChanged(Message):
    """A player was created or renamed. `revision` rises with every change: an older one is ignored."""

    name: ClassVar[str] = "player_changed"
    schema: ClassVar[Schema]

    player_id: str
    player_name: str
    kind: str
    revision: int


@dataclass(frozen=True, slots=True)
class PlayerLeft(Message):
    """Nobody will play as this player any more: matches in play are given up, and it waits at no table.

    `shown_name` is what is shown instead of the name from now on, also where the player was seen before; None leaves
    the name as it is. Records of finished matches, which are sealed, keep the name that was played under.
    """

    name: ClassVar[str] = "player_left"
    schema: ClassVar[Schema]

    player_id: str
    shown_name: str | None
    left_at: datetime


PlayerChanged.schema = body_schema(
    PlayerChanged,
    player_id=fields.Str(required=True),
    player_name=fields.Str(required=True),
    kind=fields.Str(required=True, validate=validate.OneOf(("human", "bot"))),
    revision=fields.Int(required=True),
)
PlayerLeft.schema = body_schema(
    PlayerLeft,
    player_id=fields.Str(required=True),
    shown_name=fields.Str(required=True, allow_none=True),
    left_at=fields.AwareDateTime(format="iso", required=True),
)

"""Messages about players."""

from __future__ import annotations

from dataclasses import dataclass
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


PlayerChanged.schema = body_schema(
    PlayerChanged,
    player_id=fields.Str(required=True),
    player_name=fields.Str(required=True),
    kind=fields.Str(required=True, validate=validate.OneOf(("human", "bot"))),
    revision=fields.Int(required=True),
)

"""Messages of the ratings service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from marshmallow import Schema, fields, post_load

from gin_messages.envelope import Message, body_schema


@dataclass(frozen=True, slots=True)
class RatingChange:
    """One ledger entry: the rating of `player_id` in `pool` before and after `match_id`, in Elo points.

    `games` counts the rated matches of the player in the pool so far, this one included: of two changes of the
    same player, the one with more games is the newer.
    """

    match_id: str
    player_id: str
    pool: str
    before: float
    after: float
    games: int


class _RatingChangeSchema(Schema):
    match_id = fields.Str(required=True)
    player_id = fields.Str(required=True)
    pool = fields.Str(required=True)
    before = fields.Float(required=True)
    after = fields.Float(required=True)
    games = fields.Int(required=True)

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> RatingChange:
        return RatingChange(**data)


@dataclass(frozen=True, slots=True)
class RatingsUpdated(Message):
    """What one settlement changed, in ledger order."""

    name: ClassVar[str] = "ratings_updated"
    schema: ClassVar[Schema]

    changes: list[RatingChange]


RatingsUpdated.schema = body_schema(
    RatingsUpdated, changes=fields.List(fields.Nested(_RatingChangeSchema()), required=True)
)

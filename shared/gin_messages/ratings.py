"""Messages of the ratings service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from marshmallow import Schema, fields, post_load

from gin_messages.envelope import Message, body_schema


@dataclass(frozen=True, slots=True)
class RatingChange:
    """One ledger entry: the rating of `player_id` in `pool` before and after `match_id`, in Elo points.

    `games` and `effective_games` are the player's in the pool after it. `sequence` is the entry's number in the
    ledger of the pool: of two changes of the same player, the one with the higher is the newer.
    """

    match_id: str
    player_id: str
    pool: str
    before: float
    after: float
    games: int
    effective_games: float
    sequence: int


@dataclass(frozen=True, slots=True)
class EarlierRatingChange:
    """As told before results could be corrected. Of two changes the one with more games is the newer."""

    match_id: str
    player_id: str
    pool: str
    before: float
    after: float
    games: int


class _EarlierRatingChangeSchema(Schema):
    match_id = fields.Str(required=True)
    player_id = fields.Str(required=True)
    pool = fields.Str(required=True)
    before = fields.Float(required=True)
    after = fields.Float(required=True)
    games = fields.Int(required=True)

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> RatingChange | EarlierRatingChange:
        return EarlierRatingChange(**data)


class _RatingChangeSchema(_EarlierRatingChangeSchema):
    effective_games = fields.Float(required=True)
    sequence = fields.Int(required=True)

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> RatingChange | EarlierRatingChange:
        return RatingChange(**data)


@dataclass(frozen=True, slots=True)
class RatingsUpdated(Message):
    """What one settlement changed, in ledger order."""

    name: ClassVar[str] = "ratings_updated"
    version: ClassVar[int] = 2
    schema: ClassVar[Schema]

    changes: list[RatingChange]


@dataclass(frozen=True, slots=True)
class EarlierRatingsUpdated(Message):
    """Version 1: nothing sends it any more, but an outbox may still hold some."""

    name: ClassVar[str] = "ratings_updated"
    schema: ClassVar[Schema]

    changes: list[EarlierRatingChange]


RatingsUpdated.schema = body_schema(
    RatingsUpdated, changes=fields.List(fields.Nested(_RatingChangeSchema()), required=True)
)
EarlierRatingsUpdated.schema = body_schema(
    EarlierRatingsUpdated, changes=fields.List(fields.Nested(_EarlierRatingChangeSchema()), required=True)
)

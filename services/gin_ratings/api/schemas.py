"""What the API takes and gives, as marshmallow schemas."""

from __future__ import annotations

import re
from typing import Any

from marshmallow import Schema, fields, validate

from gin_ratings.domain.ledger import rfc3339
from gin_ratings.domain.players import PLAYER_ID
from gin_ratings.domain.pools import POOL_NAME

LARGEST_TARGET = 100_000


class Moment(fields.AwareDateTime):
    """A time in UTC, as RFC 3339 writes it."""

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> str | None:
        return None if value is None else rfc3339(value)


def _whole(pattern: re.Pattern[str]) -> validate.Regexp:
    # In Python $ also stands before a last line feed; \Z would say it shorter, but not to readers of the document.
    return validate.Regexp(f"^{pattern.pattern}$(?!\\n)")


def _player_id(**options: Any) -> fields.Str:
    return fields.Str(validate=_whole(PLAYER_ID), **options)


def _pool(**options: Any) -> fields.Str:
    return fields.Str(validate=_whole(POOL_NAME), metadata={"example": "rummy/open"}, **options)


class _PageQuery(Schema):
    limit = fields.Int(load_default=50, validate=validate.Range(1, 200))
    cursor = fields.Str(load_default=None, validate=validate.Length(1, 400))


class RatingsQuery(_PageQuery):
    pool = _pool(load_default=None)
    player_id = _player_id(load_default=None)


class HistoryQuery(_PageQuery):
    pool = _pool(required=True)


class LeaderboardQuery(_PageQuery):
    standing = fields.Str(load_default="established", validate=validate.OneOf(("established", "provisional")))
    active_days = fields.Int(load_default=None, validate=validate.Range(1, 3650))


class LedgerQuery(Schema):
    after = fields.Int(load_default=0, validate=validate.Range(0, 2**63 - 1))
    limit = fields.Int(load_default=100, validate=validate.Range(1, 500))


class MeetingsQuery(_PageQuery):
    pass


class OpponentsQuery(Schema):
    limit = fields.Int(load_default=50, validate=validate.Range(1, 200))


class ForecastQuery(Schema):
    pool = _pool(required=True)
    a = _player_id(required=True)
    b = _player_id(required=True)
    target = fields.Int(load_default=100, validate=validate.Range(1, LARGEST_TARGET))


class PlayerSchema(Schema):
    """`name` and `kind`, human or bot, are null until they were told."""

    player_id = fields.Str(required=True)
    name = fields.Str(required=True, allow_none=True)
    kind = fields.Str(required=True, allow_none=True)


class StandingSchema(Schema):
    """`uncertainty` is one standard deviation, in points like the rating."""

    rating = fields.Float(required=True)
    uncertainty = fields.Float(required=True)
    provisional = fields.Bool(required=True)
    games = fields.Int(required=True)
    effective_games = fields.Float(required=True)
    rated_at = Moment(required=True)


class PoolStandingSchema(StandingSchema):
    pool = fields.Str(required=True)


class RatingSchema(PlayerSchema, PoolStandingSchema):
    pass


class RatingsPageSchema(Schema):
    ratings = fields.List(fields.Nested(RatingSchema()), required=True)
    next_cursor = fields.Str(required=True, allow_none=True)


class PlayerRatingsSchema(PlayerSchema):
    ratings = fields.List(fields.Nested(PoolStandingSchema()), required=True)


class RankedSchema(PlayerSchema, StandingSchema):
    """`rank` is 1 + the number of players on the same list with a higher rating: equals share it."""

    rank = fields.Int(required=True)


class LeaderboardSchema(Schema):
    pool = fields.Str(required=True)
    standing = fields.Str(required=True)
    players = fields.List(fields.Nested(RankedSchema()), required=True)
    next_cursor = fields.Str(required=True, allow_none=True)


class HistoryOpponentSchema(Schema):
    player_id = fields.Str(required=True)
    name = fields.Str(required=True, allow_none=True)
    rating = fields.Float(required=True)
    place = fields.Int(required=True)


class HistoryItemSchema(Schema):
    """What one match did. `rating` of an opponent is the one that was used."""

    sequence = fields.Int(required=True)
    kind = fields.Str(required=True)
    match_id = fields.Str(required=True)
    place = fields.Int(required=True)
    target = fields.Int(required=True)
    opponents = fields.List(fields.Nested(HistoryOpponentSchema()), required=True)
    k = fields.Int(required=True)
    m = fields.Float(required=True)
    before = fields.Float(required=True)
    after = fields.Float(required=True)
    games = fields.Int(required=True)
    uncertainty = fields.Float(required=True)
    finished_at = Moment(required=True)
    settled_at = Moment(required=True)


class HistorySchema(Schema):
    player_id = fields.Str(required=True)
    pool = fields.Str(required=True)
    changes = fields.List(fields.Nested(HistoryItemSchema()), required=True)
    next_cursor = fields.Str(required=True, allow_none=True)


class PoolSchema(Schema):
    """`size` and `head_hash` are the end of the pool's ledger; `established` of its `players` are not provisional."""

    pool = fields.Str(required=True)
    size = fields.Int(required=True)
    head_hash = fields.Str(required=True)
    players = fields.Int(required=True)
    established = fields.Int(required=True)


class PoolsSchema(Schema):
    pools = fields.List(fields.Nested(PoolSchema()), required=True)


class LedgerOpponentSchema(Schema):
    player_id = fields.Str(required=True)
    rating = fields.Float(required=True)
    place = fields.Int(required=True)


class EntrySchema(Schema):
    """`hash` is the SHA-256 of the RFC 8785 form of all the other fields, `previous_hash` included."""

    pool = fields.Str(required=True)
    sequence = fields.Int(required=True)
    kind = fields.Str(required=True)
    match_id = fields.Str(required=True)
    player_id = fields.Str(required=True)
    place = fields.Int(required=True)
    target = fields.Int(required=True)
    opponents = fields.List(fields.Nested(LedgerOpponentSchema()), required=True)
    k = fields.Int(required=True)
    m = fields.Float(required=True)
    before = fields.Float(required=True)
    after = fields.Float(required=True)
    games = fields.Int(required=True)
    effective_games = fields.Float(required=True)
    settled_at = Moment(required=True)
    previous_hash = fields.Str(required=True)
    hash = fields.Str(required=True)


class LedgerSchema(Schema):
    """`next_after` is the `after` of the next page, or null at the end."""

    pool = fields.Str(required=True)
    size = fields.Int(required=True)
    head_hash = fields.Str(required=True)
    entries = fields.List(fields.Nested(EntrySchema()), required=True)
    next_after = fields.Int(required=True, allow_none=True)


class SideSchema(Schema):
    """`expected` is a share of the point, 0 to 1; `if_wins`, `if_ties` and `if_loses` are changes of the rating."""

    player_id = fields.Str(required=True)
    name = fields.Str(required=True, allow_none=True)
    rating = fields.Float(required=True)
    uncertainty = fields.Float(required=True)
    provisional = fields.Bool(required=True)
    k = fields.Int(required=True)
    expected = fields.Float(required=True)
    if_wins = fields.Float(required=True)
    if_ties = fields.Float(required=True)
    if_loses = fields.Float(required=True)


class ForecastSchema(Schema):
    pool = fields.Str(required=True)
    target = fields.Int(required=True)
    m = fields.Float(required=True)
    a = fields.Nested(SideSchema(), required=True)
    b = fields.Nested(SideSchema(), required=True)


class ShadowStandingSchema(Schema):
    """Glicko-2: `deviation` is one standard deviation in points. It knows the first `size` entries of the ledger."""

    pool = fields.Str(required=True)
    rating = fields.Float(required=True)
    deviation = fields.Float(required=True)
    volatility = fields.Float(required=True)
    size = fields.Int(required=True)


class ShadowSchema(Schema):
    player_id = fields.Str(required=True)
    ratings = fields.List(fields.Nested(ShadowStandingSchema()), required=True)


class TallySchema(Schema):
    """How often the player finished ahead of, level with and behind the opponent; `pool` null: unrated matches."""

    opponent_id = fields.Str(required=True)
    name = fields.Str(required=True, allow_none=True)
    pool = fields.Str(required=True, allow_none=True)
    wins = fields.Int(required=True)
    ties = fields.Int(required=True)
    losses = fields.Int(required=True)
    last_met_at = Moment(required=True)


class OpponentsSchema(Schema):
    player_id = fields.Str(required=True)
    opponents = fields.List(fields.Nested(TallySchema()), required=True)


class SeatSchema(Schema):
    """`change` is what the match did to the player's rating, null when it was not rated."""

    player_id = fields.Str(required=True)
    name = fields.Str(required=True, allow_none=True)
    place = fields.Int(required=True)
    change = fields.Float(required=True, allow_none=True)


class MeetingSchema(Schema):
    match_id = fields.Str(required=True)
    pool = fields.Str(required=True, allow_none=True)
    ending = fields.Str(required=True)
    seats = fields.List(fields.Nested(SeatSchema()), required=True)
    finished_at = Moment(required=True)


class MatchesSchema(Schema):
    player_id = fields.Str(required=True)
    matches = fields.List(fields.Nested(MeetingSchema()), required=True)
    next_cursor = fields.Str(required=True, allow_none=True)


class HeadToHeadSchema(MatchesSchema):
    """`tallies` count every match of the two, `matches` lists them page by page, the latest first."""

    opponent_id = fields.Str(required=True)
    tallies = fields.List(fields.Nested(TallySchema()), required=True)

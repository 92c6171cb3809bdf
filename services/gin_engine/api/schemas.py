"""What the engine's answers and requests look like."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from gin_engine.domain.match import STATES

LARGEST_INTEGER = 2**31 - 1
_ID = validate.Regexp(r"^[\x21-\x7e]{1,100}\Z", error="Not an id.")


class MatchQuerySchema(Schema):
    """Filters and the place in the list."""

    tournament_id = fields.Str(validate=_ID)
    round = fields.Int(validate=validate.Range(0, LARGEST_INTEGER))
    player_id = fields.Str(validate=_ID)
    state = fields.Str(validate=validate.OneOf(STATES))
    cursor = fields.Str(validate=validate.Length(1, 400), metadata={"description": "next_cursor of the page before."})
    limit = fields.Int(load_default=50, validate=validate.Range(1, 200))


class SeatSchema(Schema):
    """Who sits there, and what the seat brought home once the match is over."""

    seat = fields.Int(required=True)
    player_id = fields.Str(required=True)
    name = fields.Str(required=True)
    bot = fields.Str(required=True, allow_none=True)
    place = fields.Int(required=True, allow_none=True)
    score = fields.Int(required=True, allow_none=True)
    hands_won = fields.Int(required=True, allow_none=True)
    undercuts = fields.Int(required=True, allow_none=True)


class MatchSchema(Schema):
    """A match as it stands in lists."""

    match_id = fields.Str(required=True)
    tournament_id = fields.Str(required=True, allow_none=True)
    round = fields.Int(required=True, allow_none=True)
    game = fields.Str(required=True)
    rules = fields.Dict(keys=fields.Str(), required=True)
    state = fields.Str(required=True, validate=validate.OneOf(STATES))
    ending = fields.Str(required=True, allow_none=True)
    reason = fields.Str(required=True, allow_none=True)
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    hands_played = fields.Int(required=True)
    action_count = fields.Int(required=True)
    commitment = fields.Str(required=True, metadata={"description": "SHA-256 of salt and seed, published at opening."})
    casual = fields.Bool(required=True, metadata={"description": "Played at the table that has its id."})
    deal_id = fields.Str(
        required=True, allow_none=True, metadata={"description": "Matches with the same one play the same cards."}
    )
    seal = fields.Str(
        required=True, allow_none=True, metadata={"description": "SHA-256 over the record, published when it ended."}
    )
    opened_at = fields.AwareDateTime(format="iso", required=True)
    deadline_at = fields.AwareDateTime(format="iso", required=True, allow_none=True)
    finished_at = fields.AwareDateTime(format="iso", required=True, allow_none=True)


class MatchPageSchema(Schema):
    """One page of matches; `next_cursor` is null on the last one."""

    matches = fields.List(fields.Nested(MatchSchema), required=True)
    next_cursor = fields.Str(required=True, allow_none=True)


class _SeatClockSchema(Schema):
    bank_ms = fields.Int(required=True, allow_none=True)
    running = fields.Bool(required=True)
    move_ms = fields.Int(required=True, allow_none=True)


class ClockViewSchema(Schema):
    """What each seat has left at the moment `now`, null for built-in bots; the running clock ends at `expires_at`."""

    seats = fields.List(fields.Nested(_SeatClockSchema), required=True)
    expires_at = fields.AwareDateTime(format="iso", required=True, allow_none=True)
    now = fields.AwareDateTime(format="iso", required=True)


class MatchDetailSchema(MatchSchema):
    """A match for everybody: whose turn it is, and the table as a spectator sees it, scored hands included."""

    to_act = fields.Int(required=True, allow_none=True)
    view = fields.Dict(keys=fields.Str(), required=True, allow_none=True)
    clock = fields.Nested(ClockViewSchema, required=True, allow_none=True)


class SealSchema(Schema):
    """What proves the record of a match that is over, its names and times included."""

    match_id = fields.Str(required=True)
    seal = fields.Str(required=True)
    commitment = fields.Str(required=True)
    finished_at = fields.AwareDateTime(format="iso", required=True)


class RematchSchema(Schema):
    """A rematch that somebody asked for; `match_id` once all have agreed."""

    table_id = fields.Str(required=True)
    match_id = fields.Str(required=True, allow_none=True)
    asked_by = fields.List(fields.Str(), required=True, metadata={"description": "Player ids."})


class SeatViewSchema(Schema):
    """A match for one of its players."""

    match_id = fields.Str(required=True)
    seat = fields.Int(required=True)
    state = fields.Str(required=True, validate=validate.OneOf(STATES))
    action_count = fields.Int(required=True, metadata={"description": "To be sent with the next action."})
    to_act = fields.Int(required=True, allow_none=True)
    legal_actions = fields.List(fields.Str(), required=True)
    view = fields.Dict(keys=fields.Str(), required=True)
    advice = fields.Bool(required=True, metadata={"description": "Whether players may be told what their cards make."})
    table_id = fields.Str(required=True, allow_none=True)
    rematch = fields.Nested(RematchSchema, required=True, allow_none=True)
    clock = fields.Nested(ClockViewSchema, required=True, allow_none=True)


class ActionSchema(Schema):
    """An action of the caller's seat, decided after `action_count` actions."""

    action = fields.Str(
        required=True,
        validate=validate.Regexp(r"^[\x20-\x7e]{1,300}\Z", error="Not an action."),
        metadata={"example": "discard 7c"},
    )
    action_count = fields.Int(required=True, strict=True, validate=validate.Range(0, LARGEST_INTEGER))

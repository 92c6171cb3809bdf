"""What the engine's answers and requests look like."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from gin_engine.domain.match import STATES

LARGEST_INTEGER = 2**31 - 1
_OF_VIEWS = (
    "The table as the game's rules show it. `history` is what was done in the hand: `seat`, `text` (the action) and "
    "`card` (taken or thrown face up), without the cards that may not be looked up any more."
)
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
    view = fields.Dict(keys=fields.Str(), required=True, allow_none=True, metadata={"description": _OF_VIEWS})
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
    view = fields.Dict(keys=fields.Str(), required=True, metadata={"description": _OF_VIEWS})
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


class SumSchema(Schema):
    """Points of a seat, and the arithmetic that gives them."""

    seat = fields.Int(required=True)
    text = fields.Str(required=True, metadata={"example": "25 + 8 − 5 = 28"})
    points = fields.Int(required=True)


class ScoreLineSchema(Schema):
    """One part of a seat's points of a hand."""

    seat = fields.Int(required=True)
    reason = fields.Str(required=True)
    points = fields.Int(required=True)


class HandSheetSchema(Schema):
    """How a hand was scored. `games` are points by game and seat after it, where several games are scored at once."""

    number = fields.Int(required=True)
    ended = fields.Str(required=True)
    winner = fields.Int(required=True, allow_none=True)
    headline = fields.Str(required=True)
    facts = fields.List(fields.Str(), required=True)
    lines = fields.List(fields.Nested(ScoreLineSchema), required=True)
    sums = fields.List(fields.Nested(SumSchema), required=True)
    points = fields.List(fields.Int(), required=True)
    corrected = fields.Bool(required=True)
    games = fields.List(fields.List(fields.Int()), required=True)


class ScoreSheetSchema(Schema):
    """A match so far, by seat; bonuses and final scores when it is over."""

    hands = fields.List(fields.Nested(HandSheetSchema), required=True)
    totals = fields.List(fields.Int(), required=True)
    bonuses = fields.List(fields.Nested(SumSchema), required=True)
    final_scores = fields.List(fields.Int(), required=True, allow_none=True)


class OpenStepSchema(Schema):
    """A position, and the action that led to it; `hands` are by seat."""

    seat = fields.Int(required=True, allow_none=True)
    action = fields.Str(required=True, allow_none=True)
    at = fields.AwareDateTime(format="iso", required=True, allow_none=True)
    hands = fields.List(fields.List(fields.Str()), required=True)
    view = fields.Dict(keys=fields.Str(), required=True)


class OpenHandSchema(Schema):
    """A hand of a match that is over. `hands` is how many the match has."""

    number = fields.Int(required=True)
    hands = fields.Int(required=True)
    steps = fields.List(fields.Nested(OpenStepSchema), required=True)
    result = fields.Dict(keys=fields.Str(), required=True, allow_none=True)
    sheet = fields.Nested(HandSheetSchema, required=True, allow_none=True)


class AdviceQuerySchema(Schema):
    """Word Gin: the words to look up, which the own cards must be able to lay."""

    words = fields.Str(
        load_default="",
        validate=validate.Regexp(r"^[A-Za-z ]{0,100}\Z", error="Not words."),
        metadata={"example": "CATr TOy"},
    )


class CheckedWordSchema(Schema):
    """A word and whether the dictionary of the match has it."""

    text = fields.Str(required=True)
    points = fields.Int(required=True)
    is_word = fields.Bool(required=True)


class AdviceSchema(Schema):
    """Gin Rummy: the best melds, their deadwood, and the same after each legal discard. Word Gin: the words."""

    deadwood = fields.Int()
    melds = fields.List(fields.List(fields.Str()))
    discards = fields.Dict(keys=fields.Str())
    words = fields.List(fields.Nested(CheckedWordSchema))

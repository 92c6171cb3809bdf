"""Messages about matches: the lobby asks for one, the engine tells how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from marshmallow import Schema, fields, post_dump, post_load, validate

from gin_messages.envelope import Message, body_schema

LONGEST_CLOCK_SECONDS = 7 * 24 * 3600
LONGEST_SPECTATOR_DELAY_SECONDS = 3600
ENDINGS = ("played", "forfeit", "no_show", "double_forfeit", "void")


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """Who sits where. `bot` names the built-in bot that plays the seat; None means that a client acts for it.

    Optional: `owner_id`, the account that the player belongs to, for one that is a bot.
    """

    player_id: str
    name: str
    bot: str | None
    owner_id: str | None = None


@dataclass(frozen=True, slots=True)
class ClockPlan:
    """Seconds that a person may use: for each action, and in a bank for all actions that take longer."""

    move_seconds: int
    bank_seconds: int


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What one seat brought home. `place` 1 is best; equal places are ties. `score` is the game-point total."""

    player_id: str
    place: int
    score: int
    hands_won: int
    undercuts: int


class _SeatPlanSchema(Schema):
    player_id = fields.Str(required=True)
    name = fields.Str(required=True)
    bot = fields.Str(required=True, allow_none=True)
    owner_id = fields.Str(load_default=None, allow_none=True)

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> SeatPlan:
        return SeatPlan(**data)

    @post_dump
    def leave_out(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {name: value for name, value in data.items() if name != "owner_id" or value is not None}


class _ClockPlanSchema(Schema):
    move_seconds = fields.Int(required=True, strict=True, validate=validate.Range(1, LONGEST_CLOCK_SECONDS))
    bank_seconds = fields.Int(required=True, strict=True, validate=validate.Range(0, LONGEST_CLOCK_SECONDS))

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> ClockPlan:
        return ClockPlan(**data)


class _SeatResultSchema(Schema):
    player_id = fields.Str(required=True)
    place = fields.Int(required=True, validate=validate.Range(min=1))
    score = fields.Int(required=True)
    hands_won = fields.Int(required=True)
    undercuts = fields.Int(required=True)

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> SeatResult:
        return SeatResult(**data)


@dataclass(frozen=True, slots=True)
class OpenMatch(Message):
    """The lobby wants this match to be played.

    `match_id` is the lobby's: asking twice opens one match. `rating_pool` is e.g. "rummy/open", or None for an
    unrated match. At `deadline_at` a match that is still undecided is forfeited by whoever kept it waiting longest.
    `first_dealer` is the seat that deals the first hand; None lets the players cut for it.

    Optional: `clock` for the people who play, `arbiters` (account ids) who may rule, and `deal_id`: matches with the
    same one play the same cards, seat by seat, and nobody sees them from outside until all `deal_tables` of them are
    over (or all that were opened are, and the last deadline has passed). Such matches need fixed hands, an alternating
    deal and a `first_dealer`. Spectators see the match `spectator_delay_seconds` later than its players.
    """

    name: ClassVar[str] = "open_match"
    schema: ClassVar[Schema]

    match_id: str
    tournament_id: str | None
    round_number: int | None
    game: str
    rules: dict[str, Any]
    seats: list[SeatPlan]
    rating_pool: str | None
    deadline_at: datetime | None
    first_dealer: int | None
    clock: ClockPlan | None = None
    arbiters: list[str] | None = None
    deal_id: str | None = None
    deal_tables: int | None = None
    spectator_delay_seconds: int | None = None


@dataclass(frozen=True, slots=True)
class CancelMatch(Message):
    """The lobby no longer wants this match. A match that has finished stays finished."""

    name: ClassVar[str] = "cancel_match"
    schema: ClassVar[Schema]

    match_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class MatchFinished(Message):
    """A match is decided. `seats` stand in seat order; `target` is in points (what ratings weigh a match by).

    `ending` is "played", "forfeit" (the seat with the last place did not play on), "no_show" (it never played at all),
    "double_forfeit" or "void".
    """

    name: ClassVar[str] = "match_finished"
    schema: ClassVar[Schema]

    match_id: str
    tournament_id: str | None
    round_number: int | None
    game: str
    rating_pool: str | None
    target: int
    ending: str
    seats: list[SeatResult]
    hands_played: int
    finished_at: datetime


@dataclass(frozen=True, slots=True)
class CorrectedSeat:
    """Where one seat stands by the corrected result. `place` 1 is best; equal places are ties."""

    player_id: str
    place: int


class _CorrectedSeatSchema(Schema):
    player_id = fields.Str(required=True)
    place = fields.Int(required=True, validate=validate.Range(min=1))

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> CorrectedSeat:
        return CorrectedSeat(**data)


@dataclass(frozen=True, slots=True)
class ResultCorrected(Message):
    """An organiser gave a finished match another result. `ending` and `seats` are as in `MatchFinished`.

    `revision` rises from 1 with every correction of the match: of two the higher counts, in whatever order they come.
    """

    name: ClassVar[str] = "result_corrected"
    schema: ClassVar[Schema]

    match_id: str
    revision: int
    tournament_id: str
    ending: str
    seats: list[CorrectedSeat]
    reason: str
    corrected_at: datetime


@dataclass(frozen=True, slots=True)
class ArbitersNamed(Message):
    """Who may rule in the matches of a tournament from now on (account ids), those that are open included.

    The latest `named_at` counts, in whatever order they come.
    """

    name: ClassVar[str] = "arbiters_named"
    schema: ClassVar[Schema]

    tournament_id: str
    arbiters: list[str]
    named_at: datetime


@dataclass(frozen=True, slots=True)
class DeadlineMoved(Message):
    """A match that is still undecided has another deadline, or none for now: then it is paused, and its clocks stand
    as well until it has one again. The latest `moved_at` counts.

    It may come before the match is opened. A match that is over stays as it is.
    """

    name: ClassVar[str] = "deadline_moved"
    schema: ClassVar[Schema]

    match_id: str
    deadline_at: datetime | None
    moved_at: datetime


OpenMatch.schema = body_schema(
    OpenMatch,
    match_id=fields.Str(required=True),
    tournament_id=fields.Str(required=True, allow_none=True),
    round_number=fields.Int(required=True, allow_none=True),
    game=fields.Str(required=True),
    rules=fields.Dict(keys=fields.Str(), required=True),
    seats=fields.List(fields.Nested(_SeatPlanSchema()), required=True),
    rating_pool=fields.Str(required=True, allow_none=True),
    deadline_at=fields.AwareDateTime(format="iso", required=True, allow_none=True),
    first_dealer=fields.Int(required=True, allow_none=True, strict=True),
    clock=fields.Nested(_ClockPlanSchema(), load_default=None, allow_none=True),
    arbiters=fields.List(fields.Str(), load_default=None, allow_none=True),
    deal_id=fields.Str(load_default=None, allow_none=True),
    deal_tables=fields.Int(load_default=None, allow_none=True, strict=True, validate=validate.Range(min=1)),
    spectator_delay_seconds=fields.Int(
        load_default=None,
        allow_none=True,
        strict=True,
        validate=validate.Range(0, LONGEST_SPECTATOR_DELAY_SECONDS),
    ),
)
CancelMatch.schema = body_schema(
    CancelMatch,
    match_id=fields.Str(required=True),
    reason=fields.Str(required=True),
)
MatchFinished.schema = body_schema(
    MatchFinished,
    match_id=fields.Str(required=True),
    tournament_id=fields.Str(required=True, allow_none=True),
    round_number=fields.Int(required=True, allow_none=True),
    game=fields.Str(required=True),
    rating_pool=fields.Str(required=True, allow_none=True),
    target=fields.Int(required=True, validate=validate.Range(min=1)),
    ending=fields.Str(required=True, validate=validate.OneOf(ENDINGS)),
    seats=fields.List(fields.Nested(_SeatResultSchema()), required=True),
    hands_played=fields.Int(required=True),
    finished_at=fields.AwareDateTime(format="iso", required=True),
)
ResultCorrected.schema = body_schema(
    ResultCorrected,
    match_id=fields.Str(required=True),
    revision=fields.Int(required=True, strict=True, validate=validate.Range(min=1)),
    tournament_id=fields.Str(required=True),
    ending=fields.Str(required=True, validate=validate.OneOf(ENDINGS)),
    seats=fields.List(fields.Nested(_CorrectedSeatSchema()), required=True),
    reason=fields.Str(required=True),
    corrected_at=fields.AwareDateTime(format="iso", required=True),
)
ArbitersNamed.schema = body_schema(
    ArbitersNamed,
    tournament_id=fields.Str(required=True),
    arbiters=fields.List(fields.Str(), required=True),
    named_at=fields.AwareDateTime(format="iso", required=True),
)
DeadlineMoved.schema = body_schema(
    DeadlineMoved,
    match_id=fields.Str(required=True),
    deadline_at=fields.AwareDateTime(format="iso", required=True, allow_none=True),
    moved_at=fields.AwareDateTime(format="iso", required=True),
)

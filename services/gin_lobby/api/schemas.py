"""The lobby's JSON: what requests may hold, and what answers look like. Times are RFC 3339 in UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from gin_lobby.domain.formats import LARGEST_FIELD
from gin_lobby.domain.names import LONGEST_ACCOUNT_NAME, LONGEST_PASSWORD, SHORTEST_PASSWORD, why_not_a_name
from gin_lobby.domain.tournament import Admits, TournamentState
from gin_messages.match import LONGEST_CLOCK_SECONDS, LONGEST_SPECTATOR_DELAY_SECONDS
from gin_servicekit.auth import Scope

LONGEST_NAME = 80
SHORT_FORMS = ("swiss",)


def _visible(text: str) -> None:
    reason = why_not_a_name(text)
    if reason:
        raise ValidationError(reason)


def name_field(longest: int = LONGEST_NAME, **options: Any) -> fields.Str:
    return fields.Str(validate=[validate.Length(1, longest), _visible], **options)


class FormatField(fields.Field[Any]):
    """A format as JSON, or the name of one in its short form."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> Any:
        if not isinstance(value, dict) and value not in SHORT_FORMS:
            raise ValidationError(f'Must be an object with "kind", or one of: {", ".join(SHORT_FORMS)}.')
        return value


class UtcTime(fields.AwareDateTime):
    """A time with its offset, read as the same moment in UTC."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> datetime:
        moment = super()._deserialize(value, attr, data, **options)
        try:
            return moment.astimezone(UTC)
        except OverflowError:
            raise ValidationError("Not a time that the calendar has in UTC.") from None


class RatingField(fields.Float):
    """A rating, or a bound of ratings."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_nan=False, validate=validate.Range(-100_000, 100_000), **options)


class AccountRequest(Schema):
    name = name_field(LONGEST_ACCOUNT_NAME, required=True)
    password = fields.Str(required=True, load_only=True, validate=validate.Length(SHORTEST_PASSWORD, LONGEST_PASSWORD))


class NameRequest(Schema):
    name = name_field(LONGEST_ACCOUNT_NAME, required=True)


class OwnPasswordRequest(Schema):
    """The password, to show that it is you."""

    password = fields.Str(required=True, load_only=True, validate=validate.Length(1, LONGEST_PASSWORD))


class RecoveryCodesAnswer(Schema):
    """`recovery_codes` are told once: we keep only fingerprints. Each sets a new password once."""

    recovery_codes = fields.List(fields.Str(), required=True)


class RecoveryCodesLeft(Schema):
    left = fields.Int(required=True, metadata={"description": "How many have not been used."})


class PasswordResetRequest(Schema):
    name = fields.Str(required=True, validate=validate.Length(1, LONGEST_ACCOUNT_NAME))
    recovery_code = fields.Str(required=True, load_only=True, validate=validate.Length(1, 100))
    new_password = fields.Str(
        required=True, load_only=True, validate=validate.Length(SHORTEST_PASSWORD, LONGEST_PASSWORD)
    )


class BotNameRequest(Schema):
    name = name_field(40, required=True)


class BotTokenRequest(Schema):
    lifetime_days = fields.Int(load_default=30, strict=True, validate=validate.Range(1, 365))


class TokenRequest(BotTokenRequest):
    name = fields.Str(required=True, validate=validate.Length(1, LONGEST_ACCOUNT_NAME))
    password = fields.Str(required=True, load_only=True, validate=validate.Length(1, LONGEST_PASSWORD))
    scopes = fields.List(
        fields.Str(validate=validate.OneOf([scope.value for scope in Scope])),
        load_default=lambda: [scope.value for scope in Scope],
        validate=validate.Length(1, 10),
    )


class TokenAnswer(Schema):
    """It acts for the player `player_id`: you, or a bot of yours. A `session` is kept by a browser."""

    token_id = fields.Str(required=True)
    player_id = fields.UUID(required=True)
    player_name = fields.Str(required=True)
    session = fields.Bool(required=True)
    scopes = fields.List(fields.Str(), required=True)
    created_at = fields.AwareDateTime(required=True)
    expires_at = fields.AwareDateTime(required=True)
    revoked_at = fields.AwareDateTime(allow_none=True)


class NewTokenAnswer(TokenAnswer):
    """`token` is told once: we keep no copy."""

    token = fields.Str(required=True)
    account_id = fields.UUID(required=True)


class PlayerRequest(Schema):
    """A bot. With `bot` a built-in one plays for it; without, your client sends its actions."""

    name = name_field(40, required=True)
    kind = fields.Str(required=True, validate=validate.Equal("bot"))
    bot = fields.Str(load_default=None, allow_none=True, validate=validate.Length(1, 40))


class PlayerAnswer(Schema):
    player_id = fields.UUID(required=True)
    name = fields.Str(required=True)
    kind = fields.Str(required=True)
    bot = fields.Str(allow_none=True, required=True)
    owner_id = fields.UUID(allow_none=True, required=True)
    created_at = fields.AwareDateTime(required=True)


class ClockSchema(Schema):
    """Seconds for each action of a person, and for all that takes longer."""

    move_seconds = fields.Int(required=True, strict=True, validate=validate.Range(5, LONGEST_CLOCK_SECONDS))
    bank_seconds = fields.Int(required=True, strict=True, validate=validate.Range(0, LONGEST_CLOCK_SECONDS))

    @validates_schema
    def has_both(self, data: dict[str, int], **_: Any) -> None:
        """Also where all that surrounds it may be left out."""
        missing = [name for name in self.fields if name not in data]
        if missing:
            raise ValidationError({name: ["Missing data for required field."] for name in missing})


class TournamentRequest(Schema):
    name = name_field(required=True)
    game = fields.Str(load_default="rummy", validate=validate.Length(1, 20))
    rules = fields.Dict(keys=fields.Str(), load_default=dict)
    format = FormatField(
        load_default="swiss",
        metadata={
            "description": 'A format with its settings, such as {"kind": "round_robin", "legs": 2}, or "swiss"',
            "anyOf": [{"type": "object"}, {"type": "string", "enum": list(SHORT_FORMS)}],
        },
    )
    rounds = fields.Int(
        load_default=None,
        allow_none=True,
        strict=True,
        validate=validate.Range(1, 100),
        metadata={"description": 'Only with the short form "swiss", and there it must be told'},
    )
    starts_at = UtcTime(required=True)
    admits = fields.Str(load_default=Admits.MIXED.value, validate=validate.OneOf([a.value for a in Admits]))
    capacity = fields.Int(load_default=None, allow_none=True, strict=True, validate=validate.Range(2, LARGEST_FIELD))
    minimum_entrants = fields.Int(load_default=2, strict=True, validate=validate.Range(2, LARGEST_FIELD))
    check_in_minutes = fields.Int(load_default=0, strict=True, validate=validate.Range(0, 7 * 24 * 60))
    round_minutes = fields.Int(load_default=60, strict=True, validate=validate.Range(1, 366 * 24 * 60))
    spectator_delay_seconds = fields.Int(
        load_default=0,
        strict=True,
        validate=validate.Range(0, LONGEST_SPECTATOR_DELAY_SECONDS),
        metadata={"description": "How much later than the players everybody else sees a match that is being played"},
    )
    tie_breaks = fields.List(
        fields.Str(validate=validate.Length(1, 40)),
        load_default=None,
        allow_none=True,
        validate=validate.Length(0, 20),
    )
    clock = fields.Nested(ClockSchema, load_default=None, allow_none=True)

    draft = fields.Bool(
        load_default=False, metadata={"description": "Nobody but you sees a draft until you announce it"}
    )
    late_start_grace_minutes = fields.Int(
        load_default=120,
        strict=True,
        validate=validate.Range(0, 30 * 24 * 60),
        metadata={"description": "Later than this it does not start any more: it was missed"},
    )
    rating_min = RatingField(load_default=None, allow_none=True)
    rating_max = RatingField(load_default=None, allow_none=True)
    admits_provisional = fields.Bool(load_default=True)
    invitation_code = name_field(80, load_default=None, allow_none=True)


class TournamentAnswer(Schema):
    tournament_id = fields.UUID(required=True)
    organiser_id = fields.UUID(required=True)
    name = fields.Str(required=True)
    game = fields.Str(required=True)
    rules = fields.Dict(required=True)
    format = fields.Dict(required=True)
    rounds = fields.Int(
        required=True, allow_none=True, metadata={"description": "How many there will be, as far as known"}
    )
    current_round = fields.Int(required=True)
    state = fields.Str(required=True, validate=validate.OneOf([s.value for s in TournamentState]))
    admits = fields.Str(required=True)
    pool = fields.Str(required=True)
    capacity = fields.Int(allow_none=True, required=True)
    minimum_entrants = fields.Int(required=True)
    starts_at = fields.AwareDateTime(required=True)
    check_in_minutes = fields.Int(required=True)
    round_minutes = fields.Int(required=True)
    spectator_delay_seconds = fields.Int(required=True)
    tie_breaks = fields.List(fields.Str(), required=True)
    clock = fields.Nested(ClockSchema, allow_none=True, required=True)
    ended_because = fields.Str(allow_none=True, required=True)
    paused_at = fields.AwareDateTime(allow_none=True, required=True)
    late_start_grace_minutes = fields.Int(required=True)
    rating_min = fields.Float(allow_none=True, required=True)
    rating_max = fields.Float(allow_none=True, required=True)
    admits_provisional = fields.Bool(required=True)
    invitation_required = fields.Bool(required=True)
    forbidden_pairs = fields.List(fields.List(fields.Str()), required=True)
    question = fields.Dict(
        allow_none=True,
        required=True,
        metadata={"description": "Why no round can be paired, what would help, and until when the organiser may say"},
    )
    created_at = fields.AwareDateTime(required=True)
    ended_at = fields.AwareDateTime(allow_none=True, required=True)


class EntrantRequest(Schema):
    player_id = fields.Str(required=True, validate=validate.Length(1, 64))
    invitation_code = fields.Str(load_default=None, allow_none=True, validate=validate.Length(1, 80))


class ChallengeRequest(Schema):
    challenger_id = fields.Str(required=True, validate=validate.Length(1, 64))
    opponent_id = fields.Str(required=True, validate=validate.Length(1, 64))


class EntrantAnswer(Schema):
    player_id = fields.UUID(required=True)
    name = fields.Str(required=True)
    kind = fields.Str(required=True)
    state = fields.Str(required=True)
    checked_in = fields.Bool(required=True)
    seed = fields.Int(allow_none=True, required=True)
    rating = fields.Float(allow_none=True, required=True)
    joined_at = fields.AwareDateTime(required=True)


class CancellationRequest(Schema):
    reason = name_field(500, required=True)


class RoundAnswer(Schema):
    number = fields.Int(required=True)
    state = fields.Str(required=True)
    paired_at = fields.AwareDateTime(required=True)
    deadline_at = fields.AwareDateTime(required=True)
    scored_at = fields.AwareDateTime(allow_none=True, required=True)


class MatchAnswer(Schema):
    """One of the matches that decide a pairing. The first of `seats` deals first; `ended` is in their order."""

    match_id = fields.UUID(required=True)
    number = fields.Int(required=True)
    seats = fields.List(fields.UUID(), required=True)
    ended = fields.Dict(allow_none=True, required=True)


class PairingAnswer(Schema):
    """`first` deals first. Without a second player the first has a bye, and no match is played.

    All who sit there are in `fixture.seats`: one, two, or at a table three or four, of whom `first` and `second` are
    the first two. `ended` tells the places of such a table, in the order of its seats. `match_id` is the first match.
    `differences` are what both gained on the field in a duplicate: null elsewhere, and until the round is over.
    """

    pairing_id = fields.UUID(required=True)
    match_id = fields.UUID(required=True)
    round = fields.Int(required=True, attribute="round_number")
    table = fields.Int(required=True, attribute="table_number")
    slot = fields.Str(required=True)
    fixture = fields.Dict(required=True)
    first_id = fields.UUID(required=True)
    second_id = fields.UUID(allow_none=True, required=True)
    result = fields.Str(allow_none=True, required=True)
    first_score = fields.Int(allow_none=True, required=True)
    second_score = fields.Int(allow_none=True, required=True)
    ended = fields.Dict(allow_none=True, required=True)
    differences = fields.List(fields.Float(), allow_none=True, required=True)
    matches = fields.List(fields.Nested(MatchAnswer()), required=True)


class PageQuery(Schema):
    limit = fields.Int(load_default=50, validate=validate.Range(1, 200))
    cursor = fields.UUID(load_default=None, metadata={"description": "next_cursor of the page before"})


class PlayersQuery(PageQuery):
    kind = fields.Str(load_default=None, validate=validate.OneOf(("human", "bot")))
    owner_id = fields.UUID(load_default=None)


class TournamentsQuery(PageQuery):
    state = fields.Str(load_default=None, validate=validate.OneOf([s.value for s in TournamentState]))
    organiser_id = fields.UUID(load_default=None)


class RoundQuery(Schema):
    round = fields.Int(load_default=None, validate=validate.Range(0, 1_000_000))


def page_of(item: type[Schema], name: str) -> Schema:
    """A page of a list; `next_cursor` is null on the last one."""
    page: type[Schema] = type(
        f"{item.__name__}Page",
        (Schema,),
        {
            name: fields.List(fields.Nested(item()), required=True),
            "next_cursor": fields.Str(allow_none=True, required=True),
        },
    )
    return page()


def list_of(item: type[Schema], name: str) -> Schema:
    """A whole list in an object, so that fields can be added later."""
    whole: type[Schema] = type(
        f"{item.__name__}List", (Schema,), {name: fields.List(fields.Nested(item()), required=True)}
    )
    return whole()

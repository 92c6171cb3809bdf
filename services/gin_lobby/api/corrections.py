"""`/api/v1/tournaments/{id}/corrections`, `/log` and `/api/v1/notices`: results put right, and who decided what."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from flask import Response
from flask.views import MethodView
from marshmallow import Schema, ValidationError, fields, post_load, validate, validates_schema

from gin_lobby.api.schemas import name_field
from gin_lobby.store.log import LogEntry
from gin_lobby.use_cases import corrections, log
from gin_lobby.use_cases.corrections import Correction
from gin_servicekit.auth import Scope, caller, requires
from gin_servicekit.database import parse_id
from gin_servicekit.http_app import Blueprint, current_service, never_repeated
from gin_servicekit.idempotency import answer_once
from gin_servicekit.problems import InvalidField
from gin_tournament.model import Outcome

LARGEST_FIGURE = 1_000_000


class TallyField(Schema):
    game_points = fields.Int(load_default=0, strict=True, validate=validate.Range(-LARGEST_FIGURE, LARGEST_FIGURE))
    hands_won = fields.Int(load_default=0, strict=True, validate=validate.Range(0, LARGEST_FIGURE))
    undercuts = fields.Int(load_default=0, strict=True, validate=validate.Range(0, LARGEST_FIGURE))


class ResultRequest(Schema):
    """Of two an `outcome`, of a table `places` in seat order (0: did not come). Without `tallies` those stay."""

    outcome = fields.Str(validate=validate.OneOf([outcome.value for outcome in Outcome]))
    places = fields.List(fields.Int(strict=True, validate=validate.Range(0, 4)), validate=validate.Length(1, 4))
    tallies = fields.List(fields.Nested(TallyField()), validate=validate.Length(2, 4))


class PreviewRequest(Schema):
    """`match_id`, or `slot` for an encounter as a whole. The result is in the order of its seats."""

    match_id = fields.Str(load_default=None, allow_none=True, validate=validate.Length(1, 64))
    slot = fields.Str(load_default=None, allow_none=True, validate=validate.Length(1, 80))
    round = fields.Int(load_default=None, allow_none=True, strict=True, validate=validate.Range(1, 1_000_000))
    result = fields.Nested(ResultRequest(), required=True)
    reason = name_field(500, required=True)

    @validates_schema
    def names_one_thing(self, data: dict[str, Any], **_: Any) -> None:
        if (data.get("match_id") is None) == (data.get("slot") is None):
            raise ValidationError("Name a match or a slot, and not both.", "match_id")

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        match_id = data["match_id"]
        known = None if match_id is None else parse_id(match_id) or UUID(int=0)
        return data | {"correction": Correction(known, data["slot"], data["round"], data["result"], data["reason"])}


class CorrectionRequest(PreviewRequest):
    """The same as was previewed, with the preview's `digest`: something else is not done."""

    digest = fields.Str(required=True, validate=validate.Length(64, 64))


class FixtureAnswer(Schema):
    slot = fields.Str(required=True)
    seats = fields.List(fields.Str(), required=True)


class LaterRoundAnswer(Schema):
    """A later round that would have been opened otherwise: what stands because it was played, what would have been
    there, what is taken back, and what is opened in its place."""

    round = fields.Int(required=True)
    stands = fields.List(fields.Nested(FixtureAnswer()), required=True)
    would_be = fields.List(fields.Nested(FixtureAnswer()), required=True)
    replaced = fields.List(fields.Nested(FixtureAnswer()), required=True)
    opened = fields.List(fields.Nested(FixtureAnswer()), required=True)


class ChangedStandingAnswer(Schema):
    player_id = fields.Str(required=True)
    name = fields.Str(required=True)
    rank_before = fields.Int(required=True)
    rank_after = fields.Int(required=True)
    movement = fields.Int(required=True)
    points_before = fields.Float(required=True)
    points_after = fields.Float(required=True)


class RatingEffectAnswer(Schema):
    match_id = fields.Str(required=True)
    effect = fields.Str(required=True, validate=validate.OneOf(("none", "rated", "reversed", "compensated")))


class CorrectionAnswer(Schema):
    """All that follows. `standings` are those whose rank or points change, `told` who hears of it."""

    tournament_id = fields.Str(required=True)
    round = fields.Int(required=True)
    slot = fields.Str(required=True)
    match_id = fields.Str(required=True, allow_none=True)
    seats = fields.List(fields.Str(), required=True)
    was = fields.Dict(required=True)
    result = fields.Dict(required=True)
    standings = fields.List(fields.Nested(ChangedStandingAnswer()), required=True)
    later_rounds = fields.List(fields.Nested(LaterRoundAnswer()), required=True)
    ratings = fields.List(fields.Nested(RatingEffectAnswer()), required=True)
    reopens = fields.Bool(required=True)
    told = fields.List(fields.Str(), required=True)
    digest = fields.Str(required=True)


class LogEntryAnswer(Schema):
    """Without an actor it happened by itself. `touched` are the players who find it among their notices."""

    tournament_id = fields.UUID(required=True)
    number = fields.Int(required=True)
    at = fields.AwareDateTime(required=True)
    actor_id = fields.UUID(required=True, allow_none=True)
    actor_name = fields.Str(required=True, allow_none=True)
    what = fields.Str(required=True)
    reason = fields.Str(required=True, allow_none=True)
    details = fields.Dict(required=True)
    touched = fields.List(fields.UUID(), required=True)


class LogAnswer(Schema):
    entries = fields.List(fields.Nested(LogEntryAnswer()), required=True)
    next_cursor = fields.Str(required=True, allow_none=True)


class LogQuery(Schema):
    limit = fields.Int(load_default=50, validate=validate.Range(1, 200))
    cursor = fields.Int(load_default=None, validate=validate.Range(1, 2**31 - 1))
    what = name_field(40, load_default=None)


class NoticesQuery(Schema):
    limit = fields.Int(load_default=50, validate=validate.Range(1, 200))
    cursor = fields.Str(load_default=None, validate=validate.Length(1, 120))


blueprint = Blueprint("Corrections", __name__, url_prefix="/api/v1", description="Corrections, and the log")


@blueprint.route("/tournaments/<string:tournament_id>/corrections/preview")
class CorrectionPreview(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(PreviewRequest)
    @blueprint.response(200, CorrectionAnswer)
    @blueprint.alt_response(409, description="It cannot be corrected so; the text says why")
    @never_repeated
    def post(self, body: dict[str, Any], tournament_id: str) -> dict[str, Any]:
        """What would follow from another result; for the organiser and arbiters"""
        with current_service().transaction() as tx:
            return corrections.preview(tx, caller(), parse_id(tournament_id), body["correction"])


@blueprint.route("/tournaments/<string:tournament_id>/corrections")
class Corrections(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(CorrectionRequest)
    @blueprint.response(201, CorrectionAnswer)
    @blueprint.alt_response(409, description="It cannot be corrected so; the text says why")
    @blueprint.alt_response(412, description="Something else would follow by now: look at the preview again")
    def post(self, body: dict[str, Any], tournament_id: str) -> Response:
        """Correct a result, with exactly what the preview showed; for the organiser and arbiters"""
        who, known = caller(), parse_id(tournament_id)
        return answer_once(
            current_service(),
            who.account_id,
            CorrectionAnswer(),
            201,
            lambda tx: corrections.apply(tx, who, known, body["correction"], body["digest"]),
        )


@blueprint.route("/tournaments/<string:tournament_id>/log")
class Log(MethodView):
    @blueprint.arguments(LogQuery, location="query")
    @blueprint.response(200, LogAnswer)
    def get(self, query: dict[str, Any], tournament_id: str) -> dict[str, Any]:
        """Who decided what, when and why, the newest first; nothing of it is ever changed"""
        limit = query["limit"]
        with current_service().transaction() as tx:
            found = log.read_log(tx, tournament_id, query["cursor"], query["what"], limit + 1)
        more = len(found) > limit
        return {"entries": found[:limit], "next_cursor": str(found[limit - 1].number) if more else None}


@blueprint.route("/notices")
class Notices(MethodView):
    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(NoticesQuery, location="query")
    @blueprint.response(200, LogAnswer)
    def get(self, query: dict[str, Any]) -> dict[str, Any]:
        """What was decided in any tournament that touches you or your bots, the newest first"""
        limit = query["limit"]
        with current_service().transaction() as tx:
            found = log.read_notices(tx, caller(), _position(query["cursor"]), limit + 1)
        more = len(found) > limit
        return {"entries": found[:limit], "next_cursor": _cursor(found[limit - 1]) if more else None}


def _cursor(entry: LogEntry) -> str:
    return f"{entry.at.isoformat()},{entry.tournament_id},{entry.number}"


def _position(cursor: str | None) -> tuple[datetime, UUID, int] | None:
    if cursor is None:
        return None
    try:
        at, tournament_id, number = cursor.split(",")
        position = datetime.fromisoformat(at), UUID(tournament_id), int(number)
    except ValueError:
        raise InvalidField("this is no cursor of ours", "cursor") from None
    if position[0].tzinfo is None or not 0 < position[2] < 2**31:
        raise InvalidField("this is no cursor of ours", "cursor")
    return position

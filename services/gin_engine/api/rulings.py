"""/api/v1/matches/{id}/rulings and …/forfeits: what arbiters decide."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView
from marshmallow import Schema, fields, validate

from gin_engine.api.schemas import LARGEST_INTEGER
from gin_engine.use_cases.declare_lost import declare_lost
from gin_engine.use_cases.rule import RulingView, rule, show_rulings
from gin_rules.rulings import Ruling
from gin_servicekit.auth import Scope, caller, requires, visitor
from gin_servicekit.http_app import Blueprint, current_service
from gin_servicekit.idempotency import answer_once

KINDS = ("correct", "redeal", "void_hand")
MOST_POINTS = 100_000

blueprint = Blueprint("rulings", __name__, url_prefix="/api/v1/matches", description="Arbiters' rulings")


class RulingRequest(Schema):
    """`points` by seat belong to "correct" alone; "void_hand" needs a reason, and "correct" once play has gone on."""

    kind = fields.Str(required=True, validate=validate.OneOf(KINDS))
    hand = fields.Int(required=True, strict=True, validate=validate.Range(1, LARGEST_INTEGER))
    points = fields.List(
        fields.Int(strict=True, validate=validate.Range(-MOST_POINTS, MOST_POINTS)),
        load_default=None,
        allow_none=True,
        validate=validate.Length(2, 4),
    )
    reason = fields.Str(load_default="", validate=validate.Length(0, 500))


class RulingSchema(Schema):
    """A ruling as it stands in the record; `after` counts actions, `totals` are those by seat from then on."""

    after = fields.Int(required=True)
    kind = fields.Str(required=True, validate=validate.OneOf(KINDS))
    hand = fields.Int(required=True)
    points = fields.List(fields.Int(), required=True, allow_none=True)
    reason = fields.Str(required=True)
    arbiter_id = fields.Str(required=True)
    totals = fields.List(fields.Int(), required=True)
    ruled_at = fields.AwareDateTime(format="iso", required=True)


class RulingListSchema(Schema):
    """Every ruling in a match, in order."""

    rulings = fields.List(fields.Nested(RulingSchema), required=True)


class ForfeitRequest(Schema):
    seat = fields.Int(required=True, strict=True, validate=validate.Range(0, 3))
    reason = fields.Str(required=True, validate=validate.Length(1, 500))


class ForfeitSchema(Schema):
    """How the match ended; `places` are by seat."""

    match_id = fields.Str(required=True)
    seat = fields.Int(required=True)
    reason = fields.Str(required=True)
    ending = fields.Str(required=True)
    places = fields.List(fields.Int(), required=True)


@blueprint.route("/<match_id>/rulings")
class Rulings(MethodView):
    @blueprint.doc(security=[{}, {"token": []}])
    @blueprint.response(200, RulingListSchema)
    @blueprint.alt_response(409, description="Other tables still play the same cards.")
    def get(self, match_id: str) -> dict[str, list[RulingView]]:
        """What was ruled in a match: for its players and arbiters at once, for others as late as they see the match."""
        who = visitor()
        with current_service().transaction() as tx:
            return {"rulings": show_rulings(tx, match_id, who)}

    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(RulingRequest)
    @blueprint.response(201, RulingSchema)
    @blueprint.alt_response(403, description="The caller is no arbiter of this match, or plays in it.")
    @blueprint.alt_response(409, description="The rules do not allow it now, or the match is over.")
    def post(self, body: dict[str, Any], match_id: str) -> Response:
        """Rule on a hand: correct its score, have a misdeal dealt again, or void it. Nothing that stands is changed."""
        who = caller()
        points = None if body["points"] is None else tuple(body["points"])
        ruling = Ruling(body["kind"], body["hand"], points, body["reason"], who.account_id)
        return answer_once(
            current_service(),
            who.account_id,
            RulingSchema(),
            201,
            lambda tx: rule(tx, who, match_id, ruling),
        )


@blueprint.route("/<match_id>/forfeits")
class Forfeits(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(ForfeitRequest)
    @blueprint.response(200, ForfeitSchema)
    @blueprint.alt_response(403, description="The caller is no arbiter of this match, or plays in it.")
    @blueprint.alt_response(409, description="The match is over.")
    def post(self, body: dict[str, Any], match_id: str) -> Response:
        """Declare a match that is being played lost for one of its seats."""
        who = caller()
        return answer_once(
            current_service(),
            who.account_id,
            ForfeitSchema(),
            200,
            lambda tx: declare_lost(tx, who, match_id, body["seat"], body["reason"]),
        )

"""`/api/v1/tournaments/{id}/…`: what an organiser and the arbiters decide while it goes on, and what players wish."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView
from marshmallow import Schema, fields, validate

from gin_lobby.api.schemas import TournamentAnswer, list_of, name_field
from gin_lobby.use_cases import arbiters, handing_over, pairing, pauses
from gin_servicekit.auth import Scope, caller, requires
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.http_app import Blueprint, current_service
from gin_servicekit.idempotency import answer_once
from gin_tournament.format import Choice

MOST_PAIRS = 5_000
CONCESSIONS = [choice.value for choice in Choice if choice is not Choice.END_EARLY]


def _pairs(**options: Any) -> fields.Field[Any]:
    pair = fields.List(fields.Str(validate=validate.Length(1, 64)), validate=validate.Length(equal=2))
    return fields.List(pair, validate=validate.Length(0, MOST_PAIRS), **options)


def _allow(**options: Any) -> fields.Field[Any]:
    return fields.List(fields.Str(validate=validate.OneOf(CONCESSIONS)), validate=validate.Length(0, 10), **options)


class ReasonRequest(Schema):
    reason = name_field(500, required=True)


class ExtensionRequest(ReasonRequest):
    minutes = fields.Int(required=True, strict=True, validate=validate.Range(1, 366 * 24 * 60))


class TextRequest(Schema):
    text = name_field(2_000, required=True)


class WishesRequest(Schema):
    """Pairs of player ids; the first deals first. `allow` is done only where there is no other way."""

    manual_pairs = _pairs(load_default=list)
    allow = _allow(load_default=list)


class WishesAnswer(Schema):
    round_number = fields.Int(required=True)
    manual_pairs = fields.List(fields.List(fields.Str()), required=True)
    allow = fields.List(fields.Str(), required=True)


class PairingAgainRequest(ReasonRequest):
    """What is left out is as it was when the round was paired."""

    manual_pairs = _pairs(load_default=None, allow_none=True)
    allow = _allow(load_default=None, allow_none=True)


class ForbiddenPairsRequest(Schema):
    pairs = _pairs(required=True)


class DecisionRequest(Schema):
    choices = fields.List(
        fields.Str(validate=validate.OneOf([choice.value for choice in Choice])),
        required=True,
        validate=validate.Length(1, 10),
    )


class RestRequest(Schema):
    """Without `rounds` until further notice."""

    rounds = fields.List(
        fields.Int(strict=True, validate=validate.Range(1, 1_000_000)),
        load_default=list,
        validate=validate.Length(0, 100),
    )


class RestAnswer(Schema):
    """Round 0 is until further notice."""

    rounds = fields.List(fields.Int(), required=True)


class NumberAnswer(Schema):
    number = fields.Int(required=True, metadata={"description": "Of the entry in the tournament's log"})


class ArbiterAnswer(Schema):
    account_id = fields.UUID(required=True)
    name = fields.Str(required=True)


ARBITERS = list_of(ArbiterAnswer, "arbiters")


class OrganiserRequest(Schema):
    account_id = fields.UUID(required=True)


class DoneAnswer(Schema):
    round = fields.Int(required=True)


blueprint = Blueprint("Conduct", __name__, url_prefix="/api/v1/tournaments", description="Pauses, pairings, arbiters")


@blueprint.route("/<string:tournament_id>/pause")
class Pause(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(ReasonRequest)
    @blueprint.response(200, TournamentAnswer)
    @blueprint.alt_response(409, description="It is paused already, or over")
    def post(self, body: dict[str, Any], tournament_id: str) -> Response:
        """Pause: nothing falls due and no match is lost by a deadline until it goes on"""
        who, known = caller(), parse_id(tournament_id)
        return _once(TournamentAnswer(), 200, lambda tx: pauses.pause(tx, who, known, body["reason"]))

    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.response(200, TournamentAnswer)
    @blueprint.alt_response(409, description="It is not paused")
    def delete(self, tournament_id: str) -> Response:
        """Go on; every time that lay ahead lies as far ahead as before"""
        who, known = caller(), parse_id(tournament_id)
        return _once(TournamentAnswer(), 200, lambda tx: pauses.resume(tx, who, known))


@blueprint.route("/<string:tournament_id>/announcements")
class Announcements(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(TextRequest)
    @blueprint.response(201, NumberAnswer)
    def post(self, body: dict[str, Any], tournament_id: str) -> Response:
        """Tell everybody in the tournament something; it stands in its log"""
        who, known = caller(), parse_id(tournament_id)
        return _once(NumberAnswer(), 201, lambda tx: {"number": pauses.announce_text(tx, who, known, body["text"])})


@blueprint.route("/<string:tournament_id>/rounds/<int:number>/extension")
class Extension(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(ExtensionRequest)
    @blueprint.response(200, DoneAnswer)
    @blueprint.alt_response(409, description="The round is not being played")
    def post(self, body: dict[str, Any], tournament_id: str, number: int) -> Response:
        """Give a round more time"""
        who, known = caller(), parse_id(tournament_id)

        def work(tx: Transaction) -> dict[str, int]:
            pauses.extend_round(tx, who, known, number, body["minutes"], body["reason"])
            return {"round": number}

        return _once(DoneAnswer(), 200, work)


@blueprint.route("/<string:tournament_id>/rounds/<int:number>/wishes")
class RoundWishes(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(WishesRequest)
    @blueprint.response(200, WishesAnswer)
    @blueprint.alt_response(409, description="The round is paired already, or the format pairs nothing by wish")
    def put(self, body: dict[str, Any], tournament_id: str, number: int) -> Response:
        """Set pairs of a round to come by hand; everybody else is paired as always"""
        who, known = caller(), parse_id(tournament_id)
        pairs = [(one, other) for one, other in body["manual_pairs"]]
        return _once(
            WishesAnswer(), 200, lambda tx: pairing.wish_for_round(tx, who, known, number, pairs, body["allow"])
        )


@blueprint.route("/<string:tournament_id>/rounds/<int:number>/pairing")
class PairingAgain(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(PairingAgainRequest)
    @blueprint.response(200, DoneAnswer)
    @blueprint.alt_response(409, description="Something of it was played, or it cannot be paired so")
    def post(self, body: dict[str, Any], tournament_id: str, number: int) -> Response:
        """Pair the current round again, as long as nothing of it has been played"""
        who, known = caller(), parse_id(tournament_id)
        manual = body["manual_pairs"]
        pairs = None if manual is None else [(one, other) for one, other in manual]

        def work(tx: Transaction) -> dict[str, int]:
            pairing.pair_anew(tx, who, known, number, pairs, body["allow"], body["reason"])
            return {"round": number}

        return _once(DoneAnswer(), 200, work)


@blueprint.route("/<string:tournament_id>/forbidden-pairs")
class ForbiddenPairs(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(ForbiddenPairsRequest)
    @blueprint.response(200, TournamentAnswer)
    def put(self, body: dict[str, Any], tournament_id: str) -> Response:
        """Say which pairs may not meet, from the next round on; it takes the place of the list before"""
        who, known = caller(), parse_id(tournament_id)
        pairs = [(one, other) for one, other in body["pairs"]]
        return _once(TournamentAnswer(), 200, lambda tx: pairing.forbid_pairs(tx, who, known, pairs))


@blueprint.route("/<string:tournament_id>/decision")
class Decision(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(DecisionRequest)
    @blueprint.response(200, TournamentAnswer)
    @blueprint.alt_response(409, description="Nothing is asked of the organiser")
    def post(self, body: dict[str, Any], tournament_id: str) -> Response:
        """Answer the tournament's `question`: allow what helps, or end early"""
        who, known = caller(), parse_id(tournament_id)
        return _once(TournamentAnswer(), 200, lambda tx: pairing.answer_question(tx, who, known, body["choices"]))


@blueprint.route("/<string:tournament_id>/entrants/<string:player_id>/rest")
class Rest(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(RestRequest)
    @blueprint.response(200, RestAnswer)
    @blueprint.alt_response(409, description="Nobody can rest in this format, or the round is paired already")
    def put(self, body: dict[str, Any], tournament_id: str, player_id: str) -> Response:
        """Ask for a rest in rounds to come, or until further notice"""
        who, known, player = caller(), parse_id(tournament_id), parse_id(player_id)
        return _once(
            RestAnswer(), 200, lambda tx: {"rounds": pairing.ask_for_rest(tx, who, known, player, body["rounds"])}
        )

    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.response(200, RestAnswer)
    def delete(self, tournament_id: str, player_id: str) -> Response:
        """Take back the rests that are still to come"""
        who, known, player = caller(), parse_id(tournament_id), parse_id(player_id)
        return _once(RestAnswer(), 200, lambda tx: {"rounds": pairing.rest_no_more(tx, who, known, player)})


@blueprint.route("/<string:tournament_id>/arbiters")
class Arbiters(MethodView):
    @blueprint.response(200, ARBITERS)
    def get(self, tournament_id: str) -> dict[str, Any]:
        """Whom the organiser named"""
        with current_service().transaction() as tx:
            return {"arbiters": arbiters.list_arbiters(tx, tournament_id)}


@blueprint.route("/<string:tournament_id>/arbiters/<string:account_id>")
class OneArbiter(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.response(200, ARBITERS)
    def put(self, tournament_id: str, account_id: str) -> Response:
        """Name an arbiter; for the organiser"""
        who, known, account = caller(), parse_id(tournament_id), parse_id(account_id)
        return _once(ARBITERS, 200, lambda tx: {"arbiters": arbiters.name_arbiter(tx, who, known, account)})

    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.response(200, ARBITERS)
    def delete(self, tournament_id: str, account_id: str) -> Response:
        """Dismiss an arbiter; for the organiser"""
        who, known, account = caller(), parse_id(tournament_id), parse_id(account_id)
        return _once(ARBITERS, 200, lambda tx: {"arbiters": arbiters.dismiss_arbiter(tx, who, known, account)})


@blueprint.route("/<string:tournament_id>/organiser")
class Organiser(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(OrganiserRequest)
    @blueprint.response(200, TournamentAnswer)
    @blueprint.alt_response(403, description="You are not its organiser, nor an arbiter of one whose organiser left")
    def put(self, body: dict[str, Any], tournament_id: str) -> Response:
        """Hand it over to another organiser; an arbiter takes it over where the organiser's account was deleted"""
        who, known = caller(), parse_id(tournament_id)
        return _once(TournamentAnswer(), 200, lambda tx: handing_over.hand_over(tx, who, known, body["account_id"]))


def _once(schema: Schema, status: int, work: Any) -> Response:
    return answer_once(current_service(), caller().account_id, schema, status, work)

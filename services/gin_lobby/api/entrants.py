"""`/api/v1/tournaments/{id}/entrants`: who takes part."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from gin_lobby.api.schemas import EntrantAnswer, EntrantRequest, list_of
from gin_lobby.domain.tournament import EntrantRow
from gin_lobby.store import tournaments as store
from gin_lobby.use_cases import entrants
from gin_lobby.use_cases.tournaments import find
from gin_servicekit.auth import Scope, caller, requires
from gin_servicekit.database import parse_id
from gin_servicekit.http_app import Blueprint, current_service
from gin_servicekit.idempotency import answer_once

blueprint = Blueprint("Entrants", __name__, url_prefix="/api/v1/tournaments", description="Who takes part")


@blueprint.route("/<string:tournament_id>/entrants")
class Entrants(MethodView):
    @blueprint.response(200, list_of(EntrantAnswer, "entrants"))
    def get(self, tournament_id: str) -> dict[str, Any]:
        """Everyone who has entered, by seed; before the start in the order of entry"""
        with current_service().transaction() as tx:
            return {"entrants": store.entrants(tx, find(tx, tournament_id).tournament_id)}

    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(EntrantRequest)
    @blueprint.response(201, EntrantAnswer)
    @blueprint.alt_response(409, description="Registration is not open, or the player is in it already")
    def post(self, body: dict[str, Any], tournament_id: str) -> Response:
        """Enter yourself or your bot, when it is full on the waitlist; as the organiser, invite anybody"""
        who = caller()
        tournament, player = parse_id(tournament_id), parse_id(body["player_id"])
        return answer_once(
            current_service(),
            who.account_id,
            EntrantAnswer(),
            201,
            lambda tx: entrants.enter(tx, who, tournament, player, body["invitation_code"]),
        )


@blueprint.route("/<string:tournament_id>/entrants/<string:player_id>")
class OneEntrant(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.response(200, EntrantAnswer)
    def delete(self, tournament_id: str, player_id: str) -> EntrantRow:
        """Withdraw: before the start the waitlist moves up, later the player is not paired again"""
        with current_service().transaction() as tx:
            return entrants.withdraw(tx, caller(), parse_id(tournament_id), parse_id(player_id))


@blueprint.route("/<string:tournament_id>/entrants/<string:player_id>/check-in")
class CheckIn(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.response(200, EntrantAnswer)
    @blueprint.alt_response(409, description="It is not the time to check in")
    def post(self, tournament_id: str, player_id: str) -> Response:
        """Check in: whoever has not by the start is dropped"""
        who = caller()
        tournament, player = parse_id(tournament_id), parse_id(player_id)
        return answer_once(
            current_service(),
            who.account_id,
            EntrantAnswer(),
            200,
            lambda tx: entrants.check_in(tx, who, tournament, player),
        )

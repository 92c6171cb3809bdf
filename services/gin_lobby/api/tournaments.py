"""`/api/v1/tournaments`: creating, seeing, opening, cancelling."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response
from flask.views import MethodView

from gin_lobby.api.schemas import (
    CancellationRequest,
    TournamentAnswer,
    TournamentRequest,
    TournamentsQuery,
    page_of,
)
from gin_lobby.domain.tournament import Tournament
from gin_lobby.store import tournaments as store
from gin_lobby.use_cases import tournaments
from gin_lobby.use_cases.tournaments import TournamentPlan
from gin_servicekit.auth import Scope, caller, requires
from gin_servicekit.database import parse_id
from gin_servicekit.http_app import Blueprint, current_service
from gin_servicekit.idempotency import answer_once

blueprint = Blueprint("Tournaments", __name__, url_prefix="/api/v1/tournaments", description="Tournaments")


@blueprint.route("")
class Tournaments(MethodView):
    @blueprint.arguments(TournamentsQuery, location="query")
    @blueprint.response(200, page_of(TournamentAnswer, "tournaments"))
    def get(self, query: dict[str, Any]) -> dict[str, Any]:
        """All tournaments, newest first"""
        states = [query["state"]] if query["state"] else None
        with current_service().transaction() as tx:
            found = store.page(tx, states, query["organiser_id"], query["cursor"], query["limit"])
        full = len(found) == query["limit"]
        return {"tournaments": found, "next_cursor": str(found[-1].tournament_id) if full else None}

    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(TournamentRequest)
    @blueprint.response(201, TournamentAnswer)
    def post(self, body: dict[str, Any]) -> Response:
        """Create a tournament; you are its organiser"""
        organiser, plan = caller().account_id, TournamentPlan(**body)
        return answer_once(
            current_service(),
            organiser,
            TournamentAnswer(),
            201,
            lambda tx: tournaments.create_tournament(tx, UUID(organiser), plan),
        )


@blueprint.route("/<string:tournament_id>")
class OneTournament(MethodView):
    @blueprint.response(200, TournamentAnswer)
    @blueprint.alt_response(404, description="There is no such tournament")
    def get(self, tournament_id: str) -> Tournament:
        """One tournament"""
        with current_service().transaction() as tx:
            return tournaments.find(tx, tournament_id)


@blueprint.route("/<string:tournament_id>/registration")
class Registration(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.response(200, TournamentAnswer)
    @blueprint.alt_response(409, description="It is open already, or the tournament is past it")
    def post(self, tournament_id: str) -> Response:
        """Open registration"""
        who, known = caller(), parse_id(tournament_id)
        return answer_once(
            current_service(),
            who.account_id,
            TournamentAnswer(),
            200,
            lambda tx: tournaments.open_registration(tx, who, known),
        )


@blueprint.route("/<string:tournament_id>/cancellation")
class Cancellation(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(CancellationRequest)
    @blueprint.response(200, TournamentAnswer)
    @blueprint.alt_response(409, description="It has ended already")
    def post(self, body: dict[str, Any], tournament_id: str) -> Response:
        """Cancel a tournament, saying why"""
        who, known = caller(), parse_id(tournament_id)
        return answer_once(
            current_service(),
            who.account_id,
            TournamentAnswer(),
            200,
            lambda tx: tournaments.cancel_tournament(tx, who, known, body["reason"]),
        )

"""`/api/v1/tournaments`: creating, seeing, opening, cancelling."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response, jsonify, request
from flask.views import MethodView

from gin_lobby.api.schemas import (
    CancellationRequest,
    TournamentAnswer,
    TournamentRequest,
    TournamentsQuery,
    name_field,
    page_of,
)
from gin_lobby.store import tournaments as store
from gin_lobby.use_cases import tournaments
from gin_lobby.use_cases.editing import edit_tournament, version_of
from gin_lobby.use_cases.rights import find_for
from gin_lobby.use_cases.tournaments import TournamentPlan
from gin_servicekit.auth import Scope, caller, requires, visitor
from gin_servicekit.database import parse_id
from gin_servicekit.http_app import Blueprint, current_service
from gin_servicekit.idempotency import answer_once

IF_MATCH = {
    "in": "header",
    "name": "If-Match",
    "required": False,
    "description": "The ETag of the tournament that you want to change",
    "schema": {"type": "string"},
}


class TournamentEdit(TournamentRequest):
    """What is left out stays. From registration on, game, rules, format and who is admitted are fixed; while people
    check in, so are the clock, the check-in and the entry rules."""

    class Meta:
        exclude = ("draft",)

    reason = name_field(500, load_default=None, allow_none=True)


blueprint = Blueprint("Tournaments", __name__, url_prefix="/api/v1/tournaments", description="Tournaments")


@blueprint.route("")
class Tournaments(MethodView):
    @blueprint.arguments(TournamentsQuery, location="query")
    @blueprint.response(200, page_of(TournamentAnswer, "tournaments"))
    def get(self, query: dict[str, Any]) -> dict[str, Any]:
        """All tournaments, newest first; of drafts your own"""
        states, who = [query["state"]] if query["state"] else None, visitor()
        with current_service().transaction() as tx:
            own = parse_id(who.account_id) if who else None
            found = store.page(tx, states, query["organiser_id"], query["cursor"], query["limit"], own)
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
    def get(self, tournament_id: str) -> Any:
        """One tournament; its `ETag` is what a change must name"""
        who = visitor()
        with current_service().transaction() as tx:
            tournament = find_for(tx, tournament_id, who)
        response = jsonify(TournamentAnswer().dump(tournament))
        response.set_etag(version_of(tournament))
        return response.make_conditional(request)

    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}], parameters=[IF_MATCH])
    @blueprint.arguments(TournamentEdit(partial=True))
    @blueprint.response(200, TournamentAnswer)
    @blueprint.alt_response(409, description="That cannot be changed any more")
    @blueprint.alt_response(412, description="It was changed since you read it")
    @blueprint.alt_response(428, description="`If-Match` is missing")
    def patch(self, body: dict[str, Any], tournament_id: str) -> Any:
        """Change a tournament before its start; everybody in it is told"""
        who, known, reason = caller(), parse_id(tournament_id), body.pop("reason", None)
        with current_service().transaction() as tx:
            tournament = edit_tournament(tx, who, known, body, request.headers.get("If-Match"), reason)
        response = jsonify(TournamentAnswer().dump(tournament))
        response.set_etag(version_of(tournament))
        return response


@blueprint.route("/<string:tournament_id>/publication")
class Publication(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.response(200, TournamentAnswer)
    @blueprint.alt_response(409, description="It is no draft")
    def post(self, tournament_id: str) -> Response:
        """Announce a draft: everybody sees it from now on"""
        who, known = caller(), parse_id(tournament_id)
        return answer_once(
            current_service(),
            who.account_id,
            TournamentAnswer(),
            200,
            lambda tx: tournaments.announce_draft(tx, who, known),
        )


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

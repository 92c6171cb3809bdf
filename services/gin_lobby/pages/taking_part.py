"""Entering a tournament, checking in, withdrawing and challenging on a ladder by the buttons of its page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from flask import Blueprint, make_response, redirect, request
from werkzeug.wrappers import Response

from gin_lobby.pages.tournament import tournament_page
from gin_lobby.use_cases import challenges, entrants
from gin_servicekit.auth import Caller, Scope, caller, requires
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.problems import NotFound, Problem
from gin_servicekit.service import Service

_Step = Callable[[Transaction, Caller, UUID | None, UUID | None], Any]


def taking_part_pages(service: Service) -> Blueprint:
    pages = Blueprint("taking_part", __name__, template_folder="templates")

    @pages.post("/tournaments/<string:tournament_id>/entry")
    @requires(Scope.TOURNAMENT_WRITE)
    def enter(tournament_id: str) -> Response:
        return _step(service, tournament_id, entrants.enter)

    @pages.post("/tournaments/<string:tournament_id>/check-in")
    @requires(Scope.TOURNAMENT_WRITE)
    def check_in(tournament_id: str) -> Response:
        return _step(service, tournament_id, entrants.check_in)

    @pages.post("/tournaments/<string:tournament_id>/withdrawal")
    @requires(Scope.TOURNAMENT_WRITE)
    def withdraw(tournament_id: str) -> Response:
        return _step(service, tournament_id, entrants.withdraw)

    @pages.post("/tournaments/<string:tournament_id>/challenge")
    @requires(Scope.TOURNAMENT_WRITE)
    def challenge(tournament_id: str) -> Response:
        opponent = parse_id(request.form.get("opponent_id", ""))
        return _step(
            service,
            tournament_id,
            lambda tx, who, known, player: challenges.challenge(tx, who, known, player, opponent),
        )

    return pages


def _step(service: Service, tournament_id: str, step: _Step) -> Response:
    """Takes the step for the visitor; where that cannot be, the page says why."""
    who, known = caller(), parse_id(tournament_id)
    try:
        with service.transaction() as tx:
            step(tx, who, known, UUID(who.account_id))
    except NotFound:
        raise
    except Problem as problem:
        return make_response(tournament_page(service, tournament_id, problem.detail), problem.status)
    return redirect(f"/tournaments/{known}", 303)

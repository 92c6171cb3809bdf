"""`/api/v1/tournaments/{id}/rounds`, `/pairings`, `/standings`: what is played and how it stands."""

from __future__ import annotations

from dataclasses import fields as fields_of
from fractions import Fraction
from typing import Any
from uuid import UUID

from flask import Response
from flask.views import MethodView
from marshmallow import Schema, fields

from gin_lobby.api.kept_bodies import KeptBodies
from gin_lobby.api.publications import shown_anywhere
from gin_lobby.api.schemas import ChallengeRequest, PairingAnswer, RoundAnswer, RoundQuery, list_of
from gin_lobby.domain.fixed_deals import differences_of
from gin_lobby.domain.tournament import MatchRow, PairingRow
from gin_lobby.store import matches as matches_store
from gin_lobby.store import rounds as store
from gin_lobby.use_cases import challenges
from gin_lobby.use_cases.standings import number_of
from gin_lobby.use_cases.tournaments import find
from gin_servicekit.auth import Scope, caller, requires
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.http_app import Blueprint, current_service
from gin_servicekit.idempotency import answer_once
from gin_servicekit.problems import NotFound


class StandingAnswer(Schema):
    rank = fields.Int(required=True)
    movement = fields.Int(required=True, allow_none=True, metadata={"description": "Places won since the last round"})
    player_id = fields.Str(required=True)
    name = fields.Str(required=True)
    kind = fields.Str(required=True)
    withdrawn = fields.Bool(required=True)
    points = fields.Float(required=True)
    played = fields.Int(required=True)
    wins = fields.Int(required=True)
    draws = fields.Int(required=True)
    losses = fields.Int(required=True)
    progress = fields.List(fields.Float(), required=True, metadata={"description": "Points after each round"})
    tie_breaks = fields.Dict(keys=fields.Str(), values=fields.Float(), required=True)


class GroupAnswer(Schema):
    """The table of one group of one stage; `group` is "" where the stage has but one."""

    stage = fields.Int(required=True)
    group = fields.Str(required=True)
    format = fields.Str(required=True)
    tie_breaks = fields.List(fields.Str(), required=True)
    standings = fields.List(fields.Nested(StandingAnswer()), required=True)


class StandingsAnswer(Schema):
    """`complete` says whether every pairing up to `round` is decided; `groups` is empty but for stages."""

    tournament_id = fields.Str(required=True)
    round = fields.Int(required=True)
    complete = fields.Bool(required=True)
    tie_breaks = fields.List(fields.Str(), required=True)
    standings = fields.List(fields.Nested(StandingAnswer()), required=True)
    groups = fields.List(fields.Nested(GroupAnswer()), required=True)


blueprint = Blueprint("Rounds", __name__, url_prefix="/api/v1/tournaments", description="Pairings, results, standings")


@blueprint.route("/<string:tournament_id>/rounds")
class Rounds(MethodView):
    @blueprint.response(200, list_of(RoundAnswer, "rounds"))
    def get(self, tournament_id: str) -> dict[str, Any]:
        """The rounds so far"""
        with current_service().transaction() as tx:
            return {"rounds": store.rounds(tx, find(tx, tournament_id).tournament_id)}


@blueprint.route("/<string:tournament_id>/pairings")
class Pairings(MethodView):
    @blueprint.arguments(RoundQuery, location="query")
    @blueprint.response(200, list_of(PairingAnswer, "pairings"))
    def get(self, query: dict[str, Any], tournament_id: str) -> dict[str, Any]:
        """Who meets whom, with results: of one round or of all"""
        with current_service().transaction() as tx:
            tournament = find(tx, tournament_id)
            pairings = store.pairings(tx, tournament.tournament_id, query["round"])
            matches = matches_store.of_pairings(tx, [pairing.pairing_id for pairing in pairings])
        gained = differences_of(tournament.played_as, pairings)
        return {
            "pairings": [
                _with_matches(pairing, matches[pairing.pairing_id], gained.get(pairing.pairing_id))
                for pairing in pairings
            ]
        }


@blueprint.route("/<string:tournament_id>/challenges")
class Challenges(MethodView):
    @requires(Scope.TOURNAMENT_WRITE)
    @blueprint.doc(security=[{"token": []}])
    @blueprint.arguments(ChallengeRequest)
    @blueprint.response(201, PairingAnswer)
    @blueprint.alt_response(409, description="No ladder that runs, or the two may not meet now")
    def post(self, body: dict[str, Any], tournament_id: str) -> Response:
        """Challenge somebody above on a ladder, for yourself or your bot; the match is opened at once"""
        who = caller()
        ids = [parse_id(text) for text in (tournament_id, body["challenger_id"], body["opponent_id"])]
        return answer_once(
            current_service(),
            who.account_id,
            PairingAnswer(),
            201,
            lambda tx: _with_matches(*challenges.challenge(tx, who, *ids)),
        )


@blueprint.route("/<string:tournament_id>/standings")
class Standings(MethodView):
    @blueprint.arguments(RoundQuery, location="query")
    @blueprint.response(200, StandingsAnswer)
    @blueprint.alt_response(304, description="You have these standings already (If-None-Match)")
    @blueprint.alt_response(404, description="No such tournament, or it has not reached this round")
    def get(self, query: dict[str, Any], tournament_id: str) -> Response:
        """The standings now, or as of a round; round 0 stands before the first"""
        known, number = parse_id(tournament_id), query["round"]
        with current_service().transaction() as tx:
            etag = store.standings_etag(tx, known, number) if known else None
            if etag is None or known is None:
                find(tx, tournament_id)
                raise NotFound("there are no standings yet" if number is None else "no such round yet")
            body = _bodies.get(etag, lambda: _body(tx, known, number))
        response = Response(body, content_type="application/json")
        response.set_etag(etag)
        return shown_anywhere(response)


_bodies = KeptBodies()


def _body(tx: Transaction, tournament_id: UUID, number: int | None) -> str:
    published = store.standings(tx, tournament_id, number)
    assert published is not None
    return published.body


def _with_matches(
    pairing: PairingRow, matches: list[MatchRow], gained: tuple[Fraction, Fraction] | None = None
) -> dict[str, Any]:
    row = {field.name: getattr(pairing, field.name) for field in fields_of(pairing)}
    differences = None if gained is None else [number_of(gain) for gain in gained]
    return row | {"match_id": pairing.pairing_id, "matches": matches, "differences": differences}

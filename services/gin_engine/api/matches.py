"""/api/v1/matches: what is played, and acting for one's seat."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, NoReturn

from flask import Response
from flask.views import MethodView

from gin_engine.api.action_bodies import read_action
from gin_engine.api.answers import answer_with_seat, answer_with_table, seat_text
from gin_engine.api.cursors import cursor_after, read_cursor
from gin_engine.api.schemas import (
    ActionSchema,
    AdviceQuerySchema,
    AdviceSchema,
    MatchDetailSchema,
    MatchPageSchema,
    MatchQuerySchema,
    OpenHandSchema,
    ScoreSheetSchema,
    SealSchema,
    SeatViewSchema,
)
from gin_engine.api.table_schemas import EntropySchema, TableSchema
from gin_engine.domain.match import Match
from gin_engine.use_cases.act import act, act_in_one_statement
from gin_engine.use_cases.rematch import rematch
from gin_engine.use_cases.resign import resign
from gin_engine.use_cases.show_advice import show_advice
from gin_engine.use_cases.show_matches import Filter, list_matches, refuse_entropy, show_match, show_seat
from gin_engine.use_cases.show_record import PublishedSeal, show_record, show_seal
from gin_engine.use_cases.show_scores import show_open_hand, show_scores
from gin_servicekit.auth import Scope, caller, requires, visitor
from gin_servicekit.http_app import Blueprint, current_service, documented, never_repeated
from gin_servicekit.idempotency import claim_of_request, json_response

blueprint = Blueprint("matches", __name__, url_prefix="/api/v1/matches", description="Matches and play at the table")
_TOKEN: list[dict[str, list[str]]] = [{"token": []}]
_MAY_SIGN_IN: list[dict[str, list[str]]] = [{}, *_TOKEN]


@blueprint.route("")
class Matches(MethodView):
    @blueprint.arguments(MatchQuerySchema, location="query")
    @blueprint.response(200, MatchPageSchema)
    def get(self, query: dict[str, Any]) -> dict[str, Any]:
        """Matches, by id, that pass every filter given."""
        wanted = Filter(query.get("tournament_id"), query.get("round"), query.get("player_id"), query.get("state"))
        after = read_cursor(query["cursor"]) if "cursor" in query else ""
        with current_service().transaction() as tx:
            found, more = list_matches(tx, wanted, after, query["limit"])
        return {
            "matches": [_match(match) for match in found],
            "next_cursor": cursor_after(found[-1].match_id) if more else None,
        }


@blueprint.route("/<match_id>")
class OneMatch(MethodView):
    @blueprint.response(200, MatchDetailSchema)
    @blueprint.alt_response(404, description="There is no such match.")
    def get(self, match_id: str) -> dict[str, Any]:
        """A match as everybody may see it."""
        with current_service().transaction() as tx:
            shown = show_match(tx, match_id)
        return {**_match(shown.match), "to_act": shown.to_act, "view": shown.view, "clock": shown.clock}


@blueprint.route("/<match_id>/seat")
class OwnSeat(MethodView):
    @requires(Scope.PLAY)
    @documented(
        blueprint.doc(security=_TOKEN),
        blueprint.response(200, SeatViewSchema),
        blueprint.alt_response(403, description="The caller plays no seat of the match."),
    )
    def get(self, match_id: str) -> Response:
        """A match as the caller's seat sees it, with what it may do."""
        with current_service().statements() as tx:
            seen = show_seat(tx, match_id, caller().account_id)
        return json_response(seat_text(seen))


@blueprint.route("/<match_id>/actions")
class Actions(MethodView):
    @requires(Scope.PLAY)
    @documented(
        blueprint.doc(security=_TOKEN),
        blueprint.arguments(ActionSchema()),
        blueprint.response(200, SeatViewSchema),
        blueprint.alt_response(403, description="The caller plays no seat of the match."),
        blueprint.alt_response(409, description="Not the caller's turn, an old action_count, too late, or it is over."),
    )
    def post(self, match_id: str) -> Response:
        """Act for the caller's seat. Send an Idempotency-Key to be able to repeat the request safely."""
        service, account_id = current_service(), caller().account_id
        wish, claim = read_action(), claim_of_request(service, account_id)
        with service.statements() as tx:
            seen = act_in_one_statement(tx, match_id, account_id, *wish, claim)
        if seen is not None:
            return json_response(seen)
        return answer_with_seat(lambda tx, who: act(tx, match_id, who.account_id, *wish))


@blueprint.route("/<match_id>/resignation")
class Resignation(MethodView):
    @requires(Scope.PLAY)
    @blueprint.doc(security=_TOKEN)
    @blueprint.response(200, SeatViewSchema)
    @blueprint.alt_response(403, description="The caller plays no seat of the match.")
    @blueprint.alt_response(409, description="The match is over.")
    def post(self, match_id: str) -> Response:
        """Give the match up: the caller's seat comes last."""
        return answer_with_seat(lambda tx, who: resign(tx, match_id, who.account_id))


@blueprint.route("/<match_id>/rematch")
class Rematch(MethodView):
    @requires(Scope.PLAY)
    @blueprint.doc(security=_TOKEN)
    @blueprint.response(200, TableSchema)
    @blueprint.alt_response(403, description="The caller played no seat of the match.")
    @blueprint.alt_response(409, description="The match is not over yet, or was not a casual one.")
    def post(self, match_id: str) -> Response:
        """Ask to play a casual match again, or agree to it. Once all people have, it begins; bots always agree."""
        return answer_with_table(lambda tx, who: rematch(tx, who, match_id))


@blueprint.route("/<match_id>/entropy")
class MatchEntropy(MethodView):
    @requires(Scope.PLAY)
    @blueprint.doc(security=_TOKEN)
    @blueprint.arguments(EntropySchema)
    @blueprint.response(200, TableSchema)
    @blueprint.alt_response(403, description="The caller plays no seat of the match.")
    @blueprint.alt_response(409, description="The cards are dealt: entropy counts before the deal alone.")
    @never_repeated
    def post(self, body: dict[str, Any], match_id: str) -> NoReturn:
        """Too late: a match is dealt when it is opened. Give your entropy at a table that still waits."""
        with current_service().transaction() as tx:
            refuse_entropy(tx, match_id, caller().account_id)


@blueprint.route("/<match_id>/record")
class Record(MethodView):
    @blueprint.response(200, description="The record of the match, with which anybody can check it.")
    @blueprint.alt_response(409, description="The match is not over yet, or was never dealt.")
    def get(self, match_id: str) -> dict[str, Any]:
        """Everything about a match that is over: rules, seed and salt, every action with its time, every score."""
        with current_service().transaction() as tx:
            return show_record(tx, match_id)


@blueprint.route("/<match_id>/scores")
class Scores(MethodView):
    @blueprint.doc(security=_MAY_SIGN_IN)
    @blueprint.response(200, ScoreSheetSchema)
    @blueprint.alt_response(409, description="The match was never dealt, or other tables still play the same cards.")
    def get(self, match_id: str) -> dict[str, Any]:
        """Every hand that is over, its score explained as arithmetic, and the bonuses of a match that is over."""
        who = visitor()
        with current_service().transaction() as tx:
            return show_scores(tx, match_id, who.account_id if who else None)


@blueprint.route("/<match_id>/hands/<int:number>")
class OpenHands(MethodView):
    @blueprint.response(200, OpenHandSchema)
    @blueprint.alt_response(409, description="The match is not over yet, or was never dealt.")
    def get(self, match_id: str, number: int) -> dict[str, Any]:
        """A hand of a match that is over, step by step with all cards open."""
        with current_service().transaction() as tx:
            return asdict(show_open_hand(tx, match_id, number))


@blueprint.route("/<match_id>/advice")
class Advice(MethodView):
    @requires(Scope.PLAY)
    @blueprint.doc(security=_TOKEN)
    @blueprint.arguments(AdviceQuerySchema, location="query")
    @blueprint.response(200, AdviceSchema)
    @blueprint.alt_response(403, description="The caller plays no seat, or the match is played without advice.")
    def get(self, query: dict[str, Any], match_id: str) -> dict[str, Any]:
        """What the house tells about the caller's own cards: melds and deadwood, or which words are words."""
        with current_service().transaction() as tx:
            return show_advice(tx, match_id, caller().account_id, query["words"].split())


@blueprint.route("/<match_id>/seal")
class Seal(MethodView):
    @blueprint.response(200, SealSchema)
    @blueprint.alt_response(409, description="The match is not over yet, or ended without a seal.")
    def get(self, match_id: str) -> PublishedSeal:
        """The seal of the record, as it was published when the match ended. Compare it with the one in the record."""
        with current_service().transaction() as tx:
            return show_seal(tx, match_id)


def _match(match: Match) -> dict[str, Any]:
    return {
        "match_id": match.match_id,
        "tournament_id": match.tournament_id,
        "round": match.round_number,
        "game": match.game,
        "rules": match.rules,
        "state": match.state,
        "ending": match.ending,
        "reason": match.reason,
        "seats": [
            {
                "seat": number,
                "player_id": seat.player_id,
                "name": seat.name,
                "bot": seat.bot,
                "place": seat.result and seat.result.place,
                "score": seat.result and seat.result.score,
                "hands_won": seat.result and seat.result.hands_won,
                "undercuts": seat.result and seat.result.undercuts,
            }
            for number, seat in enumerate(match.seats)
        ],
        "hands_played": match.hands_played,
        "action_count": match.event_count,
        "commitment": match.commitment,
        "casual": match.casual,
        "deal_id": match.deal_id,
        "seal": match.seal,
        "opened_at": match.opened_at,
        "deadline_at": match.deadline_at,
        "finished_at": match.finished_at,
    }

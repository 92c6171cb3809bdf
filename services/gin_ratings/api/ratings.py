"""/api/v1/ratings: where players stand, how they got there, and what a match would change."""

from __future__ import annotations

from typing import Any

from gin_ratings.api.schemas import (
    ForecastQuery,
    ForecastSchema,
    HeadToHeadSchema,
    HistoryQuery,
    HistorySchema,
    MatchesSchema,
    MeetingsQuery,
    OpponentsQuery,
    OpponentsSchema,
    PlayerRatingsSchema,
    RatingsPageSchema,
    RatingsQuery,
    ShadowSchema,
)
from gin_ratings.domain import elo
from gin_ratings.domain.players import PLAYER_ID
from gin_ratings.store.ledger import Chapter
from gin_ratings.use_cases import cursors, encounters, lookups
from gin_ratings.use_cases.encounters import MeetingLine
from gin_ratings.use_cases.forecast import Forecast, forecast
from gin_ratings.use_cases.lookups import Page, PlayerRatings
from gin_servicekit.http_app import Blueprint, current_service
from gin_servicekit.problems import NotFound

blueprint = Blueprint("ratings", __name__, url_prefix="/api/v1/ratings", description="Ratings of players")


@blueprint.get("")
@blueprint.arguments(RatingsQuery, location="query")
@blueprint.response(200, RatingsPageSchema)
@blueprint.alt_response(404, response="NOT_FOUND")
def list_ratings(query: dict[str, Any]) -> dict[str, Any]:
    """Every rating, by pool and player"""
    after = cursors.pool_and_player(query["cursor"])
    with current_service().transaction() as tx:
        page = lookups.list_ratings(tx, query["pool"], query["player_id"], after, query["limit"])
    last = page.items[-1] if page.more else None
    return {"ratings": page.items, "next_cursor": cursors.encode(last.pool, last.player_id) if last else None}


@blueprint.get("/what-if")
@blueprint.arguments(ForecastQuery, location="query")
@blueprint.response(200, ForecastSchema)
@blueprint.alt_response(404, response="NOT_FOUND")
def what_if(query: dict[str, Any]) -> Forecast:
    """What a match to `target` points between `a` and `b` would do to both"""
    with current_service().transaction() as tx:
        return forecast(tx, query["pool"], query["a"], query["b"], query["target"])


@blueprint.get("/<player_id>")
@blueprint.response(200, PlayerRatingsSchema)
@blueprint.alt_response(404, response="NOT_FOUND")
def get_player(player_id: str) -> PlayerRatings:
    """One player in every pool"""
    _check(player_id)
    with current_service().transaction() as tx:
        return lookups.player_ratings(tx, player_id)


@blueprint.get("/<player_id>/history")
@blueprint.arguments(HistoryQuery, location="query")
@blueprint.response(200, HistorySchema)
@blueprint.alt_response(404, response="NOT_FOUND")
def get_history(query: dict[str, Any], player_id: str) -> dict[str, Any]:
    """Every change of a player's rating in one pool, the newest first"""
    _check(player_id)
    before = cursors.sequence(query["cursor"])
    with current_service().transaction() as tx:
        history = lookups.rating_history(tx, player_id, query["pool"], before, query["limit"])
    page = history.chapters
    return {
        "player_id": player_id,
        "pool": query["pool"],
        "changes": [_item(chapter, history.names) for chapter in page.items],
        "next_cursor": cursors.encode(page.items[-1].entry.sequence) if page.more else None,
    }


@blueprint.get("/<player_id>/shadow")
@blueprint.response(200, ShadowSchema)
@blueprint.alt_response(404, response="NOT_FOUND")
def get_shadow(player_id: str) -> dict[str, Any]:
    """The player's Glicko-2 ratings, which follow the ledger a few seconds behind; nothing is ranked by them"""
    _check(player_id)
    with current_service().transaction() as tx:
        return {"player_id": player_id, "ratings": lookups.shadow_ratings(tx, player_id)}


@blueprint.get("/<player_id>/matches")
@blueprint.arguments(MeetingsQuery, location="query")
@blueprint.response(200, MatchesSchema)
@blueprint.alt_response(404, response="NOT_FOUND")
def get_matches(query: dict[str, Any], player_id: str) -> dict[str, Any]:
    """Every match that the player played, rated or not, the latest first"""
    _check(player_id)
    after = cursors.time_and_match(query["cursor"])
    with current_service().transaction() as tx:
        found = encounters.played(tx, player_id, after, query["limit"])
    return {"player_id": player_id, **_matches(found)}


@blueprint.get("/<player_id>/opponents")
@blueprint.arguments(OpponentsQuery, location="query")
@blueprint.response(200, OpponentsSchema)
@blueprint.alt_response(404, response="NOT_FOUND")
def get_opponents(query: dict[str, Any], player_id: str) -> dict[str, Any]:
    """Whom the player met most often, and how it went"""
    _check(player_id)
    with current_service().transaction() as tx:
        return {"player_id": player_id, "opponents": encounters.opponents(tx, player_id, query["limit"])}


@blueprint.get("/<player_id>/opponents/<opponent_id>")
@blueprint.arguments(MeetingsQuery, location="query")
@blueprint.response(200, HeadToHeadSchema)
@blueprint.alt_response(404, response="NOT_FOUND")
def get_head_to_head(query: dict[str, Any], player_id: str, opponent_id: str) -> dict[str, Any]:
    """Every match of two players, and how often each was ahead"""
    _check(player_id)
    _check(opponent_id)
    after = cursors.time_and_match(query["cursor"])
    with current_service().transaction() as tx:
        tallies, found = encounters.head_to_head(tx, player_id, opponent_id, after, query["limit"])
    return {"player_id": player_id, "opponent_id": opponent_id, "tallies": tallies, **_matches(found)}


def _matches(found: Page[MeetingLine]) -> dict[str, Any]:
    last = found.items[-1] if found.more else None
    cursor = cursors.encode(last.finished_at.isoformat(), last.match_id) if last else None
    return {"matches": found.items, "next_cursor": cursor}


def _check(player_id: str) -> None:
    if not PLAYER_ID.fullmatch(player_id):
        raise NotFound("there is no such player", "player_id")


def _item(chapter: Chapter, names: dict[str, str]) -> dict[str, Any]:
    entry = chapter.entry
    return {
        "sequence": entry.sequence,
        "kind": entry.kind,
        "match_id": entry.match_id,
        "place": entry.place,
        "target": entry.target,
        "opponents": [{**opponent._asdict(), "name": names.get(opponent.player_id)} for opponent in entry.opponents],
        "k": entry.k,
        "m": entry.m,
        "before": entry.before,
        "after": entry.after,
        "games": entry.games,
        "uncertainty": elo.uncertainty(entry.effective_games),
        "finished_at": chapter.finished_at,
        "settled_at": entry.settled_at,
    }

"""/api/v1/ratings: where players stand, how they got there, and what a match would change."""

from __future__ import annotations

from typing import Any

from gin_ratings.api import cursors
from gin_ratings.api.schemas import (
    PLAYER_ID,
    ForecastQuery,
    ForecastSchema,
    HistoryQuery,
    HistorySchema,
    PlayerRatingsSchema,
    RatingsPageSchema,
    RatingsQuery,
)
from gin_ratings.domain import elo
from gin_ratings.store.ledger import Chapter
from gin_ratings.use_cases import lookups
from gin_ratings.use_cases.forecast import Forecast, forecast
from gin_ratings.use_cases.lookups import PlayerRatings
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

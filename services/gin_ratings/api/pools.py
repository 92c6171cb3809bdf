"""/api/v1/pools and /api/v1/leaderboards: the pools, their public ledgers and their ranked players."""

from __future__ import annotations

from typing import Any

from gin_ratings.api.schemas import LeaderboardQuery, LeaderboardSchema, LedgerQuery, LedgerSchema, PoolsSchema
from gin_ratings.use_cases import cursors, lookups
from gin_servicekit.http_app import Blueprint, current_service

blueprint = Blueprint("pools", __name__, url_prefix="/api/v1", description="Rating pools")


@blueprint.get("/pools")
@blueprint.response(200, PoolsSchema)
def list_pools() -> dict[str, Any]:
    """Every pool, by name"""
    with current_service().transaction() as tx:
        return {"pools": lookups.list_pools(tx)}


@blueprint.get("/pools/<game>/<population>/ledger")
@blueprint.arguments(LedgerQuery, location="query")
@blueprint.response(200, LedgerSchema)
@blueprint.alt_response(404, response="NOT_FOUND")
def get_ledger(query: dict[str, Any], game: str, population: str) -> dict[str, Any]:
    """The public ledger, the oldest entry first: enough to recompute every rating of the pool"""
    pool = f"{game}/{population}"
    with current_service().transaction() as tx:
        found = lookups.ledger_page(tx, pool, query["after"], query["limit"])
    page = found.entries
    return {
        "pool": pool,
        "size": found.head.size,
        "head_hash": found.head.hash,
        "entries": page.items,
        "next_after": page.items[-1].sequence if page.more else None,
    }


@blueprint.get("/leaderboards/<game>/<population>")
@blueprint.arguments(LeaderboardQuery, location="query")
@blueprint.response(200, LeaderboardSchema)
@blueprint.alt_response(404, response="NOT_FOUND")
def get_leaderboard(query: dict[str, Any], game: str, population: str) -> dict[str, Any]:
    """The players of a pool by rating, the established apart from the provisional"""
    pool = f"{game}/{population}"
    after = cursors.rating_and_player(query["cursor"])
    with current_service().transaction() as tx:
        page = lookups.leaderboard(
            tx,
            pool,
            established=query["standing"] == "established",
            active_days=query["active_days"],
            after=after,
            limit=query["limit"],
        )
    last = page.items[-1] if page.more else None
    return {
        "pool": pool,
        "standing": query["standing"],
        "players": page.items,
        "next_cursor": cursors.encode(last.rating, last.player_id) if last else None,
    }

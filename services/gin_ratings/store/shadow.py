"""The shadow's ratings, and how far behind the ledger it is."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from gin_ratings.domain.glicko2 import Glicko
from gin_ratings.domain.pools import Pool
from gin_servicekit.database import Transaction


class ShadowRow(NamedTuple):
    """A player in one pool, after the ledger's first `size` entries."""

    pool: str
    rating: float
    deviation: float
    volatility: float
    size: int


def behind(tx: Transaction) -> list[Pool]:
    """The pools whose ledger goes on where the shadow ends."""
    return tx.scalars(
        """
        SELECT pool FROM pools LEFT JOIN shadow_progress AS shadow USING (pool)
         WHERE pools.size > coalesce(shadow.size, 0) ORDER BY pool
        """
    )


def lock(tx: Transaction, pool: Pool) -> int | None:
    """How many entries the shadow has followed; None while another process follows the same pool."""
    tx.execute("INSERT INTO shadow_progress (pool) VALUES (%s) ON CONFLICT DO NOTHING", (pool,))
    found = tx.scalars("SELECT size FROM shadow_progress WHERE pool = %s FOR UPDATE SKIP LOCKED", (pool,))
    return found[0] if found else None


def standings(tx: Transaction, pool: Pool, player_ids: Collection[str]) -> dict[str, Glicko]:
    """Those of the players who have played in the pool."""
    rows = tx.dicts(
        "SELECT player_id, rating, deviation, volatility FROM shadow WHERE pool = %s AND player_id = ANY(%s)",
        (pool, list(player_ids)),
    )
    return {row["player_id"]: Glicko(row["rating"], row["deviation"], row["volatility"]) for row in rows}


def write(tx: Transaction, pool: Pool, ratings: Mapping[str, Glicko], size: int) -> None:
    """The transaction must hold the pool (`lock`)."""
    tx.execute(
        """
        INSERT INTO shadow (pool, player_id, rating, deviation, volatility)
        SELECT %s, * FROM unnest(%s::text[], %s::float8[], %s::float8[], %s::float8[])
        ON CONFLICT (pool, player_id) DO UPDATE
           SET rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility
        """,
        (
            pool,
            list(ratings),
            [standing.rating for standing in ratings.values()],
            [standing.deviation for standing in ratings.values()],
            [standing.volatility for standing in ratings.values()],
        ),
    )
    tx.execute("UPDATE shadow_progress SET size = %s WHERE pool = %s", (size, pool))


def forget(tx: Transaction, pool: Pool) -> None:
    """Back to nothing, to be made anew. The transaction must hold the pool (`lock`)."""
    tx.execute("DELETE FROM shadow WHERE pool = %s", (pool,))
    tx.execute("UPDATE shadow_progress SET size = 0 WHERE pool = %s", (pool,))


def of_player(tx: Transaction, player_id: str) -> list[ShadowRow]:
    return tx.rows(
        ShadowRow,
        """
        SELECT pool, rating, deviation, volatility, size FROM shadow JOIN shadow_progress USING (pool)
         WHERE player_id = %s ORDER BY pool
        """,
        (player_id,),
    )

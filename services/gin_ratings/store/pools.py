"""Pools and the heads of their ledgers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from gin_ratings.domain.ledger import Head
from gin_ratings.domain.pools import Pool
from gin_servicekit.database import Transaction


class PoolRow(NamedTuple):
    """A pool, its head, how many players have a rating in it, and how many of them an established one."""

    pool: str
    size: int
    head_hash: str
    players: int
    established: int


def open_missing(tx: Transaction, pools: Collection[Pool]) -> None:
    """Makes sure that each of the pools is there."""
    # ON CONFLICT alone would wait for whoever is just moving the head of one that is there.
    tx.execute(
        """
        INSERT INTO pools (pool)
        SELECT pool FROM unnest(%s::text[]) AS wanted (pool)
         WHERE NOT EXISTS (SELECT FROM pools WHERE pools.pool = wanted.pool)
         ORDER BY pool COLLATE "C"
        ON CONFLICT DO NOTHING
        """,
        (sorted(pools),),
    )


def lock_heads(tx: Transaction, pools: Collection[Pool]) -> dict[Pool, Head]:
    """The head of each pool; nobody else appends to them until this transaction ends."""
    # NO KEY UPDATE: a plain FOR UPDATE would clash with the key locks of rows that point here, and deadlock.
    rows = tx.dicts(
        "SELECT pool, size, head_hash FROM pools WHERE pool = ANY(%s) ORDER BY pool FOR NO KEY UPDATE", (sorted(pools),)
    )
    return {row["pool"]: Head(row["size"], row["head_hash"]) for row in rows}


def move_heads(tx: Transaction, heads: Mapping[Pool, Head]) -> None:
    tx.execute(
        """
        UPDATE pools SET size = new.size, head_hash = new.head_hash
          FROM unnest(%s::text[], %s::bigint[], %s::text[]) AS new (pool, size, head_hash)
         WHERE pools.pool = new.pool
        """,
        (list(heads), [head.size for head in heads.values()], [head.hash for head in heads.values()]),
    )


def head(tx: Transaction, pool: Pool) -> Head | None:
    """None when there is no such pool."""
    row = tx.dicts("SELECT size, head_hash FROM pools WHERE pool = %s", (pool,))
    return Head(row[0]["size"], row[0]["head_hash"]) if row else None


def listed(tx: Transaction, established_from: float) -> list[PoolRow]:
    """Every pool by name; established is who has at least that many effective games."""
    return tx.rows(
        PoolRow,
        """
        SELECT pool, size, head_hash, count(player_id) FILTER (WHERE games > 0) AS players,
               count(player_id) FILTER (WHERE effective_games >= %s) AS established
          FROM pools LEFT JOIN ratings USING (pool)
         GROUP BY pool ORDER BY pool
        """,
        (established_from,),
    )

"""The current rating of each player in each pool."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from gin_ratings.domain import elo
from gin_ratings.domain.elo import NEWCOMER, PROVISIONAL_GAMES, Standing
from gin_ratings.domain.pools import Pool
from gin_servicekit.database import Transaction


class Key(NamedTuple):
    """Sorts by pool and player: the order in which rows are locked."""

    pool: Pool
    player_id: str


@dataclass(frozen=True, slots=True)
class RatingRow:
    """One player in one pool. `name` and `kind` are None while no one has told them."""

    pool: str
    player_id: str
    name: str | None
    kind: str | None
    rating: float
    games: int
    effective_games: float
    rated_at: datetime

    @property
    def standing(self) -> Standing:
        return Standing(self.rating, self.games, self.effective_games)

    @property
    def provisional(self) -> bool:
        return self.standing.provisional

    @property
    def uncertainty(self) -> float:
        return elo.uncertainty(self.effective_games)


@dataclass(frozen=True, slots=True)
class RankedRow(RatingRow):
    """`rank` is 1 + the number of players on the same list with a higher rating."""

    rank: int


def lock(tx: Transaction, keys: Collection[Key]) -> dict[Key, Standing]:
    """Where each of `keys` stands, newcomers included; nobody else settles a match of theirs until this one ends.

    Two statements: rows that are missing must be there before all can be locked, each time in the same order.
    """
    ordered = sorted(keys)
    pools, players = [key.pool for key in ordered], [key.player_id for key in ordered]
    tx.execute(
        """
        INSERT INTO ratings (pool, player_id, rating, games, effective_games, rated_at)
        SELECT pool, player_id, %s, %s, %s, %s FROM unnest(%s::text[], %s::text[]) AS wanted (pool, player_id)
         WHERE NOT EXISTS (SELECT FROM ratings AS r WHERE r.pool = wanted.pool AND r.player_id = wanted.player_id)
         ORDER BY pool COLLATE "C", player_id COLLATE "C"
        ON CONFLICT DO NOTHING
        """,
        (*NEWCOMER, tx.now, pools, players),
    )
    rows = tx.dicts(
        """
        SELECT pool, player_id, rating, games, effective_games FROM ratings
         WHERE (pool, player_id) IN (SELECT * FROM unnest(%s::text[], %s::text[]))
         ORDER BY pool, player_id FOR UPDATE
        """,
        (pools, players),
    )
    return {
        Key(row["pool"], row["player_id"]): Standing(row["rating"], row["games"], row["effective_games"])
        for row in rows
    }


def write(tx: Transaction, standings: Mapping[Key, Standing]) -> None:
    """The transaction must hold the rows (`lock`)."""
    tx.execute(
        """
        UPDATE ratings
           SET rating = new.rating, games = new.games, effective_games = new.effective_games, rated_at = %s
          FROM unnest(%s::text[], %s::text[], %s::float8[], %s::int[], %s::float8[])
               AS new (pool, player_id, rating, games, effective_games)
         WHERE ratings.pool = new.pool AND ratings.player_id = new.player_id
        """,
        (
            tx.now,
            [key.pool for key in standings],
            [key.player_id for key in standings],
            [standing.rating for standing in standings.values()],
            [standing.games for standing in standings.values()],
            [standing.effective_games for standing in standings.values()],
        ),
    )


def listed(
    tx: Transaction, pool: Pool | None, player_id: str | None, after: tuple[str, str] | None, limit: int | None
) -> list[RatingRow]:
    """Ratings by pool and player, at most `limit` (None: all) behind the pair `after`. A filter of None lets all by."""
    return tx.rows(
        RatingRow,
        """
        SELECT pool, player_id, name, kind, rating, games, effective_games, rated_at
          FROM ratings LEFT JOIN players USING (player_id)
         WHERE (%(pool)s::text IS NULL OR pool = %(pool)s)
           AND (%(player_id)s::text IS NULL OR player_id = %(player_id)s)
           AND (%(after_pool)s::text IS NULL OR (pool, player_id) > (%(after_pool)s, %(after_player)s))
         ORDER BY pool, player_id LIMIT %(limit)s
        """,
        {
            "pool": pool,
            "player_id": player_id,
            "after_pool": after[0] if after else None,
            "after_player": after[1] if after else None,
            "limit": limit,
        },
    )


def ranked(
    tx: Transaction,
    pool: Pool,
    *,
    established: bool,
    active_since: datetime | None,
    after: tuple[float, str] | None,
    limit: int,
) -> list[RankedRow]:
    """The pool's players by falling rating, at most `limit` of them behind the pair (rating, player) `after`.

    Only the established or only the provisional; with `active_since` only who has had a match settled since.
    """
    return tx.rows(
        RankedRow,
        """
        WITH board AS (
            SELECT rank() OVER (ORDER BY rating DESC) AS rank, pool, player_id, rating, games, effective_games, rated_at
              FROM ratings
             WHERE pool = %(pool)s AND (effective_games >= %(established_from)s) = %(established)s
               AND (%(active_since)s::timestamptz IS NULL OR rated_at >= %(active_since)s)
        )
        SELECT rank, pool, player_id, name, kind, rating, games, effective_games, rated_at
          FROM board LEFT JOIN players USING (player_id)
         WHERE %(after_rating)s::float8 IS NULL OR rating < %(after_rating)s
            OR (rating = %(after_rating)s AND player_id > %(after_player)s)
         ORDER BY rating DESC, player_id LIMIT %(limit)s
        """,
        {
            "pool": pool,
            "established_from": PROVISIONAL_GAMES,
            "established": established,
            "active_since": active_since,
            "after_rating": after[0] if after else None,
            "after_player": after[1] if after else None,
            "limit": limit,
        },
    )

"""The ledger's table: appended to and read, never changed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from psycopg.types.json import Jsonb

from gin_ratings.domain.elo import Opponent
from gin_ratings.domain.ledger import Entry
from gin_ratings.domain.pools import Pool
from gin_servicekit.database import Transaction


class Chapter(NamedTuple):
    """An entry in the history of a player, and when the match behind it ended."""

    entry: Entry
    finished_at: datetime


def append(tx: Transaction, entries: Sequence[Entry]) -> None:
    """The transaction must hold the heads of the pools (`pools.lock_heads`)."""
    copy_into = """
        COPY ledger (pool, sequence, kind, match_id, player_id, place, target, opponents, k, m, before, after, games,
                     effective_games, settled_at, previous_hash, hash) FROM STDIN"""
    with tx.connection.cursor() as cursor, cursor.copy(copy_into) as copy:
        for e in entries:
            opponents = Jsonb([opponent._asdict() for opponent in e.opponents])
            seat = (e.match_id, e.player_id, e.place, e.target, opponents)
            numbers = (e.k, e.m, e.before, e.after, e.games, e.effective_games)
            copy.write_row((e.pool, e.sequence, e.kind, *seat, *numbers, e.settled_at, e.previous_hash, e.hash))


def page(tx: Transaction, pool: Pool, after: int, limit: int | None = None) -> list[Entry]:
    """At most `limit` entries (None: all) behind the sequence number `after`, oldest first."""
    return tx.rows(
        _entry,
        """
        SELECT pool, sequence, kind, match_id, player_id, place, target, opponents, k, m, before, after, games,
               effective_games, settled_at, previous_hash, hash
          FROM ledger WHERE pool = %s AND sequence > %s ORDER BY sequence LIMIT %s
        """,
        (pool, after, limit),
    )


def of_match(tx: Transaction, pool: Pool, match_id: str, *, after: int) -> list[Entry]:
    """The entries of one match behind the sequence number `after`, oldest first."""
    return tx.rows(
        _entry,
        """
        SELECT pool, sequence, kind, match_id, player_id, place, target, opponents, k, m, before, after, games,
               effective_games, settled_at, previous_hash, hash
          FROM ledger WHERE pool = %s AND match_id = %s AND sequence > %s ORDER BY sequence
        """,
        (pool, match_id, after),
    )


def history(tx: Transaction, pool: Pool, player_id: str, before: int | None, limit: int) -> list[Chapter]:
    """At most `limit` entries of a player ahead of the sequence number `before` (None: all), newest first."""
    return tx.rows(
        _chapter,
        """
        SELECT l.pool, sequence, kind, match_id, player_id, place, l.target, opponents, k, m, before, after, games,
               effective_games, l.settled_at, previous_hash, hash, finished_at
          FROM ledger AS l JOIN matches USING (match_id)
         WHERE player_id = %(player_id)s AND l.pool = %(pool)s
           AND (%(before)s::bigint IS NULL OR sequence < %(before)s)
         ORDER BY sequence DESC LIMIT %(limit)s
        """,
        {"player_id": player_id, "pool": pool, "before": before, "limit": limit},
    )


def _entry(*, opponents: list[dict[str, Any]], **columns: Any) -> Entry:
    # JSON knows one kind of number: a rating without a fraction comes back as an int.
    played = tuple(Opponent(o["player_id"], float(o["rating"]), o["place"]) for o in opponents)
    return Entry(opponents=played, **columns)


def _chapter(*, finished_at: datetime, **columns: Any) -> Chapter:
    return Chapter(_entry(**columns), finished_at)

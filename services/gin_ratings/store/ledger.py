"""The ledger's table: appended to and read, never changed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

from psycopg.types.json import Jsonb

from gin_ratings.domain.elo import Opponent
from gin_ratings.domain.ledger import UNRATED, Entry, Past
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
                     effective_games, settled_at, previous_hash, hash, revision) FROM STDIN"""
    with tx.connection.cursor() as cursor, cursor.copy(copy_into) as copy:
        for e in entries:
            opponents = Jsonb([opponent._asdict() for opponent in e.opponents])
            seat = (e.match_id, e.player_id, e.place, e.target, opponents)
            numbers = (e.k, e.m, e.before, e.after, e.games, e.effective_games)
            sealed = (e.settled_at, e.previous_hash, e.hash, e.revision)
            copy.write_row((e.pool, e.sequence, e.kind, *seat, *numbers, *sealed))


def page(tx: Transaction, pool: Pool, after: int, limit: int | None = None) -> list[Entry]:
    """At most `limit` entries (None: all) behind the sequence number `after`, oldest first."""
    return tx.rows(
        _entry,
        """
        SELECT pool, sequence, kind, match_id, player_id, place, target, opponents, k, m, before, after, games,
               effective_games, settled_at, previous_hash, hash, revision
          FROM ledger WHERE pool = %s AND sequence > %s ORDER BY sequence LIMIT %s
        """,
        (pool, after, limit),
    )


def pasts(tx: Transaction, match_ids: Sequence[str]) -> dict[str, Past]:
    """What the ledger holds of each of these matches; a match that was never rated is missing.

    The transaction must hold the matches (`matches.lock`).
    """
    found: dict[str, Past] = {}
    entries = tx.rows(
        _entry,
        """
        SELECT pool, sequence, kind, match_id, player_id, place, target, opponents, k, m, before, after, games,
               effective_games, settled_at, previous_hash, hash, revision
          FROM ledger WHERE match_id = ANY(%s) ORDER BY match_id, sequence
        """,
        (list(match_ids),),
    )
    for (match_id, _, _), group in groupby(entries, key=lambda e: (e.match_id, e.revision, e.kind)):
        found[match_id] = found.get(match_id, UNRATED).then(list(group))
    return found


def history(tx: Transaction, pool: Pool, player_id: str, before: int | None, limit: int) -> list[Chapter]:
    """At most `limit` entries of a player ahead of the sequence number `before` (None: all), newest first."""
    return tx.rows(
        _chapter,
        """
        SELECT l.pool, sequence, kind, match_id, player_id, place, l.target, opponents, k, m, before, after, games,
               effective_games, l.settled_at, previous_hash, hash, l.revision, finished_at
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

"""Finished matches, each told once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from psycopg.types.json import Jsonb

from gin_ratings.domain.ledger import Seat
from gin_ratings.domain.verdicts import Verdict
from gin_servicekit.database import Transaction


class JudgedMatch(NamedTuple):
    """A finished match and what becomes of it."""

    match_id: str
    pool: str | None
    verdict: Verdict
    ending: str
    target: int
    seats: tuple[Seat, ...]
    finished_at: datetime


def remember(tx: Transaction, matches: Sequence[JudgedMatch]) -> set[str]:
    """Stores the matches that were never told before, and returns their ids. Waits for who is storing the same one.

    Each id may stand here once.
    """
    ordered = sorted(matches, key=lambda match: match.match_id)
    columns: list[list[Any]] = [
        [match.match_id for match in ordered],
        [match.pool for match in ordered],
        [match.verdict.value for match in ordered],
        [match.ending for match in ordered],
        [match.target for match in ordered],
        [Jsonb([seat._asdict() for seat in match.seats]) for match in ordered],
        [match.finished_at for match in ordered],
    ]
    return set(
        tx.scalars(
            """
            INSERT INTO matches (match_id, pool, verdict, ending, target, seats, finished_at, settled_at)
            SELECT *, %s FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::int[], %s::jsonb[],
                                     %s::timestamptz[])
            ON CONFLICT DO NOTHING RETURNING match_id
            """,
            (tx.now, *columns),
        )
    )

"""Corrections as they were told: those that wait for their match, and those that were settled."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from psycopg.types.json import Jsonb

from gin_ratings.domain.ledger import Seat
from gin_servicekit.database import Transaction


class ToldCorrection(NamedTuple):
    """How a match counts from this revision of it on."""

    match_id: str
    revision: int
    ending: str
    seats: tuple[Seat, ...]
    reason: str
    corrected_at: datetime


def remember(tx: Transaction, corrections: Sequence[ToldCorrection]) -> None:
    """Stores the corrections that were never told before; they wait until they are settled."""
    tx.execute_many(
        "INSERT INTO corrections (match_id, revision, ending, seats, reason, corrected_at)"
        " VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
        [
            (c.match_id, c.revision, c.ending, Jsonb([seat._asdict() for seat in c.seats]), c.reason, c.corrected_at)
            for c in sorted(corrections)
        ],
    )


def waiting(tx: Transaction, limit: int) -> list[str]:
    """Ids of matches that were told and have corrections which were not settled."""
    return tx.scalars(
        """
        SELECT DISTINCT c.match_id FROM corrections c JOIN matches m USING (match_id)
         WHERE c.settled_at IS NULL ORDER BY c.match_id LIMIT %s
        """,
        (limit,),
    )


def take(tx: Transaction, match_ids: Sequence[str]) -> list[ToldCorrection]:
    """The waiting corrections of these matches, which count as settled from now on. The matches must be locked."""
    taken = tx.rows(
        _correction,
        """
        UPDATE corrections SET settled_at = %s WHERE match_id = ANY(%s) AND settled_at IS NULL
        RETURNING match_id, revision, ending, seats, reason, corrected_at
        """,
        (tx.now, list(match_ids)),
    )
    return sorted(taken)


def _correction(*, seats: list[dict[str, Any]], **columns: Any) -> ToldCorrection:
    return ToldCorrection(seats=tuple(Seat(**seat) for seat in seats), **columns)

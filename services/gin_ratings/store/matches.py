"""Finished matches, each told once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
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


class ToldMatch(NamedTuple):
    """A match as it was told; `revision` is that of the correction that counts, 0 for none."""

    match_id: str
    pool: str | None
    target: int
    revision: int


def lock(tx: Transaction, match_ids: Collection[str]) -> list[ToldMatch]:
    """Those of the matches that were told, by id; nobody else corrects them until this transaction ends."""
    # NO KEY UPDATE: a plain FOR UPDATE would clash with the key locks of entries that point here.
    return tx.rows(
        ToldMatch,
        "SELECT match_id, pool, target, revision FROM matches WHERE match_id = ANY(%s)"
        " ORDER BY match_id FOR NO KEY UPDATE",
        (sorted(match_ids),),
    )


def revise(tx: Transaction, revisions: Mapping[str, int]) -> None:
    """The transaction must hold the matches (`lock`)."""
    tx.execute(
        "UPDATE matches SET revision = new.revision FROM unnest(%s::text[], %s::int[]) AS new (match_id, revision)"
        " WHERE matches.match_id = new.match_id AND matches.revision < new.revision",
        (list(revisions), list(revisions.values())),
    )

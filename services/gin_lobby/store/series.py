"""Series and what became of their occurrences, in Postgres."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from psycopg.types.json import Jsonb

from gin_lobby.domain.series import OccurrenceRow, OccurrenceState, Series
from gin_lobby.domain.tournament import TournamentId
from gin_servicekit.database import Transaction


def insert(tx: Transaction, s: Series) -> None:
    tx.execute(
        """
        INSERT INTO series (series_id, organiser_id, name, rule, first_at, zone, gap, fold, template, ahead_days, state,
                            revision, due_at, looked_until, created_at)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        """,
        (s.series_id, s.organiser_id, *_plan(s), s.state, s.revision, s.due_at, s.looked_until, s.created_at),
    )


def rewrite(tx: Transaction, s: Series) -> None:
    """Everything that an organiser may change, and when to look at it next. The series must be locked."""
    tx.execute(
        """
        UPDATE series
           SET name = %s, rule = %s, first_at = %s, zone = %s, gap = %s, fold = %s, template = %s, ahead_days = %s,
               state = %s, revision = %s, due_at = %s, looked_until = %s
         WHERE series_id = %s
        """,
        (*_plan(s), s.state, s.revision, s.due_at, s.looked_until, s.series_id),
    )


def _plan(s: Series) -> tuple[object, ...]:
    return (s.name, s.rule, s.first_at, s.zone, s.gap, s.fold, Jsonb(s.template), s.ahead_days)


def find(tx: Transaction, series_id: UUID) -> Series | None:
    return tx.row(Series, "SELECT * FROM series WHERE series_id = %s", (series_id,))


def lock(tx: Transaction, series_id: UUID) -> Series | None:
    return tx.row(Series, "SELECT * FROM series WHERE series_id = %s FOR UPDATE", (series_id,))


def claim_due(tx: Transaction) -> Series | None:
    """Locks the series that has been due for longest, passing over those that somebody else works on."""
    return tx.row(
        Series,
        "SELECT * FROM series WHERE due_at <= %s ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED",
        (tx.now,),
    )


def put_off(tx: Transaction, series_id: UUID, time: datetime) -> None:
    tx.execute("UPDATE series SET due_at = %s WHERE series_id = %s AND due_at IS NOT NULL", (time, series_id))


def series_of(tx: Transaction, tournament_id: UUID) -> UUID | None:
    """The series that a tournament was made by."""
    found: UUID | None = tx.scalar("SELECT series_id FROM occurrences WHERE tournament_id = %s", (tournament_id,))
    return found


def page(tx: Transaction, organiser_id: UUID | None, before: UUID | None, limit: int) -> list[Series]:
    """Newest first; `before` is the last id of the page before."""
    return tx.rows(
        Series,
        """
        SELECT * FROM series
         WHERE (%(organiser)s::uuid IS NULL OR organiser_id = %(organiser)s)
           AND (%(before)s::uuid IS NULL OR series_id < %(before)s)
         ORDER BY series_id DESC LIMIT %(limit)s
        """,
        {"organiser": organiser_id, "before": before, "limit": limit},
    )


def active(tx: Transaction) -> list[Series]:
    return tx.rows(Series, "SELECT * FROM series WHERE state = 'active' ORDER BY series_id")


def occurrence(tx: Transaction, series_id: UUID, key: str) -> OccurrenceRow | None:
    return tx.row(
        OccurrenceRow,
        """
        SELECT key, o.starts_at, o.state, o.tournament_id, o.reason, t.state AS tournament_state
          FROM occurrences o LEFT JOIN tournaments t USING (tournament_id) WHERE series_id = %s AND key = %s
        """,
        (series_id, key),
    )


def occurrences(tx: Transaction, series_id: UUID, since: datetime, until: datetime) -> list[OccurrenceRow]:
    """Those written down that start in this time, both ends included, by time.

    The start is that of the tournament where there is one: it may have been moved.
    """
    return tx.rows(
        OccurrenceRow,
        """
        SELECT key, coalesce(t.starts_at, o.starts_at) AS starts_at, o.state, o.tournament_id, o.reason,
               t.state AS tournament_state
          FROM occurrences o LEFT JOIN tournaments t USING (tournament_id)
         WHERE series_id = %s AND coalesce(t.starts_at, o.starts_at) BETWEEN %s AND %s ORDER BY 2, 1
        """,
        (series_id, since, until),
    )


def settled(tx: Transaction, series_id: UUID, keys: Sequence[str]) -> frozenset[str]:
    """Those of the keys that were made, skipped or missed."""
    found = tx.scalars("SELECT key FROM occurrences WHERE series_id = %s AND key = ANY(%s)", (series_id, list(keys)))
    return frozenset(found)


def write_down(
    tx: Transaction,
    series_id: UUID,
    key: str,
    starts_at: datetime,
    state: OccurrenceState,
    tournament_id: TournamentId | None,
    reason: str | None,
) -> None:
    """Once for each occurrence: a second time breaks the key of the table."""
    tx.execute(
        "INSERT INTO occurrences (series_id, key, starts_at, state, tournament_id, reason)"
        " VALUES (%s, %s, %s, %s, %s, %s)",
        (series_id, key, starts_at, state, tournament_id, reason),
    )


def move(tx: Transaction, series_id: UUID, key: str, new_key: str, starts_at: datetime) -> None:
    """An occurrence that was made belongs to another time of the rule from now on."""
    tx.execute(
        "UPDATE occurrences SET key = %s, starts_at = %s WHERE series_id = %s AND key = %s AND state = 'made'",
        (new_key, starts_at, series_id, key),
    )


def skip_made(tx: Transaction, series_id: UUID, key: str, reason: str) -> None:
    tx.execute(
        "UPDATE occurrences SET state = 'skipped', reason = %s WHERE series_id = %s AND key = %s AND state = 'made'",
        (reason, series_id, key),
    )


def forget(tx: Transaction, series_id: UUID, key: str) -> None:
    """An occurrence that was to be skipped is planned again."""
    tx.execute(
        "DELETE FROM occurrences WHERE series_id = %s AND key = %s AND state = 'skipped' AND tournament_id IS NULL",
        (series_id, key),
    )


def starts_instead(tx: Transaction, tournament_id: UUID, starts_at: datetime) -> bool:
    """Whether a later occurrence of the same series has come to its start as well, and waits for it."""
    found = tx.scalar(
        """
        SELECT EXISTS (
            SELECT FROM occurrences mine JOIN occurrences other USING (series_id)
              JOIN tournaments t ON t.tournament_id = other.tournament_id
             WHERE mine.tournament_id = %s AND t.starts_at > %s AND t.starts_at <= %s
               AND t.state IN ('registration', 'check_in'))
        """,
        (tournament_id, starts_at, tx.now),
    )
    return bool(found)

"""Tournaments by the time of their start."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from gin_lobby.domain.tournament import Tournament
from gin_lobby.store import tournaments
from gin_servicekit.database import Transaction

MOST = 1_000


def starting(
    tx: Transaction, since: datetime, until: datetime, series_id: UUID | None
) -> list[tuple[Tournament, tuple[UUID, str] | None]]:
    """Those that start in this time and are no drafts, by start, at most MOST; each with its series and key, if any."""
    rows = tx.dicts(
        """
        SELECT t.tournament_id, o.series_id, o.key
          FROM tournaments t LEFT JOIN occurrences o USING (tournament_id)
         WHERE t.starts_at BETWEEN %(since)s AND %(until)s AND t.state <> 'draft'
           AND (%(series)s::uuid IS NULL OR o.series_id = %(series)s)
         ORDER BY t.starts_at, t.tournament_id LIMIT %(most)s
        """,
        {"since": since, "until": until, "series": series_id, "most": MOST},
    )
    found = {t.tournament_id: t for t in tournaments.several(tx, [row["tournament_id"] for row in rows])}
    return [(found[row["tournament_id"]], (row["series_id"], row["key"]) if row["series_id"] else None) for row in rows]

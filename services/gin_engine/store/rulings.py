"""What arbiters decided: append-only, like the log of actions."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from gin_engine.domain.match import Match, MatchId
from gin_rules.replay import RecordedRuling
from gin_rules.rulings import Ruling
from gin_servicekit.database import Transaction


def append(tx: Transaction, match: Match, entry: RecordedRuling) -> None:
    """Adds the next ruling of a locked match."""
    ruling = entry.ruling
    tx.execute(
        """
        INSERT INTO rulings (match_id, number, after, kind, hand, points, reason, arbiter_id, totals, ruled_at)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        """,
        (
            match.match_id,
            match.ruling_count + 1,
            entry.after,
            ruling.kind,
            ruling.hand,
            None if ruling.points is None else list(ruling.points),
            ruling.reason,
            ruling.arbiter,
            list(entry.totals),
            entry.at,
        ),
    )
    tx.execute(
        "UPDATE matches SET ruling_count = ruling_count + 1, last_action_at = %s WHERE match_id = %s",
        (entry.at, match.match_id),
    )


def rulings_of(tx: Transaction, match: Match) -> list[RecordedRuling]:
    """All rulings of the match, in order."""
    return _rulings(tx, match.match_id, match.ruling_count) if match.ruling_count else []


def _rulings(tx: Transaction, match_id: MatchId, count: int) -> list[RecordedRuling]:
    rows: list[dict[str, Any]] = tx.dicts(
        "SELECT after, kind, hand, points, reason, arbiter_id, totals, ruled_at FROM rulings"
        " WHERE match_id = %s AND number <= %s ORDER BY number",
        (match_id, count),
    )
    return [
        RecordedRuling(
            row["after"],
            row["ruled_at"].astimezone(UTC),
            Ruling(
                row["kind"],
                row["hand"],
                None if row["points"] is None else tuple(row["points"]),
                row["reason"],
                row["arbiter_id"],
            ),
            tuple(row["totals"]),
        )
        for row in rows
    ]

"""Deadlines that the lobby has moved."""

from __future__ import annotations

from collections.abc import Sequence

from gin_messages.match import DeadlineMoved
from gin_servicekit.database import Transaction


def remember(tx: Transaction, moves: Sequence[DeadlineMoved]) -> None:
    """Keeps the latest move of each match. The matches must be held (`matches.hold`)."""
    tx.execute_many(
        """
        INSERT INTO moved_deadlines (match_id, deadline_at, moved_at) VALUES (%s, %s, %s)
        ON CONFLICT (match_id) DO UPDATE SET deadline_at = excluded.deadline_at, moved_at = excluded.moved_at
         WHERE moved_deadlines.moved_at < excluded.moved_at
        """,
        [(move.match_id, move.deadline_at, move.moved_at) for move in moves],
    )


def apply(tx: Transaction, match_ids: Sequence[str]) -> None:
    """Gives those of the matches that are undecided the deadline that was last said. They must be held."""
    tx.execute(
        "UPDATE matches m SET deadline_at = d.deadline_at FROM moved_deadlines d"
        " WHERE d.match_id = m.match_id AND m.match_id = ANY(%s) AND m.state = 'playing'",
        (list(match_ids),),
    )

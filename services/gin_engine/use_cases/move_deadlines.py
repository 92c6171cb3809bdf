"""The lobby gives matches more time, or none to lose while a tournament is paused."""

from __future__ import annotations

from collections.abc import Sequence

from gin_engine.store import deadlines, matches
from gin_messages.match import DeadlineMoved
from gin_servicekit.database import Transaction


def move_deadlines(tx: Transaction, moves: Sequence[DeadlineMoved]) -> None:
    """The latest move of each match counts, in whatever order they come; what is over stays as it is."""
    ordered = sorted(moves, key=lambda move: (move.match_id, move.moved_at))
    ids = [move.match_id for move in ordered]
    matches.hold(tx, ids)
    deadlines.remember(tx, ordered)
    deadlines.apply(tx, ids)

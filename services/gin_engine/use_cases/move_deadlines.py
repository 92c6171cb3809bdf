"""The lobby gives matches more time, or none to lose while a tournament is paused."""

from __future__ import annotations

from collections.abc import Sequence

from gin_engine.store import clocks, deadlines, matches
from gin_engine.store.states import state_or_none
from gin_engine.use_cases import hints
from gin_engine.use_cases.finish_matches import run_clock
from gin_messages.match import DeadlineMoved
from gin_servicekit.database import Transaction


def move_deadlines(tx: Transaction, moves: Sequence[DeadlineMoved]) -> None:
    """The latest move of each match counts, in whatever order they come; what is over stays as it is.

    Without a deadline a match is paused: its clocks stand until it has one again. Then the clock of whoever is to act
    begins anew, with the bank as it was.
    """
    ordered = sorted(moves, key=lambda move: (move.match_id, move.moved_at))
    ids = [move.match_id for move in ordered]
    matches.hold(tx, ids)
    deadlines.remember(tx, ordered)
    deadlines.apply(tx, ids)
    for match in matches.lock_playing(tx, ids):
        paused = match.deadline_at is None
        if match.clock is None or paused == (match.clock_due_at is None):
            continue
        if paused:
            clocks.stop(tx, match.match_id)
        else:
            state = state_or_none(tx, match)
            if state is None:
                continue  # its deadline ends it
            run_clock(tx, match, state)
        hints.moved(tx, match, match.event_count)

"""Rulings in a match of Word Gin: corrected scores, misdeals, hands and matches taken out of the count.

The next hand is dealt as soon as one is over, so a correction is free until the first play of the next hand and needs a
reason from then on.
"""

from __future__ import annotations

from gin_rules.game import Termination
from gin_rules.rulings import RefusedRuling, Ruling
from gin_rules.rummy.arbitration import check_open, check_ruling, check_unplayed  # the same for every game
from gin_rules.word.match import deal_again, end_void, go_on, points_counted
from gin_rules.word.state import OVER, Correction, State


def rule(state: State, ruling: Ruling) -> State:
    """The state after a ruling.

    A corrected score decides at once whether the match goes on while no card of the next hand is played, and at
    the end of that hand otherwise. Raises `RefusedRuling`.
    """
    table = state.table
    check_ruling(ruling, table.termination)
    if ruling.kind == "void_match":
        return state._replace(table=table._replace(termination=Termination.VOID), phase=OVER)
    over, begun = state.phase == OVER, bool(state.history)
    if ruling.kind == "correct":
        free = ruling.hand == len(table.results) and (over or not begun)
        state = _corrected(state, ruling, free=free)
        return state if begun and not over else go_on(state)
    check_open(ruling, not over and ruling.hand == table.number)
    if ruling.kind == "void_hand":
        return end_void(state)
    check_unplayed(begun)
    return deal_again(state)


def _corrected(state: State, ruling: Ruling, *, free: bool) -> State:
    table, points = state.table, ruling.points
    assert points is not None
    if not 1 <= ruling.hand <= len(table.results):
        raise RefusedRuling(f"hand {ruling.hand} is not over")
    if not free and not ruling.reason.strip():
        raise RefusedRuling("once the next hand has begun, a correction needs a reason")
    if len(points) != table.seats:
        raise RefusedRuling("a score names the points of each seat")
    now = points_counted(table, ruling.hand)
    if points == now:
        raise RefusedRuling("the hand counts so already")
    totals = tuple(total - was + new for total, was, new in zip(table.totals, now, points, strict=True))
    corrections = (*table.corrections, Correction(ruling.hand, points))
    return state._replace(table=table._replace(corrections=corrections, totals=totals, termination=None))

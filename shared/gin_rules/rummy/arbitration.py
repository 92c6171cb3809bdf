"""Rulings in a match of two (source 004, Incorrect Deals, Exposed Cards, Score Disputes).

The next hand is dealt as soon as one is over, so "until the next deal" means here: until its first play.
"""

from __future__ import annotations

from collections.abc import Sequence

from gin_rules.game import Termination
from gin_rules.rulings import RefusedRuling, Ruling
from gin_rules.rummy.match import SEATS, deal_hand, end_without_score, go_on
from gin_rules.rummy.scoring import standing
from gin_rules.rummy.state import OVER, Correction, HandResult, State


def rule(state: State, ruling: Ruling) -> State:
    """The state after a ruling.

    A corrected score decides at once whether the match goes on while no card of the next hand is played, and at
    the end of that hand otherwise. Raises `RefusedRuling`.
    """
    table = state.table
    check_ruling(ruling, table.termination)
    if ruling.kind == "void_match":
        return state.replace(table=table.replace(termination=Termination.VOID), phase=OVER, shown=None)
    over, begun = state.phase == OVER, state.played is not None
    if ruling.kind == "correct":
        free = ruling.hand == len(table.results) and (over or not begun)
        corrections = corrected(ruling, table.results, table.corrections, SEATS, free=free)
        totals = standing(table.rules, SEATS, table.results, corrections).totals
        state = state.replace(table=table.replace(corrections=corrections, totals=totals, termination=None))
        return state if begun and not over else go_on(state)
    check_open(ruling, not over and ruling.hand == table.number)
    if ruling.kind == "void_hand":
        return end_without_score(state.replace(shown=None), "void")
    check_unplayed(begun)
    return deal_hand(
        table.rules,
        table.deals,
        number=table.number,
        dealer=table.dealer,
        cuts=table.cuts,
        results=table.results,
        corrections=table.corrections,
        misdeals=(*table.misdeals, table.number),
        totals=table.totals,
    )


def check_ruling(ruling: Ruling, termination: Termination | None) -> None:
    """Raise `RefusedRuling` for one that no state allows: without its reason, points or hand, or on a void match."""
    if termination is Termination.VOID:
        raise RefusedRuling("the match is void")
    if ruling.kind in ("void_hand", "void_match") and not ruling.reason.strip():
        raise RefusedRuling("to void a hand or a match needs a reason")
    if (ruling.points is None) == (ruling.kind == "correct"):
        raise RefusedRuling("a correction names the points of the hand, and no other ruling does")
    if (ruling.hand == 0) != (ruling.kind == "void_match"):
        raise RefusedRuling("a ruling names the hand that it is about, unless it is about the match")


def check_open(ruling: Ruling, is_open: bool) -> None:
    """Raise `RefusedRuling` unless the hand is being played."""
    if not is_open:
        raise RefusedRuling(f"hand {ruling.hand} is not being played")


def check_unplayed(begun: bool) -> None:
    """Raise `RefusedRuling` if a card was played since the deal."""
    if begun:
        raise RefusedRuling("a hand that has begun is voided, not dealt again")


def corrected(
    ruling: Ruling, results: Sequence[HandResult], corrections: tuple[Correction, ...], seats: int, *, free: bool
) -> tuple[Correction, ...]:
    """The corrections with one more. Raises `RefusedRuling` unless it is `free` or gives a reason, and changes the
    score of a hand to one that a hand can have.
    """
    points = ruling.points
    assert points is not None
    result = next((result for result in results if result.number == ruling.hand), None)
    if result is None:
        raise RefusedRuling(f"hand {ruling.hand} is not over")
    if not free and not ruling.reason.strip():
        raise RefusedRuling("once the next hand has begun, a correction needs a reason")
    if len(points) != seats or min(points) < 0:
        raise RefusedRuling("a score names the points of each seat, none below zero")
    if sum(map(bool, points)) > 1 or any(points[seat] for seat in range(seats) if seat not in result.players):
        raise RefusedRuling("only one of the two who played the hand can have scored")
    now = next((before.points for before in reversed(corrections) if before.hand == ruling.hand), result.points)
    if points == now:
        raise RefusedRuling("the hand counts so already")
    return (*corrections, Correction(ruling.hand, points))

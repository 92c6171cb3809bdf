"""The score sheet of Word Gin (source 000, rules 7 to 9)."""

from __future__ import annotations

from typing import Final

from gin_rules.game import Outcome, ScoreLine
from gin_rules.score_sheet import HandSheet, ScoreSheet, Sum, number, sum_text
from gin_rules.word.state import HandResult, Table

HEADLINES: Final = {
    "gin": "Gin",
    "turns": "As many turns as a hand may have: only challenges count",
    "void": "Voided by an arbiter: no score",
}


def score_sheet(table: Table, outcome: Outcome | None) -> ScoreSheet:
    """The sheet of a match, as it counts after every correction."""
    corrections = {correction.hand: correction.points for correction in table.corrections}
    hands = tuple(_hand(result, corrections.get(result.number)) for result in table.results)
    return ScoreSheet(hands, table.totals, (), None if outcome is None else outcome.final_scores)


def _hand(result: HandResult, corrected: tuple[int, ...] | None) -> HandSheet:
    points = result.points if corrected is None else corrected
    return HandSheet(
        number=result.number,
        ended=result.ended,
        winner=result.winner if corrected is None else _winner(corrected),
        headline=HEADLINES[result.ended],
        facts=(),
        lines=result.lines,
        sums=_sums(result.lines, len(points)) if corrected is None else _corrected(corrected),
        points=points,
        corrected=corrected is not None,
        games=(),
    )


def _winner(points: tuple[int, ...]) -> int | None:
    most = max(points)
    return points.index(most) if points.count(most) == 1 else None


def _sums(lines: tuple[ScoreLine, ...], seats: int) -> tuple[Sum, ...]:
    sums = []
    for seat in range(seats):
        terms = [line.points for line in lines if line.seat == seat]
        if terms:
            sums.append(Sum(seat, sum_text(terms), sum(terms)))
    return tuple(sums)


def _corrected(points: tuple[int, ...]) -> tuple[Sum, ...]:
    return tuple(Sum(seat, f"{number(scored)}, by an arbiter's ruling", scored) for seat, scored in enumerate(points))

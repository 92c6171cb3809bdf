"""The score sheet of Gin Rummy: every hand and the bonuses of a match as arithmetic (source 004, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gin_rules.game import Outcome, Seat, Termination
from gin_rules.rummy.rules import RuleSet
from gin_rules.rummy.scoring import (
    GAME_BONUS,
    HAND_BONUS,
    SHUTOUT_BONUS,
    counted,
    games_by_hand,
    standing,
    winners_of_sheet,
)
from gin_rules.rummy.settlement import Settlement
from gin_rules.rummy.state import Correction, HandResult
from gin_rules.score_sheet import MINUS, TIMES, HandSheet, ScoreSheet, Sum, sum_text

HEADLINES: Final = {
    "knock": "Knock",
    "gin": "Gin",
    "big_gin": "Big gin",
    "undercut": "Undercut",
    "stock": "The stock ran out: no score",
    "turns": "As many turns as a hand may have: no score",
    "void": "Voided by an arbiter: no score",
    "corrected": "Corrected by an arbiter",
}


def score_sheet(
    rules: RuleSet,
    seats: int,
    results: Sequence[HandResult],
    corrections: Sequence[Correction],
    outcome: Outcome | None,
) -> ScoreSheet:
    """The sheet of a match, as it counts after every correction."""
    corrected = {correction.hand for correction in corrections}
    hands = []
    by_hand = games_by_hand(rules, seats, results, corrections)
    for result, now, games in zip(results, counted(results, corrections), by_hand, strict=True):
        hands.append(
            HandSheet(
                number=result.number,
                ended=now.ended,
                winner=now.winner,
                headline=HEADLINES[now.ended],
                facts=_facts(result.settlement),
                lines=result.lines,
                sums=_correction_sums(now.points) if result.number in corrected else _sums(result),
                points=now.points,
                corrected=result.number in corrected,
                games=games,
            )
        )
    totals = standing(rules, seats, results, corrections).totals
    if outcome is None:
        return ScoreSheet(tuple(hands), totals, (), None)
    bonuses = () if outcome.termination is Termination.VOID else match_bonuses(rules, seats, results, corrections)
    return ScoreSheet(tuple(hands), totals, bonuses, outcome.final_scores)


def points_text(settlement: Settlement) -> str:
    """How the points of a hand come about: ``25 + 8 − 5 = 28``."""
    if settlement.result in ("gin", "big_gin"):
        deadwood = str(settlement.defender_deadwood)
    else:
        larger = max(settlement.knocker_deadwood, settlement.defender_deadwood)
        deadwood = f"{larger} {MINUS} {min(settlement.knocker_deadwood, settlement.defender_deadwood)}"
    if settlement.doubled == "deadwood":
        deadwood = f"2 {TIMES} ({deadwood})" if MINUS in deadwood else f"2 {TIMES} {deadwood}"
    text = f"{settlement.bonus} + {deadwood}" if settlement.bonus else deadwood
    if settlement.doubled == "all":
        text = f"2 {TIMES} ({text})"
    return f"{text} = {settlement.points}"


def match_bonuses(
    rules: RuleSet, seats: int, results: Sequence[HandResult], corrections: Sequence[Correction]
) -> tuple[Sum, ...]:
    """What the end of a match adds to each seat's total; none unless match bonuses are played."""
    if rules.match_bonuses == "none":
        return ()
    sums = []
    sheets = standing(rules, seats, results, corrections).sheets
    for at, sheet in enumerate(sheets):
        game = f"Game {at + 1}: " if len(sheets) > 1 else ""
        winners = winners_of_sheet(rules, sheet)
        shutout = bool(winners) and not any(points for seat, points in enumerate(sheet.points) if seat not in winners)
        for seat in range(seats):
            if sheet.wins[seat]:
                bonus = HAND_BONUS * sheet.wins[seat]
                sums.append(Sum(seat, f"{game}hands won: {sheet.wins[seat]} {TIMES} {HAND_BONUS} = {bonus}", bonus))
            if seat in winners:
                sums.append(Sum(seat, f"{game}game bonus: {GAME_BONUS}", GAME_BONUS))
                if shutout:
                    sums.append(Sum(seat, f"{game}shutout bonus: {SHUTOUT_BONUS}", SHUTOUT_BONUS))
    return tuple(sums)


def _facts(settlement: Settlement | None) -> tuple[str, ...]:
    if settlement is None:
        return ()
    against = "" if settlement.result in ("gin", "big_gin") else " after layoffs" if settlement.layoffs else ""
    facts = [
        f"Knocker's deadwood: {settlement.knocker_deadwood}",
        f"Defender's deadwood{against}: {settlement.defender_deadwood}",
    ]
    if settlement.bonus:
        facts.append(f"{HEADLINES[settlement.result]} bonus: {settlement.bonus}")
    if settlement.doubled != "none":
        facts.append(f"The spade upcard doubles {'everything' if settlement.doubled == 'all' else 'the deadwood'}")
    return tuple(facts)


def _sums(result: HandResult) -> tuple[Sum, ...]:
    if result.settlement is None or result.winner is None:
        return ()
    return (Sum(result.winner, points_text(result.settlement), result.points[result.winner]),)


def _correction_sums(points: tuple[int, ...]) -> tuple[Sum, ...]:
    return tuple(_corrected(seat, scored) for seat, scored in enumerate(points) if scored)


def _corrected(seat: Seat, points: int) -> Sum:
    return Sum(seat, f"{sum_text([points])}, by an arbiter's ruling", points)

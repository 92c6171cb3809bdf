"""What hands count for: totals, the end of a match, its outcome (source 004, Scoring & Winning).

Everything is found anew from the hands that are over and the corrections of an arbiter, so that a correction needs
no bookkeeping of its own. Tuples are by seat.

Hollywood (beyond the sources) enters each hand in up to three games at once: a win counts in every game that is not
over and in which this player has a win already, and in the next one besides. So the first win counts in one game,
the second in two, later ones in three, and a player who was shut out of a game goes on with the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from gin_rules.game import Outcome, Seat, Termination
from gin_rules.rummy.rules import RuleSet
from gin_rules.rummy.state import Correction, HandResult

GAME_BONUS: Final = 100
SHUTOUT_BONUS: Final = 100
HAND_BONUS: Final = 25
HOLLYWOOD_GAMES: Final = 3


class Counted(NamedTuple):
    """A hand as it counts after corrections. `ended` is ``corrected`` where a correction changed who won."""

    ended: str
    winner: Seat | None
    points: tuple[int, ...]


class Sheet(NamedTuple):
    """One game: the points and hands won that are entered in it; partners share theirs."""

    points: tuple[int, ...]
    wins: tuple[int, ...]
    over: bool
    """Whether the target is reached, with the margin that is asked."""


class Standing(NamedTuple):
    """How a match stands."""

    sheets: tuple[Sheet, ...]
    """One game, or three in Hollywood."""
    totals: tuple[int, ...]
    """Over all sheets."""
    termination: Termination | None


def counted(results: Sequence[HandResult], corrections: Sequence[Correction]) -> list[Counted]:
    """Every hand as it counts now."""
    corrected = {correction.hand: correction.points for correction in corrections}
    return [_counted(result, corrected.get(result.number)) for result in results]


def _counted(result: HandResult, corrected: tuple[int, ...] | None) -> Counted:
    if corrected is None:
        return Counted(result.ended, result.winner, result.points)
    winner = next((seat for seat, points in enumerate(corrected) if points), None)
    return Counted(result.ended if winner == result.winner else "corrected", winner, corrected)


def standing(
    rules: RuleSet, seats: int, results: Sequence[HandResult], corrections: Sequence[Correction] = ()
) -> Standing:
    """How the match stands after these hands."""
    hands = counted(results, corrections)
    sheets = _hollywood(rules, seats, hands) if rules.scoring == "hollywood" else (_sheet(rules, seats, hands),)
    totals = tuple(sum(sheet.points[seat] for sheet in sheets) for seat in range(seats))
    return Standing(sheets, totals, _termination(rules, hands, all(sheet.over for sheet in sheets)))


def after_hand(
    rules: RuleSet,
    seats: int,
    before: tuple[int, ...],
    results: Sequence[HandResult],
    corrections: Sequence[Correction] = (),
) -> tuple[tuple[int, ...], Termination | None]:
    """Totals and termination of `standing`, given the totals `before` the last of these hands.

    A match may have hundreds of hands: unless there are corrections or several games, only the last one is looked at.
    """
    if corrections or rules.scoring != "single" or rules.seating != "two":
        found = standing(rules, seats, results, corrections)
        return found.totals, found.termination
    points = results[-1].points
    totals = tuple([total + points[seat] for seat, total in enumerate(before)])
    return totals, _termination(rules, results, _is_over(rules, totals))


def outcome(
    rules: RuleSet, seats: int, results: Sequence[HandResult], corrections: Sequence[Correction], end: Termination
) -> Outcome:
    """How a match ended."""
    hands = counted(results, corrections)
    found = standing(rules, seats, results, corrections)
    void = end is Termination.VOID
    return Outcome(
        winner=None if void else _leader(rules, found.totals),
        totals=found.totals,
        final_scores=found.totals if void else _final_scores(rules, found),
        hands_played=len(hands),
        termination=end,
        hands_won=_count_wins(hands, seats, ("knock", "gin", "big_gin", "undercut", "corrected")),
        gins=_count_wins(hands, seats, ("gin", "big_gin")),
        undercuts=_count_wins(hands, seats, ("undercut",)),
    )


def _sheet(rules: RuleSet, seats: int, hands: Sequence[Counted]) -> Sheet:
    points = tuple(sum(hand.points[seat] for hand in hands) for seat in range(seats))
    wins = tuple(sum(hand.winner == seat for hand in hands) for seat in range(seats))
    shared = _shared(rules, points)
    return Sheet(shared, _shared(rules, wins), _is_over(rules, shared))


def games_by_hand(
    rules: RuleSet, seats: int, results: Sequence[HandResult], corrections: Sequence[Correction]
) -> list[tuple[tuple[int, ...], ...]]:
    """Points by game and seat after each hand, where several games are scored at once; empty tuples elsewhere."""
    if rules.scoring != "hollywood":
        return [()] * len(results)
    sheets = _empty_games(rules, seats)
    games = []
    for hand in counted(results, corrections):
        sheets = _with_hand(rules, sheets, hand)
        games.append(tuple(sheet.points for sheet in sheets))
    return games


def _hollywood(rules: RuleSet, seats: int, hands: Sequence[Counted]) -> tuple[Sheet, ...]:
    sheets = _empty_games(rules, seats)
    for hand in hands:
        sheets = _with_hand(rules, sheets, hand)
    return sheets


def _empty_games(rules: RuleSet, seats: int) -> tuple[Sheet, ...]:
    return (_sheet(rules, seats, ()),) * HOLLYWOOD_GAMES


def _with_hand(rules: RuleSet, before: tuple[Sheet, ...], hand: Counted) -> tuple[Sheet, ...]:
    if hand.winner is None:
        return before
    sheets = list(before)
    for at, sheet in enumerate(before):
        if sheet.over:
            continue
        sheets[at] = _entered(rules, sheet, hand, hand.winner)
        if not sheet.wins[hand.winner]:
            break
    return tuple(sheets)


def _entered(rules: RuleSet, sheet: Sheet, hand: Counted, winner: Seat) -> Sheet:
    points = tuple([before + more for before, more in zip(sheet.points, hand.points, strict=True)])
    wins = tuple([count + (seat == winner) for seat, count in enumerate(sheet.wins)])
    return Sheet(points, wins, _is_over(rules, points))


def _is_over(rules: RuleSet, points: tuple[int, ...]) -> bool:
    if rules.fixed_hands is not None or max(points) < rules.target:
        return False
    others = [other for seat, other in enumerate(points) if not _partners(rules, points.index(max(points)), seat)]
    return max(points) - max(others) >= max(rules.win_margin, 1)


def _termination(rules: RuleSet, hands: Sequence[Counted | HandResult], target_reached: bool) -> Termination | None:
    if rules.fixed_hands is not None and sum(hand.ended != "void" for hand in hands) >= rules.fixed_hands:
        return Termination.FIXED_HANDS
    if target_reached:
        return Termination.TARGET
    return Termination.HAND_CAP if len(hands) >= rules.match_hand_cap else None


def _final_scores(rules: RuleSet, found: Standing) -> tuple[int, ...]:
    final = list(found.totals)
    if rules.match_bonuses == "none":
        return found.totals
    for sheet in found.sheets:
        winners = winners_of_sheet(rules, sheet)
        beaten = [points for seat, points in enumerate(sheet.points) if seat not in winners]
        for seat in range(len(final)):
            final[seat] += HAND_BONUS * sheet.wins[seat]
            if seat in winners:
                final[seat] += GAME_BONUS + (0 if any(beaten) else SHUTOUT_BONUS)
    return tuple(final)


def winners_of_sheet(rules: RuleSet, sheet: Sheet) -> tuple[Seat, ...]:
    """The seats that lead a game: one, two partners, or none where it is tied."""
    leader = _leader(rules, sheet.points)
    if leader is None:
        return ()
    return tuple(seat for seat in range(len(sheet.points)) if _partners(rules, leader, seat))


def _leader(rules: RuleSet, points: tuple[int, ...]) -> Seat | None:
    first = points.index(max(points))
    tied = [seat for seat, other in enumerate(points) if other == max(points) and not _partners(rules, first, seat)]
    return None if tied else first


def _partners(rules: RuleSet, seat: Seat, other: Seat) -> bool:
    # Whether both count together: a seat with itself, and the players of a partnership, who sit across.
    return seat == other or (rules.seating == "pairs4" and seat % 2 == other % 2)


def _shared(rules: RuleSet, values: tuple[int, ...]) -> tuple[int, ...]:
    if rules.seating != "pairs4":
        return values
    return tuple(sum(values[seat % 2 :: 2]) for seat in range(len(values)))


def _count_wins(hands: Sequence[Counted], seats: int, ends: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(sum(hand.winner == seat and hand.ended in ends for hand in hands) for seat in range(seats))

"""Tie-breaks: one function each. Values are exact; more is always better.

| name | counts | source |
|---|---|---|
| `buchholz` | opponents' scores | FIDE C.07, 8.1 |
| `buchholz_cut_1` | the same without the lowest | FIDE C.07, 8.1 with 14 |
| `median_buchholz` | the same without the lowest and the highest | FIDE C.07, 8.1 with 14 |
| `sonneborn_berger` | opponents' scores times points taken from them | FIDE C.07, 9.1 |
| `direct_encounter` | how many of those tied stand below in the games among them | FIDE C.07, 6 |
| `wins` | games won by play | FIDE C.07, 7.2 |
| `wins_against_higher_half` | games won by play against the higher half by points | house rule |
| `koya` | points from games with those who have half the possible points | FIDE C.07, 9.2 |
| `progressive` | running totals after each round, summed | FIDE C.07, 7.5 |
| `opponent_match_win` | opponents' mean share of points, each at least 0.33 | card tournament practice |
| `game_points_difference` | game points scored less conceded | house rule |
| `hands_won` | hands won | house rule |
| `undercuts` | undercuts made | house rule |
| `head_to_head_game_points` | game points difference in the games among those tied | house rule |
| `lots` | a number drawn from the tournament's seed and the entrant's id | FIDE C.07, last resort |

Unplayed rounds count in the first four as `unplayed` states, in `progressive` with the points they gave,
and elsewhere nothing.

Known gaps: with several meetings of the same two, direct encounter adds up all points instead of taking
their mean. `sonneborn_berger` is not offered with cuts. `koya` leaves out forfeits, also in a round robin.
Game points, hands and undercuts give nothing for a bye or a forfeit: whoever had one is behind there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from gin_tournament.ledger import LAST_PLAYED, Kind, Ledger
from gin_tournament.lots import lot
from gin_tournament.unplayed import VOLUNTARY, Opposition

OPPONENT_MATCH_WIN_FLOOR = Fraction(33, 100)
_COMPETED = frozenset(
    {
        Kind.WIN,
        Kind.DRAW,
        Kind.LOSS,
        Kind.FORFEIT_WIN,
        Kind.FORFEIT_LOSS,
        Kind.PAIRING_ALLOCATED_BYE,
    }
)


class Column(NamedTuple):
    """One value per entrant, in ledger order: `values[i] / scale`."""

    values: list[int]
    scale: int


def buchholz(opposition: Opposition) -> Column:
    """Sum of the opponents' adjusted scores."""
    return Column([sum(strengths) for strengths in opposition.strengths], opposition.ledger.scale)


def buchholz_cut_1(opposition: Opposition) -> Column:
    """Buchholz without the lowest contribution, a voluntary unplayed round's first of all."""
    values = [sum(strengths) for strengths in opposition.strengths]
    return Column([value - _lowest(opposition, i) for i, value in enumerate(values)], opposition.ledger.scale)


def median_buchholz(opposition: Opposition) -> Column:
    """Buchholz without the lowest contribution and then without the highest of the others."""
    values = []
    for i, strengths in enumerate(opposition.strengths):
        if len(strengths) < 2:
            values.append(0)
            continue
        lowest = _lowest(opposition, i)
        rest = strengths.copy()
        rest.remove(lowest)
        values.append(sum(rest) - max(rest))
    return Column(values, opposition.ledger.scale)


def _lowest(opposition: Opposition, i: int) -> int:
    strengths = opposition.strengths[i]
    row = opposition.ledger.rows[i]
    voluntary = [value for value, cell in zip(strengths, row, strict=True) if cell.kind in VOLUNTARY]
    return min(voluntary or strengths, default=0)


def sonneborn_berger(opposition: Opposition) -> Column:
    """Sum over all rounds of the points taken times the opponent's adjusted score."""
    rows = opposition.ledger.rows
    values = [
        sum([cell.points * strength for cell, strength in zip(row, strengths, strict=True) if cell.points])
        for row, strengths in zip(rows, opposition.strengths, strict=True)
    ]
    return Column(values, opposition.ledger.scale**2)


def wins(opposition: Opposition) -> Column:
    """Number of games won by play."""
    return Column([len([1 for c in row if c.kind == Kind.WIN]) for row in opposition.ledger.rows], 1)


def wins_against_higher_half(opposition: Opposition) -> Column:
    """Number of games won by play against entrants of the higher half: those who have at least the
    points of place n/2 (rounded down), so that ties at the border all belong to it."""
    totals = opposition.ledger.totals
    half = len(totals) // 2
    border = sorted(totals, reverse=True)[half - 1] if half else 0
    values = [
        len([1 for cell in row if cell.kind == Kind.WIN and totals[cell.opponent] >= border])
        for row in opposition.ledger.rows
    ]
    return Column(values, 1)


def koya(opposition: Opposition) -> Column:
    """Points from games played with entrants who have at least half of the points that were possible for them.

    A rest that scores nothing, as in a round robin of an odd field, is no round in which points were possible.
    """
    ledger = opposition.ledger
    win = ledger.units(ledger.scoring.win)
    rests = [sum([c.kind == Kind.PAIRING_ALLOCATED_BYE and not c.points for c in row]) for row in ledger.rows]
    possible = [(len(ledger.rounds) - resting) * win for resting in rests]
    strong = [2 * total >= most for total, most in zip(ledger.totals, possible, strict=True)]
    values = [
        sum([cell.points for cell in row if cell.kind <= LAST_PLAYED and strong[cell.opponent]]) for row in ledger.rows
    ]
    return Column(values, ledger.scale)


def progressive(opposition: Opposition) -> Column:
    """Sum of the running totals after each round: early points count more often."""
    ledger = opposition.ledger
    times = range(len(ledger.rounds), 0, -1)
    values = [
        sum([cell.points * left for cell, left in zip(row, times, strict=True) if cell.points]) for row in ledger.rows
    ]
    return Column(values, ledger.scale)


def opponent_match_win(opposition: Opposition) -> Column:
    """Mean over the opponents met of their points out of the possible, each at least 0.33. An opponent's
    possible points are those of the rounds in which he played, forfeited or had the bye."""
    ledger = opposition.ledger
    win = ledger.units(ledger.scoring.win)
    rounds = len(ledger.rounds)
    scale = lcm(OPPONENT_MATCH_WIN_FLOOR.denominator, win * lcm(*range(1, rounds + 1)))
    floor = int(OPPONENT_MATCH_WIN_FLOOR * scale)
    rates = []
    for row in ledger.rows:
        competed = [cell.points for cell in row if cell.kind in _COMPETED]
        share = sum(competed) * scale // (win * len(competed)) if competed else 0  # divides evenly
        rates.append(max(floor, share))
    spread = lcm(*range(1, rounds + 1))
    values = []
    for row in ledger.rows:
        met = [rates[cell.opponent] for cell in row if cell.kind <= LAST_PLAYED]
        values.append(sum(met) * (spread // len(met)) if met else 0)
    return Column(values, scale * spread)


def game_points_difference(opposition: Opposition) -> Column:
    """Game points scored less conceded, in games played."""
    values = [
        sum([c.own.game_points - c.theirs.game_points for c in row if c.kind <= LAST_PLAYED])
        for row in opposition.ledger.rows
    ]
    return Column(values, 1)


def hands_won(opposition: Opposition) -> Column:
    """Hands won, in games played."""
    rows = opposition.ledger.rows
    return Column([sum([c.own.hands_won for c in row if c.kind <= LAST_PLAYED]) for row in rows], 1)


def undercuts(opposition: Opposition) -> Column:
    """Undercuts made, in games played."""
    rows = opposition.ledger.rows
    return Column([sum([c.own.undercuts for c in row if c.kind <= LAST_PLAYED]) for row in rows], 1)


def lots(ledger: Ledger, seed: int) -> Column:
    """Lots drawn from the tournament's seed: the same seed and ids always give the same lots."""
    values = [lot(seed, entrant.id) for entrant in ledger.entrants]
    return Column(values, 1)


def direct_encounter(ledger: Ledger, tied: Sequence[int]) -> dict[int, int]:
    """How many of those tied certainly stand below each in the games among them.

    Where all have met, they stand by their points against one another, and those level again by the
    points among themselves alone. Where some have not met, an entrant stands first only if nobody could
    catch up whatever the missing games gave; then the next in the same way, until nobody is certain.
    """
    if len(tied) > 2 * len(ledger.rounds) + 1:
        # Everybody misses more games than anybody can have won: nobody is certain of anything.
        return dict.fromkeys(tied, 0)
    group = set(tied)
    points = dict.fromkeys(tied, 0)
    missing = dict.fromkeys(tied, len(tied) - 1)
    for i in tied:
        met = [c for c in ledger.rows[i] if c.kind <= LAST_PLAYED and c.opponent in group]
        points[i] = sum([cell.points for cell in met])
        missing[i] -= len({cell.opponent for cell in met})
    if any(missing.values()):
        return _certain_places(points, missing, ledger.units(ledger.scoring.win))
    below = {i: sum([points[j] < points[i] for j in tied]) for i in tied}
    if len(set(points.values())) > 1:
        for score in set(points.values()):
            level = [i for i in tied if points[i] == score]
            if len(level) > 1:
                among = direct_encounter(ledger, level)
                below = {i: count + among.get(i, 0) for i, count in below.items()}
    return below


def _certain_places(points: dict[int, int], missing: dict[int, int], win: int) -> dict[int, int]:
    order = sorted(points, key=points.__getitem__, reverse=True)
    reach = [0] * len(order)  # the best that anybody from here on could still have
    best = -1
    for at in range(len(order) - 1, -1, -1):
        best = max(best, points[order[at]] + missing[order[at]] * win)
        reach[at] = best
    below = dict.fromkeys(order, 0)
    for at, i in enumerate(order[:-1]):
        if points[i] <= reach[at + 1]:
            break
        below[i] = len(order) - 1 - at
    return below


def head_to_head_game_points(ledger: Ledger, tied: Sequence[int]) -> dict[int, int]:
    """Game points scored less conceded in the games among those tied; nothing unless all have met."""
    group = set(tied)
    difference = {}
    for i in tied:
        met = [c for c in ledger.rows[i] if c.kind <= LAST_PLAYED and c.opponent in group]
        if len({cell.opponent for cell in met}) != len(tied) - 1:
            return dict.fromkeys(tied, 0)
        difference[i] = sum([cell.own.game_points - cell.theirs.game_points for cell in met])
    return difference


ALL_BY_THEMSELVES: dict[str, Callable[[Opposition], Column]] = {
    "buchholz": buchholz,
    "buchholz_cut_1": buchholz_cut_1,
    "median_buchholz": median_buchholz,
    "sonneborn_berger": sonneborn_berger,
    "wins": wins,
    "wins_against_higher_half": wins_against_higher_half,
    "koya": koya,
    "progressive": progressive,
    "opponent_match_win": opponent_match_win,
    "game_points_difference": game_points_difference,
    "hands_won": hands_won,
    "undercuts": undercuts,
}
"""Tie-breaks whose value does not depend on who is tied."""

AMONG_THE_TIED: dict[str, Callable[[Ledger, Sequence[int]], dict[int, int]]] = {
    "direct_encounter": direct_encounter,
    "head_to_head_game_points": head_to_head_game_points,
}
"""Tie-breaks over each group still tied when their turn comes."""

LOTS = "lots"
TIE_BREAK_NAMES: tuple[str, ...] = (*ALL_BY_THEMSELVES, *AMONG_THE_TIED, LOTS)

"""Standings: entrants ranked by points, then by the tournament's ordered tie-breaks.

Standings as of an earlier round are the same function over a shorter history.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from gin_tournament.errors import UnknownTieBreakError
from gin_tournament.ledger import Kind, Ledger, read
from gin_tournament.model import STANDARD_SCORING, Entrant, EntrantId, History, Scoring
from gin_tournament.tie_breaks import ALL_BY_THEMSELVES, AMONG_THE_TIED, LOTS, TIE_BREAK_NAMES, lots
from gin_tournament.unplayed import oppose


class Standing(NamedTuple):
    """One line. Entrants level in points and every tie-break share a rank; the next rank is then left out.

    `tie_breaks` holds one value per name asked for, in that order; `progress` the points after each round.
    `wins`, `draws` and `losses` are by play and add up to `played`; `byes` counts those of every kind.
    """

    rank: int
    entrant: EntrantId
    points: Fraction
    tie_breaks: tuple[Fraction, ...]
    progress: tuple[Fraction, ...]
    played: int
    wins: int
    draws: int
    losses: int
    forfeit_wins: int
    forfeit_losses: int
    byes: int


def rank(
    entrants: Sequence[Entrant],
    history: History,
    tie_breaks: Sequence[str] = (),
    *,
    scoring: Scoring = STANDARD_SCORING,
    seed: int = 0,
) -> tuple[Standing, ...]:
    """Rank everybody, best first; entrants who share a rank stand in seed order.

    `tie_breaks` are names out of `TIE_BREAK_NAMES`, strictest first; `seed` is only drawn on by `lots`.
    A tie-break among the tied is 0 for whoever is not tied any more when its turn comes.

    Raises `UnknownTieBreakError`, and what `ledger.read` raises.
    """
    for name in tie_breaks:
        if name not in TIE_BREAK_NAMES:
            raise UnknownTieBreakError(name)
    ledger = read(entrants, history, scoring)
    groups = _split([list(range(len(entrants)))], ledger.totals)
    columns: list[tuple[list[int], int]] = []
    opposition = oppose(ledger)
    for name in tie_breaks:
        if name in AMONG_THE_TIED:
            values, scale = _among_the_tied(ledger, groups, name), 1
        elif name == LOTS:
            values, scale = lots(ledger, seed)
        else:
            values, scale = ALL_BY_THEMSELVES[name](opposition)
        columns.append((values, scale))
        groups = _split(groups, values)
    return _lines(ledger, groups, columns)


def movements(before: Sequence[Standing], after: Sequence[Standing]) -> dict[EntrantId, int]:
    """Places won (positive) or lost since `before`; whoever was not in it is left out."""
    earlier = {standing.entrant: standing.rank for standing in before}
    return {line.entrant: earlier[line.entrant] - line.rank for line in after if line.entrant in earlier}


def _split(groups: list[list[int]], values: list[int]) -> list[list[int]]:
    """Each group split by value, the higher value first."""
    finer: list[list[int]] = []
    for group in groups:
        if len(group) == 1:
            finer.append(group)
            continue
        last: int | None = None
        for i in sorted(group, key=values.__getitem__, reverse=True):
            if values[i] != last:
                last = values[i]
                finer.append([])
            finer[-1].append(i)
    return finer


def _among_the_tied(ledger: Ledger, groups: list[list[int]], name: str) -> list[int]:
    values = [0] * len(ledger.entrants)
    for group in groups:
        if len(group) > 1:
            for i, value in AMONG_THE_TIED[name](ledger, group).items():
                values[i] = value
    return values


@lru_cache(maxsize=4096)
def _fraction(units: int, scale: int) -> Fraction:
    return Fraction(units, scale)


def _lines(ledger: Ledger, groups: list[list[int]], columns: list[tuple[list[int], int]]) -> tuple[Standing, ...]:
    lines: list[Standing] = []
    for group in groups:
        place = len(lines) + 1
        for i in sorted(group, key=lambda i: ledger.entrants[i].seed) if len(group) > 1 else group:
            values = tuple([_fraction(column[i], scale) for column, scale in columns])
            lines.append(_line(ledger, i, place, values))
    return tuple(lines)


def _line(ledger: Ledger, i: int, place: int, values: tuple[Fraction, ...]) -> Standing:
    scale, row = ledger.scale, ledger.rows[i]
    kinds = [cell.kind for cell in row]
    count: Callable[[Kind], int] = kinds.count
    wins, draws, losses = count(Kind.WIN), count(Kind.DRAW), count(Kind.LOSS)
    played = wins + draws + losses
    forfeit_wins = forfeit_losses = byes = 0
    if played != len(row):
        forfeit_wins, forfeit_losses = count(Kind.FORFEIT_WIN), count(Kind.FORFEIT_LOSS)
        byes = count(Kind.PAIRING_ALLOCATED_BYE) + count(Kind.REQUESTED_HALF_BYE)
        byes += count(Kind.REQUESTED_ZERO_BYE)
    return Standing(
        place,
        ledger.entrants[i].id,
        _fraction(ledger.totals[i], scale),
        values,
        tuple([_fraction(units, scale) for units in accumulate([cell.points for cell in row])]),
        played,
        wins,
        draws,
        losses,
        forfeit_wins,
        forfeit_losses,
        byes,
    )

"""What each entrant did in each round, read once from the history.

Points are held as whole units of 1/`scale` so that sums stay exact integers; `points` turns them back
into a `Fraction`. Pairing, tie-breaks and standings all read this one view.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import NamedTuple

from gin_tournament.errors import InvalidEntrantsError, InvalidHistoryError
from gin_tournament.model import (
    NO_TALLY,
    STANDARD_SCORING,
    ByeKind,
    Entrant,
    EntrantId,
    History,
    Outcome,
    Round,
    Scoring,
    Tally,
)

NOBODY = -1


class Kind(IntEnum):
    """How one round went for one entrant. The first three are played, the rest are not."""

    __hash__ = int.__hash__  # the hash that enumerations inherit is computed in Python, and felt here

    WIN = 0
    DRAW = 1
    LOSS = 2
    FORFEIT_WIN = 3
    FORFEIT_LOSS = 4
    VOID = 5
    PAIRING_ALLOCATED_BYE = 6
    REQUESTED_HALF_BYE = 7
    REQUESTED_ZERO_BYE = 8
    ABSENT = 9


LAST_PLAYED = Kind.LOSS


class Cell(NamedTuple):
    """One round of one entrant. `opponent` is an index into the ledger or `NOBODY`; `points` are units."""

    kind: Kind
    opponent: int
    points: int
    dealt_first: bool
    own: Tally
    theirs: Tally


@dataclass(frozen=True, slots=True)
class Ledger:
    """`rows[i][r]` is round r (from 0) of entrant i; `totals[i]` their units. Build it with `read`."""

    entrants: tuple[Entrant, ...]
    index: dict[EntrantId, int]
    rounds: tuple[int, ...]
    rows: list[list[Cell]]
    totals: list[int]
    scale: int
    scoring: Scoring

    def points(self, units: int) -> Fraction:
        return Fraction(units, self.scale)

    def units(self, points: Fraction) -> int:
        """Exact units of a value out of the scoring system."""
        return int(points * self.scale)


_OUTCOME_KINDS = {
    Outcome.FIRST_WINS: (Kind.WIN, Kind.LOSS),
    Outcome.SECOND_WINS: (Kind.LOSS, Kind.WIN),
    Outcome.DRAW: (Kind.DRAW, Kind.DRAW),
    Outcome.FIRST_FORFEITS: (Kind.FORFEIT_LOSS, Kind.FORFEIT_WIN),
    Outcome.SECOND_FORFEITS: (Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS),
    Outcome.DOUBLE_FORFEIT: (Kind.FORFEIT_LOSS, Kind.FORFEIT_LOSS),
    Outcome.VOID: (Kind.VOID, Kind.VOID),
}

_BYE_KINDS = {
    ByeKind.PAIRING_ALLOCATED: Kind.PAIRING_ALLOCATED_BYE,
    ByeKind.REQUESTED_HALF: Kind.REQUESTED_HALF_BYE,
    ByeKind.REQUESTED_ZERO: Kind.REQUESTED_ZERO_BYE,
}


def read(entrants: Sequence[Entrant], history: History, scoring: Scoring = STANDARD_SCORING) -> Ledger:
    """Read the history into a ledger.

    Raises `InvalidEntrantsError` for a doubled id or seed and `InvalidHistoryError` for rounds out of
    order, unknown entrants, or an entrant twice in a round.
    """
    index = {entrant.id: i for i, entrant in enumerate(entrants)}
    if len(index) != len(entrants):
        raise InvalidEntrantsError("two entrants share an id")
    if len({entrant.seed for entrant in entrants}) != len(entrants):
        raise InvalidEntrantsError("two entrants share a seed")
    numbers = tuple(played.number for played in history)
    if any(later <= earlier for earlier, later in pairwise(numbers)):
        raise InvalidHistoryError("rounds must be in rising order")
    scale = _scale(scoring)
    units = _units_by_kind(scoring, scale)
    rows: list[list[Cell]] = [[] for _ in entrants]
    absent = Cell(Kind.ABSENT, NOBODY, units[Kind.ABSENT], False, NO_TALLY, NO_TALLY)
    for length, played in enumerate(history, 1):
        _enter_round(played, rows, index, units)
        for row in rows:
            if len(row) != length:
                if len(row) > length:
                    raise InvalidHistoryError(f"an entrant appears twice in round {played.number}")
                row.append(absent)
    totals = [sum([cell.points for cell in row]) for row in rows]
    return Ledger(tuple(entrants), index, numbers, rows, totals, scale, scoring)


def _enter_round(played: Round, rows: list[list[Cell]], index: dict[EntrantId, int], units: dict[Kind, int]) -> None:
    try:
        for (first_id, second_id), outcome, first_tally, second_tally in played.pairings:
            first, second = index[first_id], index[second_id]
            first_kind, second_kind = _OUTCOME_KINDS[outcome]
            rows[first].append(Cell(first_kind, second, units[first_kind], True, first_tally, second_tally))
            rows[second].append(Cell(second_kind, first, units[second_kind], False, second_tally, first_tally))
        for bye in played.byes:
            kind = _BYE_KINDS[bye.kind]
            rows[index[bye.entrant]].append(Cell(kind, NOBODY, units[kind], False, NO_TALLY, NO_TALLY))
    except KeyError as unknown:
        raise InvalidHistoryError(f"round {played.number} names unknown entrant {unknown}") from unknown


def _scale(scoring: Scoring) -> int:
    values = (
        scoring.win,
        scoring.draw,
        scoring.loss,
        scoring.forfeit_win,
        scoring.forfeit_loss,
        scoring.bye,
        scoring.half_bye,
        scoring.zero_bye,
        Fraction(1, 2),  # accelerated pairing adds halves
    )
    return lcm(*(value.denominator for value in values))


def _units_by_kind(scoring: Scoring, scale: int) -> dict[Kind, int]:
    by_kind = {
        Kind.WIN: scoring.win,
        Kind.DRAW: scoring.draw,
        Kind.LOSS: scoring.loss,
        Kind.FORFEIT_WIN: scoring.forfeit_win,
        Kind.FORFEIT_LOSS: scoring.forfeit_loss,
        Kind.VOID: Fraction(0),
        Kind.PAIRING_ALLOCATED_BYE: scoring.bye,
        Kind.REQUESTED_HALF_BYE: scoring.half_bye,
        Kind.REQUESTED_ZERO_BYE: scoring.zero_bye,
        Kind.ABSENT: Fraction(0),
    }
    return {kind: int(points * scale) for kind, points in by_kind.items()}

"""Values that every format shares: entrants, pairings, results, rounds, scoring.

All values are frozen and hashable. Points are `Fraction`; game points, hands and undercuts are `int`.
Nothing here knows a format: a Swiss round, a round-robin round and a knockout round are all a `Round`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import NamedTuple, NewType

EntrantId = NewType("EntrantId", str)


class Entrant(NamedTuple):
    """Somebody who takes part. `seed` 1 is the highest; seeds are unique within a tournament."""

    id: EntrantId
    seed: int
    rating: int | None = None


class Pairing(NamedTuple):
    """Two entrants who meet at one table in one round; `first` deals the first hand."""

    first: EntrantId
    second: EntrantId


class Outcome(Enum):
    """How a pairing was decided."""

    __hash__ = object.__hash__  # members are singletons; the inherited hash is computed in Python

    FIRST_WINS = "first_wins"
    SECOND_WINS = "second_wins"
    DRAW = "draw"
    FIRST_FORFEITS = "first_forfeits"  # the second entrant wins without play
    SECOND_FORFEITS = "second_forfeits"  # the first entrant wins without play
    DOUBLE_FORFEIT = "double_forfeit"
    VOID = "void"  # annulled: nobody scores, nobody is to blame, the two may meet again

    @property
    def is_played(self) -> bool:
        """True where the two really met: only these count as an encounter."""
        return self in _PLAYED


_PLAYED = frozenset({Outcome.FIRST_WINS, Outcome.SECOND_WINS, Outcome.DRAW})


class Tally(NamedTuple):
    """What one side gathered in one pairing. Zero where the game does not know the figure."""

    game_points: int = 0
    hands_won: int = 0
    undercuts: int = 0


NO_TALLY = Tally()


class DecidedPairing(NamedTuple):
    """A pairing with its outcome and both sides' tallies (ignored unless the outcome is a played one)."""

    pairing: Pairing
    outcome: Outcome
    first_tally: Tally = NO_TALLY
    second_tally: Tally = NO_TALLY


class ByeKind(Enum):
    """Why somebody present in the tournament had no opponent in a round."""

    PAIRING_ALLOCATED = "pairing_allocated"  # odd field: scored by `Scoring.bye`
    REQUESTED_HALF = "requested_half"
    REQUESTED_ZERO = "requested_zero"


class Bye(NamedTuple):
    entrant: EntrantId
    kind: ByeKind


class Round(NamedTuple):
    """One scored round. An entrant in neither list was absent (not yet entered, or withdrawn):
    no points, treated by tie-breaks as a requested zero bye."""

    number: int
    pairings: tuple[DecidedPairing, ...] = ()
    byes: tuple[Bye, ...] = ()


History = Sequence[Round]
"""Scored rounds, oldest first. Slicing it gives the tournament as of an earlier round."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """Points for each way to end a round. Losses and forfeits by oneself score `loss` and `forfeit_loss`."""

    win: Fraction = Fraction(1)
    draw: Fraction = Fraction(1, 2)
    loss: Fraction = Fraction(0)
    forfeit_win: Fraction = Fraction(1)
    forfeit_loss: Fraction = Fraction(0)
    bye: Fraction = Fraction(1)
    half_bye: Fraction = Fraction(1, 2)
    zero_bye: Fraction = Fraction(0)


STANDARD_SCORING = Scoring()

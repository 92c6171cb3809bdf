"""Accelerated pairing: virtual points for the upper part of the field in the early rounds.

Baku acceleration (FIDE handbook C.04.7): the first group is the upper half of the initial seed order,
rounded up to an even number of entrants (twice a quarter, the quarter rounded up). In the first half of
the tournament's rounds (rounded up) its members count virtual points: one win in the first half of
those rounds (rounded up), half a win in the rest. Virtual points steer pairing only, never standings.
Entrants added later belong to the second group, whatever their seed.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from gin_tournament.model import Entrant, EntrantId


@dataclass(frozen=True, slots=True)
class BakuAcceleration:
    """Who is in the first group, and for how many rounds the tournament runs. Build it with `baku`."""

    first_group: frozenset[EntrantId]
    total_rounds: int

    def virtual_points(self, entrant: EntrantId, round_number: int) -> Fraction:
        """Virtual points (in wins) that `entrant` carries when `round_number` is paired."""
        accelerated_rounds = (self.total_rounds + 1) // 2
        full_rounds = (accelerated_rounds + 1) // 2
        if entrant not in self.first_group or round_number > accelerated_rounds:
            return Fraction(0)
        return Fraction(1) if round_number <= full_rounds else Fraction(1, 2)


def baku(entrants_at_start: Collection[Entrant], total_rounds: int) -> BakuAcceleration:
    """Settle the groups once, when the first round is paired."""
    size = 2 * -(-len(entrants_at_start) // 4)
    by_seed = sorted(entrants_at_start, key=lambda entrant: entrant.seed)
    return BakuAcceleration(frozenset(entrant.id for entrant in by_seed[:size]), total_rounds)

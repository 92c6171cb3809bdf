"""Elo for matches of different length and for any number of players.

Evaluation order is part of the contract, because everyone who recomputes a pool must get the same doubles. Each
formula below is evaluated as written, from left to right, in IEEE 754 double precision. `settled_change` then rounds
to the grid of 2^-20 points: powers of ten differ in their last bit from one machine to the next, and the grid (a
billion times coarser) swallows that. Ratings on the grid add without rounding, so `before + change == after` exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

START_RATING = 1500.0
GRID = 1 << 20  # steps a point

SMALLEST_WEIGHT = 0.3
LARGEST_WEIGHT = 3.2
NEWCOMER_GAMES = 12.0  # effective games; below: K 40
SETTLED_GAMES = 60.0  # effective games; below: K 20, from here on K 10
PROVISIONAL_GAMES = 30.0  # effective games; below: provisional

# Before its first match a player is about this far from the start rating, one standard deviation.
PRIOR_DEVIATION = 150.0


class Standing(NamedTuple):
    """A player in one pool. `games` counts matches, `effective_games` is the sum of their squared weights."""

    rating: float
    games: int
    effective_games: float

    @property
    def provisional(self) -> bool:
        return self.effective_games < PROVISIONAL_GAMES


NEWCOMER = Standing(START_RATING, 0, 0.0)


class Opponent(NamedTuple):
    """Someone on the other side of a match: the rating at the moment of settling, and the place, 1 is best."""

    player_id: str
    rating: float
    place: int


def match_weight(target: int) -> float:
    """m, the weight of a match to `target` points: sqrt(target/100), at least 0.3 and at most 3.2.

    The stronger player's edge, measured in Elo, grows as the square root of the match's length.
    """
    return min(max(math.sqrt(target / 100.0), SMALLEST_WEIGHT), LARGEST_WEIGHT)


def expected_score(rating: float, opponent: float, weight: float = 1.0) -> float:
    """The share of the point, 0 to 1, that `rating` is expected to take: 1/(1 + 10^(−(rating − opponent)·m/400))."""
    # Beyond 300 powers of ten the share is 0 or 1 to the last bit, and the power would overflow.
    exponent = min(max((opponent - rating) * weight / 400.0, -300.0), 300.0)
    return 1.0 / (1.0 + math.pow(10.0, exponent))


def score(place: int, other_place: int) -> float:
    """1 for the better place, 0 for the worse, half for a tie."""
    if place == other_place:
        return 0.5
    return 1.0 if place < other_place else 0.0


def k_factor(effective_games: float) -> int:
    """K for a player who has `effective_games` behind them: 40, from 12 on 20, from 60 on 10."""
    if effective_games < NEWCOMER_GAMES:
        return 40
    return 20 if effective_games < SETTLED_GAMES else 10


def change(k: int, weight: float, rating: float, place: int, opponents: Sequence[Opponent]) -> float:
    """K·m/(n−1) · Σj(Sij − Eij), unrounded, summed in the order of `opponents`; with one opponent it is plain Elo.

    Guarantees that the changes of all players of a match sum to zero, up to rounding, when their K is equal.
    """
    surplus = 0.0
    for opponent in opponents:
        surplus += score(place, opponent.place) - expected_score(rating, opponent.rating, weight)
    return k * weight / len(opponents) * surplus


def settled_change(k: int, weight: float, rating: float, place: int, opponents: Sequence[Opponent]) -> float:
    """`change` rounded to the nearest multiple of 2^-20 points (half to even)."""
    return round(change(k, weight, rating, place, opponents) * GRID) / GRID


def uncertainty(effective_games: float) -> float:
    """One standard deviation of a rating, in points: 1/sqrt(1/150² + n·(ln 10/800)²).

    A game between equals tells (ln 10/800)² per squared point about the difference of their strengths (Fisher's
    information of the logistic curve where it is steepest), and a game of weight m tells m² as much.
    """
    information = math.log(10.0) / 800.0
    return 1.0 / math.sqrt(1.0 / (PRIOR_DEVIATION * PRIOR_DEVIATION) + effective_games * (information * information))

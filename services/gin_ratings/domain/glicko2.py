"""Glicko-2: a rating with a deviation and a volatility, updated once for each rating period.

Source: Mark Glickman, "Example of the Glicko-2 system" (2022); the steps below are its steps 2 to 8. Pure and not
yet settled beside Elo: nothing stores its numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

SCALE = 173.7178  # points for one unit of the internal scale, 400/ln 10 as the paper rounds it
CENTRE = 1500.0
TAU = 0.5  # how much volatility may change in one period; the paper advises 0.3 to 1.2
_TOLERANCE = 1e-6


class Glicko(NamedTuple):
    """`rating` and `deviation` (one standard deviation) in points; `volatility` as in the paper."""

    rating: float
    deviation: float
    volatility: float


NEWCOMER = Glicko(CENTRE, 350.0, 0.06)


class Result(NamedTuple):
    """One game of the period against someone as they stood at its start; `score` is 1, 0.5 or 0."""

    rating: float
    deviation: float
    score: float


def after_period(player: Glicko, results: Sequence[Result], tau: float = TAU) -> Glicko:
    """The player after a period with these results; without any only the deviation grows."""
    phi = player.deviation / SCALE
    if not results:
        return player._replace(deviation=math.hypot(phi, player.volatility) * SCALE)
    mu = (player.rating - CENTRE) / SCALE
    precision, surprise = 0.0, 0.0  # 1/v and the sum in Δ = v · Σ
    for result in results:
        g = 1.0 / math.sqrt(1.0 + 3.0 * (result.deviation / SCALE) ** 2 / math.pi**2)
        expected = 1.0 / (1.0 + math.exp(-g * (mu - (result.rating - CENTRE) / SCALE)))
        precision += g * g * expected * (1.0 - expected)
        surprise += g * (result.score - expected)
    volatility = _new_volatility(phi, player.volatility, 1.0 / precision, surprise / precision, tau)
    new_phi = 1.0 / math.sqrt(1.0 / (phi * phi + volatility * volatility) + precision)
    return Glicko(CENTRE + (mu + new_phi * new_phi * surprise) * SCALE, new_phi * SCALE, volatility)


def _new_volatility(phi: float, sigma: float, v: float, delta: float, tau: float) -> float:
    """Step 5: the root of f by the Illinois algorithm, as the paper has it."""
    a = math.log(sigma * sigma)

    def f(x: float) -> float:
        power = math.exp(x)
        spread = phi * phi + v + power
        return power * (delta * delta - spread) / (2.0 * spread * spread) - (x - a) / (tau * tau)

    low = a
    if delta * delta > phi * phi + v:
        high = math.log(delta * delta - phi * phi - v)
    else:
        steps = 1
        while f(a - steps * tau) < 0:
            steps += 1
        high = a - steps * tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _TOLERANCE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2.0
        high, f_high = middle, f_middle
    return math.exp(low / 2.0)

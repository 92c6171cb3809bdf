"""The geometry of a rating curve: a player's rating over their matches, with its uncertainty as a band.

Lengths are in the units of the drawing, which is WIDTH by HEIGHT, y downwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 48, 12, 14, 26  # margins: labels stand in them
MOST_POINTS = 400
_SMALLEST_SPAN = 100.0  # points of rating that the drawing covers at least


class Point(NamedTuple):
    """After `game` matches, with one standard deviation of uncertainty; 0 is the start."""

    game: int
    rating: float
    uncertainty: float


class Label(NamedTuple):
    at: float
    text: str


class Curve(NamedTuple):
    """`line` and `band` are the points of a polyline and a polygon as SVG writes them."""

    line: str
    band: str
    ratings: list[Label]
    games: list[Label]
    end: tuple[float, float]
    highest: float
    lowest: float


def draw(points: Sequence[Point]) -> Curve:
    """At least one point; by rising game. Of more than MOST_POINTS every so many are left out, never the last."""
    shown = _thinned(points)
    lowest = min(point.rating for point in points)
    highest = max(point.rating for point in points)
    # Room for the band of today; the wide one of the first matches may run out of the drawing.
    middle, span = (lowest + highest) / 2, max(highest - lowest + 2 * points[-1].uncertainty, _SMALLEST_SPAN) * 1.1
    bottom, top = middle - span / 2, middle + span / 2
    first, last = points[0].game, max(points[-1].game, points[0].game + 1)

    def x(game: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (game - first) / (last - first), 1)

    def y(rating: float) -> float:
        clipped = min(max(rating, bottom), top)
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (top - clipped) / (top - bottom), 1)

    upper = [(x(p.game), y(p.rating + p.uncertainty)) for p in shown]
    lower = [(x(p.game), y(p.rating - p.uncertainty)) for p in shown]
    line = [(x(p.game), y(p.rating)) for p in shown]
    return Curve(
        line=_path(line),
        band=_path(upper + lower[::-1]),
        ratings=[Label(y(value), str(value)) for value in _ticks(bottom, top, 5)],
        games=[Label(x(value), str(value)) for value in _ticks(first, last, 6)],
        end=line[-1],
        highest=highest,
        lowest=lowest,
    )


def _thinned(points: Sequence[Point]) -> Sequence[Point]:
    step = math.ceil(len(points) / MOST_POINTS)
    return [*points[:-1:step], points[-1]]


def _ticks(low: float, high: float, wanted: int) -> list[int]:
    """Round numbers from `low` to `high`, about `wanted` of them, at whole steps of 1, 2 or 5 times a power of ten."""
    rough = max((high - low) / wanted, 1.0)
    power = 10.0 ** math.floor(math.log10(rough))
    step = int(next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough))
    return list(range(math.ceil(low / step) * step, math.floor(high) + 1, step))


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)

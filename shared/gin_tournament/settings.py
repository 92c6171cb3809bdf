"""What the settings of every format have in common: their checks, and the columns that they show."""

from __future__ import annotations

from collections.abc import Sequence

from gin_tournament.errors import InvalidFormatError
from gin_tournament.model import Scoring
from gin_tournament.tie_breaks import TIE_BREAK_NAMES

BEST_OF = (1, 3, 5)
MOST_ROUNDS = 1_000
DEFAULT_TIE_BREAKS = ("buchholz_cut_1", "buchholz", "direct_encounter", "wins", "game_points_difference")
ROUND_ROBIN_TIE_BREAKS = ("direct_encounter", "sonneborn_berger", "wins", "game_points_difference")


def check_range(field: str, value: int, least: int, most: int) -> None:
    """Raises `InvalidFormatError` where the value lies outside."""
    if not least <= value <= most:
        raise InvalidFormatError(field, f"must be from {least} to {most}, not {value}")


def check_choice(field: str, value: object, choices: Sequence[object]) -> None:
    if value not in choices:
        raise InvalidFormatError(field, f"must be one of {', '.join(map(str, choices))}, not {value}")


def check_best_of(field: str, value: int) -> None:
    check_choice(field, value, BEST_OF)


def check_tie_breaks(names: Sequence[str]) -> None:
    for name in names:
        check_choice("tie_breaks", name, TIE_BREAK_NAMES)
    if len(set(names)) != len(names):
        raise InvalidFormatError("tie_breaks", "names one twice")


def check_scoring(scoring: Scoring) -> None:
    """Raises `InvalidFormatError` unless a win is worth something, and a draw and a loss in turn no more."""
    if scoring.win <= 0:
        raise InvalidFormatError("scoring.win", "must be more than 0")
    if not scoring.win >= scoring.draw >= scoring.loss:
        raise InvalidFormatError("scoring", "a win is worth no less than a draw, and a draw no less than a loss")

"""How a match was scored, as arithmetic that people can follow: the same for every game.

The games fill it in (`Game.score_sheet`); nobody else works out points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from gin_rules.game import ScoreLine, Seat

MINUS: Final = "−"
TIMES: Final = "×"


class Sum(NamedTuple):
    """Points of one seat and how they come about: ``25 + 8 − 5 = 28``."""

    seat: Seat
    text: str
    points: int


class HandSheet(NamedTuple):
    """One hand that is over."""

    number: int
    ended: str
    """How it ended, in the words of its game; ``corrected`` where an arbiter changed who won."""
    winner: Seat | None
    headline: str
    """What happened, without names: ``Undercut``."""
    facts: tuple[str, ...]
    """What the arithmetic starts from, line by line."""
    lines: tuple[ScoreLine, ...]
    sums: tuple[Sum, ...]
    """One for each seat that scored."""
    points: tuple[int, ...]
    """By seat, as they count now."""
    corrected: bool
    games: tuple[tuple[int, ...], ...]
    """Points by game and seat after this hand, where several games are scored at once."""


class ScoreSheet(NamedTuple):
    """All hands of a match that are over, and what the end of the match added. Tuples of points are by seat."""

    hands: tuple[HandSheet, ...]
    totals: tuple[int, ...]
    bonuses: tuple[Sum, ...]
    """Match bonuses; empty until the match is over."""
    final_scores: tuple[int, ...] | None
    """With the bonuses; None until the match is over."""


def sum_text(terms: Iterable[int]) -> str:
    """The terms and what they add up to: ``25 + 8 − 5 = 28``; a single term stands alone."""
    given = list(terms)
    text = signed(given)
    return text if len(given) == 1 else f"{text} = {number(sum(given))}"


def signed(terms: Sequence[int]) -> str:
    """The terms with their signs between: ``25 + 8 − 5``; ``0`` without any."""
    text = number(terms[0]) if terms else "0"
    for term in terms[1:]:
        text += f" {MINUS} {-term}" if term < 0 else f" + {term}"
    return text


def number(value: int) -> str:
    """A number with a proper minus sign."""
    return f"{MINUS}{-value}" if value < 0 else str(value)


def score_sheet_to_json(sheet: ScoreSheet) -> dict[str, Any]:
    """A score sheet as plain JSON values."""
    return {
        "hands": [
            {
                "number": hand.number,
                "ended": hand.ended,
                "winner": hand.winner,
                "headline": hand.headline,
                "facts": list(hand.facts),
                "lines": [{"seat": line.seat, "reason": line.reason, "points": line.points} for line in hand.lines],
                "sums": [one._asdict() for one in hand.sums],
                "points": list(hand.points),
                "corrected": hand.corrected,
                "games": [list(game) for game in hand.games],
            }
            for hand in sheet.hands
        ],
        "totals": list(sheet.totals),
        "bonuses": [one._asdict() for one in sheet.bonuses],
        "final_scores": None if sheet.final_scores is None else list(sheet.final_scores),
    }

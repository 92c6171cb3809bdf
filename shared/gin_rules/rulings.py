"""What an arbiter decides. A ruling is one more event of a match: it is added, and what was before stays as it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from gin_rules.game import GameError

RulingKind = Literal["correct", "redeal", "void_hand", "void_match"]
RULING_KINDS: Final[tuple[str, ...]] = get_args(RulingKind)


class RefusedRuling(GameError):
    """A ruling that the rules do not allow in this state, which stays as it is."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """One decision of an arbiter.

    ``correct``: the hand counts `points` from now on. ``redeal``: a misdeal found before the first play is dealt
    again by the same dealer. ``void_hand``: the hand being played ends without score. ``void_match``: the match is
    over and counts for nobody.
    """

    kind: RulingKind
    hand: int
    """The number of the hand; 0 for a whole match."""
    points: tuple[int, ...] | None
    """By seat, what a corrected hand is to count; None for all other rulings."""
    reason: str
    """May be empty where no reason is asked for."""
    arbiter: str
    """Name or id of who decided."""

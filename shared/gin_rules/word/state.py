"""The frozen state of a match of Word Gin.

`Table` holds what stays the same during a hand, `State` what an action changes.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from gin_rules.game import Card, Deals, ScoreLine, Seat, Seen, Termination
from gin_rules.word.cards import Deck
from gin_rules.word.declaration import Cards, Shown
from gin_rules.word.dictionary import Dictionary
from gin_rules.word.rules import RuleSet

Phase = Literal["draw", "discard", "challenge", "reveal", "over"]
DRAW: Final = "draw"
DISCARD: Final = "discard"
CHALLENGE: Final = "challenge"
REVEAL: Final = "reveal"
OVER: Final = "over"

HowEnded = Literal["gin", "turns", "void"]


class HandResult(NamedTuple):
    """A hand that is over. Tuples are by seat."""

    number: int
    """Counted from 1."""
    dealer: Seat
    ended: HowEnded
    """``turns`` is a hand without a Gin before the turn cap: only its challenges count. ``void``: an arbiter's."""
    ginner: Seat | None
    winner: Seat | None
    """Who scored most in a hand that ended by a Gin; None when that is shared, or nobody ginned."""
    points: tuple[int, ...]
    totals: tuple[int, ...]
    """Totals after this hand, as they stood when it was scored."""
    lines: tuple[ScoreLine, ...]
    """The points explained: the lines of a seat add up to its points."""
    shown: tuple[Shown, ...] | None
    """Every hand as it lay on the table; None when nobody had to show."""
    turns: int
    deck: str
    """The name of the deck whose cards are shown."""


class Correction(NamedTuple):
    """What an arbiter lets a hand count, by seat. The last one of a hand holds."""

    hand: int
    points: tuple[int, ...]


class Table(NamedTuple):
    """The match as it stands at a deal, and the deal."""

    rules: RuleSet
    deck: Deck
    dictionary: Dictionary
    deals: Deals
    seats: int
    cuts: tuple[Cards, ...]
    """Cards cut for the first deal, by attempt and seat; only the last attempt has no tie."""
    results: tuple[HandResult, ...]
    totals: tuple[int, ...]
    """After every correction."""
    number: int
    """Of the hand being played, from 1."""
    dealer: Seat
    termination: Termination | None
    """Why the match is over; None while it is played."""
    corrections: tuple[Correction, ...] = ()
    misdeals: tuple[int, ...] = ()
    """Numbers of hands that were dealt again, once for each time."""


class Showdown(NamedTuple):
    """A Gin that is being challenged, or that stands while the others reveal."""

    ginner: Seat
    face_down: Card
    """The eleventh card, which nobody else sees unless the Gin fails."""
    challenged: Seat
    """Whose words may be challenged now, or who is to reveal."""
    shown: tuple[Shown | None, ...]
    """By seat; None for a hand that is not on the table yet."""


class State(NamedTuple):
    """A match after some actions."""

    table: Table
    phase: Phase
    turn: Seat
    """Who is to act; when the match is over, who acted last."""
    hands: tuple[Cards, ...]
    """By seat, each in the order of the deck. Cards stay in the hand while they lie on the table."""
    stock: Cards
    """The next card to be drawn first."""
    pile: Cards
    """Discards of this hand, the up card last."""
    spent: Cards
    """Put aside after earlier hands, in the order of the deck."""
    taken: Card | None
    """The up card taken this turn; None when there is none."""
    turns: int
    """Turns completed in this hand, of all players; a failed Gin completes one."""
    barred: tuple[bool, ...]
    """By seat: whether the player may not Gin on the next turn, or on this one (source 000, rule 10)."""
    challenges: tuple[ScoreLine, ...]
    """Points moved by challenges in this hand."""
    history: tuple[Seen, ...]
    """What everybody saw in this hand; of a Gin without its face-down card."""
    reshuffles: int
    """How often the spent cards came back during this hand."""
    showdown: Showdown | None

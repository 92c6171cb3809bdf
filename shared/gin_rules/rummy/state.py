"""The frozen state of a match of Gin Rummy.

`Table` holds what stays the same during a hand, `State` what an action changes. Both are tuples: a match
makes thousands of states and a NamedTuple is the cheapest frozen value there is.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, cast

from gin_rules.game import Action, Card, Deals, ScoreLine, Seat, Termination
from gin_rules.rummy.rules import RuleSet
from gin_rules.rummy.settlement import Cards, Settlement

# Phases of a hand, as small integers for the hot path; PHASE_NAMES are what views and logs show.
OFFER_NONDEALER: Final = 0
OFFER_DEALER: Final = 1
FIRST_DRAW: Final = 2
DRAW: Final = 3
DISCARD: Final = 4
LAYOFF: Final = 5
OVER: Final = 6
PHASE_NAMES: Final = ("offer_nondealer", "offer_dealer", "first_draw", "draw", "discard", "layoff", "over")

NO_CARD: Final = -1

HowEnded = Literal["knock", "gin", "big_gin", "undercut", "stock", "turns", "void"]


class HandResult(NamedTuple):
    """A hand that is over. Tuples are by seat."""

    number: int
    """Counted from 1."""
    dealer: Seat
    ended: HowEnded
    """Hands without score: ``stock`` exhausted, ``turns`` at their cap, ``void`` by an arbiter's ruling."""
    knocker: Seat | None
    winner: Seat | None
    points: tuple[int, ...]
    totals: tuple[int, ...]
    """Totals after this hand, as they then stood."""
    lines: tuple[ScoreLine, ...]
    """The points explained: the lines of a seat add up to its points."""
    settlement: Settlement | None
    hands: tuple[Cards, ...] | None
    """Cards shown at the end, without the knocker's discard; None when nobody had to show."""
    turns: int
    players: tuple[Seat, Seat] = (0, 1)
    """Who played the hand; the others at a larger table have no points and no cards in it."""


class Correction(NamedTuple):
    """What an arbiter lets a hand count, by seat. The last one of a hand holds."""

    hand: int
    points: tuple[int, ...]


class Table(NamedTuple):
    """The match as it stands at a deal, and the deal."""

    rules: RuleSet
    deals: Deals
    cuts: tuple[tuple[Card, ...], ...]
    """Cards cut for the first deal, by attempt and seat; only the last attempt has no tie. Empty without a cut."""
    results: tuple[HandResult, ...]
    """As they were scored; `gin_rules.rummy.scoring` tells what counts after corrections."""
    corrections: tuple[Correction, ...]
    misdeals: tuple[int, ...]
    """The number of the hand, once for each time that it was dealt again."""
    totals: tuple[int, ...]
    """As they stand after every correction."""
    number: int
    """Of the hand being played, from 1."""
    dealer: Seat
    upcard: Card
    """The first upcard of this hand."""
    limit: int
    """Most deadwood of a knock in this hand."""
    dead_stock: int
    """Cards in the stock after a discard that end the hand or recycle the pile."""
    termination: Termination | None
    """Why the match is over; None while it is played."""


class Shown(NamedTuple):
    """A knock that waits for the defender's layoffs."""

    knocker: Seat
    melds: tuple[int, ...]
    """Masks as first shown."""
    laid: tuple[int, ...]
    """Masks of the defender's cards on each meld."""


class State(NamedTuple):
    """A match after some actions. Hands are masks; the other cards are tuples in their order."""

    table: Table
    phase: int
    turn: Seat
    hands: tuple[int, int]
    stock: tuple[Card, ...]
    drawn: int
    """Cards of the stock already drawn: the next is ``stock[drawn]``."""
    pile: tuple[Card, ...]
    """Discard pile, top card last."""
    taken: int
    """The card of the pile that this turn's discard may not be; NO_CARD if there is none."""
    turns: int
    """Turns completed in this hand."""
    actions: str
    """Actions of this hand, a line break before each: a text grows much faster than a tuple of as many."""
    recycled: int
    """How often the pile was turned over in this hand."""
    shown: Shown | None

    @property
    def history(self) -> tuple[Action, ...]:
        """Actions of this hand."""
        return tuple(cast(list[Action], self.actions.split("\n")[1:]))

    @property
    def action_count(self) -> int:
        """How many actions this hand has had."""
        return self.actions.count("\n")

    @property
    def stock_size(self) -> int:
        """Cards left in the stock."""
        return len(self.stock) - self.drawn

"""The frozen state of a match of Gin Rummy.

`Table` holds what stays the same during a hand, `State` what an action changes. A match makes thousands of states:
a class with slots, made from positional arguments, is read several times faster than a NamedTuple and made as fast,
and mypyc turns it into a C struct. Frozen they are because all their parts are `Final`, which mypy checks.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Literal, NamedTuple, Self, final

from gin_rules.game import Action, Card, Deals, ScoreLine, Seat, Termination
from gin_rules.native import i64, mypyc_attr
from gin_rules.rummy.rules import RuleSet
from gin_rules.rummy.settlement import Cards, Settlement

# Phases of a hand in their order, as small integers for the hot path; PHASE_NAMES are what views and logs show.
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


@mypyc_attr(acyclic=True)
class Frozen:
    """A value with named parts: compared, hashed and shown by them."""

    __slots__ = ()
    PARTS: ClassVar[tuple[str, ...]] = ()
    """The parts, in the order of the constructor's arguments."""

    def values(self) -> tuple[Any, ...]:
        """The parts in their order."""
        return tuple([getattr(self, name) for name in self.PARTS])

    def replace(self, **changes: Any) -> Self:
        """The same with some parts changed. Slow: for what happens once a hand or less."""
        parts = [changes.pop(name) if name in changes else getattr(self, name) for name in self.PARTS]
        return type(self)(*parts, **changes)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple([getattr(self, name) for name in self.PARTS])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Frozen) and type(other) is type(self) and self.values() == other.values()

    def __hash__(self) -> int:
        return hash(self.values())

    def __repr__(self) -> str:
        parts = ", ".join([f"{name}={value!r}" for name, value in zip(self.PARTS, self.values(), strict=True)])
        return f"{type(self).__name__}({parts})"


@mypyc_attr(acyclic=True)
@final
class Table(Frozen):
    """The match as it stands at a deal, and the deal."""

    PARTS = (
        "rules",
        "deals",
        "cuts",
        "results",
        "corrections",
        "misdeals",
        "totals",
        "number",
        "dealer",
        "upcard",
        "limit",
        "dead_stock",
        "turn_cap",
        "buried_draw",
        "termination",
    )
    __slots__ = PARTS

    def __init__(
        self,
        rules: RuleSet,
        deals: Deals,
        cuts: tuple[tuple[Card, ...], ...],
        results: tuple[HandResult, ...],
        corrections: tuple[Correction, ...],
        misdeals: tuple[int, ...],
        totals: tuple[int, ...],
        number: int,
        dealer: Seat,
        upcard: Card,
        limit: i64,
        dead_stock: i64,
        turn_cap: i64,
        buried_draw: bool,
        termination: Termination | None,
    ) -> None:
        self.rules: Final = rules
        self.deals: Final = deals
        self.cuts: Final = cuts
        """Cards cut for the first deal, by attempt and seat; only the last attempt has no tie. Empty without a cut."""
        self.results: Final = results
        """As they were scored; `gin_rules.rummy.scoring` tells what counts after corrections."""
        self.corrections: Final = corrections
        self.misdeals: Final = misdeals
        """The number of the hand, once for each time that it was dealt again."""
        self.totals: Final = totals
        """As they stand after every correction."""
        self.number: Final = number
        """Of the hand being played, from 1."""
        self.dealer: Final = dealer
        self.upcard: Final = upcard
        """The first upcard of this hand."""
        self.limit: Final = limit
        """Most deadwood of a knock in this hand."""
        self.dead_stock: Final = dead_stock
        """Cards in the stock after a discard that end the hand or recycle the pile."""
        self.turn_cap: Final = turn_cap
        """Turns of both players after which the hand is over without score, as the rules say."""
        self.buried_draw: Final = buried_draw
        """Whether buried discards may be taken, as the rules say."""
        self.termination: Final = termination
        """Why the match is over; None while it is played."""


class Shown(NamedTuple):
    """A knock that waits for the defender's layoffs."""

    knocker: Seat
    melds: tuple[int, ...]
    """Masks as first shown."""
    laid: tuple[int, ...]
    """Masks of the defender's cards on each meld."""


Played = tuple[Any, Action]
"""The actions of a hand so far: the `Played` (or None) before the last one, and the last one. So each state adds one
to those before it without copying them.
"""
Pile = tuple[Any, Card]
"""The discard pile in the same way: the `Pile` (or None) below the top card, and the top card."""


def pile_of(cards: tuple[Card, ...]) -> Pile | None:
    """The pile of these cards, top card last."""
    pile: Pile | None = None
    for card in cards:
        pile = (pile, card)
    return pile


@mypyc_attr(acyclic=True, free_list_len=1)  # no value refers to itself; a state mostly takes the last one's place
@final
class State(Frozen):
    """A match after some actions. Hands are masks; the other cards are tuples in their order."""

    PARTS = (
        "table",
        "phase",
        "turn",
        "hand",
        "other",
        "stock",
        "drawn",
        "top",
        "taken",
        "turns",
        "played",
        "recycled",
        "shown",
    )
    __slots__ = PARTS

    def __init__(
        self,
        table: Table,
        phase: i64,
        turn: i64,
        hand: i64,
        other: i64,
        stock: tuple[Card, ...],
        drawn: i64,
        top: Pile | None,
        taken: i64,
        turns: i64,
        played: Played | None,
        recycled: i64,
        shown: Shown | None,
    ) -> None:
        self.table: Final = table
        self.phase: Final = phase
        self.turn: Final = turn
        self.hand: Final = hand
        """The cards of the seat whose turn it is."""
        self.other: Final = other
        """The cards of the other seat."""
        self.stock: Final = stock
        self.drawn: Final = drawn
        """Cards of the stock already drawn: the next is ``stock[drawn]``."""
        self.top: Final = top
        """The discard pile, as `pile` gives it; None when it is empty."""
        self.taken: Final = taken
        """The card of the pile that this turn's discard may not be; NO_CARD if there is none."""
        self.turns: Final = turns
        """Turns completed in this hand."""
        self.played: Final = played
        """Actions of this hand, as `history` gives them; None before the first."""
        self.recycled: Final = recycled
        """How often the pile was turned over in this hand."""
        self.shown: Final = shown

    def values(self) -> tuple[Any, ...]:
        """The parts in their order; the pile and the actions flat: comparing them as they are would recurse deeply."""
        flat = {"top": self.pile, "played": self.history}
        return tuple([flat[name] if name in flat else getattr(self, name) for name in State.PARTS])

    def __reduce__(self) -> tuple[Any, ...]:
        # Flat, as in `values`: pickling and copying the chains would recurse as deeply as a hand is long.
        return _state_of, self.values()

    @property
    def hands(self) -> tuple[int, int]:
        """Both hands, by seat."""
        return (self.other, self.hand) if self.turn else (self.hand, self.other)

    @property
    def pile(self) -> tuple[Card, ...]:
        """Discard pile, top card last."""
        cards: list[Card] = []
        top = self.top
        while top is not None:
            cards.append(top[1])
            top = top[0]
        cards.reverse()
        return tuple(cards)

    @property
    def history(self) -> tuple[Action, ...]:
        """Actions of this hand."""
        actions: list[Action] = []
        played = self.played
        while played is not None:
            actions.append(played[1])
            played = played[0]
        actions.reverse()
        return tuple(actions)

    @property
    def action_count(self) -> int:
        """How many actions this hand has had."""
        count = 0
        played = self.played
        while played is not None:
            count += 1
            played = played[0]
        return count

    @property
    def stock_size(self) -> int:
        """Cards left in the stock."""
        return len(self.stock) - self.drawn


def _state_of(*values: Any) -> State:
    """The state that has these `values`."""
    parts = dict(zip(State.PARTS, values, strict=True))
    played: Played | None = None
    for action in parts["played"]:
        played = (played, action)
    return State(**{**parts, "top": pile_of(parts["top"]), "played": played})

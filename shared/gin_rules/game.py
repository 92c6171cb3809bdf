"""The one interface through which everything drives a game.

Engine, bots, replay and tests see a `Game`: a frozen state, the actions that are legal in it, and `apply`.
They never learn which game it is. A *hand* is one deal, a *game* is hands up to a target, a *match* is what a
tournament pairs.

Everything here is a value. Chance enters through `Deals` alone, so that (rules, deals, actions) always
rebuilds the same state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, NewType, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from gin_rules.rulings import Ruling
    from gin_rules.score_sheet import ScoreSheet

Action = NewType("Action", str)
"""A short stable text that people read and logs keep: ``take``, ``draw``, ``discard 7c``, ``knock 7c``."""

Card = NewType("Card", int)
"""Index of a card in its game's deck, 0-based."""

Seat = int
"""Position at the table, 0-based."""


class Seen(NamedTuple):
    """What a seat did in a hand, as others may know it."""

    seat: Seat
    text: str
    """The action, without what only this seat knows or what may not be looked up any more."""
    card: str | None = None
    """The card that was taken or thrown in it, face up, where it may be named."""


class GameError(Exception):
    """Something that the rules of a game refuse."""


class InvalidRules(GameError):
    """A rule set that cannot be played; `field` names the rule at fault."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class NotAtHand(InvalidRules):
    """Rules that may be fine, but that need something which this process was not given: a word list, say."""


class IllegalAction(GameError):
    """An action that the rules refuse in this state; the message names what is wrong."""

    def __init__(self, action: str, reason: str) -> None:
        super().__init__(f"{action!r}: {reason}")
        self.action = action
        self.reason = reason


class UnknownGame(GameError):
    """No game has this name."""


class Termination(Enum):
    """Why a match is over."""

    TARGET = "target"
    """A total reached the target (and led by the win margin, if one is asked)."""
    FIXED_HANDS = "fixed_hands"
    """The agreed number of hands has been played."""
    HAND_CAP = "hand_cap"
    """As many hands as a match may have were played; the higher total wins."""
    VOID = "void"
    """An arbiter took the match out of the count."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. Tuples are by seat."""

    winner: Seat | None
    """None is a draw. Of a partnership that won, the first seat."""
    totals: tuple[int, ...]
    """Points scored in hands; partners share theirs."""
    final_scores: tuple[int, ...]
    """Totals with the match bonuses; the same as `totals` when none are played. Never decides who won."""
    hands_played: int
    """Hands that are over, those without score included."""
    termination: Termination
    hands_won: tuple[int, ...]
    gins: tuple[int, ...]
    """Hands won by gin or big gin."""
    undercuts: tuple[int, ...]
    """Hands won by undercutting the knocker."""


def outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain JSON values."""
    return {
        "winner": outcome.winner,
        "totals": list(outcome.totals),
        "final_scores": list(outcome.final_scores),
        "hands_played": outcome.hands_played,
        "termination": outcome.termination.value,
        "hands_won": list(outcome.hands_won),
        "gins": list(outcome.gins),
        "undercuts": list(outcome.undercuts),
    }


class Deals(Protocol):
    """All the chance of one match. The same arguments must always give the same answer."""

    def deck(self, hand_number: int) -> tuple[Card, ...]:
        """The whole shuffled deck of a hand (numbered from 1); the first card is dealt first."""

    def cut(self, attempt: int, seats: int) -> tuple[Card, ...]:
        """One card a seat to choose the first dealer; attempts count from 1, as ties cut again."""

    def reshuffle(self, hand_number: int, time: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        """The given cards in a new order; `time` counts the reshuffles of this hand from 1."""


class HandResultLike(Protocol):
    """What every game tells of a hand that is over."""

    @property
    def number(self) -> int: ...
    @property
    def ended(self) -> str:
        """How the hand ended, in the words of its game."""

    @property
    def winner(self) -> Seat | None: ...
    @property
    def points(self) -> tuple[int, ...]: ...
    @property
    def totals(self) -> tuple[int, ...]: ...
    @property
    def lines(self) -> tuple[ScoreLine, ...]: ...


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of the explanation of a score; the lines of a seat add up to its points of the hand."""

    seat: Seat
    reason: str
    points: int


RuleSetT = TypeVar("RuleSetT")
StateT = TypeVar("StateT")
ViewT = TypeVar("ViewT")


@runtime_checkable
class Game(Protocol[RuleSetT, StateT, ViewT]):
    """A game that can be played in a match. Implementations hold no state of their own."""

    @property
    def name(self) -> str: ...

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """How many seats a match may have."""

    def card_text(self, card: Card, rules: RuleSetT) -> str:
        """A card of the deck that these rules play with, as records write it."""

    def rules_from_json(self, mapping: Mapping[str, Any]) -> RuleSetT:
        """Read a rule set: ``{"preset": name}`` and any fields that differ. Raises `InvalidRules`."""

    def rules_to_json(self, rules: RuleSetT) -> dict[str, Any]:
        """Every field by name; `rules_from_json` gives back an equal rule set."""

    def new_match(self, rules: RuleSetT, seats: int, deals: Deals, *, first_dealer: Seat | None = None) -> StateT:
        """The state after the first deal, by `first_dealer` or, without one, by whoever the cut chooses.

        Raises `InvalidRules`: field ``seats`` if so many cannot play, ``first_dealer`` for a seat that is not at
        the table.
        """

    def to_act(self, state: StateT) -> Seat | None:
        """Whose action is awaited; None when the match is over.

        Where several hands are played at once, the seat that `apply` takes the next action from: hands take turns,
        which changes nothing in any of them, as none depends on the other.
        """

    def legal_actions(self, state: StateT) -> Sequence[Action]:
        """Every legal action in a stable order, without the optional details that an action may name."""

    def apply(self, state: StateT, action: Action) -> StateT:
        """The state after an action of the seat to act. Raises `IllegalAction`, the state unchanged."""

    def outcome(self, state: StateT) -> Outcome | None:
        """How the match ended; None while it is being played."""

    def hand_results(self, state: StateT) -> Sequence[HandResultLike]:
        """Every hand that is over, first to last, with its score explained line by line."""

    def score_sheet(self, state: StateT) -> ScoreSheet:
        """How every hand that is over was scored, as arithmetic, and the bonuses of a match that is over."""

    def totals(self, state: StateT) -> tuple[int, ...]:
        """Points so far by seat, as they stand after every correction."""

    def target(self, rules: RuleSetT, seats: int) -> int:
        """Points that a match of so many seats is played to, also where a fixed number of hands ends it instead."""

    def decks(self, state: StateT) -> Sequence[tuple[Card, ...]]:
        """Every deck that was dealt, in the order of the hands; a misdeal stands before the deck that replaced it."""

    def rule(self, state: StateT, ruling: Ruling) -> StateT:
        """The state after an arbiter's ruling. Raises `RefusedRuling`, the state unchanged."""

    def hand_result_to_json(self, result: Any) -> dict[str, Any]:
        """A hand result as plain JSON values."""

    def view(self, state: StateT, seat: Seat) -> ViewT:
        """What the player in this seat may know, and nothing else."""

    def spectator_view(self, state: StateT) -> ViewT:
        """What everybody may know."""

    def view_to_json(self, view: ViewT) -> dict[str, Any]:
        """A view as plain JSON values."""

    def deck_size(self, rules: RuleSetT) -> int:
        """Cards in the deck, for `Deals`."""


AnyGame = Game[Any, Any, Any]


def game_names() -> tuple[str, ...]:
    """The games that can be played."""
    return ("rummy", "word")


def game_named(name: str) -> AnyGame:
    """The game of this name. Raises `UnknownGame`."""
    if name == "rummy":
        from gin_rules.rummy.game import GIN_RUMMY  # here, because the games import this module

        return GIN_RUMMY
    if name == "word":
        from gin_rules.word.game import WORD_GIN

        return WORD_GIN
    raise UnknownGame(f"no game is called {name!r}; there are: {', '.join(game_names())}")

"""A slow referee of whole hands and matches of Gin Rummy under the standard rules.

Players are 0 and 1. Actions are texts:

    pass             decline the upcard in the opening offer
    take             take the top card of the discard pile
    draw             take the top card of the stock
    discard 7c       end the turn
    knock 7c         end the hand, throwing 7c; with nothing left over it is gin
    knock 7c 4c5c6c/7d7h7s    the same, the knocker names the melds to be shown

Known gap: only the standard rules (limit 10, bonuses 25 and 25, stock ends at two, dealer alternates, match
to 100), and no cap on the length of a hand.
Sources: 001, and 004 (Opening Choice, Gameplay, Scoring).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tests.oracles.rummy_hands import (
    DECK,
    IllegalKnockError,
    Melds,
    Settlement,
    cards_of,
    deadwood_after_discards,
    settle,
)

KNOCK_LIMIT = 10
TARGET = 100
LAST_STOCK = 2


class IllegalActionError(Exception):
    """The rules forbid the action now; the text says why. Nothing has changed."""


class HandScore(NamedTuple):
    """The end of a hand. `winner` is a player, or None for a hand without score, whose points are 0."""

    result: str
    winner: int | None
    points: int
    settlement: Settlement | None


class Hand:
    """One deal from the first offer to the score. `stock[0]` is the card that is drawn first.

    `phase` is "offer", "draw", "discard" or "over"; `to_act` is the player whose choice is due.
    """

    def __init__(self, hands: Sequence[Iterable[str]], upcard: str, stock: Sequence[str], *, dealer: int) -> None:
        self.hands = [set(hands[0]), set(hands[1])]
        self.pile = [upcard]
        self.stock = list(stock)
        dealt = sorted([*hands[0], *hands[1], upcard, *stock])
        if [len(cards) for cards in self.hands] != [10, 10] or len(set(dealt)) != len(dealt):
            raise ValueError("a deal is ten different cards for each player")
        if not set(dealt) <= set(DECK):
            raise ValueError("the deal holds what is no card")
        self.dealer = dealer
        self.to_act = 1 - dealer
        self.phase = "offer"
        self.passes = 0
        self.must_draw_from_stock = False
        self.taken: str | None = None
        self.score: HandScore | None = None

    def legal(self) -> frozenset[str]:
        """All legal actions of the player to act; knocks without named melds only."""
        if self.phase == "offer":
            return frozenset({"pass", "take"})
        if self.phase == "draw":
            return frozenset({"draw"} if self.must_draw_from_stock else {"draw", "take"})
        if self.phase == "discard":
            after = deadwood_after_discards(self.hands[self.to_act], banned=self.taken)
            knocks = [card for card, deadwood in after.items() if deadwood <= KNOCK_LIMIT]
            return frozenset([f"discard {card}" for card in after] + [f"knock {card}" for card in knocks])
        return frozenset()

    def play(self, action: str) -> None:
        """Play one action. Raises IllegalActionError and changes nothing if the rules forbid it."""
        unnamed, melds = _split(action)
        if unnamed not in self.legal():
            raise IllegalActionError(f"{action!r} by player {self.to_act} in phase {self.phase}")
        verb, _, card = unnamed.partition(" ")
        if verb == "knock":
            self._knock(card, melds)
        elif verb == "discard":
            self._discard(card)
        elif verb == "pass":
            self._pass()
        else:
            self._pick_up(verb)

    def is_legal(self, action: str) -> bool:
        """Whether the action may be played now, named melds included. The hand does not change."""
        unnamed, melds = _split_or_none(action)
        if unnamed not in self.legal():
            return False
        try:
            if melds is not None:
                self._settlement(unnamed.partition(" ")[2], melds)
        except IllegalKnockError:
            return False
        return True

    def _pass(self) -> None:
        self.passes += 1
        self.to_act = 1 - self.to_act
        if self.passes == 2:
            self.phase = "draw"
            self.must_draw_from_stock = True

    def _pick_up(self, verb: str) -> None:
        card = self.pile.pop() if verb == "take" else self.stock.pop(0)
        self.taken = card if verb == "take" else None
        self.hands[self.to_act].add(card)
        self.must_draw_from_stock = False
        self.phase = "discard"

    def _discard(self, card: str) -> None:
        self.hands[self.to_act].remove(card)
        self.pile.append(card)
        self.taken = None
        if len(self.stock) == LAST_STOCK:
            self.phase = "over"
            self.score = HandScore("no score", None, 0, None)
            return
        self.to_act = 1 - self.to_act
        self.phase = "draw"

    def _settlement(self, card: str, melds: Melds | None) -> Settlement:
        kept = self.hands[self.to_act] - {card}
        return settle(kept, self.hands[1 - self.to_act], knock_limit=KNOCK_LIMIT, melds=melds)

    def _knock(self, card: str, melds: Melds | None) -> None:
        try:
            settlement = self._settlement(card, melds)
        except IllegalKnockError as refusal:
            raise IllegalActionError(str(refusal)) from refusal
        self.hands[self.to_act].remove(card)
        self.pile.append(card)
        self.taken = None
        self.phase = "over"
        winner = self.to_act if settlement.winner == "knocker" else 1 - self.to_act
        self.score = HandScore(settlement.result, winner, settlement.points, settlement)


class Match:
    """Hands up to 100 points. The dealer alternates after every hand, also after one without score."""

    def __init__(self, *, first_dealer: int) -> None:
        self.dealer = first_dealer
        self.totals = [0, 0]
        self.hand: Hand | None = None
        self.scores: list[HandScore] = []

    @property
    def winner(self) -> int | None:
        reached = [player for player in (0, 1) if self.totals[player] >= TARGET]
        return reached[0] if reached else None

    def deal(self, hands: Sequence[Iterable[str]], upcard: str, stock: Sequence[str]) -> Hand:
        """Begin the next hand. Raises IllegalActionError during a hand and after the match."""
        if self.winner is not None:
            raise IllegalActionError("the match is over")
        if self.hand is not None:
            raise IllegalActionError("the hand is not over")
        self.hand = Hand(hands, upcard, stock, dealer=self.dealer)
        return self.hand

    def play(self, action: str) -> None:
        """Play one action of the hand under way, and count it when it ends the hand."""
        if self.hand is None:
            raise IllegalActionError("no hand is under way")
        self.hand.play(action)
        score = self.hand.score
        if score is not None:
            if score.winner is not None:
                self.totals[score.winner] += score.points
            self.scores.append(score)
            self.dealer = 1 - self.dealer
            self.hand = None


def _split(action: str) -> tuple[str, Melds | None]:
    """The action without its named melds, and the melds. Raises IllegalActionError if it cannot be read."""
    words = action.split(" ")
    if len(words) < 3:
        return action, None
    if len(words) > 3 or words[0] != "knock":
        raise IllegalActionError(f"{action!r} cannot be read")
    try:
        melds = tuple(frozenset(cards_of(meld)) for meld in words[2].split("/"))
    except ValueError as error:
        raise IllegalActionError(str(error)) from error
    return f"{words[0]} {words[1]}", melds


def _split_or_none(action: str) -> tuple[str, Melds | None]:
    try:
        return _split(action)
    except IllegalActionError:
        return "", None


def referee(
    hands: Sequence[Iterable[str]], upcard: str, stock: Sequence[str], actions: Iterable[str], *, dealer: int
) -> HandScore | None:
    """The score of a hand played by these actions, None if they do not end it.

    Raises IllegalActionError at the first wrong one.
    """
    hand = Hand(hands, upcard, stock, dealer=dealer)
    for action in actions:
        hand.play(action)
    return hand.score

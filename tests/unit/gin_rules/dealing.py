"""Arranged deals, so that a test can say which cards lie where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gin_rules.game import Action, Card
from gin_rules.rummy.cards import full_deck, parse_cards
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.rummy.state import State

DEALER, NONDEALER = 0, 1
"""Seats of the first hand of `arranged_match`."""

# Nothing is melded, nothing fits together: neither side can knock for a while.
PLAIN_NONDEALER = "Ac 3c 5c 7c 2d 4d 6d 8d Th Qs"
PLAIN_DEALER = "Kc Jc 9c Qd Td Kh 8h 6h 4s 2s"


@dataclass(frozen=True)
class ArrangedDeals:
    """The same decks again and again, in turn; cuts in turn."""

    decks: tuple[tuple[Card, ...], ...]
    cuts: tuple[tuple[Card, ...], ...]

    def deck(self, hand_number: int) -> tuple[Card, ...]:
        return self.decks[(hand_number - 1) % len(self.decks)]

    def cut(self, attempt: int, seats: int) -> tuple[Card, ...]:
        return self.cuts[attempt - 1]

    def reshuffle(self, hand_number: int, time: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        return tuple(reversed(cards))


def arranged_deck(
    nondealer: str = PLAIN_NONDEALER, dealer: str = PLAIN_DEALER, upcard: str = "Js", stock: str = ""
) -> tuple[Card, ...]:
    """A deck that deals these hands and upcard; the stock begins as given, the rest follows in order."""
    first, second = parse_cards(nondealer), parse_cards(dealer)
    assert len(first) == len(second) == 10
    dealt = [card for pair in zip(first, second, strict=True) for card in pair]
    front = [*dealt, *parse_cards(upcard), *parse_cards(stock)]
    deck = tuple(front + [card for card in full_deck() if card not in front])
    assert len(deck) == 52, "a card is named twice"
    return deck


def arranged_match(
    nondealer: str = PLAIN_NONDEALER,
    dealer: str = PLAIN_DEALER,
    upcard: str = "Js",
    stock: str = "",
    **rules: Any,
) -> State:
    """A match whose every hand is dealt like this; seat 0 deals the first."""
    return match_of([arranged_deck(nondealer, dealer, upcard, stock)], **rules)


def match_of(decks: Sequence[tuple[Card, ...]], *, cuts: str = "Ac Kc", **rules: Any) -> State:
    """A match with these decks in turn. Cuts are pairs of cards, seat 0 first."""
    cards = parse_cards(cuts)
    pairs = tuple((cards[at], cards[at + 1]) for at in range(0, len(cards), 2))
    return GIN_RUMMY.new_match(GIN_RUMMY.rules_from_json(rules), 2, ArrangedDeals(tuple(decks), pairs))


def play(state: State, *actions: str) -> State:
    """The state after these actions."""
    for action in actions:
        state = GIN_RUMMY.apply(state, Action(action))
    return state


def draw_and_throw(state: State, turns: int) -> State:
    """So many turns in which each player draws from the stock and throws the drawn card."""
    for _ in range(turns):
        before = state.hands[state.turn]
        state = play(state, "draw")
        drawn = (state.hands[state.turn] ^ before).bit_length() - 1
        rank, suit = "A23456789TJQK"[drawn % 13], "cdhs"[drawn // 13]
        state = play(state, f"discard {rank}{suit}")
    return state

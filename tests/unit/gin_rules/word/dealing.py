"""Arranged deals of Word Gin, so that a test can say which cards lie where. Seat 0 deals the first hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from gin_rules.game import Action, Card, IllegalAction
from gin_rules.word.cards import deck_named
from gin_rules.word.game import WORD_GIN
from gin_rules.word.state import HandResult, State

DECK = deck_named("ginhall-124")

# CATr DOGg ATb ONy, 9 + 10 + 5 + 5 points: all ten letters are in words.
GINNER = "Cr Ar1 Tr1 Dg Og1 Gg Ab1 Tb1 Oy1 Ny1"
GIN = "gin Vb CATr DOGg ATb ONy"
# FITg WEb YEy, 10 + 7 + 7 points, with E S of red and X of blue unused, 2 + 3 + 8.
SECOND = "Er1 Sr Fg Ig1 Tg1 Wb Eb1 Xb Yy Ey1"
# HOPEr NUg LIb PIy, 12 + 6 + 5 + 6 points: all ten letters are in words.
THIRD = "Hr Or1 Pr Er3 Ng1 Ug Lb Ib1 Py Iy1"
# BEr MEg GOb ARMy, 7 + 6 + 6 + 9 points, with U of yellow unused, 3.
FOURTH = "Br Er2 Mg Eg1 Gb Ob1 My Ay1 Uy Ry1"


@dataclass(frozen=True)
class ArrangedDeals:
    """These decks in turn, then the last again and again; cuts in turn. A reshuffle turns the cards round."""

    decks: tuple[tuple[Card, ...], ...]
    cuts: tuple[tuple[Card, ...], ...]

    def deck(self, hand_number: int) -> tuple[Card, ...]:
        return self.decks[min(hand_number, len(self.decks)) - 1]

    def cut(self, attempt: int, seats: int) -> tuple[Card, ...]:
        return self.cuts[attempt - 1]

    def reshuffle(self, hand_number: int, time: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        return tuple(reversed(cards))


def cards(text: str) -> tuple[Card, ...]:
    """Cards written with blanks between."""
    return tuple(DECK.parse(part) for part in text.split())


def arranged_deck(*hands: str, dealer: int = 0, upcard: str = "Kg", stock: str = "Vb") -> tuple[Card, ...]:
    """A deck that deals these hands, by seat; the stock begins as given, the rest follows in the order of the deck."""
    held = [cards(hand) for hand in hands]
    assert all(len(hand) == 10 for hand in held)
    order = [(dealer + 1 + place) % len(held) for place in range(len(held))]
    front = [held[seat][place] for place in range(10) for seat in order] + [*cards(upcard), *cards(stock)]
    deck = tuple(front + [Card(card) for card in range(DECK.size) if card not in front])
    assert len(deck) == DECK.size, "a card is named twice"
    return deck


def match_of(*decks: tuple[Card, ...], seats: int = 2, cuts: str = "", **rules: Any) -> State:
    """A match with these decks; cuts are written `seats` cards an attempt, by seat."""
    cut_cards = cards(cuts or "Ar1 Br Cr Dr"[: 3 * seats + 1].strip())
    by_attempt = tuple(cut_cards[at : at + seats] for at in range(0, len(cut_cards), seats))
    return WORD_GIN.new_match(WORD_GIN.rules_from_json(rules), seats, ArrangedDeals(decks, by_attempt))


def arranged_match(*hands: str, upcard: str = "Kg", stock: str = "Vb", **rules: Any) -> State:
    """A match whose first hand is dealt like this."""
    return match_of(arranged_deck(*hands, upcard=upcard, stock=stock), seats=len(hands), **rules)


def play(state: State, *actions: str) -> State:
    """The state after these actions."""
    for action in actions:
        state = WORD_GIN.apply(state, Action(action))
    return state


def gin_of_two(**rules: Any) -> State:
    """Two players; seat 1 has put V of blue face down and laid CAT, DOG, AT and ON; seat 0 may challenge."""
    return play(arranged_match(SECOND, GINNER, **rules), "draw", GIN)


def gin_of_four(**rules: Any) -> State:
    """The same with seats 2, 3 and 0 holding `SECOND`, `THIRD` and `FOURTH`."""
    return play(arranged_match(FOURTH, GINNER, SECOND, THIRD, **rules), "draw", GIN)


def refuse(state: State, action: str, reason: str) -> None:
    """The action is refused for this reason, and the state is as it was."""
    before = tuple(state)
    with pytest.raises(IllegalAction, match=reason):
        WORD_GIN.apply(state, Action(action))
    assert tuple(state) == before


def last_result(state: State) -> HandResult:
    return WORD_GIN.hand_results(state)[-1]


def lines(result: HandResult, seat: int) -> dict[str, int]:
    """The score lines of a seat by reason."""
    return {line.reason: line.points for line in result.lines if line.seat == seat}

"""What a hand of Gin Rummy will be worth one card from the stock later."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from gin_bots.reading import PAIRS
from gin_rules.game import Card
from gin_rules.rummy.cards import SUIT_MASK, cards_of
from gin_rules.rummy.deadwood import can_meld, least_after_discard_of_suits

MOST_DEADWOOD: Final = 340
"""Of all cards together, none melded: more than any hand has."""
_SUIT_BITS: Final = tuple((card // 13, 1 << card % 13) for card in range(52))


class Stock(NamedTuple):
    """The cards that may come from the stock."""

    draws: tuple[tuple[int, int, float], ...]
    """Suit, bit of the suit's mask, and the chance that it is the next card; the chances add up to 1."""
    chances: Mapping[Card, float]
    """By card, the chance that it lies in the stock at all."""


def stock_of(chances: Mapping[Card, float]) -> Stock:
    """The stock, given by unseen card the chance that it lies there."""
    total = sum(chances.values()) or 1.0
    draws = tuple((*_SUIT_BITS[card], chance / total) for card, chance in chances.items() if chance > 0)
    return Stock(draws, chances)


class Outlook(NamedTuple):
    """A hand after the next card from the stock and the discard that leaves the least deadwood, on average."""

    deadwood: float
    worth: float
    """By the table of worths that was given."""
    gin: float
    """The chance of no deadwood."""


def outlook(hand: int, stock: Stock, worths: Sequence[float]) -> Outlook:
    """The outlook of a hand (a mask); `worths` tells what each deadwood is worth, and is longer than any."""
    c, d, h, s = hand & SUIT_MASK, hand >> 13 & SUIT_MASK, hand >> 26 & SUIT_MASK, hand >> 39
    least = least_after_discard_of_suits
    total = worth = gin = 0.0
    for suit, bit, chance in stock.draws:
        if suit == 0:
            left = int(least(c | bit, d, h, s))
        elif suit == 1:
            left = int(least(c, d | bit, h, s))
        elif suit == 2:
            left = int(least(c, d, h | bit, s))
        else:
            left = int(least(c, d, h, s | bit))
        worth += chance * worths[left]
        if left:
            total += chance * left
        else:
            gin += chance
    return Outlook(total, worth, gin)


def connections(hand: int, cards: Iterable[Card], chances: Mapping[Card, float]) -> float:
    """How many cards that may come would be a meld with two of the hand, each counted for every such two.

    Only pairs with one of `cards` count, and those of two of them twice.
    """
    found = 0.0
    for card in cards:
        for one, other in PAIRS[card]:
            if hand >> one & 1:
                if not hand >> other & 1:
                    found += chances.get(other, 0.0)
            elif hand >> other & 1:
                found += chances.get(one, 0.0)
    return found


def loose_cards(hand: int) -> list[Card]:
    """The cards that are in no meld of the hand, whichever melds are laid out."""
    return [card for card in cards_of(hand) if not can_meld(card, hand)]

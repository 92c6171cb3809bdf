"""What a hand of Gin Rummy will be worth one card from the stock later."""

from __future__ import annotations

from typing import Final, NamedTuple

from gin_bots.reading import PAIRS
from gin_rules.rummy.cards import SUIT_MASK, cards_of
from gin_rules.rummy.deadwood import least_after_discard_of_suits

_SUIT_BITS: Final = tuple((card // 13, 1 << card % 13) for card in range(52))


class Stock(NamedTuple):
    """The cards that may come from the stock."""

    draws: tuple[tuple[int, int, float], ...]
    """Suit, bit of the suit's mask, and the chance that it is the next card; the chances add up to 1."""
    chances: dict[int, float]
    """By card, the chance that it lies in the stock at all."""


def stock_of(chances: dict[int, float]) -> Stock:
    """The stock, given by unseen card the chance that it lies there."""
    total = sum(chances.values()) or 1.0
    draws = tuple((*_SUIT_BITS[card], chance / total) for card, chance in chances.items() if chance > 0)
    return Stock(draws, chances)


def deadwood_after_draw(hand: int, stock: Stock) -> tuple[float, float]:
    """The deadwood of a hand (a mask) after the next card from the stock and the best discard, on average; and the
    chance that it is none.
    """
    c, d, h, s = hand & SUIT_MASK, hand >> 13 & SUIT_MASK, hand >> 26 & SUIT_MASK, hand >> 39
    least = least_after_discard_of_suits
    total = gin = 0.0
    for suit, bit, chance in stock.draws:
        if suit == 0:
            left = least(c | bit, d, h, s)
        elif suit == 1:
            left = least(c, d | bit, h, s)
        elif suit == 2:
            left = least(c, d, h | bit, s)
        else:
            left = least(c, d, h, s | bit)
        if left:
            total += chance * left
        else:
            gin += chance
    return total, gin


def connections(hand: int, chances: dict[int, float]) -> float:
    """How many cards that may come would be a meld with two of the hand, each counted for every such two."""
    found = 0.0
    for card in cards_of(hand):
        for one, other in PAIRS[card]:
            if hand >> one & 1:
                if not hand >> other & 1:
                    found += chances.get(other, 0.0)
            elif hand >> other & 1:
                found += chances.get(one, 0.0)
    return found / 2

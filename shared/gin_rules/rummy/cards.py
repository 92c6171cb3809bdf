"""The 52 cards, and sets of them as bit masks.

A card is an index, suit x 13 + rank, suits in the order clubs, diamonds, hearts, spades and the ace lowest
(source 004, Card Rank). A set of cards is a 52-bit mask with bit `card` set: hands are unions and differences
of integers, and each suit is thirteen neighbouring bits.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

from gin_rules.game import Card

RANKS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"
DECK_SIZE: Final = 52
SUIT_MASK: Final = (1 << 13) - 1

CARD_TEXTS: Final[tuple[str, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARD_VALUES: Final[tuple[int, ...]] = tuple(min(card % 13 + 1, 10) for card in range(DECK_SIZE))
"""Deadwood value by card: ace 1, faces 10 (source 004, Deadwood Values)."""

BITS: Final[tuple[int, ...]] = tuple(1 << card for card in range(DECK_SIZE))
"""The mask of each card alone."""

_DECK: Final = cast(tuple[Card, ...], tuple(range(DECK_SIZE)))
_CARDS_BY_TEXT: Final[dict[str, Card]] = {text: Card(index) for index, text in enumerate(CARD_TEXTS)}
_RANK_BITS: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39


class InvalidCards(ValueError):
    """A text that does not name cards."""


def full_deck() -> tuple[Card, ...]:
    """All cards in order: ace to king of clubs, diamonds, hearts, spades."""
    return _DECK


def card_text(card: Card) -> str:
    """A card as rank and suit, such as ``7c`` or ``Th``."""
    return CARD_TEXTS[card]


def cards_text(cards: Iterable[Card], separator: str = " ") -> str:
    """Cards in the given order."""
    return separator.join(CARD_TEXTS[card] for card in cards)


def parse_card(text: str) -> Card:
    """The card of a text such as ``7c``. Raises `InvalidCards`."""
    card = _CARDS_BY_TEXT.get(text)
    if card is None:
        raise InvalidCards(f"{text!r} is not a card: write rank {RANKS} and suit {SUITS}, as in 7c")
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards of a text such as ``4c 5c 6c`` or ``4c5c6c``, in order. Raises `InvalidCards`; no repeats."""
    letters = "".join(text.split())
    cards = tuple(parse_card(letters[at : at + 2]) for at in range(0, len(letters), 2))
    if len(set(cards)) != len(cards):
        raise InvalidCards(f"{text!r} names a card twice")
    return cards


def mask_of(cards: Iterable[Card]) -> int:
    """The set of these cards as a mask."""
    mask = 0
    for card in cards:
        mask |= BITS[card]
    return mask


def cards_of(mask: int) -> tuple[Card, ...]:
    """The cards of a mask, by suit and then by rank."""
    cards = []
    while mask:
        low = mask & -mask
        cards.append(_DECK[low.bit_length() - 1])
        mask ^= low
    return tuple(cards)


def mask_text(mask: int, separator: str = "") -> str:
    """The cards of a mask, such as ``4c5c6c``."""
    return separator.join(CARD_TEXTS[card] for card in cards_of(mask))


def value_of(mask: int) -> int:
    """The sum of the deadwood values of the cards of a mask."""
    return sum(CARD_VALUES[card] for card in cards_of(mask))


def same_rank(card: Card) -> int:
    """The mask of the four cards of this card's rank."""
    return _RANK_BITS << card % 13

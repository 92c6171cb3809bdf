"""Decks of letter cards in four suits (source 000, rule 3), each deck a data file.

A card is an index into its deck. Its text is letter and suit, ``Qg``, with a copy number where the suit holds
the letter more than once, ``Er2``. Copies differ in nothing but their number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from string import ascii_lowercase
from typing import Final

from gin_rules.game import Card, GameError

SUITS: Final = "rgby"
SUIT_NAMES: Final[Mapping[str, str]] = {
    "r": "red circle",
    "g": "green square",
    "b": "blue hexagon",
    "y": "yellow octagon",
}
"""Colour and shape: a suit is never told by its colour alone."""

DEFAULT_DECK: Final = "ginhall-124"
MOST_CARDS: Final = 256
"""As many as a shuffle takes."""


class InvalidDeck(GameError):
    """A deck file that does not describe a deck."""


class UnknownDeck(GameError):
    """No deck has this name."""


class InvalidCards(ValueError):
    """A text that does not name cards of the deck."""


@dataclass(frozen=True, slots=True)
class Deck:
    """All cards of a deck in order: suit by suit, letters in order. Decks with the same name hold the same cards."""

    name: str
    letters: tuple[str, ...]
    """By card, lower case."""
    suits: tuple[str, ...]
    """By card: one of `SUITS`."""
    texts: tuple[str, ...]
    """By card, such as ``Qg`` or ``Er2``."""
    _by_text: Mapping[str, Card] = field(repr=False, compare=False)

    @property
    def size(self) -> int:
        return len(self.letters)

    def parse(self, text: str) -> Card:
        """The card of a text. Raises `InvalidCards`."""
        card = self._by_text.get(text)
        if card is None:
            raise InvalidCards(
                f"{text!r} is not a card of {self.name}: write letter and suit {SUITS}, as in {self.texts[0]}"
            )
        return card

    def parse_hand(self, text: str, *, most: int) -> tuple[Card, ...]:
        """One to `most` cards written with blanks between. Raises `InvalidCards`, also for a card named twice."""
        cards = tuple(self.parse(part) for part in text.split())
        if len(set(cards)) != len(cards):
            raise InvalidCards(f"{text!r} names a card twice")
        if not 0 < len(cards) <= most:
            raise InvalidCards(f"one to {most} cards are expected, {text!r} names {len(cards)}")
        return cards

    def texts_of(self, cards: Iterable[Card]) -> list[str]:
        """The texts of these cards, in the given order."""
        return [self.texts[card] for card in cards]


def read_deck(text: str) -> Deck:
    """Read a deck file: JSON with ``name``, ``each_suit`` (letter to count) and ``extra`` (suit, letter, count).

    Raises `InvalidDeck` saying what is wrong.
    """
    try:
        data = json.loads(text)
    except ValueError as wrong:
        raise InvalidDeck(f"not JSON: {wrong}") from wrong
    if not isinstance(data, dict) or not isinstance(data.get("name"), str) or not data["name"]:
        raise InvalidDeck("a deck is a JSON object with a name")
    unknown = set(data) - {"name", "origin", "each_suit", "extra"}
    if unknown:
        raise InvalidDeck(f"{', '.join(sorted(unknown))}: not part of a deck")
    each = _counts(data.get("each_suit", {}), "each_suit")
    extra = data.get("extra", {})
    if not isinstance(extra, dict) or not set(extra) <= set(SUITS):
        raise InvalidDeck(f"extra: must name suits, {', '.join(SUITS)}")
    counts = {}
    for suit in SUITS:
        more = _counts(extra.get(suit, {}), f"extra {suit}")
        counts[suit] = {letter: each.get(letter, 0) + more.get(letter, 0) for letter in ascii_lowercase}
    return _deck(data["name"], counts)


def deck_named(name: str) -> Deck:
    """A registered deck or one that comes with the package. Raises `UnknownDeck`."""
    found = _registered.get(name)
    return _built_in_deck(name) if found is None else found


def register_deck(deck: Deck) -> None:
    """Make a deck known to this process by its name.

    Raises `InvalidDeck` if other cards have that name already: a changed deck is a new deck.
    """
    try:
        known = deck_named(deck.name)
    except UnknownDeck:
        _registered[deck.name] = deck
        return
    if known != deck:
        raise InvalidDeck(f"other cards are called {deck.name!r} already")


_registered: dict[str, Deck] = {}
# A name always means the same cards, so that looking it up is as good as having been given the deck.


@cache
def _built_in_deck(name: str) -> Deck:
    folder = resources.files("gin_rules.word") / "data" / "decks"
    for file in folder.iterdir():
        if file.name == f"{name}.json":
            return read_deck(file.read_text(encoding="utf-8"))
    raise UnknownDeck(f"no deck is called {name!r}")


def _counts(value: object, where: str) -> dict[str, int]:
    if not isinstance(value, dict):
        raise InvalidDeck(f"{where}: must give a count by letter")
    for letter, count in value.items():
        if len(letter) != 1 or letter not in ascii_lowercase:
            raise InvalidDeck(f"{where}: {letter!r} is not a letter a to z")
        if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= MOST_CARDS:
            raise InvalidDeck(f"{where}: the count of {letter!r} is not a whole number from 0 to {MOST_CARDS}")
    return value


def _deck(name: str, counts: Mapping[str, Mapping[str, int]]) -> Deck:
    letters, suits, texts = [], [], []
    for suit in SUITS:
        for letter in ascii_lowercase:
            count = counts[suit][letter]
            for copy in range(1, count + 1):
                letters.append(letter)
                suits.append(suit)
                texts.append(f"{letter.upper()}{suit}{copy if count > 1 else ''}")
    if not 0 < len(letters) <= MOST_CARDS:
        raise InvalidDeck(f"a deck has 1 to {MOST_CARDS} cards, this one has {len(letters)}")
    by_text = {text: Card(index) for index, text in enumerate(texts)}
    return Deck(name, tuple(letters), tuple(suits), tuple(texts), by_text)

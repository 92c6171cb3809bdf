"""Declared words: written as capitals and a suit, ``QUIETg ATr``, and checked against the cards held.

A declared word need not be a real word: that is what a challenge is for (source 000, rules 4 and 9).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from gin_rules.game import Card, GameError
from gin_rules.word.cards import SUIT_NAMES, SUITS, Deck
from gin_rules.word.rules import RuleSet, points_of

Verdict = Literal["unchallenged", "stands", "refuted"]
Cards = tuple[Card, ...]

_WORD = re.compile(rf"([A-Z]+)([{SUITS}])")


class RefusedDeclaration(GameError):
    """Words that cannot be laid with the cards held."""


class DeclaredWord(NamedTuple):
    """A word on the table."""

    word: str
    """Lower case."""
    suit: str
    cards: Cards
    points: int
    verdict: Verdict

    @property
    def text(self) -> str:
        """As actions write it: ``QUIETg``."""
        return f"{self.word.upper()}{self.suit}"


class Shown(NamedTuple):
    """A hand on the table: its words and the letters in no word."""

    words: tuple[DeclaredWord, ...]
    unused: Cards


def lay_words(deck: Deck, rules: RuleSet, hand: Iterable[Card], texts: Sequence[str]) -> Shown:
    """Lay these words from the hand. Copies of a letter are alike: each word takes the lowest that are left.

    Raises `RefusedDeclaration` for a text that is not a word of one suit, a word shorter than ``min_word``, and a
    letter that is not held or is used up by the words before it.
    """
    left = sorted(hand)
    words = []
    for text in texts:
        match = _WORD.fullmatch(text)
        if match is None:
            raise RefusedDeclaration(f"{text!r} is not a word: write capitals and one suit of {SUITS}, as in CATr")
        word, suit = match[1].lower(), match[2]
        if len(word) < rules.min_word:
            raise RefusedDeclaration(f"{text}: a word has at least {rules.min_word} letters")
        cards = tuple(_take(deck, left, letter, suit, text) for letter in word)
        words.append(DeclaredWord(word, suit, cards, points_of(rules, word), "unchallenged"))
    return Shown(tuple(words), tuple(left))


def whole_suits(deck: Deck, rules: RuleSet, hand: Iterable[Card]) -> tuple[str, ...]:
    """For each suit with enough letters for a word, all its letters in order as one word: the plainest bluff."""
    letters: dict[str, str] = {}
    for card in sorted(hand):
        letters[deck.suits[card]] = letters.get(deck.suits[card], "") + deck.letters[card]
    return tuple(f"{word.upper()}{suit}" for suit, word in letters.items() if len(word) >= rules.min_word)


def _take(deck: Deck, left: list[Card], letter: str, suit: str, text: str) -> Card:
    for card in left:
        if deck.letters[card] == letter and deck.suits[card] == suit:
            left.remove(card)
            return card
    elsewhere = [deck.suits[card] for card in left if deck.letters[card] == letter]
    where = f"; a word has one suit, and this letter is held in {SUIT_NAMES[elsewhere[0]]}" if elsewhere else ""
    raise RefusedDeclaration(f"{text}: no {letter.upper()} of {SUIT_NAMES[suit]} is left for it{where}")

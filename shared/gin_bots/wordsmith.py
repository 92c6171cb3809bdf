"""The bots `wordsmith` and `wordsmith-10`, `-25` and `-50`: Word Gin from the dictionary, without bluffs.

Honest description: keeps the ten cards that are most likely to be all in words after the next draw, takes the up
card only if that beats a card from the deck on average, Gins as soon as it can, and shows its best words when another
player Gins. `wordsmith` knows every word of the match's dictionary, so it never bluffs and never falls for a bluff.
The others know the two-letter card and, by lot, so many in a hundred of the longer words; they challenge a word that
they do not know only if the word has letters in a row that none of their own words has. None looks at what the others
take, nor holds back a card that helps them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from string import ascii_lowercase
from typing import NamedTuple
from zlib import crc32

from gin_rules.game import Action, Card
from gin_rules.word.cards import Deck, deck_named
from gin_rules.word.declaration import DeclaredWord
from gin_rules.word.dictionary import Dictionary, dictionary_with_hash
from gin_rules.word.play import DRAW_STOCK, PASS, REVEAL_NOTHING, TAKE
from gin_rules.word.rules import RuleSet
from gin_rules.word.scoring import standing
from gin_rules.word.view import View
from gin_rules.word.word_finder import Layout, WordFinder, best_layout, finder_of, gin_layout, letters_by_suit

Hand = Mapping[str, str]
"""Letters by suit, sorted."""

# How far a hand is from a Gin, by letters in no word after the next turn: the first letter left over costs most.
_FIRST_LEFT, _EACH_LEFT = 1.0, 1.0
_NOW_WEIGHT = 0.15


class Vocabulary(NamedTuple):
    """What a bot knows of a dictionary."""

    finder: WordFinder
    words: frozenset[str]
    runs: frozenset[str] | None
    """Every three letters in a row of its words, ends included; None for who knows all words."""


class Wordsmith:
    """Plays Word Gin with `percent` of the dictionary's words."""

    games = ("word",)

    def __init__(self, name: str, title: str, percent: int) -> None:
        self.name = name
        self.title = title
        self.percent = percent
        self.summary = "knows every word" if percent == 100 else f"knows {percent} % of the dictionary"
        known = "every word" if percent == 100 else f"the two-letter words and {percent} % of the rest"
        self.description = (
            f"Knows {known} of the dictionary, keeps what soonest makes a Gin, Gins at once, never bluffs, "
            f"and challenges what it {'finds in no dictionary' if percent == 100 else 'cannot imagine to be a word'}."
        )

    def choose_action(self, view: View, rng: Random) -> Action:
        """A legal action for the view's seat, which must be to act. Chance plays no part."""
        known = vocabulary(dictionary_with_hash(view.rules.dictionary_sha256), view.rules, self.percent)
        deck = deck_named(view.rules.deck)
        if view.phase == "draw":
            return _take_or_draw(known, deck, view)
        if view.phase == "discard":
            return _gin_or_discard(known, deck, view)
        if view.phase == "challenge":
            return _challenge_or_pass(known, view)
        return _reveal(known, deck, view)


def vocabulary(dictionary: Dictionary, rules: RuleSet, percent: int) -> Vocabulary:
    """What a bot with so much knowledge knows: the same words in every match."""
    if percent >= 100:
        return Vocabulary(finder_of(dictionary, rules), dictionary.words, None)
    return _part_of(dictionary, rules.letter_points, rules.min_word, percent)


@lru_cache(maxsize=8)
def _part_of(dictionary: Dictionary, letter_points: tuple[int, ...], min_word: int, percent: int) -> Vocabulary:
    words = frozenset(word for word in dictionary.words if len(word) == 2 or crc32(word.encode()) % 100 < percent)
    runs = frozenset(run for word in words for run in _runs(word))
    return Vocabulary(WordFinder(words, letter_points, min_word), words, runs)


def _take_or_draw(known: Vocabulary, deck: Deck, view: View) -> Action:
    assert view.upcard is not None
    hand = letters_by_suit(deck, view.hand)
    unseen = _unseen(deck, view)
    outlook = _outlook(known, hand, unseen)
    suit, letter = deck.suits[view.upcard], deck.letters[view.upcard]
    with_upcard = {**hand, suit: _insert(hand[suit], letter)}
    banned = (suit, letter) if view.rules.return_ban else None
    left = min(_left_over(known, _without(with_upcard, *out)) for out in _kinds(with_upcard) if out != banned)
    return TAKE if _cost(left) < outlook else DRAW_STOCK


def _gin_or_discard(known: Vocabulary, deck: Deck, view: View) -> Action:
    assert view.seat is not None
    hand = letters_by_suit(deck, view.hand)
    cards = {(deck.suits[card], deck.letters[card]): card for card in _free(view)}
    least = {out: _left_over(known, _without(hand, *out)) for out in cards}
    if not view.barred[view.seat]:
        gins = [
            (gin, cards[out]) for out in cards if (gin := gin_layout(known.finder, view.rules, _without(hand, *out)))
        ]
        if gins:
            gin, face_down = max(gins, key=lambda each: _gin_worth(view.rules, each[0]))
            return Action(f"gin {deck.texts[face_down]} {' '.join(gin.texts)}")
    unseen = _unseen(deck, view)
    near = min(least.values()) + 1  # a hand two letters behind the best one does not catch up with one draw
    return Action(f"discard {deck.texts[cards[_worst_card(known, view.rules, hand, unseen, least, near)]]}")


def _worst_card(
    known: Vocabulary,
    rules: RuleSet,
    hand: Hand,
    unseen: Mapping[str, Sequence[int]],
    least: Mapping[tuple[str, str], int],
    near: int,
) -> tuple[str, str]:
    def cost(out: tuple[str, str]) -> tuple[float, int]:
        kept = _without(hand, *out)
        points = rules.letter_points[ord(out[1]) - 97]
        # Among equals the dearer letter goes: it would cost most in the hand.
        return _outlook(known, kept, unseen) + _NOW_WEIGHT * _cost(least[out]), -points

    return min((out for out in least if least[out] <= near), key=cost)


def _challenge_or_pass(known: Vocabulary, view: View) -> Action:
    assert view.challenged is not None
    hand = view.shown[view.challenged]
    assert hand is not None
    for word in hand.words:
        if word.verdict == "unchallenged" and _doubts(known, word):
            return Action(f"challenge {word.text}")
    return PASS


def _doubts(known: Vocabulary, word: DeclaredWord) -> bool:
    if word.word in known.words:
        return False
    # All two-letter words stand on a card that everybody has.
    return known.runs is None or len(word.word) == 2 or any(run not in known.runs for run in _runs(word.word))


def _reveal(known: Vocabulary, deck: Deck, view: View) -> Action:
    # A long word may win the bonus, or take it from the player who has the longest so far.
    lengths = [max((len(word.word) for word in standing(hand)), default=0) for hand in view.shown if hand is not None]
    lengths += [0] * (len(view.shown) - 1 - len(lengths))
    second, first = sorted([0, *lengths])[-2:]
    bonus = view.rules.longest_word_bonus
    worth = [bonus * (max(0, length - first) + min(first, max(second, length)) - second) for length in range(11)]
    layout = best_layout(known.finder, view.rules, letters_by_suit(deck, view.hand), bonus_by_length=worth)
    return Action(f"reveal {' '.join(layout.texts)}") if layout.texts else REVEAL_NOTHING


def _gin_worth(rules: RuleSet, gin: Layout) -> tuple[int, int]:
    return gin.points + rules.longest_word_bonus * gin.longest, gin.points


def _free(view: View) -> list[Card]:
    return [card for card in view.hand if not (view.rules.return_ban and card == view.taken)]


def _outlook(known: Vocabulary, hand: Hand, unseen: Mapping[str, Sequence[int]]) -> float:
    # What a hand of ten will cost after one card from the deck and the best discard, on average.
    finder = known.finder
    unused = {suit: finder.least_unused(letters) for suit, letters in hand.items()}
    now = sum(unused.values())
    total = weight = 0.0
    for suit, letters in hand.items():
        rest = now - unused[suit] - 1
        after = _unused_with_each(finder, letters)
        for letter, count in enumerate(unseen[suit]):
            if count:
                total += count * _cost(rest + after[letter])
                weight += count
    return total / weight if weight else _cost(now)


def _left_over(known: Vocabulary, hand: Hand) -> int:
    return sum(known.finder.least_unused(letters) for letters in hand.values())


def _cost(left: int) -> float:
    return _FIRST_LEFT + _EACH_LEFT * left if left > 0 else 0.0


@lru_cache(maxsize=50_000)
def _unused_with_each(finder: WordFinder, letters: str) -> tuple[int, ...]:
    return tuple(finder.least_unused(_insert(letters, letter)) for letter in ascii_lowercase)


def _unseen(deck: Deck, view: View) -> dict[str, list[int]]:
    # By suit and letter: cards that are neither held nor were discarded in this hand.
    counts = _deck_counts(deck)
    unseen = {suit: list(letters) for suit, letters in counts.items()}
    seen = {*view.hand} | ({view.upcard} if view.upcard is not None else set())
    seen |= {deck.parse(entry.text[8:]) for entry in view.history if entry.text.startswith("discard ")}
    for card in seen:
        unseen[deck.suits[card]][ord(deck.letters[card]) - 97] -= 1
    return unseen


@lru_cache(maxsize=16)
def _deck_counts(deck: Deck) -> dict[str, tuple[int, ...]]:
    every = letters_by_suit(deck, (Card(card) for card in range(deck.size)))
    return {suit: tuple(letters.count(letter) for letter in ascii_lowercase) for suit, letters in every.items()}


def _kinds(hand: Hand) -> set[tuple[str, str]]:
    return {(suit, letter) for suit, letters in hand.items() for letter in letters}


def _insert(letters: str, letter: str) -> str:
    return "".join(sorted(letters + letter))


def _without(hand: Hand, suit: str, letter: str) -> dict[str, str]:
    return {**hand, suit: hand[suit].replace(letter, "", 1)}


def _runs(word: str) -> list[str]:
    framed = f"^{word}$"
    return [framed[at : at + 3] for at in range(len(framed) - 2)]

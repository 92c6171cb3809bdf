"""The best words that cards can lay, exactly.

Words have one suit, so each suit is a problem of its own: letters to be split into words. A `WordFinder` answers it
for the letters of one suit, and `best_layout` and `gin_layout` put the suits together. Answers are kept, since
letters recur from hand to hand.

Letters of a suit are written sorted, ``eeit``; the *key* of a word is its letters sorted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from string import ascii_lowercase
from typing import NamedTuple, TypeVar

from gin_rules.game import Card
from gin_rules.word.cards import SUITS, Deck
from gin_rules.word.dictionary import Dictionary
from gin_rules.word.rules import HAND_SIZE, RuleSet, points_of

_MOST_KEPT = 100_000

AnswerT = TypeVar("AnswerT")


class Split(NamedTuple):
    """Letters of one suit in words, the others unused."""

    words: tuple[str, ...]
    """Lower case, longest first."""
    points: int
    """Of the words."""


class Layout(NamedTuple):
    """Words of one suit each that some cards can lay."""

    texts: tuple[str, ...]
    """As actions write them, ``QUIETg``, longest first."""
    points: int
    """Of the words."""
    unused: tuple[str, ...]
    """Letters in no word, as ``Eg``: which copy is left does not matter."""
    unused_points: int
    longest: int
    """Letters of the longest word; 0 without words."""


class WordFinder:
    """Splits the letters of one suit into words of a vocabulary. Its answers depend on the arguments alone."""

    def __init__(self, words: Iterable[str], letter_points: Sequence[int], min_word: int) -> None:
        """Words that nobody could declare, shorter than `min_word` or longer than a hand, are left out."""
        self._points = dict(zip(ascii_lowercase, letter_points, strict=True))
        self._word_of: dict[str, str] = {}
        for word in sorted(words):
            if min_word <= len(word) <= HAND_SIZE:
                self._word_of.setdefault("".join(sorted(word)), word)
        self._unused: dict[str, int] = {}
        self._splits: dict[str, tuple[Split, ...]] = {}
        self._covers: dict[str, Split | None] = {}

    def least_unused(self, letters: str) -> int:
        """The fewest letters that any split leaves over."""
        if not letters:
            return 0
        found = self._unused.get(letters)
        if found is None:
            found = self.least_unused(letters[1:]) + 1
            for _, left in self._words_with_first(letters):
                found = min(found, self.least_unused(left))
                if not found:
                    break
            _keep(self._unused, letters, found)
        return found

    def splits(self, letters: str) -> tuple[Split, ...]:
        """The best splits by length of their longest word: the first has most points of all, each further one most
        among those with a longer word than the splits before it.
        """
        found = self._splits.get(letters)
        if found is None:
            found = tuple(_thinned(self._best_by_length(letters)))
            _keep(self._splits, letters, found)
        return found

    def cover(self, letters: str) -> Split | None:
        """A split that leaves nothing over, with as long a longest word as can be; None if there is none."""
        if not letters:
            return Split((), 0)
        if letters in self._covers:
            return self._covers[letters]
        best: Split | None = None
        for key, left in self._words_with_first(letters):
            rest = self.cover(left)
            if rest is not None:
                split = self._with(key, rest)
                if best is None or len(split.words[0]) > len(best.words[0]):
                    best = split
        _keep(self._covers, letters, best)
        return best

    def _best_by_length(self, letters: str) -> dict[int, Split]:
        # The best split by length of its longest word.
        best: dict[int, Split] = {0: Split((), 0)}
        if not letters:
            return best
        candidates = list(self.splits(letters[1:]))
        for key, left in self._words_with_first(letters):
            candidates += [self._with(key, rest) for rest in self.splits(left)]
        for split in candidates:
            length = len(split.words[0]) if split.words else 0
            if length not in best or split.points > best[length].points:
                best[length] = split
        return best

    def _with(self, key: str, rest: Split) -> Split:
        words = tuple(sorted((self._word_of[key], *rest.words), key=lambda word: (-len(word), word)))
        return Split(words, rest.points + sum(self._points[letter] for letter in key))

    def _words_with_first(self, letters: str) -> Iterator[tuple[str, str]]:
        # Keys of words that take the first letter, with the letters that they leave.
        for taken, left in _halves(letters[1:]):
            key = letters[0] + taken
            if key in self._word_of:
                yield key, left


def finder_of(dictionary: Dictionary, rules: RuleSet) -> WordFinder:
    """The finder of a whole dictionary, made once for all rule sets that it answers alike for: it takes about a
    tenth of a second.
    """
    return _finder_of(dictionary, rules.letter_points, rules.min_word)


def letters_by_suit(deck: Deck, cards: Iterable[Card]) -> dict[str, str]:
    """The letters of each suit, sorted; suits without cards have none."""
    letters = dict.fromkeys(SUITS, "")
    for card in sorted(cards):  # the order of the deck sorts each suit's letters
        letters[deck.suits[card]] += deck.letters[card]
    return letters


def best_layout(
    finder: WordFinder, rules: RuleSet, hand: Mapping[str, str], *, bonus_by_length: Sequence[int] = (0,)
) -> Layout:
    """The words of a hand that score most: their points less those of unused letters, and among equals those with
    the longest word.

    `hand` is letters by suit. ``bonus_by_length[n]`` is what a longest word of `n` letters is worth besides, its last
    entry for all longer ones; it must not fall.
    """
    plain = {suit: finder.splits(letters)[0] for suit, letters in hand.items()}
    best, best_value = plain, _value(plain, bonus_by_length)
    for suit, letters in hand.items():
        for split in finder.splits(letters)[1:]:
            other = {**plain, suit: split}
            value = _value(other, bonus_by_length)
            if value > best_value:
                best, best_value = other, value
    return _layout(rules, hand, best)


def gin_layout(finder: WordFinder, rules: RuleSet, hand: Mapping[str, str]) -> Layout | None:
    """All letters of a hand in words, with as long a longest word as can be; None if the hand is no Gin."""
    covers = {}
    for suit, letters in hand.items():
        cover = finder.cover(letters)
        if cover is None:
            return None
        covers[suit] = cover
    return _layout(rules, hand, covers)


def _value(splits: Mapping[str, Split], bonus_by_length: Sequence[int]) -> tuple[int, int]:
    # A used letter scores its points and saves the deduction of as many.
    longest = max((len(split.words[0]) for split in splits.values() if split.words), default=0)
    bonus = bonus_by_length[min(longest, len(bonus_by_length) - 1)]
    return 2 * sum(split.points for split in splits.values()) + bonus, longest


def _layout(rules: RuleSet, hand: Mapping[str, str], splits: Mapping[str, Split]) -> Layout:
    texts = [f"{word.upper()}{suit}" for suit in hand for word in splits[suit].words]
    unused: list[str] = []
    for suit, letters in hand.items():
        left = list(letters)
        for letter in "".join(splits[suit].words):
            left.remove(letter)
        unused += [f"{letter.upper()}{suit}" for letter in left]
    texts.sort(key=lambda text: (-len(text), text))
    return Layout(
        texts=tuple(texts),
        points=sum(split.points for split in splits.values()),
        unused=tuple(unused),
        unused_points=points_of(rules, "".join(text[0] for text in unused).lower()),
        longest=len(texts[0]) - 1 if texts else 0,
    )


def _thinned(best: Mapping[int, Split]) -> Iterator[Split]:
    # Most points first; then only splits with a longer word than all before.
    longest = -1
    for split in sorted(best.values(), key=lambda split: (-split.points, -len(split.words[0] if split.words else ""))):
        length = len(split.words[0]) if split.words else 0
        if length > longest:
            longest = length
            yield split


@lru_cache(maxsize=8)
def _finder_of(dictionary: Dictionary, letter_points: tuple[int, ...], min_word: int) -> WordFinder:
    return WordFinder(dictionary.words, letter_points, min_word)


@lru_cache(maxsize=1000)
def _halves(letters: str) -> tuple[tuple[str, str], ...]:
    # Every way to part letters in two, each once however often a letter occurs.
    halves = {("", "")}
    for letter in letters:
        halves = {half for taken, left in halves for half in ((taken + letter, left), (taken, left + letter))}
    return tuple(sorted(halves))


def _keep(answers: dict[str, AnswerT], letters: str, answer: AnswerT) -> None:
    if len(answers) >= _MOST_KEPT:
        answers.clear()
    answers[letters] = answer

"""The best words in cards, against trying every way to split them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from gin_rules.word.dictionary import dictionary_named
from gin_rules.word.rules import RuleSet, points_of
from gin_rules.word.word_finder import WordFinder, best_layout, gin_layout

RULES = RuleSet()
SCOWL = dictionary_named("scowl-60")
# A small vocabulary makes letters over and ties of every kind frequent.
WORDS = frozenset(word for word in SCOWL.words if set(word) <= set("aeintdrs") and len(word) <= 5)
FINDER = WordFinder(WORDS, RULES.letter_points, RULES.min_word)
LETTERS = st.text("aeintdrs", max_size=5).map(lambda text: "".join(sorted(text)))
HANDS = st.tuples(LETTERS, LETTERS).map(lambda suits: {"r": suits[0], "g": suits[1], "b": "", "y": ""})


def every_split(letters: str) -> set[tuple[str, ...]]:
    """The words of every way to lay some of these letters in words, by trying every order and every cut of it."""
    found: set[tuple[str, ...]] = set()
    for order in set(permutations(letters)):
        found |= {tuple(sorted(words)) for words in cuts("".join(order))}
    return found


def cuts(text: str) -> Iterator[tuple[str, ...]]:
    yield ()
    for end in range(2, len(text) + 1):
        if text[:end] in WORDS:
            for rest in cuts(text[end:]):
                yield (text[:end], *rest)


def used(words: tuple[str, ...]) -> int:
    return sum(len(word) for word in words)


def points(words: tuple[str, ...]) -> int:
    return sum(points_of(RULES, word) for word in words)


def longest(words: tuple[str, ...]) -> int:
    return max(map(len, words), default=0)


@given(LETTERS)
@settings(max_examples=150, deadline=None)
def test_fewest_letters_are_left_over(letters: str) -> None:
    assert FINDER.least_unused(letters) == min(len(letters) - used(words) for words in every_split(letters))


@given(LETTERS)
@settings(max_examples=150, deadline=None)
def test_splits_are_the_best_for_each_length_of_the_longest_word(letters: str) -> None:
    ways = every_split(letters)
    splits = FINDER.splits(letters)
    for shortest in range(6):
        wanted = max((points(words) for words in ways if longest(words) >= shortest), default=None)
        best = max((split.points for split in splits if longest(split.words) >= shortest), default=None)
        assert best == wanted
    for split in splits:
        assert tuple(sorted(split.words, key=lambda word: (-len(word), word))) == split.words
        assert points(split.words) == split.points


@given(LETTERS)
@settings(max_examples=150, deadline=None)
def test_cover_uses_every_letter_with_the_longest_word_that_can_be(letters: str) -> None:
    whole = [words for words in every_split(letters) if used(words) == len(letters)]
    cover = FINDER.cover(letters)
    assert (cover is None) == (not whole)
    if cover is not None:
        assert "".join(sorted("".join(cover.words))) == letters
        assert longest(cover.words) == max(map(longest, whole))


@given(HANDS, st.lists(st.integers(0, 30), min_size=6, max_size=6).map(sorted))
@settings(max_examples=60, deadline=None)
def test_best_layout_scores_most_of_all_layouts(hand: dict[str, str], bonus: list[int]) -> None:
    ways = [(*red, *green) for red in every_split(hand["r"]) for green in every_split(hand["g"])]
    total = points_of(RULES, hand["r"] + hand["g"])
    layout = best_layout(FINDER, RULES, hand, bonus_by_length=bonus)
    assert layout.points + layout.unused_points == total
    value = layout.points - layout.unused_points + bonus[layout.longest]
    assert value == max(2 * points(words) - total + bonus[longest(words)] for words in ways)
    assert (gin_layout(FINDER, RULES, hand) is not None) == any(
        used(words) == len(hand["r"] + hand["g"]) for words in ways
    )

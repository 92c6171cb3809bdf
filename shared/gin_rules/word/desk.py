"""What a referee looks up during a match of Word Gin: words, the two-letter card, the best words in some cards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from gin_rules.word.cards import deck_named
from gin_rules.word.dictionary import LONGEST_WORD, SHORTEST_WORD, Dictionary, dictionary_with_hash
from gin_rules.word.rules import HAND_SIZE, RuleSet, points_of
from gin_rules.word.word_finder import Layout, best_layout, finder_of, gin_layout, letters_by_suit


class Ruling(NamedTuple):
    """Whether a word holds against a challenge."""

    word: str
    """As it was asked, without blanks around it."""
    acceptable: bool
    reason: str
    """Why, in a few words."""
    points: int
    """What the word scores; 0 for one that is not acceptable."""
    at_stake: int
    """What a challenge of it moves; 0 for a text that could not be declared."""


class BestWords(NamedTuple):
    """What the best use of some cards is. `layout` has most points: words less unused letters."""

    layout: Layout
    score: int
    """Points of the words less those of unused letters, without any bonus."""
    gin: Layout | None
    """All of ten cards in words, or all but the face-down one of eleven; None if there is no Gin, or other numbers
    of cards."""
    face_down: str | None
    """The card to play face down for `gin` with eleven cards."""


def dictionary_of_rules(rules: RuleSet) -> Dictionary:
    """The dictionary that a match with these rules is played with. Raises `UnknownDictionary`."""
    return dictionary_with_hash(rules.dictionary_sha256)


def check_words(words: Iterable[str], rules: RuleSet | None = None) -> tuple[Ruling, ...]:
    """A ruling for each word, in order, by these rules (the standard ones if none are given).

    Words may be written in capitals, as cards show them: a word that *must* be capitalized is simply not in the
    dictionary.
    """
    rules = RuleSet() if rules is None else rules
    dictionary = dictionary_of_rules(rules)
    return tuple(_ruling(word.strip(), dictionary, rules) for word in words)


def two_letter_words(rules: RuleSet | None = None) -> tuple[str, ...]:
    """The card that lists all acceptable two-letter words (source 000, rule 3), sorted; none if words are longer."""
    rules = RuleSet() if rules is None else rules
    return dictionary_of_rules(rules).two_letter_words if rules.min_word == 2 else ()


def best_words(cards: str, rules: RuleSet | None = None) -> BestWords:
    """The best words in cards written ``Er1 Qg Tb2 …``, and the Gin in ten or eleven of them.

    Exact: no other words from these cards score more. Raises `gin_rules.word.cards.InvalidCards` for a text that is
    not a card of the deck, a card named twice, no cards, or more than eleven.
    """
    rules = RuleSet() if rules is None else rules
    deck = deck_named(rules.deck)
    held = deck.parse_hand(cards, most=HAND_SIZE + 1)
    finder = finder_of(dictionary_of_rules(rules), rules)
    layout = best_layout(finder, rules, letters_by_suit(deck, held))
    gin, face_down = None, None
    if len(held) == HAND_SIZE:
        gin = gin_layout(finder, rules, letters_by_suit(deck, held))
    elif len(held) == HAND_SIZE + 1:
        for card in held:
            found = gin_layout(finder, rules, letters_by_suit(deck, (other for other in held if other != card)))
            if found is not None and (gin is None or _worth(rules, found) > _worth(rules, gin)):
                gin, face_down = found, deck.texts[card]
    return BestWords(layout, layout.points - layout.unused_points, gin, face_down)


def _worth(rules: RuleSet, gin: Layout) -> tuple[int, int]:
    return gin.points + rules.longest_word_bonus * gin.longest, gin.points


def _ruling(word: str, dictionary: Dictionary, rules: RuleSet) -> Ruling:
    lower = word.lower()
    if not lower or not (lower.isascii() and lower.isalpha()):
        return Ruling(word, False, "only letters a to z make a word", 0, 0)
    shortest = max(SHORTEST_WORD, rules.min_word)
    if len(lower) < shortest:
        return Ruling(word, False, f"a word has at least {shortest} letters", 0, 0)
    points = points_of(rules, lower)
    if lower in dictionary:
        return Ruling(word, True, f"in {dictionary.name}", points, rules.challenge_factor * points)
    if len(lower) > LONGEST_WORD:
        return Ruling(word, False, f"dictionaries end at {LONGEST_WORD} letters", 0, 0)
    return Ruling(word, False, f"not in {dictionary.name}", 0, rules.challenge_factor * points)

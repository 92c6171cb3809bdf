"""What a referee looks up."""

from __future__ import annotations

import pytest

from gin_rules.word.cards import InvalidCards
from gin_rules.word.desk import best_words, check_words, two_letter_words
from gin_rules.word.rules import RuleSet, rules_from_json
from tests.unit.gin_rules.word.dealing import GINNER, SECOND


def test_words_are_checked_by_the_dictionary_of_the_rules() -> None:
    cat, cta, capital = check_words(["cat", "cta", "CAT"])
    assert (cat.acceptable, cat.points, cat.at_stake, cat.reason) == (True, 9, 18, "in scowl-60")
    assert (cta.acceptable, cta.points, cta.at_stake, cta.reason) == (False, 0, 18, "not in scowl-60")
    assert capital.acceptable
    assert [ruling.acceptable for ruling in check_words(["London", "england"])] == [False, False]


def test_texts_that_cannot_be_words_are_told_why() -> None:
    reasons = [ruling.reason for ruling in check_words(["a", "don't", "", "caf\u00e9", "x" * 16])]
    assert reasons == [
        "a word has at least 2 letters",
        "only letters a to z make a word",
        "only letters a to z make a word",
        "only letters a to z make a word",
        "dictionaries end at 15 letters",
    ]
    assert not check_words(["at"], RuleSet(min_word=3))[0].acceptable


def test_two_letter_card_is_sorted_and_empty_when_words_are_longer() -> None:
    words = two_letter_words()
    assert len(words) == 84
    assert list(words) == sorted(words)
    assert two_letter_words(RuleSet(min_word=3)) == ()


def test_best_words_of_ten_cards_with_their_gin() -> None:
    best = best_words(GINNER)
    assert best.score == 29
    assert best.gin is not None
    assert (best.layout.unused, best.layout.longest) == ((), 3)
    assert best.face_down is None


def test_best_words_of_eleven_cards_name_the_card_to_play_face_down() -> None:
    best = best_words(f"{GINNER} Jr")
    assert best.face_down == "Jr"
    assert best.gin is not None
    assert best.gin.points == 29
    assert best.layout.unused == ("Jr",)
    assert best.score == 29 - 8
    better = best_words(f"{GINNER} Vb")  # AT and VAT, and C face down
    assert (better.face_down, better.gin and better.gin.points) == ("Cr", 29 - 4 + 6)


def test_best_words_deduct_the_letters_that_are_left() -> None:
    best = best_words(SECOND)
    assert best.gin is None
    assert best.layout.unused_points > 0
    assert best.score == best.layout.points - best.layout.unused_points


def test_best_words_follow_the_rules_of_the_match() -> None:
    assert best_words("Ab1 Tb1").layout.texts == ("ATb",)
    assert best_words("Ab1 Tb1", rules_from_json({"min_word": 3})).layout.texts == ()
    assert best_words("Ab1 Tb1", rules_from_json({"letter_points": {"a": 90}})).score == 93


@pytest.mark.parametrize("text", ["", "Er1 Er1", "Er", "Kh", " ".join(f"{letter}r" for letter in "BCDFGHKLMPSU")])
def test_cards_that_cannot_be_held_are_refused(text: str) -> None:
    with pytest.raises(InvalidCards):
        best_words(text)

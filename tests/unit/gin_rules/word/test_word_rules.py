"""The rule set: every field, and the combinations that make no sense."""

from __future__ import annotations

from typing import Any

import pytest

from gin_rules.game import InvalidRules
from gin_rules.word.dictionary import BUILT_IN, read_dictionary, register_dictionary
from gin_rules.word.game import WORD_GIN
from gin_rules.word.rules import RuleSet, points_of, rules_from_json, rules_to_json, target_of
from tests.unit.gin_rules.word.dealing import GINNER, SECOND, arranged_match, play


def test_defaults_are_the_rules_of_the_source() -> None:
    rules = RuleSet()
    assert (rules.min_word, rules.gin_bonus, rules.longest_word_bonus, rules.challenge_factor) == (2, 10, 10, 2)
    assert [target_of(rules, seats) for seats in (2, 3, 4)] == [200, 150, 100]
    assert (rules.deck, rules.dictionary) == ("ginhall-124", "scowl-60")
    assert (rules.refuted_letters, rules.return_ban, rules.hand_turn_cap) == ("unused", False, 100)


def test_every_letter_has_its_points() -> None:
    expected = {2: "aeio", 3: "nrtslu", 4: "dgmpch", 5: "bfwy", 6: "kv", 8: "jx", 10: "qz"}
    assert sorted("".join(expected.values())) == list("abcdefghijklmnopqrstuvwxyz")
    for points, letters in expected.items():
        assert [points_of(RuleSet(), letter) for letter in letters] == [points] * len(letters)
    assert points_of(RuleSet(), "quiet") == 20


def test_rules_round_trip_as_json() -> None:
    for given in (
        {},
        {"target": 120, "min_word": 3, "return_ban": True, "refuted_letters": "free", "letter_points": {"q": 20}},
        {"fixed_hands": 4, "gin_bonus": 0, "longest_word_bonus": 5, "challenge_factor": 1, "hand_turn_cap": 7},
        {"preset": "short", "match_hand_cap": 20},
    ):
        rules = rules_from_json(given)
        plain = rules_to_json(rules)
        assert rules_from_json(plain) == rules
        assert set(plain) == set(RuleSet.__dataclass_fields__)


def test_letters_that_are_not_named_keep_their_points() -> None:
    rules = rules_from_json({"letter_points": {"q": 20}})
    assert points_of(rules, "q") == 20
    assert points_of(rules, "z") == 10


def test_dictionary_is_agreed_and_pinned_by_its_hash_before_play_begins() -> None:
    assert rules_to_json(RuleSet())["dictionary_sha256"] == BUILT_IN["scowl-60"]
    register_dictionary(read_dictionary("rules-club", b"cta\nat\n"))
    rules = rules_from_json({"dictionary": "rules-club"})
    pinned = rules_to_json(rules)
    register_dictionary(read_dictionary("rules-club", b"cat\n"))
    assert rules_from_json(pinned) == rules
    assert rules_from_json({"dictionary": "rules-club"}) != rules


def test_challenges_are_settled_by_the_dictionary_of_the_match() -> None:
    register_dictionary(read_dictionary("nonsense", b"cta\nab\n"))
    state = play(arranged_match(SECOND, GINNER, dictionary="nonsense"), "draw", "gin Vb CTAr DOGg ATb ONy")
    assert [line.points for line in play(state, "challenge CTAr").challenges] == [-18]
    assert play(state, "challenge DOGg").phase == "draw"


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"target": 0}, "target"),
        ({"target": True}, "target"),
        ({"target": "200"}, "target"),
        ({"fixed_hands": 0}, "fixed_hands"),
        ({"fixed_hands": 3, "target": 200}, "target"),
        ({"fixed_hands": 30, "match_hand_cap": 20}, "fixed_hands"),
        ({"match_hand_cap": 0}, "match_hand_cap"),
        ({"match_hand_cap": None}, "match_hand_cap"),
        ({"min_word": 1}, "min_word"),
        ({"min_word": 11}, "min_word"),
        ({"gin_bonus": -1}, "gin_bonus"),
        ({"longest_word_bonus": -1}, "longest_word_bonus"),
        ({"challenge_factor": 0}, "challenge_factor"),
        ({"challenge_factor": 1.5}, "challenge_factor"),
        ({"hand_turn_cap": 0}, "hand_turn_cap"),
        ({"return_ban": 1}, "return_ban"),
        ({"refuted_letters": "kept"}, "refuted_letters"),
        ({"deck": "tarot"}, "deck"),
        ({"deck": 124}, "deck"),
        ({"dictionary": "nobody"}, "dictionary"),
        ({"dictionary": None}, "dictionary"),
        ({"dictionary_sha256": "0" * 64}, "dictionary_sha256"),
        ({"dictionary_sha256": 7}, "dictionary_sha256"),
        ({"dictionary": "club", "dictionary_sha256": "0" * 64}, "dictionary_sha256"),
        ({"letter_points": {"q": -1}}, "letter_points"),
        ({"letter_points": {"Q": 1}}, "letter_points"),
        ({"letter_points": [1, 2]}, "letter_points"),
        ({"letter_points": dict.fromkeys("abcdefghijklmnopqrstuvwxyz", 0)}, "letter_points"),
        ({"preset": "rummy"}, "preset"),
        ({"knock_limit": 10}, "knock_limit"),
    ],
)
def test_rules_that_make_no_sense_are_refused_with_the_field(given: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidRules) as refused:
        rules_from_json(given)
    assert refused.value.field == field


def test_hash_of_other_words_under_a_built_in_name_is_refused() -> None:
    club = read_dictionary("hash-club", b"cat\n")
    register_dictionary(club)
    with pytest.raises(InvalidRules, match="scowl-60") as refused:
        rules_from_json({"dictionary": "scowl-60", "dictionary_sha256": club.sha256})
    assert refused.value.field == "dictionary_sha256"


def test_words_longer_than_any_of_the_dictionary_cannot_be_asked_for() -> None:
    register_dictionary(read_dictionary("short-club", b"cat\n"))
    with pytest.raises(InvalidRules) as refused:
        arranged_match(SECOND, GINNER, dictionary="short-club", min_word=4)
    assert refused.value.field == "min_word"


def test_deck_size_and_card_texts_are_those_of_the_deck_of_the_rules() -> None:
    rules = WORD_GIN.rules_from_json({})
    assert WORD_GIN.deck_size(rules) == 124
    assert WORD_GIN.seat_counts == (2, 3, 4)

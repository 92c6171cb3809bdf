"""What players and onlookers may know."""

from __future__ import annotations

import json

import pytest

from gin_rules.game import game_named, game_names
from gin_rules.word.cards import SUIT_NAMES
from gin_rules.word.game import WORD_GIN
from tests.unit.gin_rules.word.dealing import (
    DECK,
    GINNER,
    SECOND,
    arranged_match,
    cards,
    gin_of_four,
    gin_of_two,
    play,
)


def test_game_is_known_by_its_name() -> None:
    assert "word" in game_names()
    assert game_named("word") is WORD_GIN


def test_player_sees_the_own_hand_and_how_many_cards_the_others_hold() -> None:
    view = WORD_GIN.view(play(arranged_match(SECOND, GINNER), "draw"), 0)
    assert view.hand == tuple(sorted(cards(SECOND)))
    assert view.hand_sizes == (10, 11)
    assert WORD_GIN.spectator_view(arranged_match(SECOND, GINNER)).hand == ()


def test_only_the_player_to_act_sees_legal_actions() -> None:
    state = arranged_match(SECOND, GINNER)
    assert WORD_GIN.view(state, 1).legal_actions == ("take", "draw")
    assert WORD_GIN.view(state, 0).legal_actions == ()
    assert WORD_GIN.spectator_view(state).legal_actions == ()
    assert WORD_GIN.view(state, 0).to_act == 1


def test_every_player_has_the_card_of_two_letter_words_at_any_time() -> None:
    for state in (arranged_match(SECOND, GINNER), gin_of_two(), play(gin_of_two(), "pass")):
        for view in (WORD_GIN.view(state, 0), WORD_GIN.view(state, 1), WORD_GIN.spectator_view(state)):
            words = WORD_GIN.view_to_json(view)["two_letter_words"]
            assert words == list(state.table.dictionary.two_letter_words)
            assert len(words) == 84
            assert {"at", "qi", "we"} <= set(words)


def test_card_of_two_letter_words_is_empty_when_words_are_longer() -> None:
    assert WORD_GIN.spectator_view(arranged_match(SECOND, GINNER, min_word=3)).two_letter_words == ()


def test_drawn_card_is_seen_by_its_player_alone() -> None:
    state = play(arranged_match(SECOND, GINNER), "draw")
    assert "Vb" in WORD_GIN.view_to_json(WORD_GIN.view(state, 1))["hand"]
    assert "Vb" not in json.dumps(WORD_GIN.view_to_json(WORD_GIN.view(state, 0)))


def test_history_tells_what_everybody_saw_but_not_the_card_face_down() -> None:
    state = play(arranged_match(SECOND, GINNER), "take", "discard Kg", "draw", "discard Sr", "take")
    state = play(state, "gin Sr CTAr DOGg ATb ONy")
    first = DECK.texts[arranged_match(SECOND, GINNER).pile[-1]]
    history = WORD_GIN.view_to_json(WORD_GIN.view(state, 0))["history"]
    assert [(each["seat"], each["text"], each["card"]) for each in history] == [
        (1, "take", first),
        (1, "discard Kg", "Kg"),
        (0, "draw", None),
        (0, "discard Sr", "Sr"),
        (1, "take", "Sr"),
        (1, "gin CTAr DOGg ATb ONy", None),
    ]


def test_view_says_whose_words_are_challenged_and_what_became_of_them() -> None:
    state = play(gin_of_four(), "challenge DOGg")
    view = WORD_GIN.view_to_json(WORD_GIN.view(state, 3))
    assert (view["phase"], view["ginner"], view["challenged"], view["to_act"]) == ("challenge", 1, 1, 2)
    assert [word["verdict"] for word in view["shown"][1]["words"]] == [
        "unchallenged",
        "stands",
        "unchallenged",
        "unchallenged",
    ]
    assert view["challenges"] == [{"seat": 2, "reason": "challenged DOG, which is a word", "points": -20}]


def test_views_of_a_whole_match_are_plain_json() -> None:
    state = play(gin_of_two(fixed_hands=1), "pass", "reveal FITg", "challenge FITg")
    for view in (WORD_GIN.view(state, 0), WORD_GIN.spectator_view(state)):
        plain = WORD_GIN.view_to_json(view)
        assert json.loads(json.dumps(plain)) == plain
        assert plain["outcome"]["winner"] == 1
        assert plain["legal_actions"] == []


def test_card_texts_tell_letter_and_suit() -> None:
    view = WORD_GIN.view_to_json(WORD_GIN.view(arranged_match(SECOND, GINNER), 1))
    assert all(text[0].isupper() and text[1] in SUIT_NAMES for text in view["hand"])
    assert view["upcard"] == WORD_GIN.card_text(DECK.parse("Kg"), WORD_GIN.rules_from_json({}))


def test_there_is_no_view_for_a_seat_that_is_not_at_the_table() -> None:
    for seat in (-1, 2):
        with pytest.raises(ValueError, match="no seat"):
            WORD_GIN.view(arranged_match(SECOND, GINNER), seat)

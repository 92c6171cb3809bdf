"""The word bots do what their description says."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from gin_bots import bot_named
from gin_bots.wordsmith import vocabulary
from gin_rules.shuffle import SeededDeals
from gin_rules.word.dictionary import dictionary_named
from gin_rules.word.game import WORD_GIN
from gin_rules.word.rules import RuleSet
from gin_rules.word.state import State
from tests.unit.gin_rules.word.dealing import GINNER, SECOND, arranged_match, gin_of_two, play

# CLOGr, TINg and AHb: only H of yellow is in no word.
NEAR = "Lr Or1 Gr Cr Tg1 Ig1 Ng1 Hb Ab1 Hy"
REST = "Er1 Sr Fg Mg Ug Xb Eb1 Rb1 Yy Ey1"


def choice(bot: str, state: State, seed: int = 1) -> str:
    seat = WORD_GIN.to_act(state)
    assert seat is not None
    return bot_named(bot).choose_action(WORD_GIN.view(state, seat), Random(seed))


def played_out(bots: tuple[str, ...], number: int, **rules: Any) -> State:
    rng = Random(number)
    rule_set = WORD_GIN.rules_from_json(rules)
    state = WORD_GIN.new_match(rule_set, len(bots), SeededDeals(b"bots", (), str(number), 124))
    while (seat := WORD_GIN.to_act(state)) is not None:
        state = WORD_GIN.apply(state, bot_named(bots[seat]).choose_action(WORD_GIN.view(state, seat), rng))
    return state


def test_wordsmith_takes_the_up_card_that_makes_a_gin() -> None:
    assert choice("wordsmith", arranged_match(REST, NEAR, upcard="Ey2")) == "take"


def test_wordsmith_draws_when_the_up_card_makes_no_word() -> None:
    assert choice("wordsmith", arranged_match(REST, NEAR, upcard="Vg")) == "draw"


def test_wordsmith_gins_when_it_can_with_the_longest_word() -> None:
    state = play(arranged_match(REST, NEAR, upcard="Ey2"), "take")
    verb, face_down, *words = choice("wordsmith", state).split()
    assert verb == "gin"
    assert face_down in ("Tg1", "Ng1")  # LOG and TIN would do as well, but CLOG is longer
    assert words[0] == "CLOGr"
    assert play(state, choice("wordsmith", state)).phase == "challenge"


def test_wordsmith_does_not_gin_while_it_may_not() -> None:
    state = play(arranged_match(SECOND, GINNER), "draw", "gin Vb CTAr DOGg ATb ONy", "challenge CTAr")
    state = play(state, "draw", "discard Sr", "draw")
    assert choice("wordsmith", state).startswith("discard ")


def test_wordsmith_throws_what_joins_no_word() -> None:
    state = play(arranged_match(REST, "Lr Or1 Gr Tg1 Ig1 Ng1 Hb Ab1 Vy Cr", stock="Cy"), "draw")
    assert choice("wordsmith", state) in ("discard Vy", "discard Cy")


def test_wordsmith_challenges_every_word_that_is_in_no_dictionary_and_no_other() -> None:
    state = play(arranged_match(SECOND, GINNER), "draw", "gin Vb CATr DGOg ATb ONy")
    assert choice("wordsmith", state) == "challenge DGOg"
    assert choice("wordsmith", gin_of_two()) == "pass"


def test_wordsmith_shows_words_of_the_dictionary_that_score_most() -> None:
    state = play(gin_of_two(), "pass")
    action = choice("wordsmith", state)
    words = [text[:-1].lower() for text in action.split()[1:]]
    assert words
    assert all(word in dictionary_named("scowl-60") for word in words)
    assert WORD_GIN.hand_results(play(state, action, "pass"))[0].points[0] >= 11


def test_half_a_vocabulary_holds_the_two_letter_card_and_half_of_the_rest() -> None:
    scowl = dictionary_named("scowl-60")
    half = vocabulary(scowl, RuleSet(), 50).words
    assert set(scowl.two_letter_words) <= half < scowl.words
    assert 0.48 < len(half) / len(scowl.words) < 0.52


def test_wordsmith_50_challenges_only_what_it_cannot_imagine_to_be_a_word() -> None:
    hand = "Cr Ar1 Tr1 Dg Gg Kg Ab1 Tb1 Oy1 Ny1"
    state = play(arranged_match(SECOND, hand, upcard="Fb"), "draw", "gin Vb CATr DGKg ATb ONy")
    assert choice("wordsmith-50", state) == "challenge DGKg"
    known = vocabulary(dictionary_named("scowl-60"), RuleSet(), 50)
    unknown = next(word for word in ("cat", "dog", "ton", "net", "tin", "rat", "sea") if word not in known.words)
    assert unknown in dictionary_named("scowl-60")
    assert known.runs is not None
    assert all(f"^{unknown}$"[at : at + 3] in known.runs for at in range(3))


def test_wordsmith_challenges_a_two_letter_word_that_is_not_on_the_card_whatever_it_knows() -> None:
    state = play(arranged_match(SECOND, GINNER), "draw", "gin Vb CATr DOGg TAb NOy", "pass", "reveal FTg")
    assert choice("wordsmith-50", state) == "challenge FTg"
    assert choice("wordsmith", state) == "challenge FTg"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_wordsmith_gins_within_a_few_turns(seats: int) -> None:
    results = [
        hand for number in range(3) for hand in WORD_GIN.hand_results(played_out(("wordsmith",) * seats, number))
    ]
    assert all(hand.ended == "gin" for hand in results)
    turns = sorted(-(-hand.turns // seats) for hand in results)
    assert turns[len(turns) // 2] <= 4


def test_wordsmith_beats_random_and_usually_half_a_vocabulary() -> None:
    def wins(other: str, matches: int) -> int:
        won = 0
        for number in range(matches):
            bots = ("wordsmith", other) if number % 2 else (other, "wordsmith")
            outcome = WORD_GIN.outcome(played_out(bots, number))
            assert outcome is not None
            won += outcome.winner is not None and bots[outcome.winner] == "wordsmith"
        return won

    assert wins("random", 6) == 6
    assert wins("wordsmith-50", 20) >= 10

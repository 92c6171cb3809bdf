"""Gin, challenges and reveals (source 000, rules 3 to 6, 9 and 10)."""

from __future__ import annotations

import pytest

from gin_rules.game import Action
from gin_rules.word.game import WORD_GIN
from gin_rules.word.state import State
from tests.unit.gin_rules.word.dealing import (
    DECK,
    GIN,
    GINNER,
    SECOND,
    arranged_match,
    cards,
    gin_of_four,
    gin_of_two,
    last_result,
    lines,
    play,
    refuse,
)

BLUFF = "gin Vb CTAr DOGg ATb ONy"


def about_to_gin(**rules: object) -> State:
    return play(arranged_match(SECOND, GINNER, **rules), "draw")


def bluff_of_two() -> State:
    """Seat 1 has laid CTA, which is no word, DOG, AT and ON."""
    return play(about_to_gin(), BLUFF)


def test_words_have_at_least_two_letters() -> None:
    refuse(about_to_gin(), "gin Vb CATr DOGg ATb Oy Ny", "at least 2 letters")


def test_rule_set_may_ask_for_longer_words() -> None:
    refuse(about_to_gin(min_word=3), GIN, "ATb: a word has at least 3 letters")


def test_words_use_cards_of_one_suit() -> None:
    refuse(about_to_gin(), "gin Vb CATg DOGr ATb ONy", "a word has one suit")
    refuse(about_to_gin(), "gin Vb CrAr1Tr1 DOGg ATb ONy", "not a word")
    refuse(about_to_gin(), "gin Vb CAT DOGg ATb ONy", "one suit")


def test_each_card_is_used_once() -> None:
    refuse(about_to_gin(), "gin Vb CATr TATr DOGg ATb ONy", "no T of red circle is left")
    refuse(about_to_gin(), "gin Cr CATr DOGg ATb ONy", "no C of red circle is left")


def test_gin_needs_all_ten_cards_in_words() -> None:
    refuse(about_to_gin(), "gin Vb CATr DOGg ATb", "left over: Ny1, Oy1")
    refuse(about_to_gin(), "gin Vb CATr GOg ATb ONy", "left over: Dg")
    refuse(about_to_gin(), "gin Vb", "face down")


def test_gin_is_for_a_player_who_holds_eleven_cards() -> None:
    refuse(arranged_match(SECOND, GINNER), GIN, "take the up card or draw")


def test_declared_words_need_not_be_real_words() -> None:
    assert bluff_of_two().phase == "challenge"


def test_gin_plays_the_eleventh_card_face_down() -> None:
    state = gin_of_two()
    assert state.showdown is not None
    assert state.showdown.face_down == DECK.parse("Vb")
    for view in (WORD_GIN.view(state, 0), WORD_GIN.spectator_view(state)):
        assert "Vb" not in str(WORD_GIN.view_to_json(view))
        assert view.upcard == DECK.parse("Kg")
    assert len(state.hands[1]) == 10


def test_ginner_lays_all_cards_on_the_table_formed_into_words() -> None:
    shown = WORD_GIN.view(gin_of_two(), 0).shown[1]
    assert shown is not None
    assert [word.text for word in shown.words] == ["CATr", "DOGg", "ATb", "ONy"]
    assert shown.unused == ()


def test_other_players_do_not_reveal_their_hands_at_a_gin() -> None:
    state = gin_of_four()
    assert WORD_GIN.spectator_view(state).shown[0] is None
    assert WORD_GIN.spectator_view(state).shown[2:] == (None, None)


def test_player_clockwise_of_the_ginner_may_challenge_first_then_each_in_turn() -> None:
    state = gin_of_four()
    seats = []
    while state.phase == "challenge":
        seats.append(state.turn)
        state = play(state, "pass")
    assert seats == [2, 3, 0]


def test_challenger_may_challenge_any_of_the_words_and_more_than_one() -> None:
    state = gin_of_four()
    expected = ("pass", "challenge CATr", "challenge DOGg", "challenge ATb", "challenge ONy")
    assert WORD_GIN.legal_actions(state) == expected
    state = play(state, "challenge DOGg")
    assert state.turn == 2
    state = play(state, "challenge ONy", "pass")
    assert state.turn == 3
    assert WORD_GIN.legal_actions(state) == ("pass", "challenge CATr", "challenge ATb")


def test_word_that_stood_a_challenge_cannot_be_challenged_again() -> None:
    refuse(play(gin_of_four(), "challenge DOGg", "pass"), "challenge DOGg", "can still be challenged")


def test_word_that_is_not_on_the_table_cannot_be_challenged() -> None:
    refuse(gin_of_four(), "challenge DOGr", "can still be challenged")
    refuse(gin_of_four(), "challenge", "challenge one of the words or pass")


def test_word_laid_twice_can_be_challenged_twice() -> None:
    hand = "Tr1 Tr2 Er1 Er2 Dg Og1 Gg Ab1 Tb1 Ib1"
    state = play(arranged_match(SECOND.replace("Er1", "Er3"), hand), "draw", "gin Vb TEr DOGg TEr AITb")
    assert WORD_GIN.legal_actions(state).count(Action("challenge TEr")) == 1
    state = play(state, "challenge TEr")
    assert Action("challenge TEr") in WORD_GIN.legal_actions(state)
    state = play(state, "challenge TEr")
    assert Action("challenge TEr") not in WORD_GIN.legal_actions(state)


def test_when_every_word_has_been_challenged_nobody_else_is_asked() -> None:
    state = play(gin_of_four(), "challenge CATr", "challenge DOGg", "challenge ATb", "challenge ONy")
    assert (state.phase, state.turn) == ("reveal", 2)


def test_once_all_challenges_are_made_the_next_player_clockwise_reveals() -> None:
    state = play(gin_of_four(), "pass", "pass", "pass")
    assert (state.phase, state.turn) == ("reveal", 2)
    state = play(state, "reveal FITg WEb YEy")
    shown = WORD_GIN.spectator_view(state).shown[2]
    assert shown is not None
    assert [word.text for word in shown.words] == ["FITg", "WEb", "YEy"]
    assert set(shown.unused) == set(cards("Er1 Sr Xb"))


def test_words_of_a_revealed_hand_may_be_challenged_clockwise_around_the_table() -> None:
    state = play(gin_of_four(), "pass", "pass", "pass", "reveal FITg WEb YEy")
    seats = []
    while state.phase == "challenge":
        seats.append(state.turn)
        state = play(state, "pass")
    assert seats == [3, 0, 1]


def test_each_player_reveals_in_turn_and_then_the_hand_is_scored() -> None:
    state = play(gin_of_four(), "pass", "pass", "pass")
    seats = []
    while not WORD_GIN.hand_results(state):
        if state.phase == "reveal":
            seats.append(state.turn)
            state = play(state, WORD_GIN.legal_actions(state)[1])
        else:
            state = play(state, "pass")
    assert seats == [2, 3, 0]
    assert last_result(state).ended == "gin"


def test_hand_revealed_without_words_leaves_nothing_to_challenge() -> None:
    state = play(gin_of_four(), "pass", "pass", "pass", "reveal")
    assert (state.phase, state.turn) == ("reveal", 3)


def test_revealed_words_may_be_bluffs_and_may_leave_letters_over() -> None:
    state = play(gin_of_two(), "pass")
    refuse(state, "reveal FITg FITg", "no F of green square is left")
    refuse(state, "reveal FITg Yy", "at least 2 letters")
    refuse(state, "pass", "reveal your words, or nothing")
    assert play(state, "reveal TIFg").phase == "challenge"


def test_wrong_challenge_costs_the_challenger_double_the_words_points() -> None:
    state = play(gin_of_two(), "challenge DOGg", "pass", "reveal")
    assert lines(last_result(state), 0)["challenged DOG, which is a word"] == -20
    assert "DOG" not in " ".join(reason for reason in lines(last_result(state), 1) if "not a word" in reason)
    assert lines(last_result(state), 1)["word DOG"] == 10


def test_right_challenge_costs_the_player_of_the_word_double_its_points() -> None:
    state = play(gin_of_two(), "pass", "reveal TIFg WEb", "challenge TIFg", "pass")
    assert lines(last_result(state), 0)["TIF is not a word"] == -20


def test_right_challenge_gains_the_challenger_double_the_words_points() -> None:
    state = play(gin_of_two(), "pass", "reveal TIFg WEb", "challenge TIFg", "pass")
    assert lines(last_result(state), 1)["challenged TIF, which is not a word"] == 20


def test_refuted_word_stops_counting_and_its_letters_are_unused() -> None:
    state = play(gin_of_two(), "pass", "reveal TIFg WEb", "challenge TIFg", "pass")
    scored = lines(last_result(state), 0)
    assert scored["word WE"] == 7
    assert "word TIF" not in scored
    assert scored["unused letters E S X E Y T I F"] == -(2 + 3 + 8 + 2 + 5 + 10)


def test_rule_set_may_leave_the_letters_of_a_refuted_word_free() -> None:
    state = play(gin_of_two(refuted_letters="free"), "pass", "reveal TIFg WEb", "challenge TIFg", "pass")
    assert lines(last_result(state), 0)["unused letters E S X E Y"] == -20


def test_every_word_of_a_revealed_hand_may_be_refuted() -> None:
    state = play(gin_of_two(), "pass", "reveal TIFg EWb", "challenge TIFg", "challenge EWb")
    assert last_result(state).points[1] == 29 + 10 + 10 * 3 + 20 + 14


def test_challenge_factor_is_settable() -> None:
    state = play(gin_of_two(challenge_factor=3), "challenge DOGg", "pass", "reveal")
    assert lines(last_result(state), 0)["challenged DOG, which is a word"] == -30


def test_ginner_whose_word_is_refuted_takes_the_cards_back() -> None:
    state = play(bluff_of_two(), "challenge CTAr")
    assert state.hands[1] == tuple(sorted(cards(GINNER)))
    assert WORD_GIN.spectator_view(state).shown == (None, None)
    assert not WORD_GIN.hand_results(state)


def test_card_gone_out_with_becomes_the_up_card_for_the_next_player_and_play_continues() -> None:
    state = play(bluff_of_two(), "challenge CTAr")
    assert (state.phase, state.turn) == ("draw", 0)
    assert WORD_GIN.spectator_view(state).upcard == DECK.parse("Vb")
    assert DECK.parse("Vb") in play(state, "take").hands[0]


def test_next_player_is_clockwise_of_the_ginner_whoever_challenged() -> None:
    state = play(arranged_match(SECOND.replace("Er1", "Er3"), GINNER, "Hr Or1 Pr Ng1 Ug Lb Ib1 Py Iy1 Ty1"), "draw")
    state = play(state, BLUFF, "pass", "challenge CTAr")
    assert state.turn == 2


def test_first_right_challenge_of_the_ginner_ends_the_challenging() -> None:
    state = play(arranged_match(SECOND, GINNER), "draw", "gin Vb CTAr DGOg ATb ONy", "challenge DGOg")
    assert state.phase == "draw"


def test_what_challenges_moved_before_a_gin_failed_stands() -> None:
    state = play(bluff_of_two(), "challenge DOGg", "challenge CTAr")
    view = WORD_GIN.spectator_view(state)
    assert [(line.seat, line.points) for line in view.challenges] == [(0, -20), (1, -18), (0, 18)]
    state = play(state, "draw", "discard Sr", "take", "discard Sr", "draw", "discard Wb")
    state = play(state, "take", "gin Wb CATr DOGg ATb ONy", "pass", "reveal")
    result = last_result(state)
    assert lines(result, 0)["challenged CTA, which is not a word"] == 18
    assert lines(result, 1)["CTA is not a word"] == -18
    assert result.points[1] == 29 + 10 + 30 - 18


def test_player_whose_gin_failed_may_not_gin_on_the_next_turn() -> None:
    state = play(bluff_of_two(), "challenge CTAr", "draw", "discard Sr", "take")
    assert WORD_GIN.spectator_view(state).barred == (False, True)
    refuse(state, "gin Sr CATr DOGg ATb ONy", "may not Gin on your next turn")
    assert not any(action.startswith("gin") for action in WORD_GIN.legal_actions(state))


def test_player_whose_gin_failed_may_gin_again_on_the_turn_after_the_next() -> None:
    state = play(bluff_of_two(), "challenge CTAr", "draw", "discard Sr", "take", "discard Sr")
    assert WORD_GIN.spectator_view(state).barred == (False, False)
    state = play(state, "draw", "discard Wb", "take", "gin Wb CATr DOGg ATb ONy")
    assert state.phase == "challenge"


def test_two_players_may_be_barred_at_once() -> None:
    other = "Er1 Sr Fg Ig1 Tg1 Wb Eb1 Yb Yy Ey1"
    state = play(arranged_match(other, GINNER), "draw", BLUFF, "challenge CTAr", "draw")
    drawn = next(card for card in state.hands[0] if card not in cards(other))
    state = play(state, f"gin {DECK.texts[drawn]} SEr TIFg WEYb YEy", "challenge TIFg")
    assert WORD_GIN.spectator_view(state).barred == (True, True)


@pytest.mark.parametrize("phase", ["draw", "discard", "challenge", "reveal"])
def test_action_of_another_phase_is_refused(phase: str) -> None:
    states = {
        "draw": arranged_match(SECOND, GINNER),
        "discard": about_to_gin(),
        "challenge": gin_of_two(),
        "reveal": play(gin_of_two(), "pass"),
    }
    for other, state in states.items():
        if other != phase:
            for action in WORD_GIN.legal_actions(state):
                if action not in WORD_GIN.legal_actions(states[phase]):
                    refuse(states[phase], action, "^.+$")


def test_silence_is_a_pass_or_a_reveal_without_words() -> None:
    state = gin_of_two()
    assert WORD_GIN.legal_actions(state)[0] == "pass"
    assert WORD_GIN.legal_actions(play(state, "pass"))[0] == "reveal"


def test_player_who_never_declares_words_has_ten_unused_letters() -> None:
    result = last_result(play(gin_of_two(), "pass", "reveal"))
    assert result.shown is not None
    assert len(result.shown[0].unused) == 10
    assert result.points[0] == -(2 + 3 + 5 + 2 + 3 + 5 + 2 + 8 + 5 + 2)

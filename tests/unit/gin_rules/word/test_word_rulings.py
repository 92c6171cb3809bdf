"""What an arbiter may decide in a match of Word Gin."""

from __future__ import annotations

import pytest

from gin_rules.game import Termination
from gin_rules.rulings import RefusedRuling, Ruling, RulingKind
from gin_rules.word.game import WORD_GIN
from gin_rules.word.state import State
from tests.unit.gin_rules.word.dealing import DECK, GIN, GINNER, SECOND, arranged_match, gin_of_two, last_result, play


def rule(
    state: State, kind: RulingKind, hand: int = 0, points: tuple[int, ...] | None = None, reason: str = "seen wrong"
) -> State:
    return WORD_GIN.rule(state, Ruling(kind, hand, points, reason, "arbiter"))


def refuse(state: State, reason: str, *ruling: object) -> None:
    with pytest.raises(RefusedRuling, match=reason):
        rule(state, *ruling)  # type: ignore[arg-type]  # as many of the arguments as the case needs


def scored(**rules: object) -> State:
    """Seat 1 has won a first hand, 69 to -37; the second is dealt."""
    return play(arranged_match(SECOND, GINNER, **rules), "draw", GIN, "pass", "reveal")


def test_last_hand_is_corrected_freely_until_the_next_is_played() -> None:
    state = rule(scored(), "correct", 1, (-30, 69), "")
    assert WORD_GIN.totals(state) == (-30, 69)
    assert last_result(state).points == (-37, 69)
    assert state.phase == "draw"
    assert WORD_GIN.view_to_json(WORD_GIN.spectator_view(state))["corrections"] == [{"hand": 1, "points": [-30, 69]}]


def test_later_correction_needs_a_reason() -> None:
    state = play(scored(), "take")
    refuse(state, "needs a reason", "correct", 1, (-30, 69), " ")
    assert WORD_GIN.totals(rule(state, "correct", 1, (-30, 69))) == (-30, 69)


def test_correction_names_points_of_each_seat_that_differ_from_what_counts() -> None:
    refuse(scored(), "each seat", "correct", 1, (1, 2, 3))
    refuse(scored(), "counts so already", "correct", 1, (-37, 69))
    refuse(scored(), "hand 2 is not over", "correct", 2, (0, 0))
    again = rule(rule(scored(), "correct", 1, (0, 0)), "correct", 1, (-37, 69))
    assert WORD_GIN.totals(again) == (-37, 69)


def test_correction_that_reaches_the_target_ends_the_match_and_one_that_leaves_it_goes_on() -> None:
    state = scored()
    over = rule(state, "correct", 1, (0, 200))
    outcome = WORD_GIN.outcome(over)
    assert outcome is not None
    assert (outcome.winner, outcome.termination) == (1, Termination.TARGET)
    assert WORD_GIN.to_act(over) is None
    back = rule(over, "correct", 1, (-37, 69))
    assert WORD_GIN.outcome(back) is None
    assert (back.hands, back.stock, back.turn, back.phase) == (state.hands, state.stock, state.turn, state.phase)


def test_match_that_was_over_goes_on_after_a_correction_with_the_cards_that_are_left() -> None:
    over = scored(target=60)
    assert WORD_GIN.outcome(over) is not None
    state = rule(over, "correct", 1, (0, 50))
    assert (state.table.number, state.table.dealer, state.turn) == (2, 1, 0)
    assert len(state.spent) == 22
    assert state.hands == scored().hands


def test_correction_decides_who_won_the_hand() -> None:
    outcome = WORD_GIN.outcome(rule(scored(fixed_hands=1), "correct", 1, (70, 69)))
    assert outcome is not None
    assert (outcome.winner, outcome.hands_won, outcome.gins) == (0, (1, 0), (0, 1))


def test_misdeal_found_before_the_first_play_is_dealt_again_by_the_same_dealer_from_the_same_cards() -> None:
    state = scored()
    again = rule(state, "redeal", 2)
    assert (again.table.dealer, again.turn, again.spent) == (state.table.dealer, state.turn, state.spent)
    assert again.hands != state.hands
    places = [*again.hands[0], *again.hands[1], *again.stock, *again.pile, *again.spent]
    assert sorted(places) == list(range(DECK.size))
    assert len(WORD_GIN.decks(again)) == 3
    refuse(play(again, "draw"), "voided, not dealt again", "redeal", 2)
    refuse(again, "hand 1 is not being played", "redeal", 1)


def test_voided_hand_ends_without_score_and_without_its_challenges() -> None:
    state = rule(play(gin_of_two(), "challenge DOGg"), "void_hand", 1)
    result = last_result(state)
    assert (result.ended, result.points, result.shown, result.lines) == ("void", (0, 0), None, ())
    assert (state.table.number, state.table.dealer, state.showdown) == (2, 0, None)
    places = [*state.hands[0], *state.hands[1], *state.stock, *state.pile, *state.spent]
    assert sorted(places) == list(range(DECK.size))


def test_voided_match_counts_for_nobody() -> None:
    state = rule(scored(), "void_match")
    outcome = WORD_GIN.outcome(state)
    assert outcome is not None
    assert (outcome.winner, outcome.termination) == (None, Termination.VOID)
    assert WORD_GIN.to_act(state) is None
    refuse(state, "void", "correct", 1, (0, 0))


def test_voided_hand_is_none_of_a_fixed_number_of_hands() -> None:
    state = rule(scored(fixed_hands=2), "void_hand", 2)
    assert WORD_GIN.outcome(state) is None
    state = rule(state, "void_hand", 3)
    assert (WORD_GIN.outcome(state), state.table.number) == (None, 4)


def test_voided_hands_end_a_match_of_fixed_hands_at_its_cap() -> None:
    state = rule(scored(fixed_hands=2, match_hand_cap=3), "void_hand", 2)
    outcome = WORD_GIN.outcome(rule(state, "void_hand", 3))
    assert outcome is not None
    assert (outcome.termination, outcome.winner) == (Termination.HAND_CAP, 1)

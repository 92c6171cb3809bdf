"""From hand to hand, and the end of a match (source 000, rules 11 and 12)."""

from __future__ import annotations

import pytest

from gin_rules.game import InvalidRules, Outcome, Termination
from gin_rules.word.cards import read_deck, register_deck
from gin_rules.word.game import WORD_GIN
from gin_rules.word.match import UnfairDeals
from gin_rules.word.state import State
from tests.unit.gin_rules.word.dealing import (
    DECK,
    FOURTH,
    GIN,
    GINNER,
    SECOND,
    THIRD,
    ArrangedDeals,
    arranged_deck,
    arranged_match,
    cards,
    last_result,
    match_of,
    play,
)


def scored(seats: int = 2, **rules: object) -> State:
    """Seat 1 has won a first hand by a Gin; the others revealed nothing."""
    state = play(arranged_match(*(SECOND, GINNER, THIRD, FOURTH)[:seats], **rules), "draw", GIN)
    state = play(state, *["pass"] * (seats - 1))
    return play(state, *["reveal"] * (seats - 1))


def outcome_of(state: State) -> Outcome:
    outcome = WORD_GIN.outcome(state)
    assert outcome is not None
    return outcome


def throw_the_drawn_card(state: State, turns: int) -> State:
    for _ in range(turns):
        held = state.hands[state.turn]
        state = play(state, "draw")
        drawn = next(card for card in state.hands[state.turn] if card not in held)
        state = play(state, f"discard {DECK.texts[drawn]}")
    return state


def test_player_that_ginned_deals_the_next_hand() -> None:
    state = scored()
    assert state.table.number == 2
    assert state.table.dealer == 1
    assert state.turn == 0
    assert scored(seats=3).turn == 2


def test_played_cards_are_put_to_the_side() -> None:
    state = scored()
    assert set(state.spent) == set(cards(f"{SECOND} {GINNER} Kg Vb"))


def test_next_deal_comes_from_the_remaining_cards_in_the_deck() -> None:
    state = scored()
    dealt = {*state.hands[0], *state.hands[1], *state.pile, *state.stock}
    assert dealt == set(range(124)) - set(state.spent)
    order = [card for card in state.table.deals.deck(2) if card not in state.spent]
    assert set(state.hands[0]) == set(order[0:20:2])
    assert set(state.hands[1]) == set(order[1:20:2])
    assert (*state.pile, *state.stock) == tuple(order[20:])


def test_spent_cards_come_back_when_the_deck_cannot_serve_a_deal() -> None:
    # Four players use 42 cards a hand: 82 are left, then 40, too few for 41.
    first = play(arranged_match(SECOND, GINNER, THIRD, FOURTH, target=10_000), "draw", GIN)
    state = play(first, *["pass"] * 3, *["reveal"] * 3)
    assert len(state.spent) == 42
    state = play(state, "draw", next(a for a in WORD_GIN.legal_actions(play(state, "draw")) if a.startswith("discard")))
    state = gin_by_bluff(state)
    assert state.table.number == 3
    assert state.spent == ()
    assert len(state.stock) == 124 - 41


def gin_by_bluff(state: State) -> State:
    """The first player that can lays bluffs that nobody challenges."""
    number = state.table.number
    while state.table.number == number:
        actions = WORD_GIN.legal_actions(state)
        wanted = [action for action in actions if action.startswith("gin")] or list(actions)
        state = play(state, "draw" if state.phase == "draw" else wanted[0])
    return state


def test_spent_cards_are_reshuffled_into_the_deck_when_none_is_left_to_draw() -> None:
    state = throw_the_drawn_card(arranged_match(SECOND, GINNER), 103)
    assert state.stock == ()
    top, below = state.pile[-1], state.pile[:-1]
    state = play(state, "draw")
    assert state.pile == (top,)
    assert {*state.stock, *state.hands[state.turn]} == {*below, *cards(SECOND if state.turn == 0 else GINNER)}
    assert state.reshuffles == 1


def test_cards_put_aside_come_back_with_the_pile() -> None:
    state = throw_the_drawn_card(scored(), 124 - 22 - 21)
    assert state.stock == ()
    assert len(state.spent) == 22
    state = play(state, "draw")
    assert state.spent == ()
    assert len(state.stock) == 22 + 81 - 1


def test_hand_without_a_gin_ends_at_its_turn_cap_without_score() -> None:
    state = throw_the_drawn_card(arranged_match(SECOND, GINNER, hand_turn_cap=3), 6)
    result = last_result(state)
    assert (result.ended, result.points, result.shown, result.winner) == ("turns", (0, 0), None, None)
    assert result.turns == 6
    assert state.table.number == 2


def test_after_a_hand_without_score_the_same_player_deals() -> None:
    state = throw_the_drawn_card(arranged_match(SECOND, GINNER, hand_turn_cap=3), 6)
    assert state.table.dealer == 0


def test_challenges_count_in_a_hand_without_score_but_do_not_win_the_match() -> None:
    state = play(arranged_match(SECOND, GINNER, hand_turn_cap=2, target=15), "draw", "gin Vb CTAr DOGg ATb ONy")
    state = throw_the_drawn_card(play(state, "challenge CTAr"), 3)
    assert last_result(state).points == (18, -18)
    assert state.table.totals == (18, -18)
    assert WORD_GIN.outcome(state) is None


def test_ban_on_a_gin_ends_with_its_hand() -> None:
    state = play(arranged_match(SECOND, GINNER, hand_turn_cap=1), "draw", "gin Vb CTAr DOGg ATb ONy", "challenge CTAr")
    state = throw_the_drawn_card(state, 1)
    assert state.table.number == 2
    assert state.barred == (False, False)


@pytest.mark.parametrize(("seats", "target"), [(2, 200), (3, 150), (4, 100)])
def test_target_by_number_of_players(seats: int, target: int) -> None:
    state = scored(seats)
    assert WORD_GIN.spectator_view(state).target == target
    assert WORD_GIN.outcome(state) is None
    gained = state.table.totals[1]
    short = arranged_match(*(SECOND, GINNER, THIRD, FOURTH)[:seats])
    behind = (0, target - gained - 1, *[0] * (seats - 2))
    for totals, over in ((behind, False), ((0, behind[1] + 1, *behind[2:]), True)):
        state = short._replace(table=short.table._replace(totals=totals))
        state = play(state, "draw", GIN, *["pass"] * (seats - 1), *["reveal"] * (seats - 1))
        assert (WORD_GIN.outcome(state) is not None) == over
    assert outcome_of(state).winner == 1
    assert outcome_of(state).termination is Termination.TARGET


def test_highest_total_wins_when_more_than_one_player_reaches_the_target() -> None:
    state = arranged_match(SECOND, GINNER)
    state = state._replace(table=state.table._replace(totals=(260, 180)))
    state = play(state, "draw", GIN, "pass", "reveal")
    assert outcome_of(state).totals == (223, 249)
    assert outcome_of(state).winner == 1


def test_match_is_over_only_after_all_hands_are_scored() -> None:
    state = arranged_match(SECOND, GINNER)
    state = state._replace(table=state.table._replace(totals=(0, 300)))
    state = play(state, "draw", GIN, "pass")
    assert WORD_GIN.outcome(state) is None
    assert WORD_GIN.outcome(play(state, "reveal")) is not None


def test_tie_at_the_top_plays_another_hand() -> None:
    state = arranged_match(SECOND, GINNER)
    state = state._replace(table=state.table._replace(totals=(306, 200)))
    state = play(state, "draw", GIN, "pass", "reveal")
    assert state.table.totals == (269, 269)
    assert WORD_GIN.outcome(state) is None
    assert state.table.number == 2


def test_fixed_hands_go_to_the_highest_total() -> None:
    state = scored(fixed_hands=1)
    assert outcome_of(state).termination is Termination.FIXED_HANDS
    assert outcome_of(state).winner == 1
    assert WORD_GIN.to_act(state) is None
    assert WORD_GIN.legal_actions(state) == ()


def test_fixed_hands_that_tie_are_a_draw() -> None:
    state = throw_the_drawn_card(arranged_match(SECOND, GINNER, hand_turn_cap=1, fixed_hands=1), 2)
    assert outcome_of(state).winner is None


def test_match_at_its_hand_cap_goes_to_the_highest_total() -> None:
    outcome = outcome_of(scored(match_hand_cap=1))
    assert (outcome.termination, outcome.winner) == (Termination.HAND_CAP, 1)


def test_outcome_counts_hands_won_and_gins() -> None:
    outcome = outcome_of(scored(seats=4, fixed_hands=1))
    assert outcome.hands_won == (0, 1, 0, 0)
    assert outcome.gins == (0, 1, 0, 0)
    assert outcome.undercuts == (0, 0, 0, 0)
    assert outcome.final_scores == outcome.totals
    assert outcome.hands_played == 1


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_two_to_four_play(seats: int) -> None:
    with pytest.raises(InvalidRules) as refused:
        WORD_GIN.new_match(WORD_GIN.rules_from_json({}), seats, ArrangedDeals((), ()))
    assert refused.value.field == "seats"


def test_deck_too_small_for_the_players_is_refused() -> None:
    register_deck(read_deck('{"name": "small-40", "each_suit": {"a": 5, "t": 5}}'))
    rules = WORD_GIN.rules_from_json({"deck": "small-40"})
    with pytest.raises(InvalidRules, match="too few cards") as refused:
        WORD_GIN.new_match(rules, 4, ArrangedDeals((), ()))
    assert refused.value.field == "seats"


def test_deals_that_cannot_be_are_refused() -> None:
    deck = arranged_deck(SECOND, GINNER)
    with pytest.raises(UnfairDeals, match="124 different cards"):
        match_of(deck[:-1])
    with pytest.raises(UnfairDeals, match="always ties"):
        match_of(deck, cuts=" ".join(["Ar1 Ab1"] * 1000))

"""Deal, opening offer, turns, and how a hand without a knock ends (source 004, sections 3 and 4)."""

from __future__ import annotations

import pytest

from gin_rules.game import IllegalAction, InvalidRules
from gin_rules.rummy.cards import mask_of, mask_text, parse_card, parse_cards
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.rummy.match import UnfairDeals
from gin_rules.rummy.rules import STANDARD
from tests.unit.gin_rules.dealing import (
    DEALER,
    NONDEALER,
    PLAIN_DEALER,
    PLAIN_NONDEALER,
    ArrangedDeals,
    arranged_deck,
    arranged_match,
    draw_and_throw,
    match_of,
    play,
)

legal = GIN_RUMMY.legal_actions


def test_lower_cut_deals_and_ace_is_low() -> None:
    assert match_of([arranged_deck()], cuts="Ac Kc").table.dealer == 0
    assert match_of([arranged_deck()], cuts="2c Ah").table.dealer == 1


def test_tied_cut_is_cut_again() -> None:
    state = match_of([arranged_deck()], cuts="9c 9d Kc Kd Tc 2d")
    assert state.table.dealer == 1
    assert len(state.table.cuts) == 3


def test_cut_that_always_ties_is_refused() -> None:
    cut = (parse_card("9c"), parse_card("9d"))
    with pytest.raises(UnfairDeals):
        GIN_RUMMY.new_match(STANDARD, 2, ArrangedDeals((arranged_deck(),), (cut,) * 1000))


@pytest.mark.parametrize("dealer", [0, 1])
def test_first_dealer_by_agreement_deals_without_a_cut(dealer: int) -> None:
    deals = ArrangedDeals((arranged_deck(),), ())
    state = GIN_RUMMY.new_match(STANDARD, 2, deals, first_dealer=dealer)
    assert (state.table.dealer, GIN_RUMMY.to_act(state), state.table.cuts) == (dealer, 1 - dealer, ())


@pytest.mark.parametrize("dealer", [-1, 2])
def test_first_dealer_must_sit_at_the_table(dealer: int) -> None:
    with pytest.raises(InvalidRules) as refused:
        GIN_RUMMY.new_match(STANDARD, 2, ArrangedDeals((arranged_deck(),), ()), first_dealer=dealer)
    assert refused.value.field == "first_dealer"


def test_deck_with_a_repeated_card_is_refused() -> None:
    deck = arranged_deck()
    with pytest.raises(UnfairDeals):
        match_of([(deck[1], *deck[1:])])


@pytest.mark.parametrize("seats", [1, 3, 4])
def test_only_two_can_play(seats: int) -> None:
    with pytest.raises(InvalidRules) as refused:
        GIN_RUMMY.new_match(STANDARD, seats, ArrangedDeals((arranged_deck(),), ()))
    assert refused.value.field == "seats"


def test_ten_cards_each_dealt_in_turn_from_the_nondealer_and_one_turned_up() -> None:
    state = arranged_match()
    assert state.hands[NONDEALER] == mask_of(parse_cards(PLAIN_NONDEALER))
    assert state.hands[DEALER] == mask_of(parse_cards(PLAIN_DEALER))
    assert state.pile == parse_cards("Js")
    assert state.stock_size == 31


def test_upcard_is_offered_to_nondealer_then_dealer_then_nondealer_must_draw() -> None:
    state = arranged_match()
    assert (GIN_RUMMY.to_act(state), legal(state)) == (NONDEALER, ("pass", "take"))
    state = play(state, "pass")
    assert (GIN_RUMMY.to_act(state), legal(state)) == (DEALER, ("pass", "take"))
    state = play(state, "pass")
    assert (GIN_RUMMY.to_act(state), legal(state)) == (NONDEALER, ("draw",))
    with pytest.raises(IllegalAction):
        play(state, "take")


def test_nobody_draws_from_the_stock_during_the_offer() -> None:
    for state in (arranged_match(), play(arranged_match(), "pass")):
        with pytest.raises(IllegalAction):
            play(state, "draw")


def test_dealer_who_takes_the_upcard_completes_the_turn_with_a_discard() -> None:
    state = play(arranged_match(), "pass", "take", "discard Kh")
    assert GIN_RUMMY.to_act(state) == NONDEALER
    assert legal(state) == ("take", "draw")
    assert state.pile == parse_cards("Kh")


def test_after_the_offer_players_draw_from_either_pile_and_alternate() -> None:
    state = play(arranged_match(stock="Qc 9s"), "pass", "pass", "draw", "discard Qc", "take")
    assert mask_text(state.hands[DEALER] & ~mask_of(parse_cards(PLAIN_DEALER))) == "Qc"
    state = play(state, "discard Jc", "draw")
    assert GIN_RUMMY.to_act(state) == NONDEALER
    assert state.hands[NONDEALER] & mask_of(parse_cards("9s"))


def test_card_taken_from_the_pile_cannot_be_that_turns_discard() -> None:
    state = play(arranged_match(), "take")
    assert "discard Js" not in legal(state)
    with pytest.raises(IllegalAction, match="stays in the hand"):
        play(state, "discard Js")


def test_card_taken_from_the_pile_can_be_thrown_a_turn_later() -> None:
    state = play(arranged_match(), "take", "discard Ac", "draw", "discard Kc", "draw")
    assert "discard Js" in legal(state)


def test_card_drawn_from_the_stock_can_be_thrown_at_once() -> None:
    state = play(arranged_match(stock="9s"), "pass", "pass", "draw")
    assert play(state, "discard 9s").pile == parse_cards("Js 9s")


def test_card_that_is_not_held_cannot_be_thrown() -> None:
    state = play(arranged_match(stock="9s"), "pass", "pass", "draw")
    with pytest.raises(IllegalAction, match="not in the hand"):
        play(state, "discard Kc")


@pytest.mark.parametrize(
    "action", ["", "Take", "take ", "discard", "discard Ac", "knock Ac", "done", "big_gin", "pass 2"]
)
def test_actions_out_of_turn_are_refused_and_change_nothing(action: str) -> None:
    state = arranged_match()
    with pytest.raises(IllegalAction):
        play(state, action)
    assert state == arranged_match()


def test_hand_ends_without_score_when_a_discard_leaves_two_cards_in_the_stock() -> None:
    state = draw_and_throw(play(arranged_match(), "pass", "pass"), 28)
    assert state.table.number == 1
    assert state.stock_size == 3
    state = draw_and_throw(state, 1)
    (result,) = GIN_RUMMY.hand_results(state)
    assert (result.ended, result.winner, result.points, result.hands) == ("stock", None, (0, 0), None)
    assert state.table.number == 2


def test_player_who_drew_the_third_last_card_may_still_knock() -> None:
    state = arranged_match(nondealer="Ac 2c 3c 4d 5d 6d 9h 9s 9d Ks", stock="Qs")
    state = draw_and_throw(play(state, "pass", "pass"), 28)
    state = play(state, "draw")
    assert state.stock_size == 2
    assert GIN_RUMMY.to_act(state) == NONDEALER
    assert "knock Ks" in legal(state)
    assert GIN_RUMMY.hand_results(play(state, "knock Ks"))[0].ended in ("knock", "gin")


def test_hand_goes_on_to_the_last_card_when_that_is_agreed() -> None:
    state = draw_and_throw(play(arranged_match(stock_end="one"), "pass", "pass"), 29)
    assert (state.table.number, state.stock_size) == (1, 2)
    assert draw_and_throw(state, 1).table.number == 2


def test_recycled_pile_keeps_its_top_card_and_its_order() -> None:
    state = play(arranged_match(stock_end="recycle"), "pass", "pass")
    state = draw_and_throw(state, 30)
    pile = state.pile
    assert state.stock_size == 1
    last = state.stock[-1]
    state = draw_and_throw(state, 1)
    assert state.table.number == 1
    assert state.pile == (last,)
    assert state.stock == pile
    assert state.stock[0] == parse_card("Js"), "turned over, the oldest discard is drawn first"


def test_recycled_pile_is_shuffled_when_that_is_agreed() -> None:
    start = play(arranged_match(stock_end="recycle", recycle_shuffled=True), "pass", "pass")
    before = draw_and_throw(start, 30)
    assert draw_and_throw(before, 1).stock == tuple(reversed(before.pile))


def test_hand_with_too_many_turns_is_over_without_score() -> None:
    state = play(arranged_match(hand_turn_cap=5), "pass", "pass")
    assert draw_and_throw(state, 4).table.number == 1
    state = draw_and_throw(state, 5)
    assert GIN_RUMMY.hand_results(state)[0].ended == "turns"
    assert state.table.number == 2


def test_buried_discard_is_taken_with_every_card_above_it_if_it_melds() -> None:
    state = arranged_match(stock="3d 5h 9s", buried_draw=True)
    state = play(state, "pass", "pass", "draw", "discard 3d", "draw", "discard 5h", "draw", "discard 9s", "draw")
    state = play(state, "discard Kc")
    assert state.pile == parse_cards("Js 3d 5h 9s Kc")
    assert legal(state) == ("take", "draw", "take 3d")  # 2d 3d 4d; nothing melds with 5h, 9s or Js
    state = play(state, "take 3d")
    assert state.hands[NONDEALER].bit_count() == 14
    assert state.pile == parse_cards("Js")
    assert "discard 3d" not in legal(state)
    assert "discard 9s" in legal(state)
    state = play(state, "discard 9s")
    assert state.hands[NONDEALER].bit_count() == 13


def test_buried_discard_stays_buried_in_the_standard_game() -> None:
    state = play(arranged_match(stock="3d 5h"), "pass", "pass", "draw", "discard 3d", "draw", "discard 5h")
    with pytest.raises(IllegalAction, match="no buried discard"):
        play(state, "take 3d")

"""Cut, deal and turns (source 000, rules 1 and 2)."""

from __future__ import annotations

from gin_rules.word.game import WORD_GIN
from gin_rules.word.state import State
from tests.unit.gin_rules.word.dealing import (
    DECK,
    FOURTH,
    GINNER,
    SECOND,
    THIRD,
    arranged_deck,
    arranged_match,
    cards,
    match_of,
    play,
    refuse,
)


def cut(cuts: str, seats: int = 2) -> State:
    hands = (SECOND, GINNER, THIRD, FOURTH)[:seats]
    return match_of(arranged_deck(*hands), seats=seats, cuts=cuts)


def test_player_who_cuts_closest_to_a_deals() -> None:
    assert cut("Cr Br").table.dealer == 1
    assert cut("Br Ey1 Ab2 Zy", seats=4).table.dealer == 2


def test_players_who_tie_for_closest_cut_again() -> None:
    state = cut("Ar1 Ab2 Dr Cg")
    assert state.table.dealer == 1
    assert len(state.table.cuts) == 2


def test_tie_that_is_not_closest_to_a_stands() -> None:
    state = cut("Er1 Ey1 Dr", seats=3)
    assert state.table.dealer == 2
    assert len(state.table.cuts) == 1


def test_dealer_deals_ten_cards_to_each_player() -> None:
    for seats in (2, 3, 4):
        hands = (SECOND, GINNER, THIRD, FOURTH)[:seats]
        state = arranged_match(*hands)
        assert state.hands == tuple(tuple(sorted(cards(hand))) for hand in hands)


def test_one_card_is_left_face_up_next_to_the_deck() -> None:
    state = arranged_match(SECOND, GINNER, upcard="Kg", stock="Vb")
    assert WORD_GIN.spectator_view(state).upcard == DECK.parse("Kg")
    assert len(state.stock) == 124 - 20 - 1
    assert state.stock[0] == DECK.parse("Vb")


def test_player_next_to_the_dealer_clockwise_plays_first_and_turns_go_clockwise() -> None:
    state = cut("Br Ey1 Ab2 Zy", seats=4)
    seats = []
    for _ in range(6):
        seats.append(state.turn)
        state = play(state, "take")
        state = play(state, WORD_GIN.legal_actions(state)[0])
    assert seats == [3, 0, 1, 2, 3, 0]


def test_player_takes_the_up_card_or_one_from_the_deck() -> None:
    state = arranged_match(SECOND, GINNER)
    assert WORD_GIN.legal_actions(state) == ("take", "draw")
    taken = play(state, "take")
    assert DECK.parse("Kg") in taken.hands[1]
    assert taken.pile == ()
    drawn = play(state, "draw")
    assert DECK.parse("Vb") in drawn.hands[1]
    assert drawn.pile == cards("Kg")
    assert len(taken.hands[1]) == len(drawn.hands[1]) == 11


def test_player_then_discards_an_up_card_and_it_is_the_next_players_turn() -> None:
    state = play(arranged_match(SECOND, GINNER), "draw", "discard Cr")
    assert WORD_GIN.spectator_view(state).upcard == DECK.parse("Cr")
    assert DECK.parse("Cr") not in state.hands[1]
    assert (state.turn, state.phase) == (0, "draw")
    assert DECK.parse("Cr") in play(state, "take").hands[0]


def test_taken_up_card_may_be_thrown_back() -> None:
    state = play(arranged_match(SECOND, GINNER), "take", "discard Kg")
    assert state.pile == cards("Kg")


def test_with_return_ban_the_taken_up_card_may_be_neither_discarded_nor_put_face_down() -> None:
    state = play(arranged_match(SECOND, GINNER, return_ban=True), "take")
    refuse(state, "discard Kg", "taken this turn")
    refuse(state, "gin Kg CATr DOGg ATb ONy", "taken this turn")
    assert not any("Kg" in action.split()[1] for action in WORD_GIN.legal_actions(state))
    drawn = play(arranged_match(SECOND, GINNER, return_ban=True), "draw")
    assert "discard Vb" in WORD_GIN.legal_actions(drawn)


def test_only_a_card_that_is_held_can_be_discarded() -> None:
    state = play(arranged_match(SECOND, GINNER), "draw")
    refuse(state, "discard Er1", "do not hold")
    refuse(state, "discard Er9", "not a card")
    refuse(state, "discard", "discard a card")
    refuse(state, "draw", "discard a card")
    refuse(arranged_match(SECOND, GINNER), "discard Cr", "take the up card or draw")

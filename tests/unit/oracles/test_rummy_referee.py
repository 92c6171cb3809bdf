"""The referee of Gin Rummy: offers, turns, knocks, end of the stock, matches (source 004, Gameplay)."""

import pytest

from tests.oracles.rummy_hands import DECK, cards_of
from tests.oracles.rummy_play import Hand, IllegalActionError, Match, referee

KNOCKER = cards_of("4c5c6c JdJsJh 2d2h2s 9d")
OTHER = cards_of("3c4d 6h8h Tc Qd Ks 7s As 9s")
UPCARD = "8d"


def rest_of_deck(*first: str) -> list[str]:
    """The stock of the deal above, these cards on top."""
    used = {*KNOCKER, *OTHER, UPCARD, *first}
    return [*first, *[card for card in DECK if card not in used]]


def deal(*first: str) -> Hand:
    """Player 0 deals; player 1 holds three melds and the nine of diamonds."""
    return Hand((OTHER, KNOCKER), UPCARD, rest_of_deck(*first), dealer=0)


def play(hand: Hand, *actions: str) -> Hand:
    for action in actions:
        assert hand.is_legal(action), action
        hand.play(action)
    return hand


def test_nondealer_is_offered_the_upcard_first_then_the_dealer() -> None:
    hand = deal()
    assert (hand.to_act, hand.legal()) == (1, frozenset({"pass", "take"}))
    play(hand, "pass")
    assert (hand.to_act, hand.legal()) == (0, frozenset({"pass", "take"}))


def test_after_two_passes_the_nondealer_must_draw_from_the_stock() -> None:
    hand = play(deal(), "pass", "pass")
    assert (hand.to_act, hand.legal()) == (1, frozenset({"draw"}))


def test_dealer_who_takes_the_upcard_is_followed_by_the_nondealer() -> None:
    hand = play(deal(), "pass", "take", "discard Ks")
    assert (hand.to_act, hand.legal()) == (1, frozenset({"draw", "take"}))


def test_card_taken_from_the_pile_is_neither_discarded_nor_knocked_with() -> None:
    hand = play(deal(), "take")
    assert "discard 8d" not in hand.legal()
    assert "knock 8d" not in hand.legal()
    assert "knock 9d" in hand.legal()
    with pytest.raises(IllegalActionError):
        hand.play("discard 8d")
    assert "8d" in hand.hands[1]


def test_card_drawn_from_the_stock_may_be_thrown() -> None:
    hand = play(deal("Kh"), "pass", "pass", "draw")
    assert {"discard Kh", "knock Kh"} <= hand.legal()


def test_ban_ends_with_the_turn() -> None:
    hand = play(deal("Kh", "Kd"), "take", "discard 9d", "draw", "discard Kh", "draw")
    assert "discard 8d" in hand.legal()


def test_knock_needs_ten_or_less_after_the_discard() -> None:
    hand = play(deal("Kh"), "pass", "pass", "draw")
    knocks = {action for action in hand.legal() if action.startswith("knock")}
    # Kh kept instead of 9d makes ten exactly; any other throw breaks a meld.
    assert knocks == {"knock Kh", "knock 9d"}


def test_knock_is_settled_from_the_winner_s_view() -> None:
    hand = play(deal(), "take", "knock 9d")
    assert hand.score is not None
    # The defender lays 3c on 4-5-6; 4d 6h 8h Tc Qd Ks 7s As 9s are left: 65 against 8.
    assert (hand.score.result, hand.score.winner, hand.score.points) == ("knock", 1, 65 - 8)
    assert hand.legal() == frozenset()


def test_gin_is_a_knock_without_deadwood() -> None:
    hand = play(deal("7c"), "pass", "pass", "draw", "knock 9d")
    assert hand.score is not None
    assert (hand.score.result, hand.score.winner, hand.score.points) == ("gin", 1, 25 + 68)


def test_named_knock_with_wrong_melds_changes_nothing() -> None:
    hand = play(deal(), "take")
    before = hand.legal()
    for action in ("knock 9d 4c5c6c", "knock 9d 4c5c7c/JdJsJh/2d2h2s", "knock 9d junk", "discard 9d 4c5c6c"):
        assert not hand.is_legal(action)
        with pytest.raises(IllegalActionError):
            hand.play(action)
    assert hand.legal() == before
    play(hand, "knock 9d 4c5c6c/JdJsJh/2d2h2s")
    assert hand.score is not None
    assert hand.score.points == 57


def throw_drawn_card_until_stock_is(size: int) -> Hand:
    hand = play(deal(), "pass", "pass")
    while len(hand.stock) > size:
        card = hand.stock[0]
        play(hand, "draw", f"discard {card}")
    return hand


def test_hand_ends_without_score_when_two_cards_are_left_after_a_discard() -> None:
    hand = throw_drawn_card_until_stock_is(3)
    assert hand.score is None
    play(hand, "draw")
    assert hand.score is None
    card = next(iter(hand.hands[hand.to_act]))
    play(hand, f"discard {card}")
    assert hand.score is not None
    assert (hand.score.result, hand.score.winner, hand.score.points) == ("no score", None, 0)
    assert hand.legal() == frozenset()
    with pytest.raises(IllegalActionError):
        hand.play("take")


def test_player_of_the_third_last_card_may_still_knock() -> None:
    # 31 cards in the stock: the nondealer draws the first, the third, ... and the 29th, which leaves two.
    hand = throw_drawn_card_until_stock_is(3)
    assert hand.to_act == 1
    play(hand, "draw", "knock 9d")
    assert hand.score is not None
    assert hand.score.result in {"knock", "gin"}


def test_taking_from_the_pile_with_three_in_the_stock_does_not_end_the_hand() -> None:
    hand = throw_drawn_card_until_stock_is(3)
    play(hand, "take", "discard 9d")
    assert (hand.score, hand.phase, hand.to_act) == (None, "draw", 0)


def test_referee_tells_the_score_of_a_list_of_actions() -> None:
    score = referee((OTHER, KNOCKER), UPCARD, rest_of_deck(), ["take", "knock 9d"], dealer=0)
    assert score is not None
    assert score.points == 57
    assert referee((OTHER, KNOCKER), UPCARD, rest_of_deck(), ["take"], dealer=0) is None
    with pytest.raises(IllegalActionError):
        referee((OTHER, KNOCKER), UPCARD, rest_of_deck(), ["draw"], dealer=0)


def test_dealer_alternates_also_after_a_hand_without_score() -> None:
    match = Match(first_dealer=0)
    hand = match.deal((OTHER, KNOCKER), UPCARD, rest_of_deck())
    match.play("pass")
    match.play("pass")
    while match.hand is not None:
        card = hand.stock[0]
        match.play("draw")
        match.play(f"discard {card}")
    assert match.dealer == 1
    assert match.totals == [0, 0]
    assert match.deal((KNOCKER, OTHER), UPCARD, rest_of_deck()).to_act == 0


def test_match_ends_when_a_total_reaches_a_hundred_with_the_hand_fully_scored() -> None:
    match = Match(first_dealer=0)
    match.deal((OTHER, KNOCKER), UPCARD, rest_of_deck("7c"))
    for action in ("pass", "pass", "draw", "knock 9d"):
        match.play(action)
    assert (match.totals, match.winner) == ([0, 93], None)
    match.deal((KNOCKER, OTHER), UPCARD, rest_of_deck())
    for action in ("take", "knock 9d"):
        match.play(action)
    assert (match.totals, match.winner) == ([57, 93], None)
    match.deal((OTHER, KNOCKER), UPCARD, rest_of_deck())
    for action in ("take", "knock 9d"):
        match.play(action)
    assert (match.totals, match.winner) == ([57, 150], 1)
    with pytest.raises(IllegalActionError):
        match.deal((KNOCKER, OTHER), UPCARD, rest_of_deck())


def test_deal_of_other_than_ten_different_cards_is_refused() -> None:
    with pytest.raises(ValueError, match="ten different"):
        Hand((OTHER, OTHER), UPCARD, rest_of_deck(), dealer=0)

"""Sentences of the rule texts (sources 001 and 004) that no other test reads out; docs/rules/coverage.md lists all."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from itertools import permutations

import pytest

from gin_rules.game import IllegalAction
from gin_rules.replay import replay
from gin_rules.rummy.cards import cards_of, full_deck, mask_of, parse_card, parse_cards
from gin_rules.rummy.deadwood import is_meld, least_deadwood
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.rummy.rules import PRESETS, STANDARD, RuleSet
from gin_rules.rummy.settlement import settle
from tests.unit.gin_rules.dealing import (
    DEALER,
    NONDEALER,
    PLAIN_DEALER,
    arranged_deck,
    arranged_match,
    draw_and_throw,
    match_of,
    play,
)
from tests.unit.gin_rules.playing import recorded

GIN = "4c 5c 6c Jd Js Jh 2d 2h 2s 3c"
EIGHT = "4c 5c 6c Jd Js Jh 2d 2h 2s 8s"
MELDED = "Kc Kd Kh 9c 9d 9h"
LOSER = "As 3h 5d 6h 7d 8h Tc Ts Kd Kh"


def test_deck_is_fifty_two_different_cards_of_four_suits_without_jokers() -> None:
    deck = [GIN_RUMMY.card_text(card) for card in full_deck()]
    assert len(set(deck)) == 52 == GIN_RUMMY.deck_size(STANDARD)
    assert {text[1] for text in deck} == set("cdhs")
    assert all(sum(text[1] == suit for text in deck) == 13 for suit in "cdhs")


def test_ranks_run_from_ace_to_king_and_no_further() -> None:
    ranks = "A23456789TJQK"
    in_order = ["".join(f"{rank}h" for rank in ranks[low : low + 3]) for low in range(11)]
    assert all(is_meld(mask_of(parse_cards(text))) for text in in_order)
    runs = [
        three
        for three in permutations(ranks, 3)
        if ranks.index(three[0]) < ranks.index(three[1]) < ranks.index(three[2])
        and is_meld(mask_of(parse_cards("".join(f"{rank}h" for rank in three))))
    ]
    assert len(runs) == 11


def test_suits_have_no_rank() -> None:
    for suits in permutations("cdhs"):
        other = str.maketrans("cdhs", "".join(suits))
        result = settle(parse_cards(EIGHT.translate(other)), parse_cards(LOSER.translate(other)), STANDARD)
        assert (result.points, result.defender_deadwood) == (62, 70)
    assert len(match_of([_any_deck()], cuts="9c 9s Ac Kc").table.cuts) == 2, "equal ranks tie whatever their suits"


def _any_deck() -> tuple[object, ...]:
    return tuple(full_deck())


def test_melded_cards_are_no_deadwood() -> None:
    assert least_deadwood(parse_cards("Kc Kd Kh Qs Qd Qh 9c 9d 9h Ac")) == 1


def test_seven_of_hearts_completes_the_set_or_the_run_not_both() -> None:
    assert least_deadwood(parse_cards("5h 6h 7h 7c 7d")) == 5 + 6


def test_four_to_seven_of_clubs_with_three_sevens_is_melded_whole() -> None:
    assert least_deadwood(parse_cards("4c 5c 6c 7c 7d 7h 7s")) == 0
    assert least_deadwood(parse_cards("5c 6c 7c 7d 7h 9s")) == 9 + 5 + 6, "the set saves more than the run"
    assert least_deadwood(parse_cards("5c 6c 7c 7d 9s")) == 9 + 7, "the run saves more than a pair"


def test_own_hand_is_seen_at_any_time_also_out_of_turn() -> None:
    state = arranged_match()
    for action in ("pass", "pass", "draw", "discard Ac", "take", "discard 2s"):
        for seat in (0, 1):
            assert GIN_RUMMY.view(state, seat).hand == cards_of(state.hands[seat])
        state = play(state, action)


def test_hand_has_eleven_cards_after_the_draw_and_ten_after_the_discard() -> None:
    state = play(arranged_match(), "pass", "pass", "draw")
    assert [hand.bit_count() for hand in state.hands] == [10, 11]
    with pytest.raises(IllegalAction):
        play(state, "draw")
    assert [hand.bit_count() for hand in play(state, "discard Ac").hands] == [10, 10]


def test_turn_that_is_over_cannot_be_taken_back() -> None:
    state = play(arranged_match(), "pass", "pass", "draw", "discard Ac")
    assert GIN_RUMMY.to_act(state) == DEALER
    for action in ("discard 3c", "knock 3c", "pass"):
        with pytest.raises(IllegalAction):
            play(state, action)
    drawn = play(state, "draw")
    assert drawn.history[: len(state.history)] == state.history
    assert parse_card("Ac") in drawn.pile


def test_both_hands_are_shown_after_a_knock() -> None:
    state = play(arranged_match(EIGHT, LOSER, "Qs", "Kc"), "pass", "pass", "draw", "knock Kc")
    (result,) = GIN_RUMMY.hand_results(state)
    assert result.hands is not None
    assert set(result.hands[NONDEALER]) == set(parse_cards(EIGHT))
    assert set(result.hands[DEALER]) == set(parse_cards(LOSER))
    assert GIN_RUMMY.spectator_view(state).results == (result,)


def test_discard_of_gin_is_not_part_of_the_hand() -> None:
    state = play(arranged_match(GIN, LOSER, "Qs", "Kc"), "pass", "pass", "draw", "knock Kc")
    (result,) = GIN_RUMMY.hand_results(state)
    assert result.hands is not None
    assert set(result.hands[NONDEALER]) == set(parse_cards(GIN))


def test_fourth_queen_and_both_ends_of_a_run_of_diamonds_are_laid_off() -> None:
    knocker, defender = "Qc Qd Qh 5d 6d 7d 2c 2h 2s As", "Qs 4d 8d 3c 9h Th Kc Ks 6s Jc"
    result = settle(parse_cards(knocker), parse_cards(defender), STANDARD)
    assert {card for layoff in result.layoffs for card in layoff.cards} == set(parse_cards("Qs 4d 8d"))
    assert result.defender_deadwood == 3 + 9 + 10 + 10 + 10 + 6 + 10


def test_defender_cannot_rearrange_or_break_the_knockers_melds_or_use_a_card_twice() -> None:
    # The 4c would fit 5c 6c 7c if the knocker's 8c and 4c could be moved; the eights fit both a run and a set.
    state = arranged_match(
        "5c 6c 7c 8d 8h 8s 2d 2h 2s Ah", "8c Kc Kd Qh Js Tc 9s 3h 4s 6d", "Qs", "Ks", layoffs="manual"
    )
    state = play(state, "pass", "pass", "draw", "knock Ks")
    assert GIN_RUMMY.legal_actions(state) == ("layoff 8c on 5c6c7c", "layoff 8c on 8d8h8s", "done")
    with pytest.raises(IllegalAction):
        play(state, "layoff 8c on 8d8h")
    state = play(state, "layoff 8c on 5c6c7c")
    assert GIN_RUMMY.legal_actions(state) == ("done",)
    with pytest.raises(IllegalAction):
        play(state, "layoff 8c on 8d8h8s")


@pytest.mark.parametrize(
    ("knocker", "defender", "result", "points"),
    [
        ("4c 5c 6c Jd Js Jh 2d 2h 2s 7h", f"{MELDED} 7c 8s 6s 4d", "knock", 18 - 7),
        (GIN, f"{MELDED} Tc 8s 7d 7s", "gin", 25 + 32),
        (EIGHT, f"{MELDED} 7c As 3s Ad", "undercut", 25 + 3),
        (EIGHT, f"{MELDED} 7c 4s 3s Ad", "undercut", 25),
    ],
    ids=["knock with 7 against 18", "gin against 32", "8 undercut by 5", "8 undercut by 8"],
)
def test_scoring_examples_of_the_rule_text(knocker: str, defender: str, result: str, points: int) -> None:
    settlement = settle(parse_cards(knocker), parse_cards(defender), STANDARD)
    assert (settlement.result, settlement.points) == (result, points)
    assert sum(len(layoff.cards) for layoff in settlement.layoffs) == (0 if result == "gin" else 1)


def test_game_without_announced_variations_is_the_standard_one() -> None:
    assert GIN_RUMMY.rules_from_json({}) == STANDARD == RuleSet()
    assert (STANDARD.oklahoma, STANDARD.big_gin, STANDARD.buried_draw, STANDARD.match_bonuses) == (
        False,
        False,
        False,
        "none",
    )
    assert (STANDARD.stock_end, STANDARD.win_margin, STANDARD.knock_limit) == ("two", 0, 10)


def test_agreed_rules_hold_for_the_whole_game() -> None:
    with pytest.raises(FrozenInstanceError):
        STANDARD.target = 50  # type: ignore[misc]
    record = recorded({"preset": "oklahoma", "target": 40})
    *_, last = replay(record)
    assert GIN_RUMMY.rules_to_json(last.table.rules) == record.rules
    assert set(record.rules) == {field.name for field in fields(RuleSet)}


def test_stock_of_a_recycled_pile_shows_no_next_card() -> None:
    state = draw_and_throw(play(arranged_match(stock_end="recycle"), "pass", "pass"), 31)
    assert state.recycled == 1
    for view in (GIN_RUMMY.view(state, 0), GIN_RUMMY.view(state, 1), GIN_RUMMY.spectator_view(state)):
        assert (view.pile, view.stock_size) == (None, 31)
        discards = [each for each in GIN_RUMMY.view_to_json(view)["history"] if each["text"].startswith("discard")]
        assert [each["card"] for each in discards[:-1]] == [None] * 30


def test_szwsxs_pays_no_line_or_game_bonus_and_has_no_big_gin() -> None:
    rules = PRESETS["szwsxs"]
    assert (rules.match_bonuses, rules.big_gin, rules.target, rules.layoffs) == ("none", False, 100, "automatic")
    outcome = recorded({"preset": "szwsxs"}).outcome
    assert outcome is not None
    assert outcome.final_scores == outcome.totals


def test_meld_in_the_hand_is_not_shown_before_the_end() -> None:
    state = play(
        arranged_match(EIGHT, PLAIN_DEALER.replace("2s", "3s").replace("8h", "9h").replace("6h", "7h"), "Qs", "Ks")
    )
    view = GIN_RUMMY.view(state, DEALER)
    assert (view.shown, view.results) == (None, ())
    assert not set(view.hand) & set(parse_cards(EIGHT))


def test_gin_and_undercut_pay_twenty_five_each() -> None:
    for rules in (STANDARD, PRESETS["szwsxs"]):
        gin = settle(parse_cards(GIN), parse_cards(LOSER), rules)
        undercut = settle(parse_cards(EIGHT), parse_cards(f"{MELDED} 7c As 3s Ad"), rules)
        assert (gin.result, gin.bonus) == ("gin", 25)
        assert (undercut.result, undercut.bonus) == ("undercut", 25)


def test_big_gin_pays_thirty_one_or_as_agreed_and_the_opponents_deadwood() -> None:
    eleven = parse_cards("4c 5c 6c Jd Js Jh 2d 2h 2s 3c 7c")
    for rules, bonus in ((PRESETS["big_gin"], 31), (RuleSet(big_gin=True, big_gin_bonus=50), 50)):
        result = settle(eleven, parse_cards(LOSER), rules, big_gin=True)
        assert (result.result, result.points) == ("big_gin", bonus + 70)


def test_meld_has_at_least_three_cards() -> None:
    for two, three in (("7c7d", "7c7d7h"), ("7c8c", "7c8c9c")):
        assert not is_meld(mask_of(parse_cards(two)))
        assert is_meld(mask_of(parse_cards(three)))
        assert least_deadwood(parse_cards(two)) > 0 == least_deadwood(parse_cards(three))


def test_traditional_bonuses_are_a_hundred_for_the_game_and_twenty_five_a_hand() -> None:
    deck = arranged_deck("4c 5c 6c Jd Js Jh 2d 2h 2s Ah", "As 3h 5d 6h 7d 8h Tc Ts Kd Kh", "Qs", "Kc")
    state = match_of([deck], match_bonuses="traditional", target=69)
    outcome = GIN_RUMMY.outcome(play(state, "pass", "pass", "draw", "knock Kc"))
    assert outcome is not None
    assert (outcome.totals, outcome.final_scores) == ((0, 69), (0, 69 + 25 + 100 + 100))

"""From hand to hand, the end of a match, and rule sets (source 004, sections 3, 5 and 6)."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from gin_rules.game import InvalidRules, Outcome, Termination, UnknownGame, game_named, game_names
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.rummy.rules import PRESETS, STANDARD, RuleSet
from gin_rules.rummy.state import State
from tests.unit.gin_rules.dealing import arranged_deck, draw_and_throw, match_of, play

TEN = "4c 5c 6c Jd Js Jh 2d 2h 2s Ah"  # 1 deadwood
WEAK = "As 3h 5d 6h 7d 8h Tc Ts Kd Kh"  # 70, lays off nothing on TEN
NONDEALER_WINS = arranged_deck(TEN, WEAK, "Qs", "Kc")
DEALER_WINS = arranged_deck(WEAK, TEN, "Qs", "Kc Ks")


def win_by_nondealer(state: State) -> State:
    """The nondealer knocks: 69 points."""
    return play(state, "pass", "pass", "draw", "knock Kc")


def win_by_dealer(state: State) -> State:
    """The dealer knocks: 69 points, and the knocker's king laid beside."""
    return play(state, "pass", "pass", "draw", "discard Kc", "draw", "knock Ks")


def dead_hand(state: State) -> State:
    return draw_and_throw(play(state, "pass", "pass"), 29)


def outcome_of(state: State) -> Outcome:
    outcome = GIN_RUMMY.outcome(state)
    assert outcome is not None
    return outcome


def test_deal_alternates_also_after_a_hand_without_score() -> None:
    state = match_of([NONDEALER_WINS])
    dealers = [state.table.dealer]
    for step in (dead_hand, dead_hand, win_by_nondealer):
        state = step(state)
        dealers.append(state.table.dealer)
    assert dealers == [0, 1, 0, 1]


@pytest.mark.parametrize(("rule", "after_win"), [("winner", 1), ("loser", 0)])
def test_winner_or_loser_deals_when_agreed_and_a_dead_hand_keeps_the_dealer(rule: str, after_win: int) -> None:
    state = match_of([NONDEALER_WINS], dealer=rule)
    assert dead_hand(state).table.dealer == 0
    assert win_by_nondealer(state).table.dealer == after_win


def test_first_to_the_target_wins_and_the_hand_is_scored_in_full() -> None:
    state = win_by_nondealer(match_of([NONDEALER_WINS, DEALER_WINS]))
    assert GIN_RUMMY.outcome(state) is None
    state = win_by_dealer(state)
    assert GIN_RUMMY.to_act(state) is None
    assert GIN_RUMMY.legal_actions(state) == ()
    assert outcome_of(state) == Outcome(
        winner=1,
        totals=(0, 138),
        final_scores=(0, 138),
        hands_played=2,
        termination=Termination.TARGET,
        hands_won=(0, 2),
        gins=(0, 0),
        undercuts=(0, 0),
    )


def test_traditional_bonuses_set_the_final_scores_and_count_a_shutout() -> None:
    rules = {"match_bonuses": "traditional"}
    shutout = win_by_dealer(win_by_nondealer(match_of([NONDEALER_WINS, DEALER_WINS], **rules)))
    assert outcome_of(shutout).final_scores == (0, 138 + 2 * 25 + 200)
    state = match_of([NONDEALER_WINS], **rules)
    for _ in range(3):  # the deal alternates: seats 1, 0, 1 win
        state = win_by_nondealer(state)
    assert outcome_of(state).totals == (69, 138)
    assert outcome_of(state).final_scores == (69 + 25, 138 + 2 * 25 + 100)


def test_match_goes_on_until_the_leader_leads_by_the_margin() -> None:
    state = match_of([NONDEALER_WINS], win_margin=70)
    for _ in range(3):
        state = win_by_nondealer(state)
    assert state.table.totals == (69, 138)
    assert GIN_RUMMY.outcome(state) is None
    state = win_by_nondealer(dead_hand(state))
    assert outcome_of(state).totals == (69, 207)


def test_fixed_hands_go_to_the_higher_total_and_a_tie_is_a_draw() -> None:
    state = match_of([NONDEALER_WINS], fixed_hands=3)
    for _ in range(3):
        state = win_by_nondealer(state)
    assert (outcome_of(state).winner, outcome_of(state).termination) == (1, Termination.FIXED_HANDS)
    state = win_by_nondealer(win_by_nondealer(match_of([NONDEALER_WINS], fixed_hands=2)))
    assert (outcome_of(state).winner, outcome_of(state).totals) == (None, (69, 69))


def test_match_that_never_ends_goes_to_the_higher_total_at_the_cap() -> None:
    state = match_of([NONDEALER_WINS], match_hand_cap=3)
    state = dead_hand(win_by_nondealer(dead_hand(state)))
    assert (outcome_of(state).winner, outcome_of(state).termination) == (0, Termination.HAND_CAP)
    state = dead_hand(match_of([NONDEALER_WINS], match_hand_cap=1))
    assert outcome_of(state).winner is None


def test_undercuts_and_gins_are_counted_for_tie_breaks() -> None:
    gin = arranged_deck("4c 5c 6c Jd Js Jh 2d 2h 2s 3c", WEAK, "Qs", "Kc")
    undercut = arranged_deck("9c 9d 9h Tc Td Th Qd Qh Qc 7s", "4c 5c 6c Jd Js Jh 2d 2h 2s As", "Ks", "Kc 3d")
    state = win_by_nondealer(match_of([gin, undercut], fixed_hands=2))
    state = win_by_nondealer(state)
    outcome = outcome_of(state)
    assert outcome.gins == (0, 1)
    assert outcome.undercuts == (0, 1), "seat 1 dealt the second hand and undercut"
    assert outcome.hands_won == (0, 2)


def test_presets_are_what_their_names_say() -> None:
    assert PRESETS["standard"] == PRESETS["szwsxs"] == STANDARD
    assert PRESETS["straight"].knock_limit == 0
    assert PRESETS["oklahoma"].oklahoma
    assert (PRESETS["big_gin"].big_gin, PRESETS["big_gin"].big_gin_bonus) == (True, 31)
    assert (PRESETS["traditional"].target, PRESETS["traditional"].match_bonuses) == (250, "traditional")
    assert (PRESETS["short"].target, PRESETS["long"].target) == (50, 150)
    assert PRESETS["hollywood"].scoring == "hollywood"
    assert all(PRESETS[name].seating == name for name in ("rotation3", "pairs4", "rotation4"))


@pytest.mark.parametrize("name", PRESETS)
def test_rule_set_round_trips_through_json(name: str) -> None:
    rules = GIN_RUMMY.rules_from_json({"preset": name})
    assert rules == PRESETS[name]
    written = GIN_RUMMY.rules_to_json(rules)
    assert set(written) == {field.name for field in fields(RuleSet)}
    assert GIN_RUMMY.rules_from_json(written) == rules


def test_overrides_change_a_preset() -> None:
    rules = GIN_RUMMY.rules_from_json({"preset": "short", "gin_bonus": 20, "knock_limit": "gin_only"})
    assert rules == RuleSet(target=50, gin_bonus=20, knock_limit=0)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"preset": "poker"}, "preset"),
        ({"preset": ["standard"]}, "preset"),
        ({"jokers": 2}, "jokers"),
        ({"target": 0}, "target"),
        ({"target": 1001}, "target"),
        ({"target": "100"}, "target"),
        ({"target": True}, "target"),
        ({"target": None}, "target"),
        ({"fixed_hands": 0}, "fixed_hands"),
        ({"knock_limit": 11}, "knock_limit"),
        ({"gin_bonus": -1}, "gin_bonus"),
        ({"big_gin": "on"}, "big_gin"),
        ({"stock_end": "three"}, "stock_end"),
        ({"stock_end": ["two"]}, "stock_end"),
        ({"fixed_hands": 3, "win_margin": 10}, "win_margin"),
        ({"fixed_hands": 3, "target": 50}, "target"),
        ({"fixed_hands": 30, "match_hand_cap": 20}, "fixed_hands"),
        ({"oklahoma": True, "knock_limit": 5}, "knock_limit"),
        ({"oklahoma_ace": "one"}, "oklahoma_ace"),
        ({"oklahoma_spades": "all"}, "oklahoma_spades"),
        ({"big_gin_bonus": 50}, "big_gin_bonus"),
        ({"recycle_shuffled": True}, "recycle_shuffled"),
        ({"recycle_shuffled": True, "stock_end": "one"}, "recycle_shuffled"),
        ({"knock_limit": 0, "undercut_bonus": 20}, "undercut_bonus"),
        ({"preset": "straight", "layoffs": "manual"}, "layoffs"),
        ({"preset": "hollywood", "fixed_hands": 4}, "fixed_hands"),
        ({"scoring": "hollywood", "seating": "pairs4"}, "scoring"),
        ({"scoring": "bollywood"}, "scoring"),
        ({"seating": "pairs3"}, "seating"),
        ({"preset": "rotation3", "dealer": "loser"}, "dealer"),
        ({"preset": "pairs4", "dealer": "winner"}, "dealer"),
        ({"preset": "pairs4", "fixed_hands": 3}, "fixed_hands"),
        ({"preset": "rotation4", "match_hand_cap": 31}, "match_hand_cap"),
        ({"preset": "traditional", "fixed_hands": 3}, "target"),
        ({"preset": "oklahoma", "knock_limit": 0}, "knock_limit"),
        ({"preset": "oklahoma", "oklahoma": False, "oklahoma_ace": "one"}, "oklahoma_ace"),
        ({"preset": "big_gin", "big_gin": False, "big_gin_bonus": 50}, "big_gin_bonus"),
        ({"win_margin": 1001}, "win_margin"),
        ({"match_hand_cap": 0}, "match_hand_cap"),
        ({"undercut_bonus": 101}, "undercut_bonus"),
        ({"big_gin": True, "big_gin_bonus": 201}, "big_gin_bonus"),
        ({"hand_turn_cap": 1}, "hand_turn_cap"),
        ({"fixed_hands": 1001}, "fixed_hands"),
        ({"fixed_hands": True}, "fixed_hands"),
    ],
)
def test_rules_that_make_no_sense_are_refused_with_their_field(given: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidRules) as refused:
        GIN_RUMMY.rules_from_json(given)
    assert refused.value.field == field
    assert refused.value.reason


def test_games_are_found_by_name() -> None:
    assert [game_named(name).name for name in game_names()] == list(game_names())
    with pytest.raises(UnknownGame):
        game_named("poker")

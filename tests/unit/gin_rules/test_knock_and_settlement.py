"""Knock, gin, layoffs, undercut and their points (source 004, sections 4 and 5; source 001)."""

from __future__ import annotations

from typing import Any

import pytest

from gin_rules.game import IllegalAction
from gin_rules.rummy.cards import cards_text, parse_cards
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.rummy.rules import STANDARD, RuleSet
from gin_rules.rummy.settlement import RefusedKnock, Settlement, settle
from gin_rules.rummy.state import HandResult, State
from tests.unit.gin_rules.dealing import DEALER, NONDEALER, arranged_match, play

EIGHT = "4c 5c 6c Jd Js Jh 2d 2h 2s 8d"  # 8 deadwood
ELEVEN = "4s 5s 6s 7s 9c 9d 9h Jc Qc Kc Tc"  # all melded
GIN = "Qc Qd Qh 4s 5s 6s 9c 9d 9h 9s"
LOSER = "As 3h 5d 6h 7d 8h Tc Ts Kd Kh"  # nothing melds; nothing fits EIGHT or GIN


def settled(knocker: str, defender: str, rules: RuleSet = STANDARD, **options: Any) -> Settlement:
    return settle(parse_cards(knocker), parse_cards(defender), rules, **options)


def knocking(hand: str = EIGHT, defender: str = LOSER, spare: str = "Kc", **rules: Any) -> State:
    """The nondealer holds `hand` and has drawn `spare` from the stock."""
    upcard = rules.pop("upcard", "Qs")
    return play(arranged_match(hand, defender, upcard, spare, **rules), "pass", "pass", "draw")


def ended(state: State, action: str) -> HandResult:
    return GIN_RUMMY.hand_results(play(state, action))[-1]


def test_knocker_with_less_deadwood_scores_the_difference() -> None:
    result = ended(knocking(), "knock Kc")
    assert (result.ended, result.winner, result.knocker) == ("knock", NONDEALER, NONDEALER)
    assert result.settlement is not None
    assert (result.settlement.knocker_deadwood, result.settlement.defender_deadwood) == (8, 70)
    assert result.points[NONDEALER] == 62
    assert [(line.reason, line.points) for line in result.lines] == [("deadwood 70 - 8", 62)]


def test_knock_with_more_than_the_limit_is_refused_and_changes_nothing() -> None:
    state = knocking("4c 5c 6c Jd Js Jh 2d 2h 5s 8d")
    assert not any(action.startswith("knock") for action in GIN_RUMMY.legal_actions(state))
    with pytest.raises(IllegalAction, match="17 deadwood, the limit is 10"):
        play(state, "knock Kc")


def test_knock_with_exactly_the_limit_is_legal() -> None:
    assert ended(knocking("4c 5c 6c Jd Js Jh 2d 2h 2s Td", knock_limit=10, spare="Kc"), "knock Kc").ended == "knock"


def test_agreed_lower_limit_binds_the_knock() -> None:
    with pytest.raises(IllegalAction, match="8 deadwood, the limit is 7"):
        play(knocking(knock_limit=7), "knock Kc")


def test_straight_gin_allows_no_knock_but_gin() -> None:
    with pytest.raises(IllegalAction, match="the limit is 0"):
        play(knocking(preset="straight"), "knock Kc")
    assert ended(knocking(GIN, preset="straight"), "knock Kc").ended == "gin"


def test_card_taken_from_the_pile_cannot_be_the_discard_of_a_knock() -> None:
    state = play(arranged_match(EIGHT, LOSER, "Qs"), "take")
    assert "knock Qs" not in GIN_RUMMY.legal_actions(state)
    with pytest.raises(IllegalAction, match="stays in the hand"):
        play(state, "knock Qs")


def test_knock_with_a_card_that_is_not_held_is_refused() -> None:
    with pytest.raises(IllegalAction, match="not in the hand"):
        play(knocking(), "knock 3s")


def test_defender_lays_off_in_sequence() -> None:
    settlement = settled("6c 7c 8c Jd Js Jh 2d 2h 2s 3d", "5c 4c Kc Kd 9h 9s Ah 3s Qs Td")
    assert settlement.defender_deadwood == 62
    ((cards, meld),) = settlement.layoffs
    assert (cards_text(cards), cards_text(meld)) == ("4c 5c", "6c 7c 8c")


def test_fourth_card_of_a_set_is_laid_off() -> None:
    settlement = settled("7c 7d 7h Jd Js Jh 2d 2h 2s 3d", "7s 4c Kc Kd 9h 9s Ah 3s Qs Td")
    assert cards_text(settlement.layoffs[0].cards) == "7s"


def test_layoff_beside_a_king_or_under_an_ace_does_not_turn_the_corner() -> None:
    settlement = settled("Jc Qc Kc 4d 5d 6d 2d 2h 2s 3s", "Ac 8c 9s Th 7h 6s 5h Ad Kd Qh")
    assert settlement.layoffs == ()


def test_own_set_is_broken_when_its_cards_save_more_on_the_knockers_melds() -> None:
    # Keeping the eights leaves both nines, 18; laying off 8-9 in hearts and in clubs leaves one eight.
    settlement = settled("5c 6c 7c 5h 6h 7h Jd Js Jh Ad", "8c 9c 8h 9h 8d Kd Kh Ks 4s 3d")
    assert settlement.defender_deadwood == 8 + 4 + 3
    assert settlement.defender_melds == (parse_cards("Kd Kh Ks"),)


def test_no_layoff_against_gin() -> None:
    settlement = settled(GIN, "Qs 7s 8s Ad 2d 3d Kc Kd Jh Th")
    assert (settlement.result, settlement.layoffs, settlement.defender_deadwood) == ("gin", (), 65)


def test_gin_scores_the_bonus_and_all_the_deadwood() -> None:
    result = ended(knocking(GIN), "knock Kc")
    assert [(line.reason, line.points) for line in result.lines] == [
        ("gin bonus", 25),
        ("opponent's deadwood", 70),
    ]
    assert result.points[NONDEALER] == 95


def test_knocker_with_equal_deadwood_is_undercut_for_the_bonus_alone() -> None:
    settlement = settled(EIGHT, "9c 9d 9h Tc Td Th Kc Kd Kh 8h")
    assert (settlement.result, settlement.winner, settlement.points) == ("undercut", "defender", 25)


def test_undercut_of_eight_by_five_scores_twenty_eight() -> None:
    state = knocking(EIGHT, "9c 9d 9h Tc Td Th Kc Kd Kh 5s", spare="Qc")
    result = ended(state, "knock Qc")
    assert (result.ended, result.winner, result.points[DEALER]) == ("undercut", DEALER, 28)
    assert [(line.seat, line.reason, line.points) for line in result.lines] == [
        (DEALER, "undercut bonus", 25),
        (DEALER, "deadwood 8 - 5", 3),
    ]


def test_defender_without_deadwood_undercuts_a_knock() -> None:
    assert settled(EIGHT, "9c 9d 9h 9s Tc Td Th Kc Kd Kh").points == 33


def test_defender_without_deadwood_loses_the_bonus_to_gin() -> None:
    assert settled(GIN, "Kc Kd Kh 2c 3c 4c 7d 7h 7c 7s").points == 25


def test_agreed_bonuses_count() -> None:
    rules = RuleSet(gin_bonus=20, undercut_bonus=10)
    assert settled(GIN, LOSER, rules).points == 20 + 70
    assert settled(EIGHT, "9c 9d 9h Tc Td Th Kc Kd Kh 5s", rules).points == 10 + 3


def test_unnamed_melds_are_those_that_pay_the_knocker_best() -> None:
    settlement = settled("4c 5c 6c 7c 7d 7h 7s Ad 2s 2h", "8c 3c Kd Kh Qs Qd 9h Th 6d 5h")
    assert settlement.points == 73
    assert parse_cards("7c 7d 7h 7s") in settlement.knocker_melds


def test_named_melds_are_shown_even_if_they_pay_less() -> None:
    state = knocking("4c 5c 6c 7c 7d 7h 7s Ad 2s 2h", "8c 3c Kd Kh Qs Qd 9h Th 6d 5h", upcard="Js")
    assert ended(state, "knock Kc 4c5c6c7c/7d7h7s").points[NONDEALER] == 65
    assert ended(state, "knock Kc 7d7s7h7c/6c5c4c").points[NONDEALER] == 73


@pytest.mark.parametrize(
    ("named", "reason"),
    [
        ("4c5c", "4c5c is not a meld"),
        ("4c5c8d", "is not a meld"),
        ("4c5c6c/4c5c6c", "named in two melds"),
        ("4d5d6d", "not among the kept cards"),
        ("4c5c6c", "the named melds leave 44 deadwood"),
        ("4c5c6c/", "is not a meld"),
        ("xx", "is not a card"),
    ],
)
def test_knock_with_impossible_melds_is_refused(named: str, reason: str) -> None:
    state = knocking()
    with pytest.raises(IllegalAction, match=reason):
        play(state, f"knock Kc {named}")
    assert state == knocking()


@pytest.mark.parametrize(
    "action", ["knock", "knock ", "knock Kc ", "knock  Kc", "knock Kc 4c\t5c6c", "knock Kc 4c5c6c JdJhJs"]
)
def test_knock_written_in_another_way_is_refused(action: str) -> None:
    with pytest.raises(IllegalAction, match="discard a card or knock"):
        play(knocking(), action)


def test_knocks_discard_is_not_among_the_named_melds() -> None:
    state = knocking("4c 5c 6c Jd Js Jh 2d 2h 2s 7c", spare="8d")
    with pytest.raises(IllegalAction, match="7c is not among the kept cards"):
        play(state, "knock 7c 4c5c6c7c/JdJhJs/2d2h2s")


def test_zero_deadwood_is_gin_whatever_melds_are_named() -> None:
    assert ended(knocking(GIN), "knock Kc QcQdQh/9c9d9h9s").ended == "gin"


def test_eleven_melded_cards_are_gin_with_a_card_that_a_meld_can_spare() -> None:
    state = knocking(ELEVEN[:-3], LOSER.replace("Tc", "2c"), spare="Tc")
    knocks = [action for action in GIN_RUMMY.legal_actions(state) if action.startswith("knock")]
    gins = [action for action in knocks if ended(state, action).ended == "gin"]
    assert gins == ["knock Tc", "knock Kc", "knock 4s", "knock 7s"]
    assert ended(state, "knock 9d").ended == "knock", "a meld that cannot spare its card is broken"
    with pytest.raises(IllegalAction, match="big gin is not played"):
        play(state, "big_gin")


def test_big_gin_is_declared_without_a_discard_and_pays_its_bonus() -> None:
    state = knocking(ELEVEN[:-3], LOSER.replace("Tc", "2c"), spare="Tc", big_gin=True)
    assert GIN_RUMMY.legal_actions(state)[-1] == "big_gin"
    result = ended(state, "big_gin")
    assert (result.ended, result.points[NONDEALER]) == ("big_gin", 31 + 62)
    assert result.hands is not None
    assert len(result.hands[NONDEALER]) == 11
    assert ended(state, "knock Kc").points[NONDEALER] == 25 + 62


def test_big_gin_needs_all_eleven_melded() -> None:
    with pytest.raises(IllegalAction, match="every card in a meld"):
        play(knocking(GIN, big_gin=True), "big_gin")
    with pytest.raises(RefusedKnock, match="big gin"):
        settled("4c 5c 6c Jd Js Jh 2d 2h 2s 8d", LOSER, big_gin=True)


@pytest.mark.parametrize(("upcard", "limit"), [("7s", 7), ("Qs", 10), ("Td", 10)])
def test_oklahoma_upcard_sets_the_limit(upcard: str, limit: int) -> None:
    assert knocking(upcard=upcard, oklahoma=True).table.limit == limit


def test_oklahoma_ace_asks_for_gin_or_one_as_agreed() -> None:
    assert knocking(upcard="Ac", oklahoma=True).table.limit == 0
    assert knocking(upcard="Ac", oklahoma=True, oklahoma_ace="one").table.limit == 1


@pytest.mark.parametrize(
    ("upcard", "spades", "points"),
    [("Qs", "none", 95), ("Qs", "deadwood", 165), ("Qs", "all", 190), ("8c", "all", 95)],
)
def test_spade_upcard_doubles_what_was_agreed(upcard: str, spades: str, points: int) -> None:
    state = knocking(GIN, upcard=upcard, oklahoma=True, oklahoma_spades=spades)
    result = ended(state, "knock Kc")
    assert result.points[NONDEALER] == points == sum(line.points for line in result.lines)


def test_manual_layoffs_leave_the_choice_to_the_defender() -> None:
    hands = ("6c 7c 8c Jd Js Jh 2d 2h 2s 3d", "5c 4c Kc Kd 9h 9s Ah 3s Qs Td")
    state = play(knocking(*hands, spare="Ks", upcard="Qc", layoffs="manual"), "knock Ks")
    assert (GIN_RUMMY.to_act(state), GIN_RUMMY.legal_actions(state)) == (
        DEALER,
        ("layoff 5c on 6c7c8c", "done"),
    )
    with pytest.raises(IllegalAction):
        play(state, "layoff 4c on 6c7c8c")
    assert ended(state, "done").points[NONDEALER] == 71 - 3
    state = play(state, "layoff 5c on 6c7c8c")
    view = GIN_RUMMY.view(state, DEALER)
    assert view.shown is not None
    assert parse_cards("5c 6c 7c 8c") in view.shown.melds
    assert len(view.hand) == 9
    assert GIN_RUMMY.view_to_json(view)["shown"]["unmatched"] == ["3d"]
    assert GIN_RUMMY.legal_actions(state) == ("layoff 4c on 5c6c7c8c", "done")
    state = play(state, "layoff 4c on 5c6c7c8c")
    assert GIN_RUMMY.legal_actions(state) == ("done",)
    assert ended(state, "done").points[NONDEALER] == 59


def test_manual_layoffs_are_skipped_when_nothing_fits_and_against_gin() -> None:
    assert len(GIN_RUMMY.hand_results(play(knocking(layoffs="manual"), "knock Kc"))) == 1
    fits = "Qs 7s 8s Ad 2d 3d Kc Kd Jh Th"
    state = knocking(GIN, fits, spare="Ks", upcard="Js", layoffs="manual")
    assert GIN_RUMMY.hand_results(play(state, "knock Ks"))[0].ended == "gin"


def test_settlement_takes_the_limit_of_the_hand_over_that_of_the_rules() -> None:
    with pytest.raises(RefusedKnock):
        settled(EIGHT, LOSER, knock_limit=7)
    named = [parse_cards(meld) for meld in ("4c5c6c", "JdJhJs", "2d2h2s")]
    assert settled(EIGHT, LOSER, melds=named).knocker_melds == tuple(named)

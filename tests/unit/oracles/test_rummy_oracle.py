"""The oracle of Gin Rummy against worked values (golden/gin_hands.json) and the rule texts' own examples."""

import json
import random
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from tests.oracles.rummy_hands import (
    DECK,
    Arrangement,
    IllegalKnockError,
    Melds,
    all_arrangements,
    all_melds,
    best_defences,
    best_discards,
    cards_of,
    deadwood_after_discards,
    is_meld,
    least_arrangements,
    least_deadwood,
    least_defence,
    possible_settlements,
    settle,
    total,
    value,
)

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "gin_hands.json").read_text(encoding="utf-8"))
HANDS = [case for case in GOLDEN if "hand" in case]
ELEVENS = [case for case in GOLDEN if "hand11" in case]
KNOCKS = [case for case in GOLDEN if "knocker" in case]


def melds_of(text: str) -> Melds:
    return tuple(frozenset(cards_of(meld)) for meld in text.split("/"))


def case_id(case: dict[str, Any]) -> str:
    return str(case["id"])


# Worked values


def test_every_golden_case_is_read() -> None:
    assert len(HANDS) + len(ELEVENS) + len(KNOCKS) == len(GOLDEN) == 18


@pytest.mark.parametrize("case", HANDS, ids=case_id)
def test_golden_deadwood(case: dict[str, Any]) -> None:
    assert least_deadwood(cards_of(case["hand"])) == case["deadwood"]


@pytest.mark.parametrize("case", ELEVENS, ids=case_id)
def test_golden_best_discards(case: dict[str, Any]) -> None:
    expected = (case["deadwood_after_best_discard"], frozenset(case["best_discards"]))
    assert best_discards(cards_of(case["hand11"])) == expected


@pytest.mark.parametrize("case", KNOCKS, ids=case_id)
def test_golden_settlement(case: dict[str, Any]) -> None:
    knocker, defender = cards_of(case["knocker"]), cards_of(case["defender"])
    expected = (case["result"], case["points"], case["knocker_deadwood"], case["defender_deadwood"])
    shown = {
        (s.result, s.points, s.knocker_deadwood, s.defender_deadwood) for s in possible_settlements(knocker, defender)
    }
    free = max(possible_settlements(knocker, defender, least_only=False), key=lambda s: s.worth_to_knocker())
    best = settle(knocker, defender)
    assert shown == {tuple(each) for each in case["if_minimum_deadwood_is_shown"]}
    assert (free.result, free.points, free.knocker_deadwood, free.defender_deadwood) == expected
    assert (best.result, best.points, best.knocker_deadwood, best.defender_deadwood) == expected


# Cards and melds (source 004, The Deck)


def test_ace_counts_one_and_faces_ten() -> None:
    assert [value(card) for card in cards_of("Ac 2c 9c Tc Jc Qc Kc")] == [1, 2, 9, 10, 10, 10, 10]


@pytest.mark.parametrize("text", ["8c8d8h", "8c8d8h8s", "4s5s6s", "Ah2h3h", "JcQcKc", "Ad2d3d4d5d6d7d8d9dTdJdQdKd"])
def test_melds_of_the_rule_text(text: str) -> None:
    assert is_meld(cards_of(text))


@pytest.mark.parametrize("text", ["QhKhAh", "KhAh2h", "8c8d", "4s5s", "4s5s6c", "4s5s7s", "4s4d5s"])
def test_what_is_no_meld(text: str) -> None:
    assert not is_meld(cards_of(text))


def test_a_card_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="no card"):
        cards_of("1c")
    with pytest.raises(ValueError, match="twice"):
        cards_of("7c7c")


def test_melds_are_exactly_the_subsets_that_are_melds() -> None:
    rng = random.Random(1)
    for _ in range(60):
        cluster = [card for card in DECK if card[0] in "34567"]
        hand = rng.sample(cluster, 9)
        subsets = (frozenset(cards) for size in range(3, 10) for cards in combinations(hand, size))
        melds = all_melds(hand)
        assert len(melds) == len(set(melds))
        assert set(melds) == {cards for cards in subsets if is_meld(cards)}


def test_one_card_serves_one_meld_only() -> None:
    for arrangement in all_arrangements(cards_of("4c5c6c7c7d7h7sKdQh2s")):
        used = [card for meld in arrangement.melds for card in meld]
        assert len(used) == len(set(used))


def test_all_least_arrangements_of_the_shared_seven() -> None:
    shown = {frozenset(a.melds) for a in least_arrangements(cards_of("4c5c6c7c7d7h7sKdQh2s"))}
    both = frozenset(melds_of("4c5c6c/7c7d7h7s")), frozenset(melds_of("4c5c6c7c/7d7h7s"))
    assert shown == set(both)


def test_best_discard_agrees_with_throwing_each_card_in_turn() -> None:
    rng = random.Random(2)
    cluster = [card for card in DECK if card[0] in "45678"]
    for _ in range(60):
        eleven = rng.sample(cluster, 11)
        slowly = {card: least_deadwood(set(eleven) - {card}) for card in eleven}
        assert deadwood_after_discards(eleven) == slowly


def least_by_the_first_card(hand: frozenset[str]) -> int:
    """The least deadwood by another way: the first card is unmelded, or in one of the melds with it."""
    if not hand:
        return 0
    first = min(hand)
    others = sorted(hand - {first})
    subsets = (frozenset([first, *rest]) for size in range(2, len(hand)) for rest in combinations(others, size))
    melded = [least_by_the_first_card(hand - meld) for meld in subsets if is_meld(meld)]
    return min([value(first) + least_by_the_first_card(hand - {first}), *melded])


def test_least_deadwood_agrees_with_deciding_card_by_card() -> None:
    rng = random.Random(3)
    cluster = [card for card in DECK if card[0] in "A2345"]
    for _ in range(60):
        hand = frozenset(rng.sample(cluster, rng.randint(6, 10)))
        assert least_deadwood(hand) == least_by_the_first_card(hand)


def test_banned_card_is_no_best_discard() -> None:
    eleven = cards_of("Ac2c3c 5d6d7d 9h9s9c Kd Qd")
    assert best_discards(eleven) == (10, frozenset({"Kd", "Qd"}))
    assert best_discards(eleven, banned="Kd") == (10, frozenset({"Qd"}))


# Layoffs (source 004, Knocking)


def test_four_of_clubs_follows_the_five_on_six_seven_eight() -> None:
    (defence,) = best_defences(cards_of("5c4cKd"), melds_of("6c7c8c"))
    assert defence.laid_off == {"5c", "4c"}
    assert defence.deadwood == 10


def test_four_without_the_five_cannot_be_laid_off() -> None:
    assert least_defence(cards_of("4cKd"), melds_of("6c7c8c")) == 14


def test_fourth_queen_joins_three_queens() -> None:
    assert least_defence(cards_of("Qs2d"), melds_of("QcQdQh")) == 2


def test_four_and_eight_of_diamonds_extend_five_six_seven() -> None:
    assert least_defence(cards_of("4d8dKs"), melds_of("5d6d7d")) == 10


def test_king_does_not_lead_to_an_ace() -> None:
    assert least_defence(cards_of("AhKd"), melds_of("JhQhKh")) == 11


def test_own_meld_is_broken_when_the_layoffs_save_more() -> None:
    # The own set of fives saves 15; 5c, 4c and 3c on the run save 12, and 5d 5h are left: the set stays.
    assert least_defence(cards_of("5c5d5h4c3c"), melds_of("6c7c8c")) == 7
    # With no third five beside it, the run 3c 4c 5c or the layoffs leave nothing but the other five.
    assert least_defence(cards_of("5c5d4c3c"), melds_of("6c7c8c")) == 5
    # Own set of four nines leaves 8s; the set of three and 9s, 8s on the run leave nothing.
    assert least_defence(cards_of("9c9d9h9s8s"), melds_of("TsJsQs")) == 0


def test_knocker_melds_are_not_rearranged() -> None:
    # 7d 7h would form a set with the knocker's 7c if it could be taken out of its run.
    assert least_defence(cards_of("7d7h"), melds_of("4c5c6c7c")) == 14


def test_no_layoff_on_another_laid_off_card_of_a_full_set() -> None:
    assert least_defence(cards_of("7sKd8s"), melds_of("7c7d7h")) == 18


def least_by_placing_each_card(defender: frozenset[str], table: Melds) -> int:
    """The least deadwood by another way: each card stays in hand or goes to one of the melds, all at once."""
    cards = sorted(defender)
    least = least_deadwood(defender)
    for places in product(range(len(table) + 1), repeat=len(cards)):
        placed = list(zip(cards, places, strict=True))
        grown = [meld | {c for c, place in placed if place == at} for at, meld in enumerate(table, start=1)]
        if all(is_meld(meld) for meld in grown):
            least = min(least, least_deadwood(card for card, place in placed if place == 0))
    return least


def test_joint_layoffs_agree_with_placing_every_card_at_once() -> None:
    rng = random.Random(4)
    table = melds_of("4c5c6c/7d7h7s/9s9h9c")
    near = cards_of("2c3c7c8c 9d8dTd 8h8s 3d3h 2d2h")
    for _ in range(40):
        defender = frozenset(rng.sample(near, 6))
        assert least_defence(defender, table) == least_by_placing_each_card(defender, table)


def test_best_own_arrangement_first_is_not_always_right() -> None:
    # Alone the set of nines is best and leaves 7c 8c; with the run 7-8-9 of clubs 9d can be laid off.
    defender, table = cards_of("9c9d9h 8c7c"), melds_of("6d7d8d")
    (alone,) = least_arrangements(defender)
    assert alone == Arrangement(melds_of("9c9d9h"), 15)
    assert [defence.own_melds for defence in best_defences(defender, table)] == [melds_of("7c8c9c")]
    assert least_defence(defender, table) == 9


# Settlement (source 004, Scoring)


def test_knocker_scores_the_difference() -> None:
    knocker = cards_of("4c5c6c JdJsJh 2d2h2s 7d")
    defender = cards_of("7h KcKdKh 3h5h QsTd 9c9d 7c")
    # 7c is laid off on 4-5-6; 3 kings are melded: 7 + 3 + 5 + 10 + 10 + 9 + 9 are left.
    done = settle(knocker, defender)
    assert (done.result, done.points, done.defender_deadwood) == ("knock", 46, 53)


def test_source_001_example_of_an_undercut() -> None:
    done = settle(cards_of("4c5c6c JdJsJh 2d2h2s 8d"), cards_of("9c9d9h TcTdTh KcKdKh 5s"))
    assert (done.result, done.winner, done.points) == ("undercut", "defender", 25 + 8 - 5)


def test_gin_pays_bonus_and_all_deadwood() -> None:
    done = settle(cards_of("QcQdQh 4s5s6s 9c9d9h9s"), cards_of("Qs7s8s Ad2d3d KcKdJhTh"), gin_bonus=20)
    assert (done.result, done.points) == ("gin", 20 + 65)


def test_hand_without_deadwood_is_gin_whatever_melds_are_named() -> None:
    done = settle(cards_of("4c5c6c7c 7d7h7s AdAhAs"), cards_of("8cKd"), melds=melds_of("4c5c6c/7c7d7h7s/AdAhAs"))
    assert (done.result, done.points) == ("gin", 25 + 18)
    wasteful = settle(cards_of("4c5c6c7c 7d7h7s AdAhAs"), cards_of("8cKd"), melds=melds_of("4c5c6c7c/7d7h7s"))
    assert (wasteful.result, wasteful.points) == ("gin", 25 + 18)


def test_big_gin_only_where_it_is_played() -> None:
    eleven, other = cards_of("4s5s6s7s 9c9d9h TcJcQcKc"), cards_of("Ad3d5d")
    done = settle(eleven, other, big_gin_bonus=31)
    assert (done.result, done.points) == ("big gin", 31 + 9)
    with pytest.raises(IllegalKnockError):
        settle(eleven, other)
    with pytest.raises(IllegalKnockError):
        settle(cards_of("4s5s6s7s 9c9d9h TcJcQc2d"), other, big_gin_bonus=31)


def test_named_melds_decide_where_the_defender_may_lay_off() -> None:
    knocker = cards_of("4c5c6c7c7d7h7s Ad2s2h")
    defender = cards_of("8c3c KdKh QsQd 9hTh 6d5h")
    assert settle(knocker, defender).points == 73
    assert settle(knocker, defender, melds=melds_of("4c5c6c7c/7d7h7s")).points == 65


@pytest.mark.parametrize("named", ["4c5c6c7c/7c7d7h7s", "4c5c7c", "4c5c6c", "7d7h7s", "3c4c5c6c7c/7d7h7s"], ids=str)
def test_named_melds_that_are_wrong_are_refused(named: str) -> None:
    with pytest.raises(IllegalKnockError):
        settle(cards_of("4c5c6c7c7d7h7s Ad2s2h"), cards_of("KdKh"), melds=melds_of(named))


def test_knock_above_the_limit_is_refused() -> None:
    knocker = cards_of("4c5c6c JdJsJh 2d2h2s 8d")
    assert settle(knocker, cards_of("Kd"), knock_limit=8).result == "knock"
    with pytest.raises(IllegalKnockError):
        settle(knocker, cards_of("Kd"), knock_limit=7)


def test_deadwood_of_an_arrangement_is_what_its_melds_leave() -> None:
    hand = cards_of("3c4c5c6c7c7d7h3d3hKs")
    for melds, deadwood in all_arrangements(hand):
        assert deadwood == total(set(hand).difference(*melds))
    assert Arrangement((), total(hand)) in all_arrangements(hand)

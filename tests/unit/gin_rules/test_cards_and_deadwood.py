"""Worked hands of tests/golden/gin_hands.json (from a brute force over all choices) and what melds are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gin_rules.rummy.cards import (
    InvalidCards,
    card_text,
    cards_of,
    cards_text,
    full_deck,
    mask_of,
    parse_card,
    parse_cards,
    value_of,
)
from gin_rules.rummy.deadwood import (
    arrangements_leaving,
    best_arrangement,
    best_discards,
    is_meld,
    least_after_discard,
    least_deadwood,
    melds_in,
)
from gin_rules.rummy.rules import STANDARD
from gin_rules.rummy.settlement import settle

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "golden" / "gin_hands.json").read_text(encoding="utf-8")
)


def _cases(key: str) -> list[Any]:
    return [pytest.param(case, id=f"{case['id']}: {case['note']}") for case in CASES if key in case]


@pytest.mark.parametrize("case", _cases("hand"))
def test_worked_hand_has_its_deadwood(case: dict[str, Any]) -> None:
    hand = parse_cards(case["hand"])
    arrangement = best_arrangement(hand)
    assert least_deadwood(hand) == case["deadwood"] == arrangement.deadwood
    melded = [card for meld in arrangement.melds for card in meld]
    assert len(set(melded)) == len(melded)
    assert all(is_meld(mask_of(meld)) for meld in arrangement.melds)
    assert value_of(mask_of(hand) & ~mask_of(melded)) == case["deadwood"]


@pytest.mark.parametrize("case", _cases("hand11"))
def test_worked_eleven_cards_have_their_best_discards(case: dict[str, Any]) -> None:
    hand = parse_cards(case["hand11"])
    deadwood, discards = best_discards(hand)
    assert deadwood == case["deadwood_after_best_discard"] == least_after_discard(mask_of(hand))
    assert sorted(map(card_text, discards)) == sorted(case["best_discards"])


@pytest.mark.parametrize("case", _cases("knocker"))
def test_worked_knock_settles_as_it_should(case: dict[str, Any]) -> None:
    settlement = settle(parse_cards(case["knocker"]), parse_cards(case["defender"]), STANDARD)
    assert [
        settlement.result,
        settlement.points,
        settlement.knocker_deadwood,
        settlement.defender_deadwood,
    ] == [case["result"], case["points"], case["knocker_deadwood"], case["defender_deadwood"]]


@pytest.mark.parametrize("case", _cases("if_minimum_deadwood_is_shown"))
def test_each_equal_arrangement_settles_as_worked_out(case: dict[str, Any]) -> None:
    knocker, defender = parse_cards(case["knocker"]), parse_cards(case["defender"])
    settlements = {
        settle(knocker, defender, STANDARD, melds=[cards_of(meld) for meld in melds])
        for melds in arrangements_leaving(mask_of(knocker), least_deadwood(knocker))
    }
    assert {(found.result, found.points, found.knocker_deadwood, found.defender_deadwood) for found in settlements} == {
        tuple(worked) for worked in case["if_minimum_deadwood_is_shown"]
    }


def test_return_ban_keeps_the_best_discard_out() -> None:
    hand = parse_cards("4c 5c 6c 9c 9d 9h 2s 2d 2h Ks Qd")
    assert best_discards(hand) == (10, parse_cards("Qd Ks"))
    assert best_discards(hand, banned=parse_card("Ks")) == (10, parse_cards("Qd"))
    assert best_discards(parse_cards("4c 5c 6c 9c 9d 9h 2s 2d 2h Ks 3d"), banned=parse_card("Ks"))[0] == 10


@pytest.mark.parametrize("text", ["Ac2c3c", "JdQdKd", "7c7d7h", "7c7d7h7s", "9hThJhQhKh"])
def test_sets_and_runs_are_melds(text: str) -> None:
    assert is_meld(mask_of(parse_cards(text)))


@pytest.mark.parametrize(
    "text",
    ["QcKcAc", "KcAc2c", "QsKsAd2d", "KcAd2d", "7c7d", "4c5c", "4c5c7c", "4c5d6c", "7c7d8h", "7c7d7h8c"],
)
def test_other_cards_are_no_melds(text: str) -> None:
    assert not is_meld(mask_of(parse_cards(text)))


def test_melds_in_four_of_a_rank_are_the_set_and_its_four_threes() -> None:
    assert len(melds_in(mask_of(parse_cards("7c7d7h7s")))) == 5


def test_ace_counts_one_and_faces_ten() -> None:
    assert [value_of(mask_of([parse_card(text)])) for text in ("Ac", "2c", "9c", "Tc", "Jc", "Qc", "Kc")] == [
        1, 2, 9, 10, 10, 10, 10,
    ]  # fmt: skip


def test_cards_round_trip_through_text_and_mask() -> None:
    deck = full_deck()
    assert len(set(deck)) == 52
    assert parse_cards(cards_text(deck)) == deck == cards_of(mask_of(deck))
    assert cards_text(parse_cards("Th 7c Ah")) == "Th 7c Ah"


@pytest.mark.parametrize("text", ["1c", "7x", "7", "10c", "c7", "7c7c", "7C"])
def test_other_texts_are_no_cards(text: str) -> None:
    with pytest.raises(InvalidCards):
        parse_cards(text)

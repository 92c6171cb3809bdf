"""The pure parts of the table's modules, asked in a real browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gin_rules.rummy.cards import cards_text, full_deck
from tests.browser.hall import Hall, hall, house
from tests.unit.gin_rules.test_score_sheet import KNOCKER

__all__ = ["hall", "house"]  # the fixtures

DEALS = Path(__file__).resolve().parents[2] / "docs" / "rules" / "deals.md"


def call(hall: Hall, module: str, function: str, *arguments: Any) -> Any:
    """What a function of a module answers."""
    page = hall.page()
    page.goto("/rules")
    script = "async ([path, name, given]) => (await import(path))[name](...given)"
    answer = page.evaluate(script, [f"/static/table/{module}.js", function, list(arguments)])
    page.context.close()
    return answer


def test_browser_deals_as_the_published_vectors_say(hall: Hall) -> None:
    text = DEALS.read_text()
    vectors = json.loads(text[text.index("```json") + 7 : text.rindex("```")])
    for one in vectors["commitments"]:
        assert call(hall, "deals", "commitment", one["salt"], one["seed"]) == one["commitment"]
    deck = [cards_text((card,)) for card in full_deck()]
    for one in vectors["deals"]:
        cards = deck[:20] if one["purpose"].startswith("reshuffle") else deck
        how = {"seed": one["seed"], "entropy": one["entropy"], "dealId": one["deal_id"], "purpose": one["purpose"]}
        expected = one["cards"].split(" ")
        assert call(hall, "deals", "shuffled", cards, how)[: len(expected)] == expected


def test_cards_are_sorted_by_rank_by_suit_and_by_letter(hall: Hall) -> None:
    hand = ["Th", "2c", "Ah", "Kd", "2s"]
    assert call(hall, "cards", "sorted", hand, "rank", "rummy") == ["Ah", "2c", "2s", "Th", "Kd"]
    assert call(hall, "cards", "sorted", hand, "suit", "rummy") == ["2c", "Ah", "Th", "2s", "Kd"]
    assert call(hall, "cards", "sorted", ["Qg", "Er2", "Ay", "Er1"], "suit", "word") == ["Er1", "Er2", "Qg", "Ay"]
    assert sorted(call(hall, "cards", "sorted", KNOCKER.split(" "), "suit", "rummy")) == sorted(KNOCKER.split(" "))


def test_own_order_is_kept_when_cards_come_and_go(hall: Hall) -> None:
    assert call(hall, "arrangement", "settled", ["Kd", "2c", "Ah"], ["2c", "Kd", "9s"]) == ["Kd", "2c", "9s"]
    assert call(hall, "arrangement", "moved", ["a", "b", "c", "d"], "a", 2) == ["b", "c", "a", "d"]
    assert call(hall, "arrangement", "moved", ["a", "b"], "a", 99) == ["b", "a"]
    assert call(hall, "arrangement", "byMelds", ["Kd", "2c", "3c", "4c"], [["2c", "3c", "4c"]]) == [
        "2c",
        "3c",
        "4c",
        "Kd",
    ]


@pytest.mark.parametrize(
    ("hand", "gin"),
    [
        ("3c 3d 3h 3s 4s 5s 6s 9h 9d 9c", True),
        ("3c 3d 3h 3s 4s 5s Kh Kd Ks Kc", True),  # the run needs the three of spades
        ("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc", True),
        ("Qs Ks As 2h 3h 4h 9h 9d 9c 9s", False),  # the ace does not follow the king
        ("3c 3d 4s 5s 6s 7s 9h 9d 9c 9s", False),
    ],
)
def test_gin_is_told_from_a_knock(hall: Hall, hand: str, gin: bool) -> None:
    assert call(hall, "arrangement", "allMelded", hand.split(" ")) is gin


def test_words_are_spelled_from_cards_of_one_suit(hall: Hall) -> None:
    hand = ["Cr", "Ab", "Ar", "Tr", "Er1", "Er2"]
    assert call(hall, "arrangement", "spelled", "cat", hand) == ["Cr", "Ar", "Tr"]
    assert call(hall, "arrangement", "spelled", "tee", hand) == ["Tr", "Er1", "Er2"]
    assert call(hall, "arrangement", "spelled", "cab", hand) is None
    assert call(hall, "arrangement", "wordText", ["Cr", "Ar", "Tr"]) == "CATr"
    assert call(hall, "arrangement", "wordText", ["Cr", "Ab"]) is None
    assert call(hall, "arrangement", "grouped", [["Cr", "Ar"]], ["Ar", "Tr"]) == [["Cr"], ["Ar", "Tr"]]


def test_latest_moves_are_those_of_others_since_the_own_one_and_for_who_looks_on_of_one_player(hall: Hall) -> None:
    moves = [{"seat": seat, "text": text, "card": None} for seat, text in ((0, "draw"), (0, "discard 7c"), (1, "draw"))]
    assert call(hall, "story", "latest", {"seat": 0, "history": moves}) == moves[2:]
    assert call(hall, "story", "latest", {"seat": 1, "history": moves}) == []
    assert call(hall, "story", "latest", {"seat": 1, "history": moves[:2]}) == moves[:2]
    assert call(hall, "story", "latest", {"seat": None, "history": moves[:2]}) == moves[:2]
    assert call(hall, "story", "latest", {"seat": None, "history": moves}) == moves[2:]
    for seat in (0, None):
        assert call(hall, "story", "latest", {"seat": seat, "history": []}) == []


def test_news_are_moves_of_others_that_were_not_told_before_also_after_a_new_deal(hall: Hall) -> None:
    moves = [{"seat": seat, "text": "draw", "card": None} for seat in (0, 1, 0, 1)]

    def view(count: int, hand_number: int = 1) -> Any:
        return {"seat": 0, "hand_number": hand_number, "history": moves[:count]}

    assert call(hall, "story", "news", view(4), view(1)) == [moves[1], moves[3]]
    assert call(hall, "story", "news", view(4), view(4)) == []
    assert call(hall, "story", "news", view(2, hand_number=2), view(4)) == [moves[1]]
    assert call(hall, "story", "news", view(2), view(4)) == [moves[1]]  # the hand was dealt again

"""The score sheet: arithmetic that adds up to what the rules scored (source 001 and 004, section 5)."""

from __future__ import annotations

from typing import Any

import pytest

from gin_rules.game import game_named
from gin_rules.record import MatchRecord
from gin_rules.replay import replay
from gin_rules.rulings import Ruling
from gin_rules.rummy.cards import parse_cards
from gin_rules.rummy.explanation import points_text
from gin_rules.rummy.rules import RuleSet
from gin_rules.rummy.settlement import Settlement, settle
from gin_rules.score_sheet import ScoreSheet, number, score_sheet_to_json, sum_text
from tests.unit.gin_rules.playing import recorded
from tests.unit.gin_rules.word.test_word_records import played as played_words

KNOCKER = "Ac 2c 3c 7d 7h 7s Jc Jd Js 8s"
DEFENDER_OF_FIVE = "4h 5h 6h 9c 9d 9h Qd Qh Qs 5d"


def settled(knocker: str, defender: str, spades: bool = False, **rules: Any) -> Settlement:
    return settle(parse_cards(knocker), parse_cards(defender), RuleSet(**rules), spade_upcard=spades)


def sheet_of(record: MatchRecord) -> ScoreSheet:
    *_, last = replay(record)
    return game_named(record.game).score_sheet(last)


def worth(text: str) -> int:
    """The left side of a sum, worked out."""
    return int(eval(text.split(" = ")[0].replace("−", "-").replace("×", "*")))


def test_undercut_of_eight_by_five_reads_as_the_rule_text_writes_it() -> None:
    assert points_text(settled(KNOCKER, DEFENDER_OF_FIVE)) == "25 + 8 − 5 = 28"


def test_plain_knock_is_a_difference() -> None:
    assert points_text(settled(KNOCKER, "4h 5h 6h 9c 9d 9h Qd Qh Kd 2s")) == "32 − 8 = 24"


def test_gin_is_bonus_and_deadwood() -> None:
    gin = "Ac 2c 3c 7d 7h 7s Jc Jd Jh Js"
    assert points_text(settled(gin, "4h 5h 6h 9c 9d 9h Qd Qh Kd 2s")) == "25 + 32 = 57"


def test_spade_upcard_doubles_the_deadwood_or_everything() -> None:
    deadwood = settled(KNOCKER, DEFENDER_OF_FIVE, spades=True, oklahoma=True, oklahoma_spades="deadwood")
    everything = settled(KNOCKER, DEFENDER_OF_FIVE, spades=True, oklahoma=True, oklahoma_spades="all")
    assert points_text(deadwood) == "25 + 2 × (8 − 5) = 31"
    assert points_text(everything) == "2 × (25 + 8 − 5) = 56"


@pytest.mark.parametrize(
    ("rules", "seats"),
    [
        ({}, 2),
        ({"preset": "traditional", "target": 120}, 2),
        ({"preset": "hollywood", "match_bonuses": "traditional"}, 2),
        ({"oklahoma": True, "oklahoma_spades": "all"}, 2),
        ({"preset": "rotation3"}, 3),
        ({"preset": "pairs4", "match_bonuses": "traditional"}, 4),
    ],
)
@pytest.mark.parametrize("bot_seed", [1, 2])
def test_every_sum_gives_the_points_that_the_rules_gave(rules: dict[str, Any], seats: int, bot_seed: int) -> None:
    record = recorded(rules, seats=seats, bot_seed=bot_seed)
    sheet = sheet_of(record)
    assert [hand.points for hand in sheet.hands] == [score.points for score in record.scores]
    for hand in sheet.hands:
        assert [worth(one.text) for one in hand.sums] == [one.points for one in hand.sums]
        assert [sum(one.points for one in hand.sums if one.seat == seat) for seat in range(seats)] == [*hand.points]
    outcome = record.outcome
    assert outcome is not None
    assert (sheet.totals, sheet.final_scores) == (outcome.totals, outcome.final_scores)
    added = [sum(one.points for one in sheet.bonuses if one.seat == seat) for seat in range(seats)]
    assert [total + more for total, more in zip(sheet.totals, added, strict=True)] == [*outcome.final_scores]


def test_hollywood_columns_grow_hand_by_hand_to_the_totals() -> None:
    sheet = sheet_of(recorded({"preset": "hollywood"}))
    assert all(len(hand.games) == 3 for hand in sheet.hands)
    first, last = sheet.hands[0].games, sheet.hands[-1].games
    assert first[1:] == ((0, 0), (0, 0))
    assert tuple(sum(game[seat] for game in last) for seat in (0, 1)) == sheet.totals


def test_corrected_hand_says_that_an_arbiter_ruled() -> None:
    def arbiter(state: Any, actions: int) -> list[Ruling]:
        over = not state.table.corrections and len(state.table.results) == 1 and not state.action_count
        return [Ruling("correct", 1, (7, 0), "", "desk")] if over else []

    hand = sheet_of(recorded({}, arbiter=arbiter)).hands[0]
    assert hand.corrected
    assert [(one.seat, one.text, one.points) for one in hand.sums] == [(0, "7, by an arbiter's ruling", 7)]


def test_word_gin_lines_add_up_for_every_player() -> None:
    record = played_words(3)
    sheet = sheet_of(record)
    assert [hand.points for hand in sheet.hands] == [score.points for score in record.scores]
    for hand in sheet.hands:
        for one in hand.sums:
            assert worth(one.text) == one.points == hand.points[one.seat]
    assert score_sheet_to_json(sheet)["totals"] == list(sheet.totals)


def test_sums_are_written_with_proper_signs() -> None:
    assert sum_text([10, 12, -5]) == "10 + 12 − 5 = 17"
    assert sum_text([-5]) == "−5"
    assert sum_text([10, -12]) == "10 − 12 = −2"
    assert number(-3) == "−3"

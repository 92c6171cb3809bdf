"""What a host may ask for."""

from __future__ import annotations

from typing import Any

import pytest

from gin_engine.domain.table import bots_at, table_rules
from gin_servicekit.problems import InvalidField


@pytest.mark.parametrize(
    ("rules", "seats", "seating"),
    [
        ({}, 2, "two"),
        ({}, 3, "rotation3"),
        ({}, 4, "rotation4"),
        ({"preset": "pairs4"}, 4, "pairs4"),
        ({"seating": "pairs4", "preset": "oklahoma"}, 4, "pairs4"),
        ({"preset": "big_gin"}, 3, "rotation3"),
    ],
)
def test_gin_rummy_rotates_at_a_larger_table_unless_the_rules_say_otherwise(
    rules: dict[str, Any], seats: int, seating: str
) -> None:
    assert table_rules("rummy", rules, seats, None)["seating"] == seating


@pytest.mark.parametrize("advice", [True, False])
def test_the_host_decides_about_advice(advice: bool) -> None:
    assert table_rules("rummy", {}, 2, advice)["advice"] is advice
    assert table_rules("rummy", {"advice": advice}, 2, None)["advice"] is advice
    assert "advice" not in table_rules("word", {}, 2, advice)


@pytest.mark.parametrize(
    ("game", "rules", "seats", "field"),
    [
        ("rummy", {"seating": "two"}, 3, "seats"),
        ("rummy", {"preset": "hollywood"}, 3, "rules.scoring"),
        ("rummy", {"target": "many"}, 2, "rules.target"),
        ("word", {"min_word": 1}, 2, "rules.min_word"),
        ("word", {"seating": "two"}, 2, "rules.seating"),
    ],
)
def test_rules_that_cannot_be_are_refused_by_name(game: str, rules: dict[str, Any], seats: int, field: str) -> None:
    with pytest.raises(InvalidField) as refused:
        table_rules(game, rules, seats, None)
    assert refused.value.field == field


def test_a_bot_in_several_seats_is_several_players() -> None:
    bots = bots_at("word", "wordsmith-50", 4)
    assert [(bot.seat, bot.player_id, bot.player_name) for bot in bots] == [
        (1, "bot-wordsmith-50-1", "Wordsmith 50 1"),
        (2, "bot-wordsmith-50-2", "Wordsmith 50 2"),
        (3, "bot-wordsmith-50-3", "Wordsmith 50 3"),
    ]


@pytest.mark.parametrize("bot", ["nobody", "simple"])
def test_a_bot_must_know_the_game(bot: str) -> None:
    with pytest.raises(InvalidField) as refused:
        bots_at("word", bot, 2)
    assert refused.value.field == "opponent.bot"

"""What the API tells is enough for a bot to play as it would at the table."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from gin_bots import bot_named
from gin_local.playing.seen import Memory, view_of
from gin_rules.game import game_named
from gin_rules.rummy.view import View
from gin_rules.shuffle import SeededDeals

FORMS: tuple[dict[str, Any], ...] = (
    {},
    {"preset": "big_gin"},
    {"preset": "oklahoma", "layoffs": "manual"},
    {"knock_limit": 0, "stock_end": "recycle", "hand_turn_cap": 70, "fixed_hands": 3},
    {"knock_limit": 0, "stock_end": "recycle", "recycle_shuffled": True, "hand_turn_cap": 70, "fixed_hands": 3},
    {"buried_draw": True, "fixed_hands": 6},
    {"discard_view": "spread", "fixed_hands": 4},
    {"preset": "hollywood"},
    {"preset": "rotation3", "target": 40},
    {"preset": "pairs4", "target": 40},
    {"preset": "rotation4", "target": 40},
)


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("bots", [("planner", "simple"), ("beginner", "random")], ids="-".join)
def test_memory_of_own_turns_is_the_history_of_the_hand(form: dict[str, Any], bots: tuple[str, str]) -> None:
    game = game_named("rummy")
    rules = game.rules_from_json(form)
    seats = {"two": 2, "rotation3": 3}.get(rules.seating, 4)
    state = game.new_match(rules, seats, SeededDeals(bytes(32), (), "memory"))
    memories = [Memory() for _ in range(seats)]
    decisions = 0
    while (seat := game.to_act(state)) is not None and decisions < 1500:
        view = game.view(state, seat)
        document = json.loads(json.dumps(game.view_to_json(view)))
        memories[seat].saw(document)
        if view.phase != "layoff":  # then the hand is over but for the layoffs, and no history is asked for
            assert memories[seat].history == view.history
        seen = view_of(document, memories[seat].history)
        assert seen == _as_told(view)._replace(history=seen.history)
        bot = bot_named(bots[seat % 2])
        action = bot.choose_action(view, Random(decisions))
        assert bot.choose_action(seen, Random(decisions)) == action
        memories[seat].acted(action)
        state = game.apply(state, action)
        decisions += 1
    assert decisions > 40


def _as_told(view: View) -> View:
    return view._replace(cuts=(), results=(), corrections=(), outcome=None, table=None)


def test_a_memory_that_begins_in_the_middle_of_a_hand_tells_nothing_until_the_next() -> None:
    game = game_named("rummy")
    state = game.new_match(game.rules_from_json({}), 2, SeededDeals(bytes(32), (), "middle"))
    bot, rng, memory = bot_named("simple"), Random(1), Memory()
    hands = set()
    while (seat := game.to_act(state)) is not None:
        view = game.view(state, seat)
        action = bot.choose_action(view, rng)
        if seat == 0 and (view.hand_number, view.turns) >= (1, 4):
            memory.saw(game.view_to_json(view))
            assert memory.history == (() if view.hand_number == 1 else view.history)
            hands.add(view.hand_number)
            memory.acted(action)
        state = game.apply(state, action)
    assert len(hands) > 1


def test_views_of_word_gin_come_back_whole() -> None:
    game = game_named("word")
    rules = game.rules_from_json({"target": 60})
    state = game.new_match(rules, 3, SeededDeals(bytes(32), (), "words", game.deck_size(rules)))
    bot, rng = bot_named("wordsmith-25"), Random(1)
    phases = set()
    while (seat := game.to_act(state)) is not None:
        view = game.view(state, seat)
        seen = view_of(json.loads(json.dumps(game.view_to_json(view))))
        assert seen == view._replace(cuts=(), results=(), corrections=(), outcome=None)
        phases.add(view.phase)
        state = game.apply(state, bot.choose_action(seen, rng))
    assert phases == {"draw", "discard", "challenge", "reveal"}

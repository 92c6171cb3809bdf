"""States are values: what an action leads to is a new one, and equal parts make equal states."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from gin_rules.game import game_named
from gin_rules.rummy.state import State
from gin_rules.shuffle import SeededDeals

RUMMY = game_named("rummy")
LONGEST = {"stock_end": "recycle", "hand_turn_cap": 1000, "fixed_hands": 1, "knock_limit": 0}


def played(rules: dict[str, Any], seed: int, actions: int) -> list[State]:
    """The states of random play, from the deal to so many actions later."""
    rng = Random(seed)
    states = [RUMMY.new_match(RUMMY.rules_from_json(rules), 2, SeededDeals(bytes(32), (), "states"))]
    while len(states) <= actions and (legal := RUMMY.legal_actions(states[-1])):
        states.append(RUMMY.apply(states[-1], rng.choice(legal)))
    return states


@pytest.mark.parametrize(
    "rules",
    [{}, {"layoffs": "manual", "preset": "big_gin"}, {"buried_draw": True, "stock_end": "recycle"}],
    ids=["standard", "manual layoffs", "buried draws"],
)
def test_no_action_changes_the_state_that_it_was_applied_to(rules: dict[str, Any]) -> None:
    rng = Random(1)
    state = played(rules, 1, 0)[0]
    for _ in range(400):
        legal = RUMMY.legal_actions(state)
        before = state.values()
        tables = state.table.values()
        after = RUMMY.apply(state, rng.choice(legal))
        assert (state.values(), state.table.values()) == (before, tables)
        assert after != state
        if not RUMMY.legal_actions(after):
            break
        state = after


def test_same_actions_lead_to_equal_states_and_others_do_not() -> None:
    one, same, other = (played({}, seed, 60)[-1] for seed in (1, 1, 2))
    assert (one, hash(one), repr(one)) == (same, hash(same), repr(same))
    assert one != other
    assert one != one.values()


def test_history_and_pile_are_told_from_the_oldest() -> None:
    states = played({}, 3, 40)
    for before, after in pairwise(states):
        if after.table.number == before.table.number:
            assert after.history[: before.action_count] == before.history
            assert after.action_count == len(after.history) == before.action_count + 1
    thrown = next(state for state in states if state.history and state.history[-1].startswith("discard"))
    assert RUMMY.card_text(thrown.pile[-1], thrown.table.rules) == thrown.history[-1].removeprefix("discard ")


def test_replacing_parts_leaves_the_others() -> None:
    state = played({}, 4, 30)[-1]
    moved = state.replace(phase=6, turns=7)
    assert (moved.phase, moved.turns, moved.replace(phase=state.phase, turns=state.turns)) == (6, 7, state)
    with pytest.raises(TypeError):
        state.replace(colour="red")


def test_longest_hand_can_be_compared_shown_and_dropped() -> None:
    states, again = (played(LONGEST, 5, 1900) for _ in range(2))
    last = states[-1]
    assert last.action_count == 1900
    assert (last, hash(last), repr(last)) == (again[-1], hash(again[-1]), repr(again[-1]))
    states.clear()
    assert len(last.history) == 1900


def test_state_of_the_longest_hand_is_copied_and_pickled_whole() -> None:
    states = played(LONGEST, 4, 1900)
    assert states[-1].action_count > 1800
    for state in (states[0], states[-1]):
        for twin in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state), copy.copy(state)):
            assert (twin, hash(twin)) == (state, hash(state))
            assert RUMMY.legal_actions(twin) == RUMMY.legal_actions(state)
            assert twin.pile == state.pile
            assert twin.history == state.history

"""Bots choose legal actions, and the same ones whatever lies hidden."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from gin_bots import bot_named, bots_for
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.rummy.rules import RuleSet
from gin_rules.rummy.state import State
from tests.property.test_rummy_play import SEEDS, rule_sets, states, with_hidden_cards_mixed

# Of each match, wherever they lie in it. With buried draws hands grow to thirty cards, which take a hundred times as
# long to think over as others: a few of them are enough.
DECISIONS = 15
WITH_MANY_CARDS = 2
MANY_CARDS = 14


def cards_held(state: State) -> int:
    """By whoever is to act."""
    seat = GIN_RUMMY.to_act(state)
    return 0 if seat is None else state.hands[seat].bit_count()


@pytest.mark.parametrize("name", [bot.name for bot in bots_for("rummy")])
@given(rules=rule_sets(), seed=SEEDS)
@settings(max_examples=15, deadline=None)
def test_bot_chooses_a_legal_action_that_depends_on_its_view_alone(name: str, rules: RuleSet, seed: int) -> None:
    bot = bot_named(name)
    rng = Random(seed)
    to_act = [state for state, _ in states(rules, seed) if GIN_RUMMY.to_act(state) is not None]
    with_many = [state for state in to_act if cards_held(state) > MANY_CARDS]
    with_few = [state for state in to_act if cards_held(state) <= MANY_CARDS]
    looked_at = rng.sample(with_many, min(WITH_MANY_CARDS, len(with_many)))
    looked_at += rng.sample(with_few, min(DECISIONS - len(looked_at), len(with_few)))
    for state in looked_at:
        seat = GIN_RUMMY.to_act(state)
        assert seat is not None
        action = bot.choose_action(GIN_RUMMY.view(state, seat), Random(seed))
        assert action in GIN_RUMMY.legal_actions(state)
        if state.shown is None:
            mixed = with_hidden_cards_mixed(state, seat, rng)
            assert bot.choose_action(GIN_RUMMY.view(mixed, seat), Random(seed)) == action

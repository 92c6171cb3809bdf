"""Bots choose legal actions, and the same ones whatever lies hidden."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from gin_bots import bot_named, bots_for
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.rummy.rules import RuleSet
from tests.property.test_rummy_play import SEEDS, rule_sets, states, with_hidden_cards_mixed

# Of each match, wherever they lie in it. With buried draws hands of thirty cards take long to think over.
DECISIONS = 15


@pytest.mark.parametrize("name", [bot.name for bot in bots_for("rummy")])
@given(rules=rule_sets(), seed=SEEDS)
@settings(max_examples=15, deadline=None)
def test_bot_chooses_a_legal_action_that_depends_on_its_view_alone(name: str, rules: RuleSet, seed: int) -> None:
    bot = bot_named(name)
    rng = Random(seed)
    to_act = [state for state, _ in states(rules, seed) if GIN_RUMMY.to_act(state) is not None]
    for state in rng.sample(to_act, min(DECISIONS, len(to_act))):
        seat = GIN_RUMMY.to_act(state)
        assert seat is not None
        action = bot.choose_action(GIN_RUMMY.view(state, seat), Random(seed))
        assert action in GIN_RUMMY.legal_actions(state)
        if state.shown is None:
            mixed = with_hidden_cards_mixed(state, seat, rng)
            assert bot.choose_action(GIN_RUMMY.view(mixed, seat), Random(seed)) == action

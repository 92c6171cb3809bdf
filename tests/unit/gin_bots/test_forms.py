"""Every bot plays every form of Gin Rummy to its end, by legal actions alone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from gin_bots import bot_named
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.rummy.rules import PRESETS
from gin_rules.rummy.seating import SEATS_AT
from gin_rules.shuffle import SeededDeals

FORMS: tuple[dict[str, Any], ...] = (
    *({"preset": name} for name in PRESETS),
    {"preset": "oklahoma", "oklahoma_ace": "one", "oklahoma_spades": "all"},
    {"layoffs": "manual"},
    {"buried_draw": True},
    {"knock_limit": 0, "stock_end": "recycle", "recycle_shuffled": True, "hand_turn_cap": 60, "fixed_hands": 2},
    {"gin_bonus": 0, "undercut_bonus": 0, "stock_end": "one"},
    {"discard_view": "spread", "advice": False},
)


def played(bots: tuple[str, ...], form: dict[str, Any], number: int) -> Any:
    rules = GIN_RUMMY.rules_from_json({"target": 40, **form} if "fixed_hands" not in form else form)
    seats = SEATS_AT[rules.seating] if rules.seating != "two" else 2
    state = GIN_RUMMY.new_match(rules, seats, SeededDeals(b"forms", (), str(number)))
    rng = Random(number)
    while (seat := GIN_RUMMY.to_act(state)) is not None:
        view = GIN_RUMMY.view(state, seat)
        action = bot_named(bots[seat % len(bots)]).choose_action(view, rng)
        assert action in view.legal_actions
        state = GIN_RUMMY.apply(state, action)
    return state


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("bots", [("expert", "beginner"), ("planner", "collector")], ids="-".join)
def test_bots_play_every_form_to_its_end(bots: tuple[str, ...], form: dict[str, Any]) -> None:
    outcome = GIN_RUMMY.outcome(played(bots, form, 1))
    assert outcome is not None
    assert outcome.hands_played


@pytest.mark.parametrize("form", [{"preset": "straight"}, {"preset": "oklahoma"}, {"preset": "big_gin"}], ids=str)
def test_expert_beats_the_beginner_in_other_forms_too(form: dict[str, Any]) -> None:
    wins = sum(GIN_RUMMY.outcome(played(("expert", "beginner"), form, number)).winner == 0 for number in range(12))
    assert wins >= 8

"""Arbiters who rule at random: whatever they may decide, the record holds and the game goes on or is over."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from gin_rules.record import RecordedRuling, record_from_text, record_to_text, replay
from gin_rules.replay import steps
from gin_rules.rulings import RULING_KINDS, RefusedRuling, Ruling
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.rummy.rules import PRESETS
from gin_rules.rummy.seating import SEATS_AT
from gin_rules.transcript import read_transcript, transcript
from gin_rules.verify import verify
from tests.property.test_rummy_play import SEEDS
from tests.unit.gin_rules.playing import recorded


def random_ruling(rng: Random, seats: int, hands: int) -> Ruling:
    """Any ruling, allowed or not."""
    kind: Any = rng.choices(RULING_KINDS, weights=(8, 4, 3, 0.2))[0]
    hand = rng.randint(max(hands - 2, 0), hands + 2) if kind != "void_match" or rng.random() < 0.1 else 0
    points = [0] * seats
    points[rng.randrange(seats)] = rng.choice((0, 5, 28, 60))
    given_points = tuple(points) if (kind == "correct") != (rng.random() < 0.02) else None
    return Ruling(kind, hand, given_points, rng.choice(("", "counted again", "a card was shown")), "Arbiter")


def allowed(state: Any, ruling: Ruling) -> bool:
    try:
        GIN_RUMMY.rule(state, ruling)
    except RefusedRuling:
        return False
    return True


@pytest.mark.parametrize("name", ["standard", "hollywood", "rotation3", "pairs4", "rotation4"])
@given(seed=SEEDS)
@settings(max_examples=8, deadline=None)
def test_match_under_random_rulings_ends_and_its_record_holds(name: str, seed: int) -> None:
    rng, seats = Random(seed), SEATS_AT[PRESETS[name].seating]

    def arbiter(state: Any, _actions: int) -> Sequence[Ruling]:
        if rng.random() > 0.08:
            return ()
        ruling = random_ruling(rng, seats, len(GIN_RUMMY.hand_results(state)))
        return (ruling,) if allowed(state, ruling) else ()

    record = recorded({"preset": name, "match_hand_cap": 10}, seats=seats, arbiter=arbiter, bot_seed=seed)
    assert verify(record) is None
    assert record_from_text(record_to_text(record)) == record
    assert read_transcript(transcript(record)) == record
    assert len(list(replay(record))) == 1 + len(record.actions) + len(record.rulings)


@pytest.mark.parametrize("name", ["standard", "rotation3", "pairs4"])
@given(seed=SEEDS)
@settings(max_examples=8, deadline=None)
def test_ruling_never_changes_what_was_counted_before(name: str, seed: int) -> None:
    rng, seats = Random(seed), SEATS_AT[PRESETS[name].seating]

    def arbiter(state: Any, _actions: int) -> Sequence[Ruling]:
        ruling = random_ruling(rng, seats, len(GIN_RUMMY.hand_results(state)))
        return (ruling,) if rng.random() < 0.1 and allowed(state, ruling) else ()

    record = recorded({"preset": name, "match_hand_cap": 8}, seats=seats, arbiter=arbiter, bot_seed=seed)
    before: tuple[Any, ...] = ()
    for entry, state in steps(record):
        results = tuple(GIN_RUMMY.hand_results(state))
        assert results[: len(before)] == before
        if isinstance(entry, RecordedRuling):
            assert tuple(GIN_RUMMY.totals(state)) == entry.totals
            assert (GIN_RUMMY.to_act(state) is None) == (GIN_RUMMY.outcome(state) is not None)
        before = results

"""Whichever field of a record is changed, the check finds it."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from gin_rules.game import GameError
from gin_rules.record import MatchRecord, record_from_json, record_to_json
from gin_rules.rummy.rules import PRESETS, rules_from_json
from gin_rules.rummy.seating import SEATS_AT
from gin_rules.verify import verify
from tests.unit.gin_rules.playing import recorded
from tests.unit.gin_rules.test_rulings import busy_arbiter

VARIANTS: dict[str, dict[str, Any]] = {
    **{name: {"preset": name} for name in PRESETS},
    "recycled": {"stock_end": "recycle", "recycle_shuffled": True},
    "buried": {"buried_draw": True, "discard_view": "spread"},
    "manual": {"layoffs": "manual", "stock_end": "one", "dealer": "loser"},
    "spades": {"oklahoma": True, "oklahoma_ace": "one", "oklahoma_spades": "all", "advice": False},
    "fixed": {"fixed_hands": 1},
}


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every place of a JSON value, containers included."""
    yield path, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, (*path, name))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from leaves(inner, (*path, at))


def others(value: Any) -> Iterator[Any]:
    """Values of the same kind that are different, as a forger would write them."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif isinstance(value, str):
        if value:
            yield value[:-1] + ("0" if value[-1] != "0" else "1")
            yield ("0" if value[0] != "0" else "1") + value[1:]
        if "T" in value and "+00:00" in value:
            hour = value.index("T") + 1
            yield value[:hour] + f"{(int(value[hour : hour + 2]) + 1) % 24:02}" + value[hour + 2 :]
            yield value.replace("+00:00", "+01:00")
        yield value + "00"
    elif isinstance(value, list):
        yield [*value, *(value[-1:] or [0])]
        if value:
            yield value[:-1]
        if len(value) > 1 and value[0] != value[1]:
            yield [value[1], value[0], *value[2:]]
    elif value is None:
        yield from (0, [0, 0], "00")


def changed(data: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    copied = copy.deepcopy(data)
    place: Any = copied
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return copied


def is_found(data: dict[str, Any]) -> bool:
    try:
        return verify(record_from_json(data)) is not None
    except GameError:
        return True


def all_that_is_not_found(record: MatchRecord) -> list[str]:
    data = json.loads(json.dumps(record_to_json(record)))
    assert verify(record_from_json(data)) is None
    tried = [(path, other) for path, value in leaves(data) if path for other in others(value)]
    assert {path[0] for path, _ in tried} == set(data)
    return [f"{path}: {other!r}" for path, other in tried if not is_found(changed(data, path, other))]


@pytest.mark.parametrize("name", VARIANTS)
def test_every_changed_field_of_a_record_is_found(name: str) -> None:
    rules = VARIANTS[name]
    seats = SEATS_AT[rules_from_json(rules).seating]
    hands = 1 if seats < 4 else 2
    given = rules if "fixed_hands" in rules else {**rules, "match_hand_cap": hands}
    assert all_that_is_not_found(recorded(given, seats=seats, first_dealer=seats - 1)) == []


def test_every_changed_field_of_a_record_with_a_cut_and_rulings_is_found() -> None:
    record = recorded({"match_hand_cap": 3}, arbiter=busy_arbiter)
    assert record.rulings
    assert all_that_is_not_found(record) == []


def test_every_changed_field_of_an_unfinished_record_is_found() -> None:
    assert all_that_is_not_found(recorded({}, most_actions=30)) == []

"""Several processes act in one match, each with what it knows of it, and none is ever wrong."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any, NoReturn

import pytest

from gin_engine.api import matches as matches_api
from gin_engine.store import known, states
from gin_messages.match import ClockPlan, DeadlineMoved
from gin_rules.record import record_from_json
from gin_rules.verify import verify
from tests.integration.engine.house import House, open_match, person

Enter = Callable[[str], None]


@pytest.fixture
def enter(monkeypatch: pytest.MonkeyPatch) -> Enter:
    """What follows happens in the process of this name: each has a memory of its own."""
    memories: dict[str, tuple[states.KeptStates, known.KnownMatches]] = {}

    def go(name: str) -> None:
        kept, matches = memories.setdefault(name, (states.KeptStates(8), known.KnownMatches(8)))
        monkeypatch.setattr(states, "_kept", kept)
        monkeypatch.setattr(known, "_known", matches)

    return go


@pytest.fixture
def duel(house: House) -> str:
    return house.open(person("ann"), person("bob"), rules={"fixed_hands": 1}, first_dealer=0, arbiters=["judge"])


def clocked(house: House) -> str:
    """A match of ann and bob with half a minute for each action."""
    wish = open_match(
        person("ann"),
        person("bob"),
        rules={"fixed_hands": 1},
        deadline_at=house.clock.now + timedelta(hours=1),
        clock=ClockPlan(30, 60),
    )
    house.receive(wish)
    house.tick()
    return wish.match_id


def turn(house: House, match_id: str) -> tuple[str, dict[str, Any]]:
    """The account that is to act, and what it sees."""
    seat = house.seat(match_id, "ann")
    return ("ann", seat) if seat["to_act"] == seat["seat"] else ("bob", house.seat(match_id, "bob"))


def play_one(house: House, match_id: str, pick: int = 0, **headers: str) -> dict[str, Any]:
    account, seat = turn(house, match_id)
    answer = house.act(match_id, account, seat["legal_actions"][pick], seat["action_count"], **headers)
    assert answer.status_code == 200, answer.text
    return dict(answer.json)


@pytest.mark.parametrize("opened", [clocked, lambda house: house.open(person("ann"), person("bob"))])
def test_each_goes_on_where_the_others_are(house: House, enter: Enter, opened: Callable[[House], str]) -> None:
    rng = random.Random(3)
    match_id = opened(house)
    seen: dict[str, Any] = {"state": "playing"}
    while seen["state"] == "playing" and seen.get("action_count", 0) < 60:
        enter(rng.choice("abc"))
        account, seat = turn(house, match_id)
        house.clock.move(seconds=rng.randrange(3))
        house.tick()
        enter(rng.choice("abc"))
        seen = house.act(match_id, account, rng.choice(seat["legal_actions"]), seat["action_count"]).json
        enter(rng.choice("abc"))
        assert house.seat(match_id, account) == seen
    house.client.post(f"/api/v1/matches/{match_id}/resignation", headers=house.token("ann"))
    record = record_from_json(house.get(f"/{match_id}/record").json)
    assert verify(record) is None
    assert len(record.actions) == seen["action_count"]


def test_the_usual_action_takes_no_lock(house: House, enter: Enter, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> NoReturn:
        raise AssertionError("this was a usual action")

    monkeypatch.setattr(matches_api, "act", refuse)
    for match_id in (clocked(house), house.open(person("ann"), person("bob"))):
        for number in range(6):
            enter("ab"[number % 2])
            play_one(house, match_id, Idempotency_Key=f"{match_id} {number}")


def test_who_decided_before_another_process_wrote_is_told_so(house: House, enter: Enter, duel: str) -> None:
    enter("behind")
    account, seat = turn(house, duel)
    enter("ahead")
    assert house.act(duel, account, seat["legal_actions"][0], 0, Idempotency_Key="one").status_code == 200
    stored, blocks = house.stored(duel), house.blocks(duel)
    enter("behind")
    refused = house.act(duel, account, seat["legal_actions"][0], 0)
    assert refused.status_code == 409
    assert refused.json["type"] == "urn:ginhall:problem:stale-action-count"
    again = house.act(duel, account, seat["legal_actions"][0], 0, Idempotency_Key="one")
    assert (again.status_code, again.headers["Idempotent-Replayed"]) == (200, "true")
    assert (house.stored(duel), house.blocks(duel)) == (stored, blocks)


def test_a_ruling_elsewhere_is_not_overlooked(house: House, enter: Enter, duel: str) -> None:
    enter("behind")
    play_one(house, duel)
    account, seat = turn(house, duel)
    enter("ahead")
    ruling = {"kind": "void_hand", "hand": 1, "reason": "cards fell"}
    ruled = house.ask("POST", f"/matches/{duel}/rulings", "judge", ruling, scopes=("tournament:write",))
    assert ruled.status_code == 201, ruled.text
    enter("behind")
    assert house.act(duel, account, seat["legal_actions"][0], seat["action_count"]).status_code == 409
    enter("ahead")
    expected = turn(house, duel)
    enter("behind")
    assert turn(house, duel) == expected
    play_one(house, duel)


def test_a_key_that_another_match_was_given_is_refused(house: House, duel: str) -> None:
    other = house.open(person("ann"), person("bob"), first_dealer=0)
    account, seat = turn(house, duel)
    play_one(house, duel, Idempotency_Key="one")
    refused = house.act(other, account, seat["legal_actions"][0], 0, Idempotency_Key="one")
    assert refused.status_code == 422
    assert refused.json["type"] == "urn:ginhall:problem:idempotency-key-reused"
    assert house.blocks(other) == []
    assert house.act(other, account, seat["legal_actions"][0], 0, Idempotency_Key="two").status_code == 200


def test_a_pause_elsewhere_stops_the_clock_for_good(house: House, enter: Enter) -> None:
    match_id = clocked(house)
    enter("behind")
    account, seat = turn(house, match_id)
    enter("ahead")
    house.receive(DeadlineMoved(match_id, None, house.clock.now))
    enter("behind")
    assert house.act(match_id, account, seat["legal_actions"][0], seat["action_count"]).status_code == 200
    assert house.stored(match_id)["clock_due_at"] is None
    assert house.stored(match_id)["deadline_at"] is None


def test_a_deadline_that_was_moved_elsewhere_stays(house: House, enter: Enter) -> None:
    match_id = clocked(house)
    enter("behind")
    account, seat = turn(house, match_id)
    later = house.clock.now + timedelta(hours=9)
    house.receive(DeadlineMoved(match_id, later, house.clock.now))
    assert house.act(match_id, account, seat["legal_actions"][0], seat["action_count"]).status_code == 200
    assert house.stored(match_id)["deadline_at"] == later


def test_time_in_which_the_house_was_away_is_nobodys(house: House) -> None:
    match_id = clocked(house)
    account, seat = turn(house, match_id)
    house.clock.move(minutes=10)  # without a tick
    answer = house.act(match_id, account, seat["legal_actions"][0], seat["action_count"])
    assert answer.status_code == 200
    assert [clock["bank_ms"] for clock in answer.json["clock"]["seats"]] == [60_000, 60_000]


def test_who_comes_too_late_is_refused(house: House) -> None:
    match_id = clocked(house)
    account, seat = turn(house, match_id)
    for _ in range(23):
        house.clock.move(seconds=4)
        with house.service.transaction() as tx:  # it looks at the clocks, and ends nothing yet
            tx.execute("UPDATE clock_beat SET beat_at = %s", (tx.now,))
    refused = house.act(match_id, account, seat["legal_actions"][0], seat["action_count"])
    assert refused.status_code == 409
    assert refused.json["type"] == "urn:ginhall:problem:out-of-time"
    assert house.stored(match_id)["action_count"] == 0

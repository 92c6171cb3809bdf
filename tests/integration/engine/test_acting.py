"""Playing by REST: a person at the table, and everything that the table must refuse."""

from __future__ import annotations

import contextlib
import random

import pytest

from gin_engine.store import known, matches, states, steps
from gin_engine.store.known import KnownMatches
from gin_engine.store.states import KeptStates
from gin_engine.store.steps import Step
from gin_engine.use_cases.act import act
from gin_rules.game import Action
from gin_rules.record import record_from_json
from gin_rules.verify import verify
from tests.integration.engine.house import House, bot, person


@pytest.fixture
def duel(house: House) -> str:
    """A match of two persons; ann sits first."""
    return house.open(person("ann"), person("bob"))


def to_act(house: House, match_id: str) -> str:
    """The account whose turn it is."""
    shown = house.get(f"/{match_id}").json
    return str(shown["seats"][shown["to_act"]]["player_id"])


def play_one(house: House, match_id: str, rng: random.Random) -> None:
    account = to_act(house, match_id)
    seat = house.seat(match_id, account)
    answer = house.act(match_id, account, rng.choice(seat["legal_actions"]), seat["action_count"])
    assert answer.status_code == 200, answer.text


def test_a_person_plays_a_bot_to_the_end_with_legal_actions_only(house: House) -> None:
    match_id = house.open(person("ann"), bot("robin"), rules={"fixed_hands": 2})
    rng = random.Random(4)
    seat = house.seat(match_id, "ann")
    while seat["state"] == "playing":
        if seat["to_act"] == seat["seat"]:
            answer = house.act(match_id, "ann", rng.choice(seat["legal_actions"]), seat["action_count"])
            assert answer.status_code == 200, answer.text
        else:
            assert seat["legal_actions"] == []
            house.play()
        seat = house.seat(match_id, "ann")
    (told,) = house.told(match_id)
    assert told["ending"] == "played"
    assert told["hands_played"] == 2
    record = record_from_json(house.get(f"/{match_id}/record").json)
    assert verify(record) is None
    assert len(record.actions) == seat["action_count"]


def test_acting_asks_the_worker_to_let_the_bot_reply(house: House) -> None:
    match_id = house.open(person("ann"), bot("robin"))
    house.play()
    seat = house.seat(match_id, "ann")
    while seat["to_act"] == 0:
        seat = house.act(match_id, "ann", seat["legal_actions"][0], seat["action_count"]).json
    assert house.stored(match_id)["bot_due_at"] is not None
    house.play()
    assert house.seat(match_id, "ann")["action_count"] > seat["action_count"]


def test_the_answer_to_an_action_is_the_new_view_of_the_seat(house: House, duel: str) -> None:
    account = to_act(house, duel)
    before = house.seat(duel, account)
    answer = house.act(duel, account, before["legal_actions"][0], before["action_count"])
    assert answer.status_code == 200
    assert answer.json == house.seat(duel, account)
    assert answer.json["action_count"] == before["action_count"] + 1


def test_a_foreign_account_sees_no_seat_and_cannot_act(house: House, duel: str) -> None:
    assert house.get(f"/{duel}/seat", "eve").status_code == 403
    refused = house.act(duel, "eve", "pass", 0)
    assert refused.status_code == 403
    assert refused.json["type"] == "urn:ginhall:problem:not-your-seat"


def test_nobody_acts_for_a_bot(house: House) -> None:
    match_id = house.open(person("ann"), bot("robin"))
    assert house.get(f"/{match_id}/seat", "robin").status_code == 403
    assert house.act(match_id, "robin", "pass", 0).status_code == 403


@pytest.mark.parametrize("scopes", [(), ("account",), ("tournament:read", "tournament:write")])
def test_a_token_without_the_scope_play_is_refused(house: House, duel: str, scopes: tuple[str, ...]) -> None:
    headers = house.token("ann", scopes)
    assert house.client.get(f"/api/v1/matches/{duel}/seat", headers=headers).status_code == 403
    body = {"action": "pass", "action_count": 0}
    assert house.client.post(f"/api/v1/matches/{duel}/actions", json=body, headers=headers).status_code == 403


def test_without_a_token_there_is_no_seat_and_no_action(house: House, duel: str) -> None:
    assert house.client.get(f"/api/v1/matches/{duel}/seat").status_code == 401
    body = {"action": "pass", "action_count": 0}
    assert house.client.post(f"/api/v1/matches/{duel}/actions", json=body).status_code == 401


def test_a_stale_action_count_is_refused(house: House, duel: str) -> None:
    account = to_act(house, duel)
    seat = house.seat(duel, account)
    house.act(duel, account, seat["legal_actions"][0], 0)
    stale = house.act(duel, account, seat["legal_actions"][0], 0)
    assert stale.status_code == 409
    assert stale.json["type"] == "urn:ginhall:problem:stale-action-count"
    assert stale.json["errors"][0]["field"] == "action_count"
    assert house.stored(duel)["action_count"] == 1


def test_the_other_player_cannot_act_out_of_turn(house: House, duel: str) -> None:
    waiting = {"ann": "bob", "bob": "ann"}[to_act(house, duel)]
    refused = house.act(duel, waiting, "pass", 0)
    assert refused.status_code == 409
    assert refused.json["type"] == "urn:ginhall:problem:not-your-turn"
    assert house.stored(duel)["action_count"] == 0


@pytest.mark.parametrize("action", ["knock 7c", "discard Zz", "fly", " ", "discard 7c and 8c", "take ' OR 1=1"])
def test_an_illegal_action_is_refused_and_changes_nothing(house: House, duel: str, action: str) -> None:
    account = to_act(house, duel)
    before = house.seat(duel, account)
    refused = house.act(duel, account, action, 0)
    assert refused.status_code == 422
    assert refused.json["errors"][0]["field"] == "action"
    assert house.seat(duel, account) == before
    assert house.blocks(duel) == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"action": "pass"},
        {"action": "pass", "action_count": -1},
        {"action": "pass", "action_count": 2**40},
        {"action": "pass", "action_count": "0"},
        {"action": "", "action_count": 0},
        {"action": "pass\npass", "action_count": 0},
        {"action": "päss", "action_count": 0},
        {"action": "pass", "action_count": 0, "seat": 1},
    ],
)
def test_a_malformed_action_is_refused(house: House, duel: str, body: dict[str, object]) -> None:
    headers = house.token(to_act(house, duel))
    answer = house.client.post(f"/api/v1/matches/{duel}/actions", json=body, headers=headers)
    assert answer.status_code == 422
    assert answer.json["errors"]
    assert house.blocks(duel) == []


def test_the_same_idempotency_key_acts_once(house: House, duel: str) -> None:
    account = to_act(house, duel)
    action = house.seat(duel, account)["legal_actions"][0]
    first = house.act(duel, account, action, 0, Idempotency_Key="turn-1")
    again = house.act(duel, account, action, 0, Idempotency_Key="turn-1")
    assert first.status_code == again.status_code == 200
    assert first.data == again.data
    assert house.stored(duel)["action_count"] == 1
    other = house.act(duel, account, action, 1, Idempotency_Key="turn-1")
    assert other.status_code == 422


def test_nobody_acts_in_a_match_that_is_over(house: House, duel: str) -> None:
    account = to_act(house, duel)
    house.cancel(duel)
    refused = house.act(duel, account, "pass", 0)
    assert refused.status_code == 409
    assert refused.json["type"] == "urn:ginhall:problem:match-is-over"
    assert house.seat(duel, account)["legal_actions"] == []


@pytest.mark.parametrize("match_id", ["nothing", "%00", "ä", "a" * 300, "%FF%FE"])
def test_a_match_that_is_not_there_is_not_found(house: House, match_id: str) -> None:
    for path in ("", "/record"):
        assert house.get(f"/{match_id}{path}").status_code == 404
    assert house.get(f"/{match_id}/seat", "ann").status_code == 404
    assert house.act(match_id, "ann", "pass", 0).status_code == 404


def test_the_log_never_goes_back_in_time_where_clocks_differ(house: House, duel: str) -> None:
    rng = random.Random(1)
    play_one(house, duel, rng)
    house.clock.move(seconds=-30)
    play_one(house, duel, rng)
    first, second = house.blocks(duel)
    assert first["played_at"] <= second["played_at"]


class RolledBack(Exception):
    """What ends a transaction without a commit."""


def test_a_step_of_a_match_that_has_moved_on_is_not_written(house: House, duel: str) -> None:
    with house.service.transaction() as tx:
        before = matches.find(tx, duel)
    assert before is not None
    actor = to_act(house, duel)
    seat = house.seat(duel, actor)
    assert house.act(duel, actor, seat["legal_actions"][0], 0).status_code == 200
    stored, blocks = house.stored(duel), house.blocks(duel)
    step = Step(seat["seat"], Action("draw"), house.clock(), house.clock(), 1.0, 0, None, None)
    with house.service.transaction() as tx:
        assert not steps.write(tx, before, step)
    assert (house.stored(duel), house.blocks(duel)) == (stored, blocks)


def test_an_action_that_was_rolled_back_leaves_no_trace_in_what_is_shown(house: House, duel: str) -> None:
    """Nor in the state from which the process goes on."""
    actor = to_act(house, duel)
    before = house.seat(duel, actor)
    with contextlib.suppress(RolledBack), house.service.transaction() as tx:
        act(tx, duel, actor, before["legal_actions"][0], 0)
        raise RolledBack
    assert house.seat(duel, actor) == before
    assert house.blocks(duel) == []
    other = before["legal_actions"][-1]
    shown = house.act(duel, actor, other, 0)
    assert shown.status_code == 200
    assert [block["actions"] for block in house.blocks(duel)] == [[other]]
    assert house.seat(duel, actor) == shown.json


def test_after_an_action_the_match_is_stored_as_it_was_answered(house: House, duel: str) -> None:
    for _ in range(3):
        actor = to_act(house, duel)
        seat = house.seat(duel, actor)
        house.clock.move(seconds=4)
        answer = house.act(duel, actor, seat["legal_actions"][0], seat["action_count"])
        assert answer.json == house.seat(duel, actor)
        with house.service.transaction() as tx:
            stored = matches.find(tx, duel)
        assert stored is not None
        assert stored.action_count == answer.json["action_count"] == len(house.blocks(duel))
        assert stored.last_action_at == stored.seats[seat["seat"]].acted_at == house.clock()
    assert sum(seat.thinking_seconds for seat in stored.seats) == 3 * 4


def test_an_action_that_did_not_commit_is_unknown_when_another_process_has_acted(
    house: House, duel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    actor = to_act(house, duel)
    first, *_, last = house.seat(duel, actor)["legal_actions"]
    with contextlib.suppress(RolledBack), house.service.transaction() as tx:
        act(tx, duel, actor, first, 0)
        raise RolledBack
    with monkeypatch.context() as another_process:
        another_process.setattr(states, "_kept", KeptStates(8))
        another_process.setattr(known, "_known", KnownMatches(8))
        answered = house.act(duel, actor, last, 0).json
    assert house.seat(duel, actor) == answered

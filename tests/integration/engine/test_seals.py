"""The seal of a record is published when the match ends, however it does, and the record still has it later."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gin_bots import BOT_NAMES
from gin_rules.record import record_from_json
from gin_rules.verify import verify
from tests.integration.engine.house import House, bot, person


def sealed(house: House, match_id: str) -> None:
    answer = house.get(f"/{match_id}/seal")
    assert answer.status_code == 200, answer.text
    shown = house.get(f"/{match_id}").json
    assert answer.json == {
        "match_id": match_id,
        "seal": shown["seal"],
        "commitment": shown["commitment"],
        "finished_at": shown["finished_at"],
    }
    record = record_from_json(house.get(f"/{match_id}/record").json)
    assert record.seal == answer.json["seal"]
    assert verify(record) is None


def test_while_a_match_is_played_there_is_no_seal(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"))
    assert house.get(f"/{match_id}").json["seal"] is None
    assert house.get(f"/{match_id}/seal").status_code == 409
    assert house.get("/nothing/seal").status_code == 404


@pytest.mark.parametrize(
    ("game", "rules", "seats", "plays"),
    [
        ("rummy", {"target": 30}, 2, "simple"),
        ("rummy", {"preset": "rotation3", "fixed_hands": 2}, 3, "simple"),
        ("word", {"fixed_hands": 1}, 3, "wordsmith"),
    ],
)
def test_a_match_that_was_played_is_sealed(
    house: House, game: str, rules: dict[str, object], seats: int, plays: str
) -> None:
    match_id = house.open(*(bot(f"bot{seat}", plays) for seat in range(seats)), game=game, rules=rules)
    house.play()
    sealed(house, match_id)


def test_a_match_cut_into_many_transactions_is_sealed(house: House) -> None:
    match_id = house.open(person("ann"), bot("robin"), rules={"fixed_hands": 1})
    while (seat := house.seat(match_id, "ann"))["state"] == "playing":
        house.clock.move(seconds=1.25)
        if seat["to_act"] == 0:
            house.act(match_id, "ann", seat["legal_actions"][-1], seat["action_count"])
        else:
            house.play()
    sealed(house, match_id)


def test_a_match_that_was_given_up_cancelled_or_overdue_is_sealed(house: House) -> None:
    deadline = house.clock.now + timedelta(minutes=1)
    given_up, cancelled, overdue = [
        house.open(person("ann"), person("bob"), deadline_at=deadline if number == 2 else None) for number in range(3)
    ]
    house.ask("POST", f"/matches/{given_up}/resignation", "ann")
    house.cancel(cancelled)
    house.clock.move(minutes=1)
    house.tick()
    for match_id in (given_up, cancelled, overdue):
        sealed(house, match_id)


def test_a_match_that_was_never_dealt_has_no_seal(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"), rules={"target": -1})
    refused = house.get(f"/{match_id}/seal")
    assert refused.status_code == 409
    assert refused.json["type"] == "urn:ginhall:problem:never-sealed"


def test_the_bots_are_listed_with_what_they_are_like(house: House) -> None:
    answer = house.ask("GET", "/bots", None)
    assert answer.status_code == 200
    assert [entry["name"] for entry in answer.json["bots"]] == list(BOT_NAMES)
    for entry in answer.json["bots"]:
        assert entry["title"]
        assert entry["description"]
        assert set(entry["games"]) <= {"rummy", "word"}

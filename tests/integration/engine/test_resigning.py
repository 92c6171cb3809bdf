"""Giving up, and playing again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.integration.engine.house import House, bot, person


def resign(house: House, match_id: str, account_id: str, **token: Any) -> Any:
    return house.ask("POST", f"/matches/{match_id}/resignation", account_id, **token)


def rematch(house: House, match_id: str, account_id: str, **token: Any) -> Any:
    return house.ask("POST", f"/matches/{match_id}/rematch", account_id, **token)


def places(house: House, match_id: str) -> dict[str, int]:
    (told,) = house.told(match_id)
    assert told["ending"] == "forfeit"
    return {seat["player_id"]: seat["place"] for seat in told["seats"]}


@pytest.fixture
def duel(house: House) -> str:
    """Ann and Bob at a casual table."""
    table_id: str = house.open_table("ann")["table_id"]
    house.join(table_id, "bob")
    return table_id


@pytest.mark.parametrize("loser", ["ann", "bob"])
def test_who_resigns_loses_also_when_the_other_is_to_act(house: House, duel: str, loser: str) -> None:
    answer = resign(house, duel, loser)
    assert answer.status_code == 200
    assert (answer.json["state"], answer.json["to_act"], answer.json["legal_actions"]) == ("finished", None, [])
    assert places(house, duel) == {"ann": 1, "bob": 1, loser: 2}
    assert house.get(f"/{duel}").json["reason"] == "resigned"


def test_a_match_of_a_tournament_may_be_resigned_before_the_first_action(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"), tournament_id="t1", round_number=1)
    resign(house, match_id, "bob")
    assert places(house, match_id) == {"ann": 1, "bob": 2}


def test_a_match_is_resigned_once(house: House, duel: str) -> None:
    resign(house, duel, "ann")
    for account in ("ann", "bob"):
        refused = resign(house, duel, account)
        assert refused.status_code == 409
        assert refused.json["type"] == "urn:ginhall:problem:match-is-over"
    assert len(house.told(duel)) == 1


def test_of_two_who_resign_at_once_one_loses(house: House, duel: str) -> None:
    app = house.client.application
    headers = {account: house.token(account) for account in ("ann", "bob")}

    def give_up(account: str) -> int:
        return app.test_client().post(f"/api/v1/matches/{duel}/resignation", headers=headers[account]).status_code

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(give_up, headers)) == [200, 409]
    assert sorted(places(house, duel).values()) == [1, 2]


def test_partners_lose_together(house: House) -> None:
    table_id = house.open_table("ann", rules={"preset": "pairs4"}, seats=4)["table_id"]
    for name in ("bob", "cid", "dan"):
        house.join(table_id, name)
    resign(house, table_id, "bob")
    assert places(house, table_id) == {"ann": 1, "bob": 3, "cid": 1, "dan": 3}


def test_only_who_plays_resigns_and_only_who_played_asks_for_a_rematch(house: House, duel: str) -> None:
    against_bot = house.open(person("ann"), bot("robin"))
    for match_id, stranger in [(duel, "eve"), (against_bot, "robin"), (against_bot, "bob")]:
        assert resign(house, match_id, stranger).status_code == 403
        assert rematch(house, match_id, stranger).status_code == 403
    for ask in (resign, rematch):
        assert house.client.post(f"/api/v1/matches/{duel}/{ask.__name__}").status_code in (401, 404)
        assert ask(house, duel, "ann", scopes=("account",)).status_code == 403
        assert ask(house, "nothing", "ann").status_code == 404
    assert house.told(duel) == []


def test_the_first_asks_for_a_rematch_and_the_second_starts_it(house: House, duel: str) -> None:
    resign(house, duel, "ann")
    assert house.seat(duel, "ann")["rematch"] is None
    asked = rematch(house, duel, "bob").json
    assert (asked["state"], asked["opponent"], asked["rematch_of"]) == ("waiting", "rematch", duel)
    assert rematch(house, duel, "bob").json["table_id"] == asked["table_id"]
    seen = house.seat(duel, "ann")["rematch"]
    assert seen == {"table_id": asked["table_id"], "match_id": None, "asked_by": ["bob"]}
    agreed = rematch(house, duel, "ann").json
    assert (agreed["state"], agreed["match_id"]) == ("playing", asked["table_id"])
    assert house.seat(duel, "bob")["rematch"]["match_id"] == asked["table_id"]
    seats = house.get(f"/{asked['table_id']}").json["seats"]
    assert [seat["player_id"] for seat in seats] == ["ann", "bob"]
    assert house.secrets(duel)["server_seed"] != house.secrets(asked["table_id"])["server_seed"]


def test_two_who_ask_at_once_get_one_table(house: House, duel: str) -> None:
    resign(house, duel, "ann")
    app = house.client.application
    headers = [house.token(account) for account in ("ann", "bob")] * 3

    def ask(header: dict[str, str]) -> str:
        answer = app.test_client().post(f"/api/v1/matches/{duel}/rematch", headers=header)
        return str(answer.json["table_id"])

    with ThreadPoolExecutor(6) as pool:
        (table_id,) = set(pool.map(ask, headers))
    assert house.table(table_id)["state"] == "playing"


def test_a_bot_always_agrees_to_a_rematch(house: House) -> None:
    table = house.open_table("ann", opponent={"bot": "simple"}, clock={"move_seconds": 60, "bank_seconds": 0})
    resign(house, table["match_id"], "ann")
    again = rematch(house, table["match_id"], "ann").json
    assert again["state"] == "playing"
    assert again["clock"] == table["clock"]
    assert [player["bot"] for player in again["players"]] == [None, "simple"]
    assert rematch(house, table["match_id"], "ann").json["table_id"] == again["table_id"]


def test_nobody_else_sits_down_at_the_table_of_a_rematch(house: House, duel: str) -> None:
    resign(house, duel, "ann")
    table_id = rematch(house, duel, "ann").json["table_id"]
    assert house.join(table_id, "eve").status_code == 409
    assert [table["table_id"] for table in house.ask("GET", "/tables", None).json["tables"]] == []


def test_a_rematch_that_nobody_agreed_to_in_time_may_be_asked_for_again(house: House, duel: str) -> None:
    resign(house, duel, "ann")
    first = rematch(house, duel, "ann").json["table_id"]
    for _ in range(3):
        house.open_table("ann")  # an offer is none of the three tables at which one may wait
    house.clock.move(hours=1)
    assert house.seat(duel, "bob")["rematch"] is None
    second = rematch(house, duel, "bob").json
    assert second["table_id"] != first
    assert second["state"] == "waiting"
    house.tick()
    assert house.table(first)["state"] == "closed"


def test_there_is_no_rematch_while_the_match_is_played_nor_of_one_of_a_tournament(house: House, duel: str) -> None:
    assert rematch(house, duel, "ann").status_code == 409
    match_id = house.open(person("ann"), person("bob"), tournament_id="t1")
    resign(house, match_id, "ann")
    refused = rematch(house, match_id, "bob")
    assert refused.status_code == 409
    assert refused.json["type"] == "urn:ginhall:problem:no-rematch"


def test_entropy_for_a_match_that_is_dealt_comes_too_late(house: House, duel: str) -> None:
    refused = house.ask("POST", f"/matches/{duel}/entropy", "ann", {"entropy": "ab" * 16})
    assert refused.status_code == 409
    assert refused.json["type"] == "urn:ginhall:problem:already-dealt"
    assert "dealt when the match was opened" in refused.json["detail"]
    assert house.ask("POST", f"/matches/{duel}/entropy", "eve", {"entropy": "ab" * 16}).status_code == 403
    assert house.ask("POST", f"/matches/{duel}/entropy", "ann", {"entropy": "no"}).status_code == 422
    assert house.ask("POST", "/matches/nothing/entropy", "ann", {"entropy": "ab" * 16}).status_code == 404


def test_a_key_that_gave_one_match_up_gives_up_no_other(house: House) -> None:
    one, other = (house.open_table("ann", opponent={"bot": "simple"})["table_id"] for _ in range(2))
    headers = house.token("ann") | {"Idempotency-Key": "once"}
    paths = [f"/api/v1/matches/{match_id}/resignation" for match_id in (one, one, other)]
    answers = [house.client.post(path, headers=headers) for path in paths]
    assert [answer.status_code for answer in answers] == [200, 200, 422]
    assert answers[0].json == answers[1].json
    assert answers[2].json["type"] == "urn:ginhall:problem:idempotency-key-reused"
    assert house.stored(other)["state"] == "playing"
    bobs = house.client.post(paths[0], headers=house.token("bob") | {"Idempotency-Key": "once"})
    assert bobs.status_code == 403

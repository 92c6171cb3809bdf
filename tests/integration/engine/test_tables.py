"""Casual tables: opening, sitting down, and the match that begins with the last seat."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from gin_rules.record import record_from_json
from gin_rules.verify import verify
from tests.integration.engine.house import House, table_wish


def waiting(house: House) -> list[str]:
    answer = house.ask("GET", "/tables", None)
    assert answer.status_code == 200
    return [table["table_id"] for table in answer.json["tables"]]


def play_to_the_end(house: House, match_id: str) -> None:
    """Everybody takes the last legal action, which draws, discards and knocks."""
    while (shown := house.get(f"/{match_id}").json)["state"] == "playing":
        seat = shown["seats"][shown["to_act"]]
        if seat["bot"] is not None:
            house.clock.move(seconds=11)
            house.play()
            continue
        own = house.seat(match_id, seat["player_id"])
        answer = house.act(match_id, seat["player_id"], own["legal_actions"][-1], own["action_count"])
        assert answer.status_code == 200, answer.text


def test_a_table_against_a_bot_is_playing_at_once(house: House) -> None:
    table = house.open_table("ann", opponent={"bot": "simple"})
    assert (table["state"], table["match_id"]) == ("playing", table["table_id"])
    assert table["opponent"] == {"bot": "simple"}
    assert [(player["name"], player["bot"]) for player in table["players"]] == [("Ann", None), ("Simple", "simple")]
    house.play()
    assert house.seat(table["match_id"], "ann")["to_act"] == 0


def test_an_open_table_waits_in_the_list_until_somebody_sits_down(house: House) -> None:
    table = house.open_table("ann")
    assert (table["state"], table["match_id"], table["invitation"]) == ("waiting", None, None)
    assert waiting(house) == [table["table_id"]]
    joined = house.join(table["table_id"], "bob").json
    assert (joined["state"], joined["match_id"]) == ("playing", table["table_id"])
    assert waiting(house) == []
    shown = house.get(f"/{table['table_id']}").json
    assert [seat["name"] for seat in shown["seats"]] == ["Ann", "Bob"]
    assert shown["tournament_id"] is None


def test_a_table_shows_when_its_match_is_over(house: House) -> None:
    table_id = house.open_table("ann", rules={"fixed_hands": 1})["table_id"]
    house.join(table_id, "bob")
    play_to_the_end(house, table_id)
    assert house.table(table_id)["state"] == "finished"
    assert house.table(table_id)["match_id"] == table_id


def test_of_a_hundred_at_once_one_gets_the_last_seat(house: House) -> None:
    table_id = house.open_table("ann")["table_id"]
    headers = [house.token(f"player{number}") for number in range(100)]
    app = house.client.application

    def join(number: int) -> int:
        client = app.test_client()
        return client.post(f"/api/v1/tables/{table_id}/players", json={}, headers=headers[number]).status_code

    with ThreadPoolExecutor(8) as pool:
        answers = sorted(pool.map(join, range(100)))
    assert answers == [200] + [409] * 99
    assert len(house.table(table_id)["players"]) == 2
    assert len(house.get(f"/{table_id}").json["seats"]) == 2


def test_sitting_down_twice_takes_one_seat(house: House) -> None:
    table_id = house.open_table("ann", seats=3, game="word", rules={})["table_id"]
    assert house.join(table_id, "ann").json["state"] == "waiting"
    for _ in range(2):
        assert [player["seat"] for player in house.join(table_id, "bob").json["players"]] == [0, 1]
    assert house.join(table_id, "cid").json["state"] == "playing"
    assert house.join(table_id, "cid").json["state"] == "playing"


@pytest.mark.parametrize(
    ("game", "rules", "seats", "seating"),
    [
        ("word", {}, 2, None),
        ("word_gin", {}, 3, None),
        ("word", {}, 4, None),
        ("gin_rummy", {}, 2, "two"),
        ("rummy", {}, 3, "rotation3"),
        ("rummy", {}, 4, "rotation4"),
        ("rummy", {"preset": "pairs4"}, 4, "pairs4"),
        ("rummy", {"seating": "pairs4"}, 4, "pairs4"),
    ],
)
def test_two_to_four_sit_down_at_either_game(
    house: House, game: str, rules: dict[str, Any], seats: int, seating: str | None
) -> None:
    table = house.open_table("ann", game=game, rules=rules, seats=seats)
    for name in ("bob", "cid", "dan")[: seats - 1]:
        joined = house.join(table["table_id"], name)
    assert joined.json["state"] == "playing"
    shown = house.get(f"/{table['table_id']}").json
    assert shown["game"] == ("word" if "word" in game else "rummy")
    assert len(shown["seats"]) == seats
    assert shown["rules"].get("seating") == seating


@pytest.mark.parametrize(("game", "bot", "seats"), [("word", "wordsmith", 4), ("rummy", "simple", 3)])
def test_a_bot_may_take_every_other_seat(house: House, game: str, bot: str, seats: int) -> None:
    table = house.open_table("ann", game=game, rules={}, seats=seats, opponent={"bot": bot})
    assert table["state"] == "playing"
    assert [player["bot"] for player in table["players"]] == [None] + [bot] * (seats - 1)
    assert len({player["player_id"] for player in table["players"]}) == seats


def test_a_link_table_is_for_who_has_its_secret(house: House) -> None:
    table = house.open_table("ann", opponent="link")
    table_id, secret = table["table_id"], table["invitation"]
    assert len(secret) >= 20
    assert waiting(house) == []
    assert house.table(table_id, "ann")["invitation"] == secret
    for reader in (None, "eve"):
        assert house.table(table_id, reader)["invitation"] is None
    for wrong in ({}, {"invitation": "wrong"}, {"invitation": "ä" + secret}, {"invitation": secret[:-1]}):
        refused = house.join(table_id, "eve", **wrong)
        assert refused.status_code == 403
        assert refused.json["type"] == "urn:ginhall:problem:wrong-invitation"
    assert house.join(table_id, "bob", invitation=secret).json["state"] == "playing"


def test_only_the_host_closes_a_table_and_only_while_it_waits(house: House) -> None:
    table_id = house.open_table("ann")["table_id"]
    assert house.ask("DELETE", f"/tables/{table_id}", "eve").status_code == 403
    assert house.ask("DELETE", f"/tables/{table_id}", "ann").json["state"] == "closed"
    assert waiting(house) == []
    assert house.join(table_id, "bob").status_code == 409
    assert house.ask("DELETE", f"/tables/{table_id}", "ann").status_code == 409
    playing = house.open_table("ann", opponent={"bot": "simple"})["table_id"]
    assert house.ask("DELETE", f"/tables/{playing}", "ann").status_code == 409
    assert house.table(playing)["state"] == "playing"


def test_who_sat_down_may_get_up_while_the_table_waits(house: House) -> None:
    table_id = house.open_table("ann", game="word", rules={}, seats=3)["table_id"]
    house.join(table_id, "bob")
    for stranger in ("eve", "ann"):
        assert house.ask("DELETE", f"/tables/{table_id}/players", stranger).status_code == 403
    left = house.ask("DELETE", f"/tables/{table_id}/players", "bob").json
    assert [player["player_id"] for player in left["players"]] == ["ann"]
    house.join(table_id, "cid")
    assert house.join(table_id, "dan").json["state"] == "playing"
    assert house.ask("DELETE", f"/tables/{table_id}/players", "cid").status_code == 409


def test_an_open_table_expires_after_the_hours_that_its_host_chose(house: House) -> None:
    table_id = house.open_table("ann", wait_hours=2)["table_id"]
    house.clock.move(hours=1.9)
    house.tick()
    assert house.table(table_id)["state"] == "waiting"
    house.clock.move(hours=0.1)
    assert waiting(house) == []
    assert house.join(table_id, "bob").status_code == 409
    house.tick()
    assert house.table(table_id)["state"] == "closed"


def test_one_person_waits_at_three_tables_at_most(house: House) -> None:
    first, *_ = [house.open_table("ann")["table_id"] for _ in range(3)]
    refused = house.ask("POST", "/tables", "ann", table_wish())
    assert refused.status_code == 409
    assert refused.json["type"] == "urn:ginhall:problem:too-many-tables"
    assert house.open_table("ann", opponent={"bot": "simple"})["state"] == "playing"
    house.open_table("bob")
    house.ask("DELETE", f"/tables/{first}", "ann")
    house.open_table("ann")
    house.clock.move(hours=24)
    house.open_table("ann")


def test_of_many_tables_opened_at_once_three_are(house: House) -> None:
    app, headers = house.client.application, house.token("ann")

    def open_one(_: int) -> int:
        return app.test_client().post("/api/v1/tables", json=table_wish(), headers=headers).status_code

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(open_one, range(12))) == [201] * 3 + [409] * 9


def test_the_list_comes_in_pages_the_newest_first(house: House) -> None:
    opened = [house.open_table(f"player{number}")["table_id"] for number in range(5)]
    found: list[str] = []
    cursor = ""
    while True:
        page = house.ask("GET", f"/tables?limit=2{cursor}", None).json
        found += [table["table_id"] for table in page["tables"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert found == opened[::-1]


def test_a_rated_match_between_two_who_signed_up_goes_to_the_ratings(house: House) -> None:
    table_id = house.open_table("ann", rated=True, rules={"fixed_hands": 1})["table_id"]
    house.join(table_id, "bob")
    play_to_the_end(house, table_id)
    for consumer in ("lobby", "ratings"):
        (told,) = house.told(table_id, consumer)
        assert (told["rating_pool"], told["tournament_id"], told["ending"]) == ("rummy/open", None, "played")


def test_a_casual_match_is_unrated_unless_it_was_asked_for(house: House) -> None:
    table_id = house.open_table("ann", rules={"fixed_hands": 1})["table_id"]
    house.join(table_id, "bob")
    play_to_the_end(house, table_id)
    (told,) = house.told(table_id, "ratings")
    assert told["rating_pool"] is None


def test_guests_are_never_rated(house: House) -> None:
    refused = house.ask("POST", "/tables", "guest", table_wish(rated=True), guest=True)
    assert refused.status_code == 403
    assert refused.json["type"] == "urn:ginhall:problem:guests-are-unrated"
    table_id = house.open_table("ann", rated=True)["table_id"]
    assert house.ask("POST", f"/tables/{table_id}/players", "guest", {}, guest=True).status_code == 403
    assert house.table(table_id)["state"] == "waiting"
    unrated = house.ask("POST", "/tables", "guest", table_wish(), guest=True)
    assert unrated.status_code == 201


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"game": "poker"}, "game"),
        ({"rules": {"target": 0}}, "rules.target"),
        ({"rules": {"preset": "none"}}, "rules.preset"),
        ({"rules": {"seating": "pairs4"}}, "seats"),
        ({"seats": 5}, "seats"),
        ({"seats": 1}, "seats"),
        ({"seats": "2"}, "seats"),
        ({"opponent": "everybody"}, "opponent"),
        ({"opponent": {"bot": 1}}, "opponent"),
        ({"opponent": {"bot": "nobody"}}, "opponent.bot"),
        ({"opponent": {"bot": "wordsmith"}}, "opponent.bot"),
        ({"opponent": {"bot": "simple"}, "rated": True}, "rated"),
        ({"rated": "yes"}, "rated"),
        ({"bot_pace_seconds": 10.5}, "bot_pace_seconds"),
        ({"bot_pace_seconds": -1}, "bot_pace_seconds"),
        ({"clock": {"move_seconds": 0, "bank_seconds": 0}}, "clock.move_seconds"),
        ({"clock": {"move_seconds": 30}}, "clock.bank_seconds"),
        ({"wait_hours": 0}, "wait_hours"),
        ({"wait_hours": 200}, "wait_hours"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_a_wish_that_cannot_be_is_refused_by_field(house: House, changes: dict[str, Any], field: str) -> None:
    refused = house.ask("POST", "/tables", "ann", table_wish(**changes))
    assert refused.status_code == 422, refused.text
    assert field in {error["field"] for error in refused.json["errors"]}
    with house.service.transaction() as tx:
        assert tx.scalar("SELECT count(*) FROM casual_tables") == 0


def test_the_answer_of_a_bot_comes_at_its_pace(house: House) -> None:
    table_id = house.open_table("ann", opponent={"bot": "simple"}, bot_pace_seconds=3)["table_id"]
    house.play()
    seat = house.seat(table_id, "ann")
    while seat["to_act"] == 0:
        seat = house.act(table_id, "ann", seat["legal_actions"][-1], seat["action_count"]).json
    for _ in range(3):
        house.play()  # what a kick runs
        house.tick()
        assert house.seat(table_id, "ann")["action_count"] == seat["action_count"]
        house.clock.move(seconds=0.9)
    house.clock.move(seconds=0.3)
    house.tick()
    assert house.seat(table_id, "ann")["action_count"] > seat["action_count"]


def test_a_bot_without_a_pace_answers_at_once(house: House) -> None:
    table_id = house.open_table("ann", opponent={"bot": "simple"})["table_id"]
    house.play()
    seat = house.seat(table_id, "ann")
    while seat["to_act"] == 0:
        seat = house.act(table_id, "ann", seat["legal_actions"][-1], seat["action_count"]).json
    house.play()
    assert house.seat(table_id, "ann")["action_count"] > seat["action_count"]


def test_the_entropy_of_who_sits_down_is_in_the_deals_that_were_committed_to_before(house: House) -> None:
    table = house.open_table("ann", rules={"fixed_hands": 1})
    table_id = table["table_id"]
    first, second = "ab" * 16, "cd" * 64
    assert house.ask("POST", f"/tables/{table_id}/entropy", "eve", {"entropy": first}).status_code == 403
    added = house.ask("POST", f"/tables/{table_id}/entropy", "ann", {"entropy": first}).json
    assert added["players"][0]["entropy"] == first
    house.join(table_id, "bob", entropy=second)
    assert house.ask("POST", f"/tables/{table_id}/entropy", "bob", {"entropy": first}).status_code == 409
    play_to_the_end(house, table_id)
    record = record_from_json(house.get(f"/{table_id}/record").json)
    assert record.commitment == table["commitment"]
    assert [part.hex() for part in record.entropy] == [first, second]
    assert verify(record) is None


@pytest.mark.parametrize("entropy", ["", "ab", "ab" * 15, "ab" * 65, "xy" * 16, "ab" * 16 + "a", 7])
def test_entropy_is_16_to_64_bytes_in_hex(house: House, entropy: object) -> None:
    table_id = house.open_table("ann")["table_id"]
    refused = house.ask("POST", f"/tables/{table_id}/entropy", "ann", {"entropy": entropy})
    assert refused.status_code == 422
    assert refused.json["errors"][0]["field"] == "entropy"


@pytest.mark.parametrize("table_id", ["nothing", "%00", "ä", "a" * 300])
def test_a_table_that_is_not_there_is_not_found(house: House, table_id: str) -> None:
    for method, path, body in [
        ("GET", "", None),
        ("DELETE", "", None),
        ("POST", "/players", {}),
        ("DELETE", "/players", None),
        ("POST", "/entropy", {"entropy": "ab" * 16}),
    ]:
        answer = house.ask(method, f"/tables/{table_id}{path}", "ann", body)
        assert answer.status_code == 404, (method, path)


def test_every_write_needs_the_scope_play(house: House) -> None:
    table_id = house.open_table("ann")["table_id"]
    for method, path in [
        ("POST", "/tables"),
        ("DELETE", f"/tables/{table_id}"),
        ("POST", f"/tables/{table_id}/players"),
        ("DELETE", f"/tables/{table_id}/players"),
        ("POST", f"/tables/{table_id}/entropy"),
    ]:
        assert house.ask(method, path, None, {}).status_code == 401
        assert house.ask(method, path, "ann", {}, scopes=("account",)).status_code == 403
    assert house.table(table_id)["state"] == "waiting"


def test_people_without_a_clock_may_leave_each_other_waiting_for_three_days(house: House) -> None:
    table_id = house.open_table("ann")["table_id"]
    house.join(table_id, "bob")
    shown = house.get(f"/{table_id}").json
    first = shown["seats"][shown["to_act"]]["player_id"]
    house.clock.move(days=2.9)
    house.act(table_id, first, house.seat(table_id, first)["legal_actions"][0], 0)
    house.clock.move(days=2.9)
    house.tick()
    assert house.told(table_id) == []
    shown = house.get(f"/{table_id}").json
    late = shown["seats"][shown["to_act"]]["player_id"]
    house.clock.move(days=0.2)
    house.tick()
    (told,) = house.told(table_id)
    assert told["ending"] == "forfeit"
    assert {seat["player_id"]: seat["place"] for seat in told["seats"]}[late] == 2

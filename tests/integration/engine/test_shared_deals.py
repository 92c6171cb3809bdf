"""Tables with one deal id play the same cards, and nobody sees them from outside until the last is over."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from gin_rules.duplicate import verify_duplicate
from gin_rules.record import record_from_json
from tests.integration.engine.house import House, bot, open_match, person

SHARED = {"rules": {"fixed_hands": 2}, "first_dealer": 0, "deal_id": "t1/round 1", "tournament_id": "t1"}


def hand(house: House, match_id: str, account: str) -> list[str]:
    return list(house.seat(match_id, account)["view"]["hand"])


def finish(house: House, match_id: str) -> None:
    shown = house.get(f"/{match_id}").json
    house.ask("POST", f"/matches/{match_id}/resignation", shown["seats"][0]["player_id"])


@pytest.fixture
def tables(house: House) -> tuple[str, str]:
    """Two tables that play the same cards."""
    pairs = [(person("ann"), person("bob")), (person("cid"), person("dan"))]
    wishes = [open_match(*pair, deal_tables=2, **SHARED) for pair in pairs]
    for wish in wishes:
        house.receive(wish)
    return wishes[0].match_id, wishes[1].match_id


def test_the_same_seat_holds_the_same_cards_at_every_table(house: House, tables: tuple[str, str]) -> None:
    one, other = tables
    assert hand(house, one, "ann") == hand(house, other, "cid")
    assert hand(house, one, "bob") == hand(house, other, "dan")
    assert house.get(f"/{one}").json["commitment"] == house.get(f"/{other}").json["commitment"]


def test_other_deals_are_others(house: House, tables: tuple[str, str]) -> None:
    other = house.open(person("eve"), person("fay"), **{**SHARED, "deal_id": "t1/round 2"})
    assert hand(house, other, "eve") != hand(house, tables[0], "ann")


def test_nothing_of_a_table_is_shown_while_another_plays_the_same_cards(house: House, tables: tuple[str, str]) -> None:
    one, other = tables
    assert house.get(f"/{one}").json["view"] is None
    finish(house, one)
    refused = house.get(f"/{one}/record")
    assert refused.status_code == 409
    assert refused.json["type"] == "urn:ginhall:problem:deals-in-play"
    assert house.get(f"/{one}").json["view"] is None
    assert house.get(f"/{one}").json["state"] == "finished"
    for part in ("scores", "hands/1", "rulings"):
        assert house.get(f"/{one}/{part}", "cid").status_code == 409
    assert house.get(f"/{one}/rulings", "ann").status_code == 200
    assert house.get(f"/{one}/seal").status_code == 200
    finish(house, other)
    records = [record_from_json(house.get(f"/{match_id}/record").json) for match_id in tables]
    assert records[0].seed is not None
    assert {record.deal_id for record in records} == {"t1/round 1"}
    assert verify_duplicate(records) is None
    assert house.get(f"/{one}").json["view"] is not None
    assert house.get(f"/{one}/rulings", "cid").status_code == 200


def test_a_table_that_is_not_open_yet_keeps_the_cards_secret_too(house: House) -> None:
    first = house.open(bot("robin"), bot("rowan"), deal_tables=2, **SHARED)
    house.play()
    assert house.get(f"/{first}").json["state"] == "finished"
    assert house.get(f"/{first}/record").status_code == 409
    second = house.open(bot("wren"), bot("lark"), deal_tables=2, **SHARED)
    house.play()
    records = [record_from_json(house.get(f"/{match_id}/record").json) for match_id in (first, second)]
    assert verify_duplicate(records) is None


def test_bots_do_not_share_their_luck(house: House) -> None:
    wishes = [
        open_match(bot(f"robin{number}", "random"), bot(f"rowan{number}", "random"), deal_tables=2, **SHARED)
        for number in range(2)
    ]
    house.receive(*wishes)
    house.play()
    logs = [[block["actions"] for block in house.blocks(wish.match_id)] for wish in wishes]
    assert logs[0] != logs[1]


def test_after_the_last_deadline_what_was_not_opened_never_will_be(house: House) -> None:
    deadline = house.clock.now + timedelta(hours=1)
    first = house.open(bot("robin"), bot("rowan"), deal_tables=2, deadline_at=deadline, **SHARED)
    house.play()
    assert house.get(f"/{first}/record").status_code == 409
    house.clock.move(hours=1)
    assert house.get(f"/{first}/record").status_code == 200
    late = house.open(person("ann"), person("bob"), deal_tables=2, deadline_at=deadline, **SHARED)
    shown = house.get(f"/{late}").json
    assert (shown["state"], shown["ending"], shown["reason"]) == ("cancelled", "void", "its cards are known already")


def test_a_match_that_cannot_be_does_not_keep_others_with_its_deal_from_being_opened(house: House) -> None:
    possible = open_match(person("ann"), person("bob"), deal_tables=2, **SHARED)
    impossible = open_match(person("cid"), person("dan"), person("eve"), deal_tables=2, **SHARED)
    house.receive(impossible, possible)
    assert house.get(f"/{possible.match_id}").json["state"] == "playing"
    assert house.get(f"/{impossible.match_id}").json["ending"] == "void"


def test_a_match_opened_twice_is_the_same_match(house: House) -> None:
    wish = open_match(person("ann"), person("bob"), deal_tables=1, **SHARED)
    house.receive(wish)
    before = hand(house, wish.match_id, "ann")
    house.receive(wish)
    assert hand(house, wish.match_id, "ann") == before
    finish(house, wish.match_id)
    house.receive(wish)
    assert house.get(f"/{wish.match_id}").json["ending"] == "forfeit"


@pytest.mark.parametrize(
    "changes",
    [
        {"rules": {"target": 50}},
        {"rules": {"fixed_hands": 2, "dealer": "winner"}},
        {"first_dealer": None},
        {"rules": {"preset": "rotation3", "fixed_hands": 2}, "third": True},
        {"game": "word", "rules": {"fixed_hands": 2}},
    ],
)
def test_only_matches_in_which_seat_and_hand_name_the_cards_share_deals(house: House, changes: dict[str, Any]) -> None:
    third = [person("cid")] if changes.pop("third", False) else []
    match_id = house.open(person("ann"), person("bob"), *third, **{**SHARED, **changes})
    (told,) = house.told(match_id)
    assert told["ending"] == "void"
    assert "share their deals" in house.get(f"/{match_id}").json["reason"]

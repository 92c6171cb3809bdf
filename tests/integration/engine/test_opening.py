"""OpenMatch and CancelMatch, in every order in which a queue may bring them."""

from __future__ import annotations

from typing import Any

import pytest

from gin_messages.match import SeatPlan
from tests.integration.engine.house import House, bot, open_match, person


def test_asking_twice_opens_one_match_with_one_seed(house: House) -> None:
    wish = open_match(person("ann"), person("bob"))
    house.receive(wish)
    first = house.stored(wish.match_id), house.secrets(wish.match_id)
    house.receive(wish)
    assert (house.stored(wish.match_id), house.secrets(wish.match_id)) == first
    assert house.told(wish.match_id) == []


def test_asking_twice_in_one_delivery_opens_one_match(house: House) -> None:
    wish = open_match(person("ann"), person("bob"))
    house.receive(wish, open_match(), wish)
    assert house.stored(wish.match_id)["state"] == "playing"


def test_asking_for_a_finished_match_tells_its_end_again(house: House) -> None:
    wish = open_match()
    house.receive(wish)
    house.play()
    house.receive(wish)
    first, second = house.told(wish.match_id)
    assert first == second


def test_seeds_of_two_matches_differ(house: House) -> None:
    one, two = house.open(), house.open()
    assert house.secrets(one)["server_seed"] != house.secrets(two)["server_seed"]
    assert house.stored(one)["commitment"] != house.stored(two)["commitment"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"game": "bridge"}, "bridge"),
        ({"rules": {"target": 0}}, "target"),
        ({"rules": {"colour": "red"}}, "colour"),
        ({"seats": [bot("robin", "deep-thought"), bot("rowan")]}, "deep-thought"),
        ({"seats": [bot("robin")]}, "1"),
        ({"seats": [bot("robin"), person("robin")]}, "two seats"),
        ({"first_dealer": 2}, "first_dealer"),
        ({"first_dealer": -1}, "first_dealer"),
        ({"first_dealer": 2**40}, "first_dealer"),
        ({"rules": {"preset": "rotation3"}}, "rotation3"),
    ],
)
def test_a_match_that_cannot_be_played_is_void_and_says_why(house: House, changes: dict[str, Any], reason: str) -> None:
    match_id = house.open(**changes)
    (told,) = house.told(match_id)
    assert told["ending"] == "void"
    assert [seat["player_id"] for seat in told["seats"]] == [
        seat.player_id for seat in changes.get("seats", [SeatPlan("robin", "", ""), SeatPlan("rowan", "", "")])
    ]
    shown = house.get(f"/{match_id}").json
    assert (shown["state"], shown["view"]) == ("cancelled", None)
    assert reason in shown["reason"]
    assert house.get(f"/{match_id}/record").status_code == 409


@pytest.mark.parametrize("dealer", [0, 1])
def test_the_seat_that_the_lobby_names_deals_first_and_nobody_cuts(house: House, dealer: int) -> None:
    view = house.get("/" + house.open(person("ann"), person("bob"), first_dealer=dealer)).json["view"]
    assert (view["dealer"], view["to_act"], view["cuts"]) == (dealer, 1 - dealer, [])


def test_players_cut_for_the_first_deal_of_a_match_that_names_no_dealer(house: House) -> None:
    assert house.get("/" + house.open(person("ann"), person("bob"))).json["view"]["cuts"] != []


def test_a_cancelled_match_is_void_for_lobby_and_ratings(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"))
    house.cancel(match_id, "the tournament was called off")
    for consumer in ("lobby", "ratings"):
        (told,) = house.told(match_id, consumer)
        assert told["ending"] == "void"
    assert house.stored(match_id)["reason"] == "the tournament was called off"


def test_cancelling_twice_tells_once(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"))
    house.cancel(match_id)
    house.cancel(match_id)
    assert len(house.told(match_id)) == 1


def test_a_finished_match_stays_finished(house: House) -> None:
    match_id = house.open()
    house.play()
    house.cancel(match_id)
    (told,) = house.told(match_id)
    assert told["ending"] == "played"
    assert house.stored(match_id)["reason"] is None


def test_a_cancellation_that_overtakes_the_opening_wins(house: House) -> None:
    wish = open_match()
    house.cancel(wish.match_id, "changed our mind")
    house.receive(wish)
    house.play()
    (told,) = house.told(wish.match_id)
    assert told["ending"] == "void"
    assert house.blocks(wish.match_id) == []

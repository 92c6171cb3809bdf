"""Clocks: so much for each action, then the bank; who has used both up loses."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from gin_messages.match import ClockPlan, DeadlineMoved
from gin_rules.record import record_from_json
from gin_rules.verify import verify
from tests.integration.engine.house import House, bot, person

CLOCK = {"move_seconds": 30, "bank_seconds": 60}


@pytest.fixture
def duel(house: House) -> str:
    """Ann and Bob play with 30 seconds for each action and a bank of 60."""
    house.tick()
    table_id: str = house.open_table("ann", clock=CLOCK)["table_id"]
    house.join(table_id, "bob")
    return table_id


def pass_time(house: House, seconds: float) -> None:
    """Time goes by while the house ticks."""
    while seconds > 0:
        step = min(4.0, seconds)
        house.clock.move(seconds=step)
        house.tick()
        seconds -= step


def turn(house: House, match_id: str) -> tuple[str, int]:
    """The account whose turn it is, and its seat."""
    shown = house.get(f"/{match_id}").json
    return str(shown["seats"][shown["to_act"]]["player_id"]), int(shown["to_act"])


def act(house: House, match_id: str, pick: int = 0) -> dict[str, Any]:
    account, _ = turn(house, match_id)
    seat = house.seat(match_id, account)
    answer = house.act(match_id, account, seat["legal_actions"][pick], seat["action_count"])
    assert answer.status_code == 200, answer.text
    return dict(answer.json)


def clock(house: House, match_id: str) -> dict[str, Any]:
    found = house.get(f"/{match_id}").json["clock"]
    assert isinstance(found, dict)
    return found


def told(house: House, match_id: str) -> tuple[str, dict[str, int]]:
    (message,) = house.told(match_id)
    return message["ending"], {seat["player_id"]: seat["place"] for seat in message["seats"]}


def test_only_the_clock_of_the_seat_that_must_act_runs(house: House, duel: str) -> None:
    _, first = turn(house, duel)
    pass_time(house, 10)
    seats = clock(house, duel)["seats"]
    assert seats[first] == {"bank_ms": 60_000, "running": True, "move_ms": 20_000}
    assert seats[1 - first] == {"bank_ms": 60_000, "running": False, "move_ms": 30_000}


def test_what_an_action_takes_longer_comes_from_the_bank(house: House, duel: str) -> None:
    account, first = turn(house, duel)
    pass_time(house, 45)
    assert clock(house, duel)["seats"][first] == {"bank_ms": 45_000, "running": True, "move_ms": 0}
    answer = act(house, duel)
    assert answer["clock"]["seats"][first] == {"bank_ms": 45_000, "running": False, "move_ms": 30_000}
    assert answer == house.seat(duel, account)


def test_an_action_in_time_costs_nothing_of_the_bank(house: House, duel: str) -> None:
    _, first = turn(house, duel)
    pass_time(house, 29)
    act(house, duel)
    assert clock(house, duel)["seats"][first]["bank_ms"] == 60_000


def test_the_view_tells_when_the_running_clock_ends(house: House, duel: str) -> None:
    pass_time(house, 8)
    shown = clock(house, duel)
    left = datetime.fromisoformat(shown["expires_at"]) - datetime.fromisoformat(shown["now"])
    assert left.total_seconds() == 82


def test_who_runs_out_of_time_loses_by_forfeit(house: House, duel: str) -> None:
    late, _ = turn(house, duel)
    pass_time(house, 89)
    assert house.told(duel) == []
    pass_time(house, 1)
    assert told(house, duel) == ("forfeit", {late: 2, {"ann": "bob", "bob": "ann"}[late]: 1})
    shown = house.get(f"/{duel}").json
    assert (shown["state"], shown["reason"]) == ("finished", "ran out of time")
    assert shown["clock"]["expires_at"] is None
    assert not any(seat["running"] for seat in shown["clock"]["seats"])
    house.tick()
    assert len(house.told(duel)) == 1


def test_an_action_that_comes_too_late_is_refused(house: House, duel: str) -> None:
    account, _ = turn(house, duel)
    pass_time(house, 88)
    house.clock.move(seconds=3)
    refused = house.act(duel, account, house.seat(duel, account)["legal_actions"][0], 0)
    assert refused.status_code == 409
    assert refused.json["type"] == "urn:ginhall:problem:out-of-time"
    assert house.blocks(duel) == []
    house.tick()
    assert told(house, duel)[0] == "forfeit"


def test_an_action_repeated_takes_nothing_twice(house: House, duel: str) -> None:
    account, first = turn(house, duel)
    pass_time(house, 40)
    action = house.seat(duel, account)["legal_actions"][0]
    answers = [house.act(duel, account, action, 0, Idempotency_Key="one") for _ in range(2)]
    answers.append(house.act(duel, account, action, 0))
    assert [answer.status_code for answer in answers] == [200, 200, 409]
    assert clock(house, duel)["seats"][first]["bank_ms"] == 50_000


def test_time_in_which_the_house_is_down_is_nobodys(house: House, duel: str) -> None:
    _, first = turn(house, duel)
    pass_time(house, 10)
    house.clock.move(hours=2)
    shown = clock(house, duel)
    assert shown["seats"][first] == {"bank_ms": 60_000, "running": True, "move_ms": 20_000}
    house.tick()
    assert house.told(duel) == []
    assert clock(house, duel)["seats"][first] == {"bank_ms": 60_000, "running": True, "move_ms": 20_000}
    pass_time(house, 79)
    assert house.told(duel) == []
    pass_time(house, 1)
    assert len(house.told(duel)) == 1


def test_an_action_before_the_first_tick_after_an_outage_is_in_time(house: House, duel: str) -> None:
    _, first = turn(house, duel)
    pass_time(house, 10)
    house.clock.move(hours=2)
    act(house, duel)
    _, second = turn(house, duel)
    house.clock.move(minutes=5)
    house.tick()
    assert house.told(duel) == []
    seats = clock(house, duel)["seats"]
    assert [seats[first]["bank_ms"], seats[second]["bank_ms"]] == [60_000, 60_000]
    assert seats[second] == {"bank_ms": 60_000, "running": True, "move_ms": 30_000}


def test_no_clock_runs_while_a_bot_is_to_act_however_long_it_takes(house: House) -> None:
    house.tick()
    table_id = house.open_table("ann", opponent={"bot": "simple"}, clock=CLOCK, bot_pace_seconds=10)["table_id"]
    house.play()
    while house.seat(table_id, "ann")["to_act"] == 0:
        act(house, table_id)
    shown = clock(house, table_id)
    assert shown["expires_at"] is None
    assert shown["seats"][1] == {"bank_ms": None, "running": False, "move_ms": None}
    house.clock.move(hours=1)
    house.tick()
    assert house.seat(table_id, "ann")["to_act"] == 0
    assert clock(house, table_id)["seats"][0] == {"bank_ms": 60_000, "running": True, "move_ms": 30_000}


def test_a_match_of_a_tournament_has_the_clock_that_was_asked_for(house: House) -> None:
    house.tick()
    match_id = house.open(person("ann"), person("bob"), clock=ClockPlan(20, 0))
    act(house, match_id)
    late, _ = turn(house, match_id)
    pass_time(house, 20)
    ending, places = told(house, match_id)
    assert places[late] == 2
    assert ending == ("no_show" if house.stored(match_id)["action_count"] == 1 else "forfeit")


def test_who_acted_in_a_tournament_and_then_ran_out_of_time_forfeits_a_match_that_counts(house: House) -> None:
    house.tick()
    match_id = house.open(person("ann"), person("bob"), clock=ClockPlan(20, 0))
    for _ in range(4):
        act(house, match_id)
    pass_time(house, 20)
    assert told(house, match_id)[0] == "forfeit"


def test_bots_alone_play_without_a_clock(house: House) -> None:
    match_id = house.open(bot("robin"), bot("rowan"), clock=ClockPlan(20, 0))
    assert house.stored(match_id)["clock_due_at"] is None
    house.play()
    assert told(house, match_id)[0] == "played"


def test_of_four_who_runs_out_of_time_comes_last_and_the_totals_rank_the_others(house: House) -> None:
    house.tick()
    table_id = house.open_table("ann", game="word", rules={}, seats=4, clock=CLOCK)["table_id"]
    for name in ("bob", "cid", "dan"):
        house.join(table_id, name)
    late, _ = turn(house, table_id)
    pass_time(house, 90)
    ending, places = told(house, table_id)
    assert ending == "forfeit"
    assert places.pop(late) == 4
    assert set(places.values()) == {1}


def test_where_silence_means_something_it_is_taken_and_the_match_goes_on(house: House) -> None:
    """Word Gin: silence in a challenge is a pass, and who declares no words has ten unused letters.

    The bank of who was silent is empty from then on: the second silence takes 20 seconds, not 35.
    """
    house.tick()
    match_id = house.open(
        person("ann"),
        bot("robin", "wordsmith"),
        game="word",
        rules={"fixed_hands": 1, "min_word": 2},
        clock=ClockPlan(20, 15),
        first_dealer=1,
    )
    while house.seat(match_id, "ann")["view"]["phase"] not in ("challenge", "reveal"):
        seat = house.seat(match_id, "ann")
        if seat["to_act"] == 0:
            house.act(match_id, "ann", seat["legal_actions"][0], seat["action_count"])
        house.play()
    pass_time(house, 36 + 21)
    (message,) = house.told(match_id)
    assert message["ending"] == "played"
    record = record_from_json(house.get(f"/{match_id}/record").json)
    assert verify(record) is None
    assert [entry.action for entry in record.actions if entry.seat == 0][-2:] == ["pass", "reveal"]


def test_a_match_that_cannot_go_on_holds_up_no_other_clock(house: House) -> None:
    """Its own clock stops, else it would be looked at for ever; its deadline ends it."""
    house.tick()
    broken, sound = (
        house.open(
            person("ann"), person("bob"), clock=ClockPlan(20, 0), deadline_at=house.clock.now + timedelta(minutes=2)
        )
        for _ in range(2)
    )
    with house.service.transaction() as tx:
        tx.execute("UPDATE matches SET rules = '{\"target\": -1}' WHERE match_id = %s", (broken,))
    pass_time(house, 24)
    assert told(house, sound)[0] == "no_show"
    assert house.told(broken) == []
    assert house.stored(broken)["clock_due_at"] is None
    pass_time(house, 100)
    assert told(house, broken)[0] == "void"


def test_a_match_without_a_clock_shows_none(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"))
    assert house.get(f"/{match_id}").json["clock"] is None
    assert house.seat(match_id, "ann")["clock"] is None


@pytest.fixture
def round_match(house: House) -> str:
    """A match of a tournament between Ann and Bob, with the same clock and a deadline in an hour."""
    house.tick()
    clock = ClockPlan(CLOCK["move_seconds"], CLOCK["bank_seconds"])
    return house.open(person("ann"), person("bob"), clock=clock, deadline_at=house.clock.now + timedelta(hours=1))


def pause(house: House, match_id: str) -> None:
    house.receive(DeadlineMoved(match_id, None, house.clock.now))


def go_on(house: House, match_id: str) -> None:
    house.receive(DeadlineMoved(match_id, house.clock.now + timedelta(hours=1), house.clock.now))


def test_nobody_loses_by_the_clock_while_the_tournament_is_paused(house: House, round_match: str) -> None:
    pass_time(house, 45)
    pause(house, round_match)
    pass_time(house, 600)
    assert clock(house, round_match)["expires_at"] is None
    assert house.told(round_match) == []


def test_after_a_pause_the_clock_of_who_is_to_act_begins_anew_with_the_bank_as_it_was(
    house: House, round_match: str
) -> None:
    _, first = turn(house, round_match)
    pass_time(house, 45)
    pause(house, round_match)
    pass_time(house, 600)
    go_on(house, round_match)
    assert clock(house, round_match)["seats"][first] == {"bank_ms": 60_000, "running": True, "move_ms": 30_000}
    pass_time(house, 88)
    assert house.told(round_match) == []
    pass_time(house, 4)
    assert told(house, round_match)[0] == "no_show"


def test_who_plays_on_in_a_pause_does_so_without_a_clock(house: House, round_match: str) -> None:
    _, first = turn(house, round_match)
    pause(house, round_match)
    pass_time(house, 600)
    act(house, round_match)
    pass_time(house, 600)
    seats = clock(house, round_match)["seats"]
    assert [seat["running"] for seat in seats] == [False, False]
    assert [seat["bank_ms"] for seat in seats] == [60_000, 60_000]
    go_on(house, round_match)
    assert clock(house, round_match)["seats"][1 - first]["running"]


def test_a_match_opened_in_a_pause_has_no_running_clock(house: House) -> None:
    match_id = "01990000-0000-7000-8000-0000000000ab"
    pause(house, match_id)
    house.open(person("ann"), person("bob"), match_id=match_id, clock=ClockPlan(30, 60), deadline_at=None)
    pass_time(house, 200)
    assert (house.told(match_id), clock(house, match_id)["expires_at"]) == ([], None)
    go_on(house, match_id)
    assert clock(house, match_id)["expires_at"] is not None


def test_more_time_for_a_round_leaves_running_clocks_alone(house: House, round_match: str) -> None:
    _, first = turn(house, round_match)
    pass_time(house, 20)
    go_on(house, round_match)
    assert clock(house, round_match)["seats"][first]["move_ms"] == 10_000

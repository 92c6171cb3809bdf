"""What everybody sees of a match that is shown with a delay, and what is announced of it."""

import json
from typing import Any

import pytest
import redis

from gin_messages.match import ClockPlan
from tests.integration.engine.house import House, bot, person

DELAY = 60


def announced(house: House, topic: str) -> list[tuple[str, dict[str, Any], float | None]]:
    """Event, data and the second in which it is due (None: at once) of every hint."""
    with redis.Redis.from_url(house.service.settings.redis_url) as client:
        entries: Any = client.xrange(f"live:{topic}")
    return [
        (fields[b"e"].decode(), json.loads(fields[b"d"]), int(fields[b"t"]) / 1000 if b"t" in fields else None)
        for _, fields in entries
    ]


def open_delayed(house: House) -> str:
    return house.open(person("ann"), person("bob"), spectator_delay_seconds=DELAY, first_dealer=0)


def act_once(house: House, match_id: str) -> dict[str, Any]:
    """Whoever is to act takes the first legal action; returns what that seat sees then."""
    for account in ("ann", "bob"):
        view = house.seat(match_id, account)
        if view["legal_actions"]:
            answer = house.act(match_id, account, view["legal_actions"][0], view["action_count"])
            assert answer.status_code == 200, answer.text
            return dict(answer.json)
    raise AssertionError("nobody is to act")


def shown(house: House, match_id: str) -> dict[str, Any]:
    return dict(house.get(f"/{match_id}").json)


def test_before_the_delay_has_passed_nothing_is_shown_but_that_it_is_played(house: House) -> None:
    match_id = open_delayed(house)
    seen = shown(house, match_id)
    assert (seen["state"], seen["view"], seen["to_act"], seen["action_count"]) == ("playing", None, None, 0)
    assert house.seat(match_id, "ann")["view"]


def test_everybody_sees_the_match_as_it_stood_the_delay_ago(house: House) -> None:
    match_id = open_delayed(house)
    house.clock.move(seconds=DELAY)
    steps = [shown(house, match_id)]
    assert steps[0]["view"] is not None
    for _ in range(3):
        act_once(house, match_id)
        assert shown(house, match_id) == steps[-1]
        house.clock.move(seconds=DELAY - 1)
        assert shown(house, match_id) == steps[-1]
        house.clock.move(seconds=1)
        steps.append(shown(house, match_id))
    assert [step["action_count"] for step in steps] == [0, 1, 2, 3]
    assert len({json.dumps(step["view"]) for step in steps}) > 1


def test_no_clock_tells_others_when_somebody_acted(house: House) -> None:
    clock = ClockPlan(30, 600)
    match_id = house.open(person("ann"), person("bob"), spectator_delay_seconds=DELAY, clock=clock)
    house.clock.move(seconds=DELAY)
    assert shown(house, match_id)["view"] is not None
    assert shown(house, match_id)["clock"] is None
    assert house.seat(match_id, "ann")["clock"] is not None


def test_lists_tell_no_more_than_the_match_itself(house: House) -> None:
    match_id = open_delayed(house)
    house.clock.move(seconds=DELAY)
    act_once(house, match_id)
    (listed,) = [m for m in house.get("").json["matches"] if m["match_id"] == match_id]
    assert listed["action_count"] == 0
    house.clock.move(seconds=DELAY)
    (listed,) = [m for m in house.get("").json["matches"] if m["match_id"] == match_id]
    assert listed["action_count"] == 1


def test_rulings_are_shown_as_late_as_the_match_to_whom_they_do_not_concern(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"), spectator_delay_seconds=DELAY, arbiters=["judge"])
    ruling = {"kind": "redeal", "hand": 1, "reason": "a card was exposed"}
    path = f"/matches/{match_id}/rulings"
    assert house.ask("POST", path, "judge", ruling, scopes=("tournament:write",)).status_code == 201

    def shown_to(account: str | None, **token: Any) -> int:
        return len(house.ask("GET", path, account, **token).json["rulings"])

    assert [shown_to("ann"), shown_to("judge"), shown_to("chief", administrator=True)] == [1, 1, 1]
    assert [shown_to(None), shown_to("cid")] == [0, 0]
    house.clock.move(seconds=DELAY)
    assert [shown_to(None), shown_to("cid")] == [1, 1]


def test_the_players_see_everything_at_once(house: House) -> None:
    match_id = open_delayed(house)
    for count in (1, 2, 3):
        assert act_once(house, match_id)["action_count"] == count
        for account in ("ann", "bob"):
            assert house.seat(match_id, account)["action_count"] == count


def test_looking_back_does_not_take_the_players_state_away(house: House) -> None:
    match_id = open_delayed(house)
    for _ in range(4):
        act_once(house, match_id)
    house.clock.move(seconds=DELAY // 2)
    shown(house, match_id)
    assert act_once(house, match_id)["action_count"] == 5


def test_a_match_that_is_over_is_shown_to_its_end_at_once(house: House) -> None:
    match_id = open_delayed(house)
    for _ in range(3):
        act_once(house, match_id)
    house.cancel(match_id)
    seen = shown(house, match_id)
    assert (seen["state"], seen["action_count"]) == ("cancelled", 3)
    assert seen["view"] is not None
    assert announced(house, f"table:{match_id}")[-1] == ("finished", {"match_id": match_id}, None)


def test_hints_to_spectators_are_due_after_the_delay_and_to_players_at_once(house: House) -> None:
    match_id = open_delayed(house)
    acted_at = house.clock().timestamp()
    act_once(house, match_id)
    where = {"match_id": match_id, "action_count": 1}
    assert announced(house, f"table:{match_id}") == [("moved", where, acted_at + DELAY)]
    told = {event for name in ("ann", "bob") for event, _, due in announced(house, f"seat:{name}") if due is None}
    assert told == {"moved", "seen"}


def test_of_an_action_the_others_are_told_what_their_seats_see_and_nobody_else(house: House) -> None:
    match_id = open_delayed(house)
    for count in range(1, 40):
        actor = next(name for name in ("ann", "bob") if house.seat(match_id, name)["legal_actions"])
        other = "bob" if actor == "ann" else "ann"
        act_once(house, match_id)
        if house.stored(match_id)["state"] != "playing":
            break
        assert announced(house, f"seat:{actor}")[-1][:2] == ("moved", {"match_id": match_id, "action_count": count})
        assert announced(house, f"seat:{other}")[-1] == ("seen", house.seat(match_id, other), None)
    assert count > 5
    for topic in ("player:ann", "player:bob", f"table:{match_id}"):
        assert "seen" not in [event for event, _, _ in announced(house, topic)]


def test_what_a_seat_sees_after_an_action_tells_how_the_clocks_stand(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"), first_dealer=0, clock=ClockPlan(20, 60))
    actor = next(name for name in ("ann", "bob") if house.seat(match_id, name)["legal_actions"])
    house.tick()
    house.clock.move(seconds=5)
    house.tick()
    while house.seat(match_id, actor)["legal_actions"]:
        view = house.seat(match_id, actor)
        assert house.act(match_id, actor, view["legal_actions"][0], view["action_count"]).status_code == 200
    other = "bob" if actor == "ann" else "ann"
    event, seen, _ = announced(house, f"seat:{other}")[-1]
    assert (event, seen) == ("seen", house.seat(match_id, other))
    assert seen["clock"]["seats"][seen["seat"]]["running"]


def test_the_answer_of_a_bot_is_told_as_its_opponent_sees_it(house: House) -> None:
    match_id = house.open(person("ann"), bot("robin"), first_dealer=0)
    house.play()
    view = house.seat(match_id, "ann")
    while view["legal_actions"]:
        view = house.act(match_id, "ann", view["legal_actions"][0], view["action_count"]).json
    house.play()
    assert announced(house, "seat:ann")[-1] == ("seen", house.seat(match_id, "ann"), None)


def test_people_are_called_when_their_match_opens(house: House) -> None:
    match_id = house.open(person("ann"), bot("robin"), tournament_id="cup", round_number=2)
    call = {"match_id": match_id, "tournament_id": "cup", "round": 2, "table_id": None}
    assert announced(house, "player:ann")[0] == ("called", call, None)
    assert announced(house, "player:robin") == []


def test_asking_for_a_match_again_calls_nobody_again(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"))
    house.open(person("ann"), person("bob"), match_id=match_id)
    assert len(announced(house, "player:ann")) == 1


def test_of_bots_among_themselves_only_the_end_is_told(house: House) -> None:
    match_id = house.open()
    house.play()
    assert announced(house, f"table:{match_id}") == [("finished", {"match_id": match_id}, None)]
    assert announced(house, "player:robin") == announced(house, "seat:robin") == []


def test_a_bots_answer_is_told_with_the_number_of_all_actions(house: House) -> None:
    match_id = house.open(person("ann"), bot("robin"), first_dealer=0)
    house.play()
    view = house.seat(match_id, "ann")
    house.act(match_id, "ann", view["legal_actions"][0], view["action_count"])
    house.play()
    told = [data["action_count"] for event, data, _ in announced(house, f"table:{match_id}") if event == "moved"]
    assert told == sorted(set(told))
    assert told[-1] == shown(house, match_id)["action_count"]


@pytest.mark.parametrize("delay", [-1, 3601])
def test_no_delay_but_up_to_an_hour_can_be_asked_for(house: House, delay: int) -> None:
    house.open(person("ann"), person("bob"), match_id="m", spectator_delay_seconds=delay)
    assert house.get("/m").status_code == 404

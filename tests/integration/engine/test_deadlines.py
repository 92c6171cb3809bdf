"""At its deadline a match ends against whoever keeps it waiting."""

from __future__ import annotations

from datetime import timedelta

from gin_messages.match import DeadlineMoved
from tests.integration.engine.house import House, bot, person


def places(house: House, match_id: str) -> tuple[str, dict[str, int]]:
    (told,) = house.told(match_id)
    return told["ending"], {seat["player_id"]: seat["place"] for seat in told["seats"]}


def act_once(house: House, match_id: str) -> str:
    """Lets the seat to act take its first legal action; returns its account."""
    shown = house.get(f"/{match_id}").json
    account = str(shown["seats"][shown["to_act"]]["player_id"])
    house.act(match_id, account, house.seat(match_id, account)["legal_actions"][0], shown["action_count"])
    return account


def test_before_the_deadline_nothing_happens(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"), deadline_at=house.clock.now + timedelta(minutes=10))
    house.clock.move(minutes=9)
    house.tick()
    assert house.told(match_id) == []


def test_the_seat_to_act_forfeits(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"), deadline_at=house.clock.now + timedelta(minutes=10))
    act_once(house, match_id)
    shown = house.get(f"/{match_id}").json
    absent = shown["seats"][shown["to_act"]]["player_id"]
    house.clock.move(minutes=10)
    house.tick()
    house.tick()
    ending, by_player = places(house, match_id)
    assert ending == "no_show"
    assert by_player == {"ann": 2, "bob": 1} if absent == "ann" else {"ann": 1, "bob": 2}
    assert house.stored(match_id)["state"] == "finished"


def test_who_thinks_until_just_before_the_deadline_and_then_acts_does_not_win_by_it(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"), deadline_at=house.clock.now + timedelta(minutes=10))
    quick = act_once(house, match_id)
    house.clock.move(minutes=9)
    slow = act_once(house, match_id)
    assert slow != quick
    house.clock.move(minutes=1)
    house.tick()
    assert places(house, match_id) == ("forfeit", {slow: 2, quick: 1})


def test_who_acted_and_then_left_has_given_up(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"), deadline_at=house.clock.now + timedelta(minutes=10))
    first, second, third = (act_once(house, match_id) for _ in range(3))
    shown = house.get(f"/{match_id}").json
    absent = shown["seats"][shown["to_act"]]["player_id"]
    house.clock.move(minutes=10)
    house.tick()
    assert places(house, match_id)[0] == "forfeit"
    assert places(house, match_id)[1][absent] == 2
    assert {first, second, third} == {"ann", "bob"}


def test_where_no_person_ever_acted_both_forfeit(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"), deadline_at=house.clock.now)
    house.tick()
    ending, by_player = places(house, match_id)
    assert ending == "double_forfeit"
    assert 1 not in by_player.values()


def test_a_bot_is_never_absent(house: House) -> None:
    match_id = house.open(person("ann"), bot("robin"), deadline_at=house.clock.now)
    house.tick()
    assert places(house, match_id) == ("no_show", {"ann": 2, "robin": 1})


def test_bots_alone_play_to_the_end_after_the_deadline_as_before(house: House) -> None:
    match_id = house.open(deadline_at=house.clock.now)
    house.tick()
    assert places(house, match_id)[0] == "played"


def test_a_forfeited_match_has_a_record_of_what_was_played(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"), deadline_at=house.clock.now)
    act_once(house, match_id)
    house.tick()
    record = house.get(f"/{match_id}/record").json
    assert len(record["actions"]) == 1
    assert record["outcome"] is None


def test_a_moved_deadline_counts_and_the_latest_word_on_it_whatever_comes_last(house: House) -> None:
    now = house.clock.now
    match_id = house.open(person("ann"), person("bob"), deadline_at=now + timedelta(minutes=10))
    resumed = DeadlineMoved(match_id, now + timedelta(minutes=30), now + timedelta(minutes=2))
    house.receive(resumed)
    house.receive(resumed)
    house.receive(DeadlineMoved(match_id, None, now + timedelta(minutes=1)))
    house.clock.move(minutes=29)
    house.tick()
    assert house.told(match_id) == []
    house.clock.move(minutes=1)
    house.tick()
    assert len(house.told(match_id)) == 1


def test_a_deadline_taken_away_never_passes(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"), deadline_at=house.clock.now + timedelta(minutes=10))
    house.receive(DeadlineMoved(match_id, None, house.clock.now))
    house.clock.move(hours=99)
    house.tick()
    assert house.told(match_id) == []


def test_a_deadline_moved_before_its_match_was_opened_counts(house: House) -> None:
    now = house.clock.now
    match_id = "01990000-0000-7000-8000-0000000000aa"
    house.receive(DeadlineMoved(match_id, now + timedelta(minutes=30), now))
    assert house.open(person("ann"), person("bob"), match_id=match_id, deadline_at=now) == match_id
    house.clock.move(minutes=29)
    house.tick()
    assert house.told(match_id) == []
    house.clock.move(minutes=1)
    house.tick()
    assert len(house.told(match_id)) == 1


def test_a_match_that_is_over_stays_as_it_is_however_its_deadline_moves(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"), deadline_at=house.clock.now)
    house.tick()
    told = house.told(match_id)
    house.receive(DeadlineMoved(match_id, house.clock.now + timedelta(days=1), house.clock.now))
    house.tick()
    assert house.told(match_id) == told

"""Bots play on by themselves: to the end, once, whatever dies on the way."""

from __future__ import annotations

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import psycopg
import pytest

from gin_engine.use_cases.play_due import ask_for_more, play_due
from gin_servicekit.service import Service
from tests.integration.engine.house import House, bot, open_match, person


def never() -> bool:
    return False


def at_once() -> bool:
    return True


def test_bots_play_to_the_end_and_the_lobby_hears_once(house: House) -> None:
    match_id = house.open(rules={"target": 40}, tournament_id="t1", round_number=3)
    house.play()
    house.play()
    (told,) = house.told(match_id)
    assert told["ending"] == "played"
    assert (told["tournament_id"], told["round_number"], told["rating_pool"]) == ("t1", 3, "rummy/open")
    assert told["target"] == 40
    assert sorted(seat["place"] for seat in told["seats"]) == [1, 2]
    winner = next(seat for seat in told["seats"] if seat["place"] == 1)
    assert winner["score"] >= 40
    assert told == house.told(match_id, "ratings")[0]


def test_a_bot_match_is_one_block_of_actions(house: House) -> None:
    match_id = house.open()
    house.play()
    (block,) = house.blocks(match_id)
    assert block["first_action"] == 0
    assert len(block["actions"]) == len(block["seats"]) == house.stored(match_id)["action_count"]


def test_fixed_hands_weigh_thirteen_points_each(house: House) -> None:
    match_id = house.open(rules={"fixed_hands": 2})
    house.play()
    (told,) = house.told(match_id)
    assert told["target"] == 26
    assert told["hands_played"] == 2


def test_traditional_bonuses_are_in_the_score_but_never_decide_the_place(house: House) -> None:
    match_id = house.open(rules={"preset": "traditional", "target": 20})
    house.play()
    (told,) = house.told(match_id)
    winner = next(seat for seat in told["seats"] if seat["place"] == 1)
    assert winner["score"] >= 120


def test_a_bot_waits_for_the_person_to_act(house: House) -> None:
    match_id = house.open(person("ann"), bot("robin"))
    house.play()
    assert house.stored(match_id)["bot_due_at"] is None
    assert house.seat(match_id, "ann")["to_act"] == 0


def test_a_rolled_back_transaction_releases_the_match_and_the_replay_is_the_same(house: House) -> None:
    match_id = house.open()
    drafts = []

    class Killed(Exception):
        pass

    for _ in range(2):
        with contextlib.suppress(Killed), house.service.transaction() as tx:
            assert play_due(tx, never, only_bots=True) == 1
            drafts.append(tx.scalar("SELECT actions FROM action_blocks WHERE match_id = %s", (match_id,)))
            raise Killed
    assert house.blocks(match_id) == []
    assert house.told(match_id) == []
    house.play()
    assert [block["actions"] for block in house.blocks(match_id)] == drafts[:1]
    assert drafts[0] == drafts[1]
    assert len(house.told(match_id)) == 1


def test_a_match_cut_short_by_time_goes_on_where_it_was(house: House) -> None:
    match_id = house.open(rules={"target": 500})
    calls = iter([False] * 7)
    with house.service.transaction() as tx:
        play_due(tx, lambda: next(calls, True), only_bots=True)
    assert house.stored(match_id)["action_count"] == 7
    house.play()
    assert [block["first_action"] for block in house.blocks(match_id)][:2] == [0, 7]
    assert len(house.told(match_id)) == 1


def test_matches_that_time_did_not_reach_stay_due(house: House) -> None:
    house.receive(*(open_match() for _ in range(3)))
    with house.service.transaction() as tx:
        play_due(tx, at_once, only_bots=True)
        assert tx.scalar("SELECT count(*) FROM matches WHERE bot_due_at IS NOT NULL") == 3


def test_the_tick_plays_what_a_lost_kick_left(house: House) -> None:
    match_id = house.open()
    house.clock.move(seconds=1)
    house.tick()
    assert len(house.told(match_id)) == 1


def test_two_workers_never_play_one_match_twice(house: House) -> None:
    wishes = [open_match() for _ in range(45)]
    house.receive(*wishes)
    start = threading.Barrier(2)

    def work() -> int:
        service = replace(Service.start("engine", house.service.settings), clock=house.clock)
        start.wait(timeout=60)
        taken = 0
        while True:
            with service.transaction() as tx:
                now = play_due(tx, never, only_bots=True)
            if not now:
                service.database.close()
                return taken
            taken += now

    with ThreadPoolExecutor(2) as pool:
        shares = [share.result() for share in [pool.submit(work), pool.submit(work)]]
    assert sum(shares) == len(wishes)
    for wish in wishes:
        assert len(house.told(wish.match_id)) == 1
        assert len(house.blocks(wish.match_id)) == 1


def test_a_bot_that_cannot_go_on_does_not_hold_up_other_matches(house: House) -> None:
    broken, sound = house.open(), house.open()
    with house.service.transaction() as tx:
        tx.execute("UPDATE seats SET bot = 'retired' WHERE match_id = %s", (broken,))
    house.play()
    assert len(house.told(sound)) == 1
    assert house.told(broken) == []
    with house.service.transaction() as tx:
        tx.execute("UPDATE seats SET bot = 'simple' WHERE match_id = %s", (broken,))
    house.clock.move(minutes=2)
    house.tick()
    assert len(house.told(broken)) == 1


def test_the_log_of_actions_cannot_be_changed(house: House) -> None:
    match_id = house.open()
    house.play()
    for statement in ("UPDATE action_blocks SET actions = '{pass}', seats = '{0}'", "DELETE FROM action_blocks"):
        with pytest.raises(psycopg.errors.RaiseException), house.service.transaction() as tx:
            tx.connection.execute(statement)
    assert house.blocks(match_id)


def test_a_match_that_cannot_go_on_is_void_after_its_deadline(house: House) -> None:
    match_id = house.open(deadline_at=house.clock.now + timedelta(hours=1))
    with house.service.transaction() as tx:
        tx.execute("UPDATE seats SET bot = 'retired' WHERE match_id = %s", (match_id,))
    house.tick()
    assert house.told(match_id) == []
    house.clock.move(hours=1)
    house.tick()
    (told,) = house.told(match_id)
    assert told["ending"] == "void"
    assert house.stored(match_id)["reason"] == "the match could not be continued"


def test_more_workers_are_asked_for_once_until_one_comes(house: House) -> None:
    house.receive(*(open_match() for _ in range(3)))
    with house.service.transaction() as tx:
        ask_for_more(tx)
        assert tx.kicks == {"engine.play"}
    with house.service.transaction() as tx:
        ask_for_more(tx)
        assert tx.kicks == set()
    house.play()
    with house.service.transaction() as tx:
        ask_for_more(tx)
        assert tx.kicks == {"engine.play"}


def test_a_worker_that_was_asked_for_and_got_lost_is_asked_for_again(house: House) -> None:
    with house.service.transaction() as tx:
        ask_for_more(tx)
    house.clock.move(seconds=11)
    with house.service.transaction() as tx:
        ask_for_more(tx)
        assert tx.kicks == {"engine.play"}

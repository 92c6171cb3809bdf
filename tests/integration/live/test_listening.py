"""Who listens hears every hint of its topics and no other, goes on where it stopped, and is told where it cannot."""

import http.client
import json
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import redis

from gin_live.topics import MOST_TOPICS
from gin_servicekit.announcements import KEPT_EVENTS
from tests.integration.live.conftest import Live
from tests.support.live import Event, until


def counts(events: list[dict[str, Any]]) -> list[int]:
    return [data["n"] for data in events]


def in_topics(events: Sequence[Event]) -> dict[str, list[int]]:
    """Each topic in its own order; which of two topics comes first may differ where both have news at once."""
    told: dict[str, list[int]] = {}
    for event in events:
        told.setdefault(event.data["topic"], []).append(event.data["n"])
    return told


def test_a_listener_hears_the_hints_of_its_topics_in_their_order(live: Live) -> None:
    both, one = live.listen("table:1", "tables"), live.listen("table:1")
    live.announce("table:1", n=1)
    live.announce("table:2", n=2)
    live.announce("tables", "changed", n=3)
    live.announce("table:1", n=4)
    heard = both.wait_for(3)
    assert in_topics(heard) == {live.named("table:1"): [1, 4], "tables": [3]}
    assert {(e.event, e.data["n"]) for e in heard} == {("moved", 1), ("moved", 4), ("changed", 3)}
    assert counts([e.data for e in one.wait_for(2)]) == [1, 4]
    assert both.answer_headers["Content-Type"] == "text/event-stream"
    assert both.answer_headers["Cache-Control"] == "no-store"


def test_what_was_announced_before_is_not_told_to_who_comes_new(live: Live) -> None:
    live.announce("table:1", n=1)
    listener = live.listen("table:1")
    live.announce("table:1", n=2)
    assert counts([e.data for e in listener.wait_for(1)]) == [2]


def test_whoever_comes_back_hears_what_it_missed_in_every_topic_once(live: Live) -> None:
    first = live.listen("table:1", "table:2")
    live.announce("table:1", n=1)
    live.announce("table:2", n=2)
    seen = first.wait_for(2)[-1].event_id
    first.close()
    live.announce("table:2", n=3)
    live.announce("table:1", n=4)
    live.announce("table:2", n=5)
    back = live.listen("table:2", "table:1", last_event_id=seen)
    live.announce("table:1", n=6)
    assert in_topics(back.wait_for(4)) == {live.named("table:1"): [4, 6], live.named("table:2"): [3, 5]}


def test_every_id_of_a_stream_goes_on_right_behind_its_event(live: Live) -> None:
    listener = live.listen("table:1", "table:2")
    for n in range(6):
        live.announce(f"table:{1 + n % 2}", n=n)
    came = counts([e.data for e in listener.wait_for(6)])
    assert sorted(came) == list(range(6))
    for number, event in enumerate(listener.events):
        back = live.listen("table:1", "table:2", last_event_id=event.event_id)
        assert sorted(counts([e.data for e in back.wait_for(5 - number)])) == sorted(came[number + 1 :])
        back.close()


def test_who_came_before_anything_happened_misses_nothing_either(live: Live) -> None:
    listener = live.listen("table:1")
    seen = listener.last_event_id
    listener.close()
    live.announce("table:1", n=1)
    assert counts([e.data for e in live.listen("table:1", last_event_id=seen).wait_for(1)]) == [1]


def test_a_stream_that_was_trimmed_since_is_told_as_a_reset(live: Live) -> None:
    listener = live.listen("table:1", "tables")
    live.announce("table:1", n=0)
    seen = listener.wait_for(1)[0].event_id
    listener.close()
    for n in range(1, 2 * KEPT_EVENTS + 200):
        live.announce("table:1", n=n)
    back = live.listen("table:1", "tables", last_event_id=seen)
    assert back.wait_for(1)[0].event == "reset"
    live.announce("table:1", n=-1)
    assert counts([back.wait_for(2)[1].data]) == [-1]


def test_an_id_of_other_topics_is_told_as_a_reset(live: Live) -> None:
    seen = live.listen("table:1").last_event_id
    assert live.listen("table:2", last_event_id=seen).wait_for(1)[0].event == "reset"


def test_an_emptied_redis_is_told_as_a_reset_and_all_goes_on(live: Live) -> None:
    listener = live.listen("table:1")
    live.announce("table:1", n=1)
    seen = listener.wait_for(1)[0].event_id
    with redis.Redis.from_url(live.redis_url) as client:
        client.flushdb()
    assert listener.wait_for(2)[1].event == "reset"
    live.announce("table:1", n=2)
    assert counts([listener.wait_for(3)[2].data]) == [2]
    assert live.listen("table:1", last_event_id=seen).wait_for(1)[0].event == "reset"


def test_a_lost_connection_to_redis_is_told_as_a_reset(live: Live) -> None:
    listener = live.listen("table:1")
    with redis.Redis.from_url(live.redis_url) as client:
        mine = client.client_id()
        for other in client.client_list():
            database = live.redis_url.rsplit("/", 1)[1]
            if int(other["id"]) != mine and other["db"] == database and other["cmd"] == "xread":
                client.client_kill_filter(_id=other["id"])
    assert listener.wait_for(1)[0].event == "reset"
    live.announce("table:1", n=1)
    assert counts([listener.wait_for(2)[1].data]) == [1]


def test_a_killed_process_costs_no_hint_where_the_streams_are_whole(live: Live) -> None:
    listener = live.listen("table:1")
    live.announce("table:1", n=1)
    seen = listener.wait_for(1)[0].event_id
    live.process.restart_killed()
    live.announce("table:1", n=2)
    assert counts([e.data for e in live.listen("table:1", last_event_id=seen).wait_for(1)]) == [2]


def test_a_hint_held_back_comes_when_it_is_due_and_not_before(live: Live) -> None:
    listener = live.listen("table:1")
    announced_at = time.time()
    live.announce("table:1", n=1, delay_seconds=1.5)
    live.announce("table:2", n=0)
    late = live.listen("table:1")  # the hint is in the stream already, and still to come
    until(lambda: live.process.measure("live_held_back") > 0 or listener.events != [], "the hint is held back, or told")
    for each in (listener, late):
        assert counts([e.data for e in each.wait_for(1)]) == [1]
        assert time.time() >= announced_at + 1.5


def test_a_killed_process_still_holds_back_what_is_not_due(live: Live) -> None:
    seen = live.listen("table:1").last_event_id
    announced_at = time.time()
    live.announce("table:1", n=1, delay_seconds=6)
    live.process.restart_killed()
    listener = live.listen("table:1", last_event_id=seen)
    assert counts([e.data for e in listener.wait_for(1)]) == [1]
    assert time.time() >= announced_at + 6


def test_the_end_is_told_at_once_and_what_was_held_back_is_moot(live: Live) -> None:
    listener = live.listen("table:1")
    live.announce("table:1", n=1, delay_seconds=600)
    live.announce("table:1", "finished", n=2)
    live.announce("table:1", "changed", n=3)
    assert counts([e.data for e in listener.wait_for(2)]) == [2, 3]
    assert live.process.measure("live_held_back") == 0


def test_signs_of_life_keep_the_id_young(start_live: Callable[..., Live]) -> None:
    live = start_live(GINHALL_LIVE_HEARTBEAT_SECONDS="0.3")
    listener, other = live.listen("table:1", "tables"), live.listen("table:1")
    before = listener.last_event_id
    until(lambda: listener.comments >= 6 and other.comments >= 3, "signs of life")
    assert listener.events == []
    assert listener.last_event_id != before


def test_no_topic_an_unknown_one_too_many_and_a_bad_id_are_problems(live: Live) -> None:
    many = tuple(f"table:{n}" for n in range(MOST_TOPICS + 1))
    for topics in ((), ("seats:1",), ("table:é",), many):
        refused = live.listen(*topics)
        assert (refused.status, refused.problem["status"]) == (422, 422)
        assert refused.answer_headers["Content-Type"] == "application/problem+json"
        assert refused.problem["errors"][0]["field"].startswith("topic")
    refused = live.listen("tables", last_event_id="no id of ours")
    assert (refused.status, refused.problem["errors"][0]["field"]) == (422, "Last-Event-ID")


@pytest.mark.parametrize("path", ["/live/v1/nothing", "/"])
def test_what_is_not_there_is_a_problem(live: Live, path: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", live.process.port, timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())["status"]) == (404, 404)
    connection.close()


@pytest.mark.parametrize(
    "entry",
    [
        {"d": "{}"},
        {"e": "moved"},
        {"e": "moved", "d": "[1]"},
        {"e": "moved", "d": '{"a":\n1}'},
        {"e": "a b", "d": "{}"},
    ],
)
def test_an_entry_that_is_none_of_ours_is_left_out(live: Live, entry: dict[str, str]) -> None:
    listener = live.listen("table:1")
    with redis.Redis.from_url(live.redis_url) as client:
        client.xadd(f"live:{live.named('table:1')}", entry)  # type: ignore[arg-type]  # texts are fields
    live.announce("table:1", n=1)
    assert counts([e.data for e in listener.wait_for(1)]) == [1]


def test_what_an_event_holds_comes_as_it_was_announced(live: Live) -> None:
    listener = live.listen("tables")
    data = {"text": "zwei\nZeilen, ♥ und \u2028", "list": [1, None, {"a": "}"}]}
    live.announce("tables", "changed")
    live.announce("tables", "changed", **data)
    assert [event.data for event in listener.wait_for(2)] == [{"topic": "tables"}, {"topic": "tables", **data}]

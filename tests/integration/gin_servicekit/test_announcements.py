"""Hints: after the commit, one for each event and match, and never in anybody's way."""

import contextlib
import json
import socket
import threading
import time
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import redis

from gin_servicekit.announcements import (
    KEPT_EVENTS,
    KEPT_SECONDS,
    KEPT_VIEWS,
    LONGEST_DELAY_SECONDS,
    Announcer,
    QueuedAnnouncer,
)
from tests.integration.gin_servicekit.conftest import Pair


class RolledBack(Exception):
    """What ends a transaction without a commit."""


def stream(pair: Pair, topic: str) -> list[tuple[str, dict[str, Any]]]:
    """The event and data of every hint of a topic."""
    with redis.Redis.from_url(pair.producer.settings.redis_url) as client:
        entries: Any = client.xrange(f"live:{topic}")
    return [(fields[b"e"].decode(), json.loads(fields[b"d"])) for _, fields in entries]


def test_a_hint_is_sent_when_the_transaction_has_committed(pair: Pair) -> None:
    with pair.producer.transaction() as tx:
        tx.announce("table:1", "moved", {"match_id": "1", "action_count": 3})
        assert stream(pair, "table:1") == []
    assert stream(pair, "table:1") == [("moved", {"match_id": "1", "action_count": 3})]


def test_nothing_is_announced_that_did_not_happen(pair: Pair) -> None:
    with contextlib.suppress(RolledBack), pair.producer.transaction() as tx:
        tx.announce("tables", "changed", {})
        raise RolledBack
    assert stream(pair, "tables") == []


def test_of_one_event_about_one_match_the_last_is_kept(pair: Pair) -> None:
    with pair.producer.transaction() as tx:
        for count in (1, 2, 3):
            tx.announce("player:p", "moved", {"match_id": "1", "action_count": count})
        tx.announce("player:p", "moved", {"match_id": "2", "action_count": 9})
        tx.announce("player:p", "finished", {"match_id": "1"})
    assert stream(pair, "player:p") == [
        ("moved", {"match_id": "1", "action_count": 3}),
        ("moved", {"match_id": "2", "action_count": 9}),
        ("finished", {"match_id": "1"}),
    ]


def test_a_stream_neither_grows_nor_stays_for_ever(pair: Pair) -> None:
    for number in range(3):
        with pair.producer.transaction() as tx:
            for match in range(KEPT_EVENTS):
                tx.announce("table:1", "moved", {"match_id": f"{number}.{match}"})
    with redis.Redis.from_url(pair.producer.settings.redis_url) as client:
        length: Any = client.xlen("live:table:1")
        lifetime: Any = client.ttl("live:table:1")
    assert KEPT_EVENTS <= length < 2 * KEPT_EVENTS
    assert KEPT_SECONDS - 60 < lifetime <= KEPT_SECONDS


def test_of_what_seats_see_little_is_kept(pair: Pair) -> None:
    for number in range(3 * KEPT_VIEWS):
        with pair.producer.transaction() as tx:
            tx.announce("seat:p", "seen", {"match_id": str(number), "view": "x" * 1200})
    with redis.Redis.from_url(pair.producer.settings.redis_url) as client:
        length: Any = client.xlen("live:seat:p")
    assert KEPT_VIEWS <= length < 2 * KEPT_VIEWS


def test_a_delayed_hint_says_when_it_is_due_and_outlives_its_delay(pair: Pair) -> None:
    with pair.producer.transaction() as tx:
        tx.announce("table:1", "moved", {"match_id": "1"}, delay_seconds=60)
    with redis.Redis.from_url(pair.producer.settings.redis_url) as client:
        entries: Any = client.xrange("live:table:1")
        lifetime: Any = client.ttl("live:table:1")
    due = pair.clock.now + timedelta(seconds=60)
    assert int(entries[0][1][b"t"]) == due.timestamp() * 1000
    assert lifetime > LONGEST_DELAY_SECONDS


def test_the_change_commits_and_nobody_hears_an_error_while_redis_is_away(pair: Pair) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound, but nobody listens
        away = Announcer(f"redis://127.0.0.1:{unused.getsockname()[1]}/0")
        service = replace(pair.producer, announcer=away)
        with service.transaction() as tx:
            tx.execute("CREATE TABLE done (what text)")
            tx.announce("tables", "changed", {})
    with service.transaction() as tx:
        assert tx.scalar("SELECT count(*) FROM done") == 0


def test_a_silent_redis_is_waited_for_once_and_then_not_asked_for_a_while(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gin_servicekit.announcements._QUIET_SECONDS", 600)  # however slow this machine is
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(8)  # it accepts, and never answers
        service = replace(pair.producer, announcer=Announcer(f"redis://127.0.0.1:{silent.getsockname()[1]}/0"))
        for _ in range(3):
            with service.transaction() as tx:
                tx.announce("tables", "changed", {})
        silent.setblocking(False)
        silent.accept()[0].close()
        with pytest.raises(BlockingIOError):
            silent.accept()


def test_a_restarted_connection_loses_no_hint(pair: Pair) -> None:
    with pair.producer.transaction() as tx:
        tx.announce("tables", "changed", {"first": True})
    with redis.Redis.from_url(pair.producer.settings.redis_url) as client:
        client.client_kill_filter(_type="normal", skipme=True)
    with pair.producer.transaction() as tx:
        tx.announce("tables", "changed", {"second": True})
    assert stream(pair, "tables") == [("changed", {"first": True}), ("changed", {"second": True})]


def arrived(pair: Pair, topic: str, number: int) -> list[tuple[str, dict[str, Any]]]:
    """The hints of a topic, once there are so many."""
    deadline = time.monotonic() + 60
    while len(found := stream(pair, topic)) < number and time.monotonic() < deadline:
        threading.Event().wait(0.01)
    return found


def test_hints_that_wait_for_their_thread_arrive_in_order(pair: Pair) -> None:
    service = replace(pair.producer, announcer=QueuedAnnouncer(pair.producer.settings.redis_url, timeout_seconds=30))
    for number in range(20):
        with service.statements() as tx:
            tx.announce("table:1", "moved", {"match_id": "1", "action_count": number})
    counts = [data["action_count"] for _, data in arrived(pair, "table:1", 20)]
    assert counts == list(range(20))


def test_hints_that_wait_for_a_silent_redis_have_a_bound(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gin_servicekit.announcements.LONGEST_QUEUE", 5)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(8)  # it accepts, and never answers
        announcer = QueuedAnnouncer(f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        monkeypatch.setattr(announcer, "_start", lambda: None)  # the thread is held up for ever
        service = replace(pair.producer, announcer=announcer)
        for number in range(20):
            with service.statements() as tx:
                tx.announce("tables", "changed", {"match_id": str(number)})
    assert len(announcer._waiting) == 5

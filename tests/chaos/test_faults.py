"""A fault in the middle of a tournament: it finishes by itself, and everything counts once.

Real processes on real servers, killed as hard as can be. Each test has a house of its own.
"""

import json
import threading
import uuid
from collections.abc import Callable, Iterator

import psycopg
import pytest
import redis

from gin_messages.routes import SERVICES
from tests.support.folders import passable_folder
from tests.support.house import RunningHouse, assert_nothing_lost_or_doubled, eventually, running_house

PLAYERS, ROUNDS, TARGET = 24, 5, 600


@pytest.fixture
def running() -> Iterator[RunningHouse]:
    with passable_folder() as folder, running_house(folder) as running:
        yield running


def survive(running: RunningHouse, fault: Callable[[int], None]) -> None:
    """Plays a tournament with the fault once in every round, while its matches are being played."""
    path = running.tournament(PLAYERS, ROUNDS, TARGET)
    for number in range(1, ROUNDS + 1):
        running.in_round(path, number)
        fault(number)
    running.finished(path)
    assert_nothing_lost_or_doubled(running, path, ROUNDS, PLAYERS)


def test_the_worker_of_each_service_is_killed_in_every_round_and_no_message_waits_in_the_end(
    running: RunningHouse,
) -> None:
    def kill_one_after_another(number: int) -> None:
        for name in ("engine-worker", "lobby-worker", "ratings-worker"):
            before = running.pids(name)[:1]
            running.kill(name, children=number % 2 == 0)
            eventually(lambda name=name, old=before: running.pids(name)[:1] not in ([], old), f"another {name}")

    survive(running, kill_one_after_another)

    def nothing_waits() -> bool:
        for service in SERVICES:
            with psycopg.connect(running.environment(f"{service}-api")["DATABASE_URL"]) as connection:
                if connection.execute("SELECT count(*) FROM outbox").fetchone() != (0,):
                    return False
        return True

    eventually(nothing_waits, "empty outboxes")


def test_the_beat_and_every_api_process_are_killed_in_every_round(running: RunningHouse) -> None:
    def kill_all(_: int) -> None:
        running.kill("beat")
        for service in SERVICES:
            running.kill(f"{service}-api")

    survive(running, kill_all)


def test_redis_is_killed_in_every_round(running: RunningHouse) -> None:
    survive(running, lambda _: running.kill("redis"))


def test_postgres_is_restarted_or_killed_in_every_round(running: RunningHouse) -> None:
    def restart_or_kill(number: int) -> None:
        if number % 2:
            running.house.supervisor.restart("postgres")
        else:
            running.kill("postgres", children=False)

    survive(running, restart_or_kill)


def test_every_message_is_delivered_twice(running: RunningHouse) -> None:
    with Doubler(running.redis_url) as doubler:
        survive(running, lambda _: None)
    assert doubler.doubled > PLAYERS // 2 * ROUNDS // 50


def test_every_worker_is_killed_at_once_while_redis_is_emptied(running: RunningHouse) -> None:
    def everything(_: int) -> None:
        for service in SERVICES:
            running.kill(f"{service}-worker")
        with redis.Redis.from_url(running.redis_url) as client:
            client.flushall()

    survive(running, everything)


class Doubler:
    """Puts every message that reaches a queue there a second time, as a broker that repeats itself would.

    It watches the commands that Redis executes, so nothing in the services knows of it.
    """

    def __init__(self, redis_url: str) -> None:
        self._url = redis_url
        self._client = redis.Redis.from_url(redis_url)
        self._ours: set[str] = set()
        self.doubled = 0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Doubler":
        self._monitor = self._client.monitor().__enter__()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._client.set("wake-up", "the watcher sees this and ends")
        self._thread.join(timeout=60)
        self._monitor.__exit__(None, None, None)
        self._client.close()
        assert not self._thread.is_alive()

    def _watch(self) -> None:
        for command in self._monitor.listen():
            if self._stopped.is_set():
                return
            words = command["command"].split(" ", 2)
            if words[0].upper() == "LPUSH" and words[1] in SERVICES:
                self._double(words[1], words[2])

    def _double(self, queue: str, text: str) -> None:
        message = json.loads(text)
        tag = message["properties"]["delivery_tag"]
        if tag in self._ours:
            return
        copy_tag = str(uuid.uuid4())
        self._ours.add(copy_tag)
        message["properties"]["delivery_tag"] = copy_tag
        with redis.Redis.from_url(self._url) as client:
            client.lpush(queue, json.dumps(message))
        self.doubled += "on_match_finished" in text or "on_open_match" in text

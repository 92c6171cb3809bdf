"""The engine's own processes: a Celery worker on the real queue, killed in the middle, and the API as it is served."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from uuid_utils.compat import uuid7

from gin_engine.app import create_app
from gin_messages.envelope import Envelope, MessageId, encode
from gin_messages.match import OpenMatch
from gin_messages.routes import ENGINE, tick_task
from gin_servicekit.broker import Broker, Delivery
from tests.integration.engine.house import House, open_match, person
from tests.support.services import environment_of

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_SECONDS = 200


def environment(house: House) -> dict[str, str]:
    settings = house.service.settings
    return environment_of("engine", lambda _role: settings.database_url, settings.redis_url)


@contextmanager
def worker(house: House) -> Iterator[subprocess.Popen[bytes]]:
    """A worker with one process, which is also the one that a kill hits."""
    command = [sys.executable, "-m", "celery", "-A", "gin_engine.worker:celery", "worker", "-Q", ENGINE, "-P", "solo"]
    python_path = os.pathsep.join([str(ROOT / "shared"), str(ROOT / "services")])
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **environment(house), "PYTHONPATH": python_path},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(timeout=PATIENCE_SECONDS)


def wait_for(what: Callable[[], bool]) -> None:
    """Returns once `what` is true; fails when it takes too long."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not what():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.05)  # between two looks, never instead of one


def finished(house: House) -> int:
    with house.service.transaction() as tx:
        return int(tx.scalar("SELECT count(*) FROM matches WHERE state = 'finished'"))


def test_a_worker_killed_in_the_middle_loses_and_doubles_nothing(house: House) -> None:
    house.clock.move(hours=-1)  # behind the worker's clock, so that what is due here is due there
    wishes = [open_match(rules={"target": 1000}) for _ in range(60)]
    lobby = Broker("lobby", house.service.settings.redis_url)
    deliveries = [
        Delivery(
            ENGINE, OpenMatch.name, OpenMatch.version, encode(Envelope(MessageId(uuid7()), house.clock(), "test", wish))
        )
        for wish in wishes
    ]
    with worker(house) as first:
        lobby.deliver(deliveries)
        wait_for(lambda: finished(house) >= 5)
        first.kill()
        first.wait(timeout=PATIENCE_SECONDS)
    before = finished(house)
    assert before < len(wishes)
    with worker(house):
        # What the lobby was not told to be safe it sends again, and the tick comes round.
        lobby.deliver(deliveries)

        def all_finished() -> bool:
            lobby.celery.send_task(tick_task(ENGINE), queue=ENGINE, ignore_result=True)
            return finished(house) == len(wishes)

        wait_for(all_finished)
    for wish in wishes:
        assert len({str(told) for told in house.told(wish.match_id)}) == 1
        assert (
            sum(len(block["actions"]) for block in house.blocks(wish.match_id))
            == (house.stored(wish.match_id)["action_count"])
        )


def test_of_two_actions_at_once_one_is_taken(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"))
    shown = house.get(f"/{match_id}").json
    account = shown["seats"][shown["to_act"]]["player_id"]
    action = house.seat(match_id, account)["legal_actions"][0]
    app = house.client.application
    headers = house.token(account)

    def act(_: int) -> int:
        path, body = f"/api/v1/matches/{match_id}/actions", {"action": action, "action_count": 0}
        return app.test_client().post(path, json=body, headers=headers).status_code

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(act, range(4))) == [200, 409, 409, 409]
    assert len(house.blocks(match_id)) == 1


def test_the_application_is_made_from_the_environment(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environment(house).items():
        monkeypatch.setenv(name, value)
    client = create_app().test_client()
    match_id = house.open(person("ann"), person("bob"))
    assert client.get(f"/api/v1/matches/{match_id}").json["state"] == "playing"
    document = client.get("/api/v1/openapi/engine.json").json
    assert set(document["paths"]) == {
        "/api/v1/matches",
        "/api/v1/matches/{match_id}",
        "/api/v1/matches/{match_id}/seat",
        "/api/v1/matches/{match_id}/actions",
        "/api/v1/matches/{match_id}/record",
        "/api/v1/matches/{match_id}/seal",
        "/api/v1/matches/{match_id}/hands/{number}",
        "/api/v1/matches/{match_id}/advice",
        "/api/v1/matches/{match_id}/scores",
        "/api/v1/matches/{match_id}/resignation",
        "/api/v1/matches/{match_id}/rematch",
        "/api/v1/matches/{match_id}/entropy",
        "/api/v1/matches/{match_id}/rulings",
        "/api/v1/matches/{match_id}/forfeits",
        "/api/v1/bots",
        "/api/v1/tables",
        "/api/v1/tables/{table_id}",
        "/api/v1/tables/{table_id}/players",
        "/api/v1/tables/{table_id}/entropy",
        "/api/v1/word-lists",
        "/api/v1/word-lists/{sha256}",
    }

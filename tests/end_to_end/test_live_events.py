"""Live events through the gateway of a whole house, and what faults do to them."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
import redis

from tests.support.folders import passable_folder
from tests.support.house import RunningHouse, eventually, running_house
from tests.support.live import Listener

# A connection to a process that is killed may be lost before anybody can close it.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Exception ignored in. <socket.socket:pytest.PytestUnraisableExceptionWarning"
)


@pytest.fixture(scope="module")
def running() -> Iterator[RunningHouse]:
    with passable_folder() as folder, running_house(folder) as running:
        yield running


def listen(running: RunningHouse, *topics: str, last_event_id: str = "") -> Listener:
    port = urlsplit(str(running.house.running_url())).port
    assert port is not None
    return Listener(port, topics, last_event_id, {"Accept-Encoding": "gzip, zstd"})


def test_a_tournament_is_heard_through_the_gateway_from_its_start_to_its_end(running: RunningHouse) -> None:
    everywhere = listen(running, "tournaments")
    path = running.entered(4, 2, 100)
    listener = listen(running, f"tournament:{path.rsplit('/', 1)[1]}")
    running.start(path)
    assert "Content-Encoding" not in listener.answer_headers
    running.finished(path)
    eventually(lambda: listener.told()[-1:] != [] and listener.told()[-1]["state"] == "finished", "the end is heard")
    assert {data["round"] for data in listener.told()} >= {1, 2}
    assert all(event.event == "changed" for event in listener.events)
    assert len(everywhere.events) >= 4
    for each in (listener, everywhere):
        each.close()


def test_a_killed_live_process_comes_back_and_goes_on_where_it_was(running: RunningHouse) -> None:
    listener = listen(running, "tournaments")
    running.kill("live")
    eventually(lambda: listener.ended, "the stream ends")
    running.tournament(2, 1, 100)
    again: list[Listener] = []

    def comes_back() -> bool:
        again.append(listen(running, "tournaments", last_event_id=listener.last_event_id))
        return again[-1].status == 200

    eventually(comes_back, "live is back")
    assert again[-1].wait_for(1)[0].event == "changed"
    for each in (listener, *again):
        each.close()


def test_an_emptied_redis_is_told_and_then_events_come_as_before(running: RunningHouse) -> None:
    listener = listen(running, "tournaments")
    with redis.Redis.from_url(running.redis_url) as client:
        client.flushall()
    eventually(lambda: [event.event for event in listener.events] == ["reset"], "the reset")
    running.tournament(2, 1, 100)
    assert listener.wait_for(2)[1].event == "changed"
    listener.close()


def test_a_killed_redis_heals_without_a_hand(running: RunningHouse) -> None:
    listener = listen(running, "tournaments")
    running.kill("redis")
    eventually(lambda: "reset" in [event.event for event in listener.events], "the reset")
    running.tournament(2, 1, 100)
    eventually(lambda: listener.events[-1].event == "changed", "a hint after the fault")
    listener.close()


def test_the_house_tells_that_live_is_ready(running: RunningHouse) -> None:
    eventually(lambda: running.house.status().readiness["live"].is_ready, "live is ready")
    assert {info.name: info.state for info in running.house.status().processes}["live"] == "RUNNING"

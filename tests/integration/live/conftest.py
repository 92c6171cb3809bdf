"""A real live process on a Redis of one test, and somebody who announces."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gin_servicekit.announcements import Announcements, Announcer
from tests.support.live import Listener, LiveProcess, live_process
from tests.support.servers import REDIS_DATABASES, Addresses


@dataclass
class Live:
    """The process, its Redis, and the listeners of one test."""

    process: LiveProcess
    redis_url: str
    mark: str = field(default_factory=lambda: uuid.uuid4().hex)
    listeners: list[Listener] = field(default_factory=list)

    def __post_init__(self) -> None:
        # A machine under load must not lose what a test waits for.
        self._announcer = Announcer(self.redis_url, timeout_seconds=30)

    def named(self, topic: str) -> str:
        """The name of a table's topic in this test alone: tests share a process."""
        return f"{topic}-{self.mark}" if topic.startswith("table:") else topic

    def announce(self, topic: str, event: str = "moved", delay_seconds: float = 0, **data: Any) -> None:
        hints = Announcements()
        hints.add(self.named(topic), event, data, datetime.now(UTC), delay_seconds)
        self._announcer.send(hints)

    def close(self) -> None:
        for listener in self.listeners:
            listener.close()

    def listen(self, *topics: str, last_event_id: str = "", token: str | None = None) -> Listener:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        names = tuple(map(self.named, topics))
        listener = Listener(self.process.port, names, last_event_id, headers)
        self.listeners.append(listener)
        return listener


@pytest.fixture
def start_live(redis_url: str, tmp_path: Path) -> Iterator[Callable[..., Live]]:
    """Starts a process with settings of the test's own; stopped at the end."""
    with ExitStack() as stack:

        def start(**settings: str) -> Live:
            live = Live(stack.enter_context(live_process(redis_url, tmp_path, **settings)), redis_url)
            stack.callback(live.close)
            return live

        yield start


@pytest.fixture(scope="module")
def shared_process(
    servers: Addresses, worker_id: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[LiveProcess, str]]:
    """A process for all tests of a file, and the address of its Redis, where no other test goes."""
    worker = 0 if worker_id == "master" else int(worker_id.removeprefix("gw"))
    redis_url = f"{servers.redis}{REDIS_DATABASES - 1 - worker}"
    with live_process(redis_url, tmp_path_factory.mktemp("live")) as process:
        yield process, redis_url


@pytest.fixture
def live(shared_process: tuple[LiveProcess, str]) -> Iterator[Live]:
    live = Live(*shared_process)
    yield live
    live.close()

"""A real process of the live service, and listeners that read its events."""

import base64
import http.client
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from gin_local.ports import HOST, free_ports
from gin_local.readiness import ask
from tests.support.services import PUBLIC_KEY

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 60.0


def until(found: Callable[[], bool], what: str) -> None:
    """Returns once `found`, and fails after PATIENCE_SECONDS."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not found():
        assert time.monotonic() < deadline, f"never came: {what}"
        time.sleep(0.02)


@dataclass
class Event:
    """One event as it came."""

    event: str
    event_id: str
    data: dict[str, Any]


@dataclass
class Listener:
    """A connection that listens in a thread of its own until it is closed, or the server ends it."""

    port: int
    topics: tuple[str, ...]
    last_event_id: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    host: str = HOST
    path: str = "/live/v1/events"
    events: list[Event] = field(default_factory=list)
    comments: int = 0
    ended: bool = False

    def __post_init__(self) -> None:
        self._connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        query = urlencode([("topic", topic) for topic in self.topics])
        headers = dict(self.headers)
        if self.last_event_id:
            headers["Last-Event-ID"] = self.last_event_id
        self._connection.request("GET", f"{self.path}?{query}", headers=headers)
        self._socket = self._connection.sock
        self._answer = self._connection.getresponse()
        self.status, self.answer_headers = self._answer.status, dict(self._answer.getheaders())
        self.problem: dict[str, Any] = {}
        self._thread: threading.Thread | None = None
        if self.status != 200:
            self.problem = json.loads(self._answer.read())
            self._connection.close()
            return
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        until(lambda: self.last_event_id != "" or self.ended, "the first id")

    def _listen(self) -> None:
        fields: dict[str, str] = {}
        with suppress(OSError, http.client.HTTPException):  # closed here, or cut there
            while line := self._answer.readline():
                text = line.decode().rstrip("\n")
                if text.startswith(":"):
                    self.comments += 1
                elif text:
                    name, _, value = text.partition(": ")
                    fields[name] = value
                else:
                    self._dispatch(fields)
                    fields = {}
        self.ended = True

    def _dispatch(self, fields: dict[str, str]) -> None:
        if "data" in fields:
            self.events.append(Event(fields["event"], fields["id"], json.loads(fields["data"])))
        self.last_event_id = fields.get("id", self.last_event_id)

    def told(self) -> list[dict[str, Any]]:
        """The data of all events so far."""
        return [event.data for event in self.events]

    def wait_for(self, count: int) -> list[Event]:
        """All events, once there are so many."""
        until(lambda: len(self.events) >= count, f"{count} events, only {len(self.events)} came")
        return self.events

    def close(self) -> None:
        if self._thread is not None:
            if self._socket is not None:
                with suppress(OSError):
                    self._socket.shutdown(socket.SHUT_RDWR)
            self._thread.join(timeout=PATIENCE_SECONDS)
            assert not self._thread.is_alive()
            self._answer.close()
            self._connection.close()


class LiveProcess:
    """gunicorn as the list of processes starts it."""

    def __init__(self, redis_url: str, log: Path, port: int | None = None, **settings: str) -> None:
        self.port = port or free_ports(1)[0]
        self.log = log
        self._environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join([str(ROOT / "shared"), str(ROOT / "services")]),
            "REDIS_URL": redis_url,
            "GINHALL_TOKEN_PUBLIC_KEY": base64.urlsafe_b64encode(PUBLIC_KEY).decode(),
            "GINHALL_BIND": f"{HOST}:{self.port}",
            **settings,
        }
        self.process = self._start()

    def _start(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn_live.conf.py", "gin_live.app:create_app()"]
        with self.log.open("ab") as log:
            process = subprocess.Popen(command, cwd=ROOT, env=self._environment, stdout=log, stderr=log)
        until(lambda: ask(self.url("/readyz")).is_ready, "a live process that is ready")
        return process

    def url(self, path: str) -> str:
        return f"http://{HOST}:{self.port}{path}"

    def restart_killed(self) -> None:
        """kill -9 of master and worker, and a new one at the same address."""
        import psutil

        for victim in [*psutil.Process(self.process.pid).children(), psutil.Process(self.process.pid)]:
            victim.kill()
        self.process.wait()
        self.process = self._start()

    def stop(self) -> int:
        self.process.terminate()
        return self.process.wait(timeout=PATIENCE_SECONDS)

    def measure(self, name: str) -> float:
        """The value of one of its measures; 0 where it was never counted."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=PATIENCE_SECONDS)
        try:
            connection.request("GET", "/metrics")
            lines = connection.getresponse().read().decode().splitlines()
        finally:
            connection.close()
        return next((float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(name + " ")), 0.0)


@contextmanager
def live_process(redis_url: str, folder: Path, **settings: str) -> Iterator[LiveProcess]:
    """A process that is stopped at the end, and must then end well."""
    process = LiveProcess(redis_url, folder / "live.log", **settings)
    try:
        yield process
    finally:
        if process.process.poll() is None:
            process.stop()

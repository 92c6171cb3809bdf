"""A crowd of listeners: so many sockets on one epoll.

    python -m benchmarks.live_listeners PORT LISTENERS TABLES

Prints "connected" when every socket has its first id; then reads the number of events to expect and prints what was
heard, with the delay of each, when so many came or nothing has come for a while.
"""

from __future__ import annotations

import json
import re
import resource
import select
import socket
import sys
import time

QUIET_SECONDS = 10.0
_STAMP = re.compile(rb'"kind":"(.)","at":([0-9.]+)')


class Crowd:
    """The sockets, and what they heard."""

    def __init__(self, port: int, listeners: int, tables: int) -> None:
        self._poll = select.epoll()
        self._rest: dict[int, bytes] = {}
        self._sockets = {}
        self._waiting: set[int] = set()
        self.delays: dict[str, list[float]] = {"b": [], "m": []}
        self.count = 0
        for number in range(listeners):
            # Several addresses of this machine, so that ports never run out.
            connection = socket.create_connection(
                ("127.0.0.1", port), source_address=(f"127.0.0.{1 + number // 8000}", 0), timeout=60
            )
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
            path = f"/live/v1/events?topic=tournament:1&topic=table:{number % tables}"
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            connection.setblocking(False)
            self._sockets[connection.fileno()] = connection
            self._rest[connection.fileno()] = b""
            self._waiting.add(connection.fileno())
            self._poll.register(connection, select.EPOLLIN)
            self.read(0)
        while self._waiting:
            self.read(1)

    def read(self, seconds: float) -> bool:
        """Reads what is there; False when nothing came."""
        ready = self._poll.poll(seconds, 512)
        for number, _ in ready:
            some = self._sockets[number].recv(65_536)
            now = time.time()
            if not some:
                raise ConnectionError("a listener was dropped")
            text = self._rest[number] + some
            if number in self._waiting and b"id: " in text:
                self._waiting.discard(number)
            for kind, at in _STAMP.findall(text):
                self.delays[kind.decode()].append(now - float(at))
                self.count += 1
            self._rest[number] = text[text.rfind(b"\n\n") + 1 :]
        return bool(ready)


def main(port: int, listeners: int, tables: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    crowd = Crowd(port, listeners, tables)
    print("connected", flush=True)
    expected: int | None = None
    quiet_since = time.monotonic()
    while expected is None or (crowd.count < expected and time.monotonic() - quiet_since < QUIET_SECONDS):
        if crowd.read(0.05):
            quiet_since = time.monotonic()
        elif expected is None and select.select([sys.stdin], [], [], 0)[0]:
            expected = int(sys.stdin.readline())
    print(json.dumps({"count": crowd.count, **crowd.delays}), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

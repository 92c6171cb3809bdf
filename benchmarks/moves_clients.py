"""The clients of moves_speed: a greenlet for each table, in a process of their own.

python -m benchmarks.moves_clients, reads a wish (JSON, a line), says that it is ready, waits for another line, and then
prints an Outcome (JSON)
"""

from __future__ import annotations

from gevent import monkey

if __name__ == "__main__":
    monkey.patch_all()

import gc
import http.client
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import gevent
from gevent.event import Event

from benchmarks.cpu_seconds import by_program

_TIMEOUT_SECONDS = 60
READY = "ready\n"
CLIENTS = "clients"  # the name of their process, told apart from the API's by it
LIVE = "live"
_PROGRAMS = {
    "python": "API",
    "postgres": "Postgres",
    "caddy": "gateway",
    "valkey-server": "Redis",
    LIVE: LIVE,
    CLIENTS: CLIENTS,
}
_CALLED = {"gin_live.app": LIVE}
_LONGEST_WAIT = 5.0  # for a live event; then the client looks by itself


@dataclass(frozen=True)
class Outcome:
    """Of one run: moves and requests a second, and the round trip of a move in milliseconds.

    `looks` is how many GETs came with each move, `cpu_ms` what a move with all that follows it took of CPU time, by
    program.
    """

    moves: float
    requests: float
    p50_ms: float
    p99_ms: float
    looks: float
    cpu_ms: dict[str, float] = field(default_factory=dict)

    def told(self) -> str:
        return f"{self.moves:>8.1f} {self.requests:>11.1f} {self.p50_ms:>8.1f} {self.p99_ms:>8.1f}"


class Load:
    """Clients of one gateway. With `tokens` they play real matches, or ask for the `least` of a move; without they ask
    the bare view. Those that `hear` learn from live events what a seat sees after the other one's move; others GET it.
    """

    def __init__(
        self,
        port: int,
        matches: Sequence[str],
        tokens: Mapping[str, str] | None,
        *,
        hear: bool = False,
        least: bool = False,
    ) -> None:
        self._wish: dict[str, Any] = {
            "port": port,
            "matches": list(matches),
            "tokens": tokens,
            "hear": hear,
            "least": least,
        }
        self._port = port

    def answer_size(self) -> int:
        """How many bytes a seat's view has."""
        match, tokens = self._wish["matches"][0], self._wish["tokens"]
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=_TIMEOUT_SECONDS)
        headers = {"Authorization": f"Bearer {tokens[f'a-{match}']}"}
        connection.request("GET", f"/api/v1/matches/{match}/seat", headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200, body
        return len(body)

    def run(self, seconds: float, seconds_a_move: float | None, looks: float = 0.0) -> Outcome:
        """As fast as it goes, or one move a table in so many seconds.

        Those who ask the bare view also GET it `looks` times for each move.
        """
        wish = {**self._wish, "seconds": seconds, "seconds_a_move": seconds_a_move, "looks": looks}
        command = [sys.executable, "-m", "benchmarks.moves_clients"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as clients:
            assert clients.stdin is not None
            assert clients.stdout is not None
            print(json.dumps(wish), file=clients.stdin, flush=True)
            assert clients.stdout.readline() == READY
            before = by_program(_CALLED)
            print(file=clients.stdin, flush=True)
            told = clients.stdout.readline()
            after = by_program(_CALLED)
        if clients.returncode:
            raise SystemExit("the clients failed")
        outcome = Outcome(**json.loads(told))
        moves = max(1.0, outcome.moves * seconds)
        spent = {name: 1000 * (used - before.get(name, 0.0)) / moves for name, used in after.items()}
        return replace(outcome, cpu_ms={_PROGRAMS[name]: used for name, used in spent.items() if name in _PROGRAMS})


class _Table:
    """One connection that moves for both seats of a match, or asks the bare view about one row."""

    def __init__(self, wish: Mapping[str, Any], number: int) -> None:
        self._match = wish["matches"][number]
        self._tokens = wish["tokens"]
        self._plays = self._tokens is not None and not wish.get("least")
        self._number = number
        self._rng = random.Random(number)
        self._connection = http.client.HTTPConnection("127.0.0.1", wish["port"], timeout=_TIMEOUT_SECONDS)
        self._view: dict[str, Any] | None = None
        self._ears = {seat: _Ear(wish["port"], f"{seat}-{self._match}", self._tokens) for seat in "ab" * wish["hear"]}
        self._looks: float = wish["looks"]
        self._owed = self._rng.random()  # of a look
        self.round_trips: list[float] = []
        self.requests = 0

    def begin(self) -> None:
        """Looks at the match before anybody counts: players have seen their table before they act."""
        views = [self._look(seat) for seat in ("ab" if self._plays else "a")]
        self._view = next((view for view in views if view.get("legal_actions")), views[0])
        for ear in self._ears.values():
            ear.open()
        self.requests = 0

    def move(self) -> None:
        if not self._plays:
            self._owed += self._looks
            while self._owed >= 1:
                self._owed -= 1
                self._look("a")
            what, asks = ("actions", None) if self._tokens is None else ("least", "a")
            self._send("POST", f"/api/v1/matches/{self._number}/{what}", {"action": "draw"}, asks)
            return
        view = self._view
        assert view is not None
        if not view["legal_actions"]:
            if view["to_act"] is None:
                return  # the match is over
            view = self._learn("ab"[view["to_act"]], view["action_count"])
        seat = "ab"[view["to_act"]]
        wish = {"action": self._rng.choice(view["legal_actions"]), "action_count": view["action_count"]}
        self._view = self._send("POST", f"/api/v1/matches/{self._match}/actions", wish, seat)

    def _learn(self, seat: str, action_count: int) -> dict[str, Any]:
        """What the seat sees after so many actions: as live events tell it, else by a look."""
        heard = self._ears[seat].hear(action_count) if self._ears else None
        return heard or self._look(seat)

    def _look(self, seat: str) -> dict[str, Any]:
        match, asks = (self._match, seat) if self._plays else (self._number, None)
        return self._send("GET", f"/api/v1/matches/{match}/seat", None, asks)

    def _send(self, method: str, path: str, body: Any, seat: str | None) -> dict[str, Any]:
        headers = {"Content-Type": "application/json"}
        if seat is not None:
            headers["Authorization"] = f"Bearer {self._tokens[f'{seat}-{self._match}']}"
        started = time.perf_counter()
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{method} {path}: {answer.status} {text[:300]!r}")
        if method == "POST":
            self.round_trips.append(time.perf_counter() - started)
        self.requests += 1
        found: dict[str, Any] = json.loads(text)
        return found


class _Ear:
    """Listens for one seat, in a greenlet of its own."""

    def __init__(self, port: int, account: str, tokens: Mapping[str, str]) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT_SECONDS)
        self._address = f"/live/v1/events?topic=seat:{account}"
        self._headers = {"Authorization": f"Bearer {tokens[account]}"}
        self._seen: dict[str, Any] | None = None
        self._news = Event()

    def open(self) -> None:
        """Returns once the first line has come: nothing is missed from here on."""
        self._connection.request("GET", self._address, headers=self._headers)
        answer = self._connection.getresponse()
        if answer.status != 200:
            raise SystemExit(f"{self._address}: {answer.status} {answer.read(300)!r}")
        answer.readline()
        gevent.spawn(self._listen, answer)

    def _listen(self, answer: http.client.HTTPResponse) -> None:
        event = b""
        while line := answer.readline():
            name, _, value = line.partition(b": ")
            if name == b"event":
                event = value.strip()
            elif name == b"data" and event == b"seen":
                self._seen = json.loads(value)
                self._news.set()

    def hear(self, action_count: int) -> dict[str, Any] | None:
        """What the seat sees after at least so many actions; None when nobody told it in time."""
        until = time.perf_counter() + _LONGEST_WAIT
        while self._seen is None or self._seen["action_count"] < action_count:
            self._news.clear()
            if not self._news.wait(max(0.0, until - time.perf_counter())):
                return None
        return self._seen


def _run(wish: Mapping[str, Any]) -> Outcome:
    tables = [_Table(wish, number) for number in range(len(wish["matches"]))]
    gevent.joinall([gevent.spawn(table.begin) for table in tables], raise_error=True)
    print(READY, end="", flush=True)
    sys.stdin.readline()
    pace: float | None = wish["seconds_a_move"]
    started = time.perf_counter()
    until = started + wish["seconds"]

    def play(table: _Table, number: int) -> None:
        if pace is not None:
            gevent.sleep(pace * number / len(tables))  # tables move one after another, not all in the same moment
        while (now := time.perf_counter()) < until:
            table.move()
            if pace is not None:
                gevent.sleep(max(0.0, pace - (time.perf_counter() - now)))

    gevent.joinall([gevent.spawn(play, table, number) for number, table in enumerate(tables)], raise_error=True)
    seconds = time.perf_counter() - started
    trips = sorted(trip for table in tables for trip in table.round_trips)
    return Outcome(
        moves=len(trips) / seconds,
        requests=sum(table.requests for table in tables) / seconds,
        looks=sum(table.requests for table in tables) / len(trips) - 1,
        p50_ms=1000 * trips[len(trips) // 2],
        p99_ms=1000 * trips[len(trips) * 99 // 100],
    )


if __name__ == "__main__":
    gc.disable()  # it runs for seconds
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # three connections for each table
    Path("/proc/self/comm").write_text(CLIENTS)
    print(json.dumps(asdict(_run(json.loads(sys.stdin.readline())))), flush=True)

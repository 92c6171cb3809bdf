"""How many listeners one live process serves, how late they hear, and what each costs, beside bare gevent.

    python -m benchmarks.live_speed [LISTENERS]

Both servers read hints from a Redis and send each to whoever listens, as server-sent events; the bare one is a gevent
server with a greenlet and a queue for each connection and nothing else: no rights, no ids, no resuming. Every listener
hears of one tournament and of one of some tables. The listeners are sockets in one process (live_listeners.py).
"""

from __future__ import annotations

import base64
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psutil
import redis
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from gin_local import valkey
from gin_local.ports import HOST, free_ports, listens
from gin_servicekit.announcements import Announcements, Announcer

ROOT = Path(__file__).resolve().parents[1]
LISTENERS_A_TABLE = 10
BROADCASTS, BROADCASTS_A_SECOND = 20, 2.0
MOVES, MOVES_A_SECOND = 2000, 200.0
PATIENCE_SECONDS = 120.0


@dataclass(frozen=True)
class Measured:
    """What one server did: KiB a connection, seconds to connect all, and the delays of each kind in milliseconds."""

    name: str
    memory: float
    connecting: float
    expected: int
    heard: int
    broadcast: tuple[float, float, float]
    moves: tuple[float, float, float]
    cpu: float


class Redis:
    """A Redis of this benchmark alone."""

    def __init__(self, folder: Path) -> None:
        port = free_ports(1)[0]
        configuration = valkey.configure(folder, port, "benchmark")
        self.url = valkey.url(port, "benchmark")
        command = valkey.command(configuration, ["--appendonly", "no"])
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait(lambda: valkey.is_ready(self.url), "Redis")


def public_key() -> str:
    key = Ed25519PrivateKey.generate().public_key().public_bytes_raw()
    return base64.urlsafe_b64encode(key).decode()


def wait(done: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not done():
        if time.monotonic() > deadline:
            raise TimeoutError(what)
        time.sleep(0.05)


def live_command() -> list[str]:
    return [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn_live.conf.py", "gin_live.app:create_app()"]


def bare_command() -> list[str]:
    return [sys.executable, "-m", "benchmarks.live_bare"]


def measure(name: str, command: list[str], redis_url: str, listeners: int) -> Measured:
    """Connects everybody, announces, and asks what was heard."""
    with redis.Redis.from_url(redis_url) as client:
        client.flushall()
    port = free_ports(1)[0]
    environment = {
        **os.environ,
        "REDIS_URL": redis_url,
        "GINHALL_BIND": f"{HOST}:{port}",
        "GINHALL_LIVE_WATCHERS": str(listeners + 100),
        "GINHALL_LIVE_WATCHERS_PER_ADDRESS": str(listeners + 100),
        "GINHALL_TOKEN_PUBLIC_KEY": public_key(),
    }
    tables = listeners // LISTENERS_A_TABLE
    with ExitStack() as stack:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
        stack.callback(end, server)
        wait(lambda: listens(port), name)
        time.sleep(4)  # so that the worker is there and at rest
        process = serving(server)
        before = process.memory_info().rss
        began = time.monotonic()
        crowd = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.live_listeners", str(port), str(listeners), str(tables)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        stack.callback(end, crowd)
        assert crowd.stdin
        assert crowd.stdout
        assert crowd.stdout.readline() == "connected\n"
        connecting = time.monotonic() - began
        time.sleep(2)
        memory = (process.memory_info().rss - before) / 1024 / listeners
        spent = sum(process.cpu_times()[:2])
        announce(redis_url, ["tournament:1"] * BROADCASTS, "b", BROADCASTS_A_SECOND)
        announce(redis_url, [f"table:{n % tables}" for n in range(MOVES)], "m", MOVES_A_SECOND)
        expected = BROADCASTS * listeners + MOVES * LISTENERS_A_TABLE
        crowd.stdin.write(f"{expected}\n")
        crowd.stdin.flush()
        heard = json.loads(crowd.stdout.readline())
        cpu = sum(process.cpu_times()[:2]) - spent
    return Measured(name, memory, connecting, expected, heard["count"], spread(heard["b"]), spread(heard["m"]), cpu)


def announce(redis_url: str, topics: list[str], kind: str, a_second: float) -> None:
    """One hint for each of the topics, evenly; each says when it was given."""
    announcer, began = Announcer(redis_url), time.monotonic()
    for number, topic in enumerate(topics):
        time.sleep(max(0.0, began + number / a_second - time.monotonic()))
        hints = Announcements()
        hints.add(topic, "changed", {"kind": kind, "at": time.time()}, datetime.now(UTC), 0)
        announcer.send(hints)


def spread(delays: list[float]) -> tuple[float, float, float]:
    """Median, 99th percentile and longest, in milliseconds."""
    ordered = sorted(delays)
    return tuple(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.99, 1.0))  # type: ignore[return-value]  # three


def serving(server: subprocess.Popen[bytes]) -> psutil.Process:
    """The process with the connections: gunicorn's worker, where there is one."""
    master = psutil.Process(server.pid)
    return next(iter(master.children()), master)


def end(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def main(arguments: list[str]) -> int:
    listeners = int(arguments[0]) if arguments else 5000
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder:
        server = Redis(Path(folder))
        try:
            results = [
                measure("bare gevent", bare_command(), server.url, listeners),
                measure("live", live_command(), server.url, listeners),
            ]
        finally:
            end(server.process)
    print(f"{listeners} listeners; delays in ms as median / 99 % / longest")
    print("| | KiB each | connect s | to all | to a table | heard | CPU s |\n|---|---|---|---|---|---|---|")
    for m in results:
        delays = [" / ".join(f"{ms:.0f}" for ms in each) for each in (m.broadcast, m.moves)]
        print(
            f"| {m.name} | {m.memory:.1f} | {m.connecting:.1f} | {delays[0]} | {delays[1]} "
            f"| {m.heard:,} of {m.expected:,} | {m.cpu:.1f} |"
        )
    return int(any(m.heard != m.expected for m in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Processes of a house whose supervisor died (kill -9, out of memory), found by the mark that each carries.

Linux only: elsewhere nothing is found, and a port or lock that is still held says so at the start.
"""

import contextlib
import os
import signal
import time
from pathlib import Path

MARK = "GINHALL_HOUSE"
_SERVERS = frozenset({"postgres", "valkey-server"})
_PATIENCE_SECONDS = 15.0


def find_leftovers(data: Path, postgres_folder: Path | None = None) -> list[int]:
    """The ids of the living processes that were started for the house at `data`, but for this process and
    its parents.

    The two servers overwrite their environment with a title; they are found by the folder that they work in.
    """
    mark = f"{MARK}={data}".encode()
    folders = {data / "valkey"} | ({postgres_folder} if postgres_folder else set())
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it ended meanwhile, or is somebody else's
            if mark in (entry / "environ").read_bytes().split(b"\0") or (
                (entry / "exe").readlink().name in _SERVERS and (entry / "cwd").readlink() in folders
            ):
                found.add(int(entry.name))
    return sorted(found - _own_line())


def _own_line() -> set[int]:
    line = {os.getpid()}
    process = os.getpid()
    while process > 1:
        try:
            fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            break
        process = int(fields[1])
        line.add(process)
    return line


def end_leftovers(processes: list[int]) -> None:
    """End `processes` (from `find_leftovers`), by force those that overstay; returns when all are gone."""
    for process in processes:
        _send(process, signal.SIGINT if _is_postgres(process) else signal.SIGTERM)
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while (living := [process for process in processes if _lives(process)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    for process in living:
        _send(process, signal.SIGKILL)
    while any(_lives(process) for process in living):
        time.sleep(0.05)


def _is_postgres(process: int) -> bool:
    """Whether INT asks for a fast stop: on TERM Postgres waits until its last client has gone."""
    try:
        return Path(f"/proc/{process}/exe").readlink().name == "postgres"
    except OSError:
        return False


def _send(process: int, number: signal.Signals) -> None:
    try:
        os.kill(process, number)
    except ProcessLookupError:
        return


def _lives(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"

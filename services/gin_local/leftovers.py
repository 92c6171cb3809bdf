"""Processes of a house whose supervisor died (kill -9, out of memory), found by the mark that each carries.

Linux only: elsewhere nothing is found, and a port or lock that is still held says so at the start.
"""

import os
import signal
import time
from pathlib import Path

MARK = "GINHALL_HOUSE"
_PATIENCE_SECONDS = 15.0


def find_leftovers(data: Path, postgres_folder: Path | None = None) -> list[int]:
    """The ids of the living processes that were started for the house at `data`, but for this process and
    its parents.

    Postgres overwrites its environment, so it is found by the lock file in its data folder.
    """
    mark = f"{MARK}={data}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except OSError:
            continue  # it ended meanwhile, or is somebody else's
    if postgres_folder is not None and (server := _postgres(postgres_folder)) is not None:
        found.append(server)
    return sorted(set(found) - _own_line())


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


def _postgres(folder: Path) -> int | None:
    try:
        process = int((folder / "postmaster.pid").read_text(encoding="utf-8").split()[0])
        # The id may be another program's by now: it is ours only if it serves this very folder.
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except (OSError, ValueError, IndexError):
        return None
    return process if os.fsencode(folder) in words else None


def end_leftovers(processes: list[int], postgres_folder: Path | None = None) -> None:
    """End `processes` (from `find_leftovers`), by force those that do not end in time; returns when all are
    gone.
    """
    server = None if postgres_folder is None else _postgres(postgres_folder)
    for process in processes:
        _send(process, signal.SIGINT if process == server else signal.SIGTERM)
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while (living := [process for process in processes if _lives(process)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    for process in living:
        _send(process, signal.SIGKILL)
    while any(_lives(process) for process in living):
        time.sleep(0.05)


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

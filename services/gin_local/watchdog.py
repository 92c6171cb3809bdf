"""Restart a worker that lives but no longer works.

A Celery worker can survive a lost connection and consume nothing ever after; no supervisor sees that. Each
service's API tells on `/readyz` how long ago its worker finished a task, and a tick gives every worker one
each second.

    python -m gin_local.watchdog watch SOCKET NAME=URL …   on one machine: poll, restart through supervisord
    python -m gin_local.watchdog consuming URL             in a container: exit 0 if the worker consumes
    python -m gin_local.watchdog consuming URL --end       … and else end the container, to be started anew
    python -m gin_local.watchdog ready URL                 exit 0 if the API takes work
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from gin_local.errors import HouseError
from gin_local.readiness import Answer, ask
from gin_local.supervision import ProcessInfo, Supervisor

# A worker notes every five seconds that it finishes tasks, and its longest task takes about as long.
STALL_SECONDS = 20
_POLL_SECONDS = 2
_BEAT = "beat"
_INIT_PROGRAMS = frozenset({"docker-init", "tini", "catatonit"})


def is_stalled(answer: Answer, uptime_seconds: float) -> bool:
    """Whether a worker that has run for `uptime_seconds` must be restarted, by what its service's API tells.

    A worker gets as long after its start. Where the API does not answer nothing is known, and nothing is
    done.
    """
    if "worker_seconds_since_consumed" not in answer.told or uptime_seconds <= STALL_SECONDS:
        return False
    idle = answer.worker_idle_seconds
    return idle is None or idle > STALL_SECONDS


def stalled_workers(processes: Iterable[ProcessInfo], answers: Mapping[str, Answer]) -> list[str]:
    """The names of the running processes that must be restarted; `answers` by the name of the worker.

    When every watched worker stalls at once, the tick itself is suspect: beat is restarted before them.
    """
    running = {info.name: info.uptime_seconds for info in processes if info.state == "RUNNING"}
    stalled = [name for name, answer in answers.items() if name in running and is_stalled(answer, running[name])]
    if len(answers) > 1 and len(stalled) == len(answers) and running.get(_BEAT, 0) > STALL_SECONDS:
        return [_BEAT, *stalled]
    return stalled


def watch(supervisor: Supervisor, workers: Mapping[str, str], pause: Callable[[float], None] = time.sleep) -> None:
    """Poll the `workers` (name to `/readyz` URL) for ever and restart those that stall."""
    while True:
        pause(_POLL_SECONDS)
        answers = {name: ask(url) for name, url in workers.items()}
        try:
            for name in stalled_workers(supervisor.processes(), answers):
                sys.stdout.write(f"{name} lives but has consumed nothing for {STALL_SECONDS} s: restarting it\n")
                sys.stdout.flush()
                supervisor.restart(name)
        except HouseError as error:  # supervisord is busy or going down; the next round sees
            sys.stdout.write(f"{error}\n")
            sys.stdout.flush()


def _own_uptime_seconds() -> float:
    """How long process 1 of this container has run."""
    ticks = float(Path("/proc/1/stat").read_text(encoding="ascii").rpartition(")")[2].split()[19])
    booted = float(Path("/proc/uptime").read_text(encoding="ascii").split()[0])
    return booted - ticks / os.sysconf("SC_CLK_TCK")


def end_container() -> None:
    """Kill what this container's init started, so that the container ends and its restart policy acts.

    Raises:
        HouseError: process 1 is no container's init; elsewhere this would end the machine's own processes.
    """
    name = Path("/proc/1/comm").read_text(encoding="ascii").strip()
    if name not in _INIT_PROGRAMS:
        raise HouseError(f"process 1 is {name}, not a container's init: nothing was ended")
    for child in Path("/proc/1/task/1/children").read_text(encoding="ascii").split():
        os.kill(int(child), signal.SIGKILL)


def _check(url: str, *, end: bool) -> int:
    if not is_stalled(ask(url), _own_uptime_seconds()):
        return 0
    if end:
        end_container()
    return 1


def main(arguments: Sequence[str]) -> int:
    """Run as a program; returns the exit status."""
    match list(arguments):
        case ["watch", socket_path, *pairs]:
            workers = {name: url for name, _, url in (pair.partition("=") for pair in pairs)}
            watch(Supervisor(Path(socket_path)), workers)
            return 0
        case ["consuming", url]:
            return _check(url, end=False)
        case ["consuming", url, "--end"]:
            return _check(url, end=True)
        case ["ready", url]:
            return 0 if ask(url).is_ready else 1
    sys.stderr.write(__doc__ or "")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

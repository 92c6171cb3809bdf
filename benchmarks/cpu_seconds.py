"""CPU seconds of the processes that a benchmark started: ratios of them hold on a machine that does other work too."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

_TICKS = os.sysconf("SC_CLK_TCK")


def by_program(called: Mapping[str, str] = MappingProxyType({})) -> dict[str, float]:
    """By name, of every living process below this one. `called` names those whose command line holds a text."""
    parents: dict[int, int] = {}
    used: dict[int, tuple[str, float]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            name, _, rest = (folder / "stat").read_text().partition("(")[2].rpartition(")")
            line = (folder / "cmdline").read_text()
        except OSError:
            continue  # it has just ended
        fields = rest.split()
        parents[int(folder.name)] = int(fields[1])
        name = next((given for text, given in called.items() if text in line), name)
        used[int(folder.name)] = name, (int(fields[11]) + int(fields[12])) / _TICKS
    found: dict[str, float] = {}
    for pid, (name, seconds) in used.items():
        if _is_below(pid, parents):
            found[name] = found.get(name, 0.0) + seconds
    return found


def _is_below(pid: int, parents: dict[int, int]) -> bool:
    while pid in parents:
        pid = parents[pid]
        if pid == os.getpid():
            return True
    return False

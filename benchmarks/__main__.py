"""Run benchmarks and print their tables: ``python -m benchmarks [NAME …]``, or ``make bench ARGS="rules peers"``.

Without names, all of them run, one after another: each has the machine to itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BENCHMARKS = {
    "rules": ("rules_speed", "rules and bots, a CPU second"),
    "bots": ("bots_strength", "how many matches each bot wins, with intervals; takes minutes"),
    "peers": ("peers_speed", "our rules beside OpenSpiel and RLCard"),
    "pairing": ("pairing_speed", "CPU seconds to pair and rank Swiss tournaments"),
    "live": ("live_speed", "thousands of listeners on one live process, beside bare gevent"),
    "pairing_peers": ("pairing_peers", "CPU seconds to pair the middle round of nine, beside gacrux"),
    "standings": ("standings_speed", "GETs of 10,000 players' standings beside a bare Flask view"),
    "moves": ("moves_speed", "moves of people at 500 tables beside a bare Flask view"),
    "tournament": ("tournament_speed", "a tournament of bots through the whole house; takes minutes"),
}
"""The module and a title of each, by name."""


def main(names: list[str]) -> int:
    """Run these, or all. Returns the exit status: 2 for an unknown name, 1 when one failed."""
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        known = "\n".join(f"  {name:<13} {title}" for name, (_, title) in BENCHMARKS.items())
        print(f"no benchmark is called {' or '.join(unknown)}; there are:\n{known}", file=sys.stderr)
        return 2
    path = os.pathsep.join((str(ROOT / "shared"), str(ROOT / "services")))
    failed = False
    for name in names or BENCHMARKS:
        module, title = BENCHMARKS[name]
        print(f"\n{name}: {title}", flush=True)
        done = subprocess.run(
            [sys.executable, "-m", f"benchmarks.{module}"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path},
            check=False,
        )
        failed = failed or done.returncode != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

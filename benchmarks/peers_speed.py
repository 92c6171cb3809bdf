"""Our rules beside OpenSpiel and RLCard, a CPU second, on one core: pure Python, and compiled where a compiler is.

    python -m benchmarks.peers_speed [ROUNDS] [SECONDS]

The peers are installed from `peers.txt` into an environment of their own, `.venv-bench`; everything that is compared
runs there, one process after another, in turns, and the best turn of each side counts: on a busy machine that is the
least disturbed one. Random play is what each library offers to a Python program: a loop over legal actions.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from tools.compiled_rules import CannotCompile, compile_rules

ROOT = Path(__file__).resolve().parents[1]
PEERS = ROOT / "benchmarks" / "peers.txt"
ENVIRONMENT = ROOT / ".venv-bench"
MEASURES = (
    ("ten-card deadwoods", "deadwoods", "deadwoods"),
    ("  the same from lists of cards", "deadwoods of lists", "deadwoods"),
    ("hands of random play", "random play", "random play"),
)
"""What is printed, our measure and the peers'."""

Rates = dict[str, float]


def peers_python() -> Path:
    """The Python of the peers' environment, made anew when `peers.txt` changes."""
    python, stamp = ENVIRONMENT / "bin" / "python", ENVIRONMENT / "peers.txt"
    if not stamp.exists() or stamp.read_bytes() != PEERS.read_bytes():
        print(f"Installing the peers into {ENVIRONMENT.name} …", file=sys.stderr)
        venv.create(ENVIRONMENT, clear=True, with_pip=True)
        install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r"]
        subprocess.run([python, *install, PEERS], check=True)
        stamp.write_bytes(PEERS.read_bytes())
    return python


def measure(python: Path, side: str, seconds: float, path: str) -> Rates:
    """The rates of one side, in a process of its own with one thread."""
    told = subprocess.run(
        [python, ROOT / "benchmarks" / "peers_measure.py", side, str(seconds)],
        env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    rates: Rates = json.loads(told.splitlines()[-1])
    return rates


def measure_all(python: Path, rounds: int, seconds: float, compiled: Path | None) -> dict[str, Rates]:
    """The best rates of each column, in turns."""
    ours = str(ROOT / "shared")
    columns = {"OpenSpiel": ("open_spiel", ""), "RLCard": ("rlcard", ""), "pure": ("ginhall", ours)}
    if compiled is not None:
        columns["compiled"] = ("ginhall", str(compiled))
    best: dict[str, Rates] = {name: {} for name in columns}
    for _ in range(rounds):
        for name, (side, path) in columns.items():
            for measured, value in measure(python, side, seconds, path).items():
                best[name][measured] = max(value, best[name].get(measured, 0.0))
    assert best["pure"]["compiled"] == 0
    assert compiled is None or best["compiled"]["compiled"] == 1
    return best


def print_table(best: dict[str, Rates]) -> None:
    """Rates of the peers, and ours with their ratios."""
    print(
        f"{'a CPU second':<32} {'OpenSpiel':>11} {'RLCard':>7} {'':>9} {'ours':>11} {'x OpenSpiel':>11} {'x RLCard':>9}"
    )
    for title, ours, theirs in MEASURES:
        open_spiel, rlcard = best["OpenSpiel"][theirs], best["RLCard"].get(theirs)
        for name in ("pure", "compiled"):
            if name in best:
                rate = best[name][ours]
                of_rlcard = f"{rate / rlcard:>9.1f}" if rlcard else f"{'-':>9}"
                print(
                    f"{title:<32} {open_spiel:>11,.0f} {f'{rlcard:,.0f}' if rlcard else '-':>7} {name:>9}"
                    f" {rate:>11,.0f} {rate / open_spiel:>11.1f} {of_rlcard}"
                )


def main(arguments: list[str]) -> None:
    rounds = int(arguments[0]) if arguments else 3
    seconds = float(arguments[1]) if len(arguments) > 1 else 1.5
    python = peers_python()
    with tempfile.TemporaryDirectory(prefix="ginhall-bench-") as folder:
        compiled: Path | None = Path(folder)
        try:
            compile_rules(Path(folder))
        except CannotCompile as wrong:
            print(f"Without the compiled rules: {wrong}", file=sys.stderr)
            compiled = None
        print_table(measure_all(python, rounds, seconds, compiled))


if __name__ == "__main__":
    main(sys.argv[1:])

"""The referee's desk as a person uses it: the real command, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "shared"), str(ROOT / "services")))}


def run(*words: str, told: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gin_local", *words],
        input=told,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def document(*words: str) -> Any:
    ended = run(*words, "--json")
    assert (ended.returncode, ended.stderr) == (0, "")
    return json.loads(ended.stdout)


def answers_to(*words: str, told: str) -> list[Any]:
    ended = run(*words, told=told)
    assert (ended.returncode, ended.stderr) == (0, "")
    return [json.loads(line) for line in ended.stdout.splitlines()]


def assert_refused(ended: subprocess.CompletedProcess[str], reason: str) -> None:
    assert (ended.returncode, ended.stdout) == (2, "")
    assert reason in ended.stderr
    assert ended.stderr.count("\n") == 1

"""The compiled rules give the same results as their source, over many random hands and matches."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tools.compiled_rules import ROOT, compile_rules, pack_wheel, why_not

_PROGRAM = ROOT / "tests" / "support" / "rules_fingerprint.py"


def _fingerprint(*path: Path) -> dict[str, Any]:
    told = subprocess.run(
        [sys.executable, str(_PROGRAM)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found: dict[str, Any] = json.loads(told)
    return found


def test_the_compiled_wheel_holds_the_whole_project_and_gives_the_same_results(tmp_path: Path) -> None:
    missing = why_not()
    if missing:
        pytest.skip(f"the rules cannot be compiled here: {missing}")
    built = tmp_path / "built"
    wheel = pack_wheel(built, compile_rules(built), tmp_path)
    assert not wheel.name.endswith("-any.whl")
    with zipfile.ZipFile(wheel) as content:
        names = content.namelist()
        (about,) = (name for name in names if name.endswith(".dist-info/WHEEL"))
        assert "Root-Is-Purelib: false" in content.read(about).decode()
    assert "gin_lobby/app.py" in names
    assert "gin_rules/rummy/play.py" in names

    installed = tmp_path / "installed"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "-t", installed, wheel],
        check=True,
    )
    source, compiled = _fingerprint(ROOT / "shared"), _fingerprint(installed)
    assert set(source.pop("compiled").values()) == {False}
    assert set(compiled.pop("compiled").values()) == {True}
    assert compiled == source

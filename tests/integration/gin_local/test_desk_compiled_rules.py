"""The compiled rules give the same results as their source, over many random hands and matches."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tools.compiled_rules import ROOT, compile_rules, pack_wheel, why_not

_PROGRAM = ROOT / "tests" / "support" / "rules_fingerprint.py"


class Compiled(NamedTuple):
    """A folder for the path, and what was compiled in it."""

    folder: Path
    files: list[Path]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    """The rules of this checkout, compiled."""
    missing = why_not()
    if missing:
        pytest.skip(f"the rules cannot be compiled here: {missing}")
    folder = tmp_path_factory.mktemp("compiled")
    return Compiled(folder, compile_rules(folder))


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


def test_compiled_rules_and_their_source_give_the_same_results(compiled: Compiled) -> None:
    source = _fingerprint(ROOT / "shared")
    built = _fingerprint(compiled.folder, ROOT / "shared")
    assert set(source.pop("compiled").values()) == {False}
    assert set(built.pop("compiled").values()) == {True}
    assert built == source


def test_the_compiled_wheel_holds_the_whole_project_and_is_no_pure_one(compiled: Compiled, tmp_path: Path) -> None:
    wheel = pack_wheel(compiled.folder, compiled.files, tmp_path)
    assert not wheel.name.endswith("-any.whl")
    installed = tmp_path / "installed"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "-t", installed, wheel],
        check=True,
    )
    assert set(_fingerprint(installed)["compiled"].values()) == {True}
    with zipfile.ZipFile(wheel) as content:
        names = content.namelist()
        (about,) = (name for name in names if name.endswith(".dist-info/WHEEL"))
        assert "Root-Is-Purelib: false" in content.read(about).decode()
    assert "gin_lobby/app.py" in names
    assert "gin_rules/rummy/play.py" in names

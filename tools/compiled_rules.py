"""The hot modules of the rules compiled by mypyc, from the very source that runs without it.

    python -m tools.compiled_rules [--wheel] FOLDER

Without ``--wheel``, FOLDER/gin_rules becomes the whole package with the hot modules compiled beside their sources:
put FOLDER on the path. With it, FOLDER gets a wheel of the whole project for this Python and machine. The pure wheel
stays the default; a compiled one gives the same results, faster. Everything is built in a temporary folder; a
C compiler, setuptools and the development packages are needed.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
HOT_MODULES: Final = (
    "gin_rules/shuffle.py",
    "gin_rules/rummy/cards.py",
    "gin_rules/rummy/deadwood.py",
    "gin_rules/rummy/large_hands.py",
    "gin_rules/rummy/settlement.py",
    "gin_rules/rummy/state.py",
    "gin_rules/rummy/scoring.py",
    "gin_rules/rummy/play.py",
    "gin_rules/rummy/match.py",
)
"""Where a match spends its time. The others hold values, read JSON or are seldom called."""

_SETUP: Final = """
from mypyc.build import mypycify
from setuptools import setup

setup(name="gin-rules-compiled", packages=[], ext_modules=mypycify({modules!r}, opt_level="3", debug_level="0"))
"""


class CannotCompile(Exception):
    """No compiler is here, or it refused; the text says which."""


def why_not() -> str | None:
    """What this machine lacks for compiling; None when nothing is missing."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"there is no C compiler {compiler}"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "the headers of Python are not installed"
    return None


def compile_rules(folder: Path) -> list[Path]:
    """Make `folder`/gin_rules with the hot modules compiled. Returns the compiled files. Raises `CannotCompile`."""
    missing = why_not()
    if missing:
        raise CannotCompile(missing)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="ginhall-compile-") as work:
        source = Path(work)
        shutil.copytree(
            ROOT / "shared" / "gin_rules", source / "gin_rules", ignore=shutil.ignore_patterns("__pycache__")
        )
        (source / "setup.py").write_text(_SETUP.format(modules=list(HOT_MODULES)), encoding="utf-8")
        built = subprocess.run(
            [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
            cwd=source,
            env={name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")},
            capture_output=True,
            text=True,
            check=False,
        )
        if built.returncode:
            raise CannotCompile(f"mypyc or the C compiler refused:\n{built.stdout}{built.stderr}"[-4000:])
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        compiled = [path for path in source.rglob(f"*{suffix}") if "build" not in path.relative_to(source).parts]
        shutil.copytree(source / "gin_rules", folder / "gin_rules", dirs_exist_ok=True)
        for path in compiled:  # one lies beside the package: the code that all the modules share
            shutil.copy2(path, folder / path.relative_to(source))
        return [folder / path.relative_to(source) for path in compiled]


def pack_wheel(compiled_in: Path, compiled: list[Path], folder: Path) -> Path:
    """Make a wheel of the project in `folder`, with what `compile_rules` made in `compiled_in`."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="ginhall-wheel-") as work:
        subprocess.run(  # noqa: S603 - the project's own build
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", work],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        (pure,) = Path(work).glob("*-py3-none-any.whl")
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        tag = f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
        wheel = folder / pure.name.replace("py3-none-any", tag)
        _add(pure, {path.relative_to(compiled_in).as_posix(): path for path in compiled}, tag, wheel)
        return wheel


def _add(pure: Path, compiled: dict[str, Path], tag: str, wheel: Path) -> None:
    # As the wheel format asks: a wheel that is not pure says so, and RECORD names every file with its hash.
    with zipfile.ZipFile(pure) as source:
        contents = {name: source.read(name) for name in source.namelist()}
    (record,) = (name for name in contents if name.endswith(".dist-info/RECORD"))
    about = record.replace("RECORD", "WHEEL")
    told = contents[about].decode().replace("Root-Is-Purelib: true", "Root-Is-Purelib: false")
    contents[about] = told.replace("Tag: py3-none-any", f"Tag: {tag}").encode()
    contents.update({name: path.read_bytes() for name, path in compiled.items()})
    del contents[record]
    lines = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in contents.items()]
    contents[record] = "\n".join([*lines, f"{record},,", ""]).encode()
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in contents.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = (0o755 if name in compiled else 0o644) << 16
            target.writestr(info, content, zipfile.ZIP_DEFLATED)


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")


def main() -> None:
    """See the top of the file."""
    parser = argparse.ArgumentParser(prog="python -m tools.compiled_rules", description="Compile the rules by mypyc.")
    parser.add_argument("--wheel", action="store_true", help="make a wheel of the whole project")
    parser.add_argument("folder", type=Path)
    asked = parser.parse_args()
    try:
        if asked.wheel:
            with tempfile.TemporaryDirectory(prefix="ginhall-compiled-") as work:
                made = [pack_wheel(Path(work), compile_rules(Path(work)), asked.folder)]
        else:
            made = compile_rules(asked.folder)
    except CannotCompile as wrong:
        sys.exit(str(wrong))
    sys.stdout.writelines(f"{path}\n" for path in made)


if __name__ == "__main__":
    main()

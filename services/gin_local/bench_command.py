"""`ginhall bench`."""

from __future__ import annotations

import subprocess
import sys

import click

from gin_local.errors import HouseError
from gin_local.folders import find_root


@click.command()
@click.argument("names", nargs=-1)
def bench(names: tuple[str, ...]) -> None:
    """Measure this machine: the benchmarks NAMES, or all of them. An unknown name lists them.

    They are part of a checkout of the sources; where ginhall was installed without one there are none.
    """
    root = find_root()
    if not (root / "benchmarks" / "__main__.py").is_file():
        raise HouseError(f"{root} has no benchmarks: they are part of a checkout of the sources")
    done = subprocess.run([sys.executable, "-m", "benchmarks", *names], cwd=root, check=False)  # noqa: S603 - our own words
    sys.exit(done.returncode)

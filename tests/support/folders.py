"""Folders of tests: in memory where there is room, and such as Postgres's unprivileged account may enter."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_MEMORY = Path("/dev/shm")
_ROOM_BYTES = 2 << 30  # for several databases and their logs at once


def new_folder(prefix: str) -> Path:
    """A new empty folder with a short path that everybody may pass through; whoever asked removes it.

    Where this machine keeps files in memory and has room for those of a test run, it lies there: creating a database
    writes a thousand files, which a disk takes twenty times as long for. A container's usual 64 MB are not enough.
    """
    roomy = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free >= _ROOM_BYTES
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=_MEMORY if roomy else None))
    folder.chmod(0o711)  # pytest's own lie under one that Postgres's account may not enter
    return folder


@contextmanager
def passable_folder() -> Iterator[Path]:
    """A folder of `new_folder`, removed at the end."""
    folder = new_folder("ginhall-")
    try:
        yield folder
    finally:
        shutil.rmtree(folder)

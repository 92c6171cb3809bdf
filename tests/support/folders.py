"""Folders that Postgres's unprivileged account may enter: pytest's own lie under one that it may not."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def passable_folder() -> Iterator[Path]:
    """A new empty folder with a short path, removed at the end."""
    folder = Path(tempfile.mkdtemp(prefix="ginhall-"))
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)

"""Rating pools: a game × a population, written "rummy/open"."""

from __future__ import annotations

import re
from typing import NewType

Pool = NewType("Pool", str)

POOL_NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}/[a-z][a-z0-9_-]{0,31}")


class MalformedPool(Exception):
    """The text is not `game/population`."""


def parse_pool(text: str) -> Pool:
    """Raises MalformedPool unless the text is two names of lower-case letters, digits, - and _ around one slash."""
    if not POOL_NAME.fullmatch(text):
        raise MalformedPool(f"{text!r} is not a pool: game/population is, as in rummy/open")
    return Pool(text)

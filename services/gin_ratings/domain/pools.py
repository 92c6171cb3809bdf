"""Rating pools: a game × a population, written "rummy/open"."""

from __future__ import annotations

import re
from typing import NewType

Pool = NewType("Pool", str)

# What a new installation starts with; a match of a pool beyond these opens it.
FIRST_POOLS = (Pool("rummy/people"), Pool("rummy/open"), Pool("word/people"), Pool("word/open"))

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}/[a-z][a-z0-9_-]{0,31}")


class MalformedPool(Exception):
    """The text is not `game/population`."""


def parse_pool(text: str) -> Pool:
    """Raises MalformedPool unless the text is two names of lower-case letters, digits, - and _ around one slash."""
    if not _NAME.fullmatch(text):
        raise MalformedPool(f"{text!r} is not a pool: game/population is, as in rummy/open")
    return Pool(text)

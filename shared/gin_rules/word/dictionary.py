"""The words that count: a dictionary is a value, known by the SHA-256 of its canonical word list.

The canonical list is every word once, sorted, each followed by a line feed. A match pins its dictionary by that
hash. Looking a hash up in this process's registry gives the same words or nothing, never other words, so that a
match stays a function of its rules, deals and actions. Files are read here and nowhere else, and only
before a match: `gin_rules.word` comes with ``scowl-60``; a house that lets organisers bring lists reads them with
`read_dictionary` and calls `register_dictionary` in every process that plays or checks matches.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Final

from gin_rules.game import GameError

SHORTEST_WORD: Final = 2
LONGEST_WORD: Final = 15
DEFAULT_DICTIONARY: Final = "scowl-60"

BUILT_IN: Final[Mapping[str, str]] = {
    "scowl-60": "fb4293cffe05192ebb676e9b5a8b7d364e5e688e786bf666678b76fa4c8472d3",
}
"""The dictionaries of this package and their hashes, which loading checks."""

_WORD = re.compile(r"[a-z]+")
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


class InvalidDictionary(GameError):
    """A word list that cannot be used; `line` is the first line at fault, from 1, or None for the whole file."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason if line is None else f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class UnknownDictionary(GameError):
    """No dictionary with this name or hash is known here."""


@dataclass(frozen=True, slots=True)
class Dictionary:
    """A set of acceptable words, all lower case. Dictionaries are equal when their words are: by `sha256`."""

    name: str = field(compare=False)
    sha256: str
    """Of the canonical word list, 64 hex digits."""
    words: frozenset[str] = field(repr=False, compare=False)
    two_letter_words: tuple[str, ...] = field(repr=False, compare=False)
    """Sorted: what stands on the card that every player is given (source 000, rule 3)."""
    longest: int = field(repr=False, compare=False)
    """Letters of the longest word."""

    def __contains__(self, word: str) -> bool:
        return word in self.words


def canonical_text(words: Iterable[str]) -> str:
    """The canonical list of these words."""
    return "".join(f"{word}\n" for word in sorted(set(words)))


def dictionary_of(name: str, words: Iterable[str]) -> Dictionary:
    """A dictionary of these words. Raises `InvalidDictionary` for a bad name, a bad word, or none at all."""
    if not _NAME.fullmatch(name):
        raise InvalidDictionary(f"{name!r} is not a name: lower-case letters, digits, '.', '_' and '-', at most 64")
    kept = frozenset(words)
    for word in kept:
        _check_word(word, None)
    if not kept:
        raise InvalidDictionary("the list has no words")
    digest = hashlib.sha256(canonical_text(kept).encode("ascii")).hexdigest()
    return Dictionary(name, digest, kept, *_short_and_long(kept))


def read_dictionary(name: str, content: bytes) -> Dictionary:
    """Read an organiser's list: UTF-8, one word a line, 2 to 15 lower-case letters a to z, in any order.

    Raises `InvalidDictionary` with the first line at fault: not UTF-8, an empty line, anything but a to z, too
    short, too long, or a word that stood there before. The last line may end without a line feed; lines may
    end with CR LF.
    """
    first_lines: dict[str, int] = {}
    lines = content.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    for number, raw in enumerate(lines, 1):
        try:
            word = raw.removesuffix(b"\r").decode("utf-8")
        except UnicodeDecodeError as wrong:
            raise InvalidDictionary(f"not UTF-8: {wrong.reason}", number) from wrong
        _check_word(word, number)
        if word in first_lines:
            raise InvalidDictionary(f"{word!r} stands in line {first_lines[word]} already", number)
        first_lines[word] = number
    return dictionary_of(name, first_lines)


def register_dictionary(dictionary: Dictionary) -> None:
    """Make a dictionary known to this process by its name and by its hash.

    A name may be given to other words later: matches in play find theirs by hash. Raises `InvalidDictionary` for
    the name of a dictionary of this package with other words.
    """
    if BUILT_IN.get(dictionary.name, dictionary.sha256) != dictionary.sha256:
        raise InvalidDictionary(f"{dictionary.name!r} is the name of a dictionary of this package")
    _by_hash[dictionary.sha256] = dictionary
    _hash_of[dictionary.name] = dictionary.sha256


def hash_of_dictionary(name: str) -> str:
    """The hash that a name stands for now, without loading any words. Raises `UnknownDictionary`."""
    found = BUILT_IN.get(name) or _hash_of.get(name)
    if found is None:
        raise UnknownDictionary(f"no dictionary is called {name!r}; there are: {', '.join(dictionary_names())}")
    return found


def is_known_hash(sha256: str) -> bool:
    """Whether `dictionary_with_hash` finds it."""
    return sha256 in _by_hash or sha256 in BUILT_IN.values()


def dictionary_with_hash(sha256: str) -> Dictionary:
    """The dictionary with this hash, loaded when first asked for. Raises `UnknownDictionary`."""
    found = _by_hash.get(sha256)
    if found is not None:
        return found
    for name, digest in BUILT_IN.items():
        if digest == sha256:
            return _built_in_dictionary(name)
    raise UnknownDictionary(f"no dictionary with SHA-256 {sha256} is registered here")


def dictionary_named(name: str) -> Dictionary:
    """The dictionary that a name stands for now. Raises `UnknownDictionary`."""
    return dictionary_with_hash(hash_of_dictionary(name))


def dictionary_names() -> tuple[str, ...]:
    """The names that are known here, sorted."""
    return tuple(sorted({*BUILT_IN, *_hash_of}))


_by_hash: dict[str, Dictionary] = {}
_hash_of: dict[str, str] = {}


@cache
def _built_in_dictionary(name: str) -> Dictionary:
    # The words were checked when the list was made; here the hash alone says that they are those.
    file = resources.files("gin_rules.word") / "data" / "dictionaries" / f"{name}.txt.gz"
    content = gzip.decompress(file.read_bytes())
    digest = hashlib.sha256(content).hexdigest()
    if digest != BUILT_IN[name]:
        raise InvalidDictionary(f"the words of {name!r} are not those it is known by")
    words = frozenset(content.decode("ascii").split())
    return Dictionary(name, digest, words, *_short_and_long(words))


def _short_and_long(words: frozenset[str]) -> tuple[tuple[str, ...], int]:
    return tuple(sorted(word for word in words if len(word) == 2)), max(map(len, words))


def _check_word(word: str, line: int | None) -> None:
    if not word:
        raise InvalidDictionary("no word stands here", line)
    if not _WORD.fullmatch(word):
        raise InvalidDictionary(f"{word!r} is not all lower-case letters a to z", line)
    if len(word) < SHORTEST_WORD:
        raise InvalidDictionary(f"{word!r} is shorter than {SHORTEST_WORD} letters", line)
    if len(word) > LONGEST_WORD:
        raise InvalidDictionary(f"{word!r} is longer than {LONGEST_WORD} letters", line)

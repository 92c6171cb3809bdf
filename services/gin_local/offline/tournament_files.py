"""A tournament out of a file: our JSON, or a TRF report."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from gin_local.desk.failures import DeskError
from gin_tournament.document import TournamentDocument, read_document
from gin_tournament.errors import TournamentError
from gin_tournament.trf_reader import read_trf

LARGEST_BYTES = 64 << 20


def read_tournament(source: str) -> TournamentDocument:
    """The tournament in the file `source`, `-` being standard input. What begins with a brace is JSON.

    Raises DeskError, whose text names the place that is wrong.
    """
    text = _text(source)
    try:
        if text.lstrip().startswith(("{", "[")):
            return read_document(_parsed(text))
        return read_trf(text)
    except TournamentError as wrong:
        raise DeskError(str(wrong)) from wrong


def _text(source: str) -> str:
    try:
        raw = sys.stdin.buffer.read(LARGEST_BYTES + 1) if source == "-" else Path(source).read_bytes()
    except OSError as wrong:
        raise DeskError(f"{source}: {wrong.strerror or wrong}") from wrong
    if len(raw) > LARGEST_BYTES:
        raise DeskError(f"{source}: larger than {LARGEST_BYTES >> 20} MB")
    if not raw.strip():
        raise DeskError(f"{source}: is empty")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")  # what older programs write reports in


def _parsed(text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_without_doubles)
    except json.JSONDecodeError as wrong:
        raise DeskError(f"line {wrong.lineno}, column {wrong.colno}: not JSON: {wrong.msg}") from wrong
    except ValueError as wrong:  # a number of thousands of digits
        raise DeskError("not JSON that can be read: a number is too long") from wrong
    except RecursionError as wrong:
        raise DeskError("not JSON: nested too deeply") from wrong


def _without_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        double = next(name for name in names if names.count(name) > 1)
        raise DeskError(f"not JSON: {double!r} is there twice in one object")
    return found

"""A pool's public ledger: where it comes from, and what its recomputation tells."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from gin_local.desk.failures import DeskError
from gin_local.desk.sources import content_of, is_address
from gin_ratings.domain.ledger import Difference, Entry, Head, entry_from_json, verify

_PAGE_LIMIT: Final = 500


@dataclass(frozen=True, slots=True)
class LedgerFile:
    """A whole ledger; `head` is what the house published as its end, None when only entries were given."""

    entries: list[Entry]
    head: Head | None


def read_ledger(source: str) -> LedgerFile:
    """The ledger of an address (``…/api/v1/pools/rummy/open/ledger``, all its pages), of a file or of ``-``.

    A file holds the pages as they were served, or entries, as one JSON document, as an array, or one a line.
    Raises `DeskError` naming what cannot be read.
    """
    try:
        documents = list(_pages(source) if is_address(source) else _documents(content_of(source).decode()))
    except (OSError, UnicodeDecodeError, RecursionError) as wrong:
        raise DeskError(f"{source} cannot be read: {wrong}") from wrong
    if not documents:
        raise DeskError(f"{source} is empty")
    entries: list[Entry] = []
    head: Head | None = None
    for number, document in enumerate(documents, start=1):
        is_page = isinstance(document, dict) and "entries" in document
        try:
            if is_page:
                head = Head(int(document["size"]), str(document["head_hash"]))
            entries += map(entry_from_json, document["entries"] if is_page else [document])
        except (TypeError, KeyError, ValueError, AttributeError) as wrong:
            what = (
                f"has no field {wrong}" if isinstance(wrong, KeyError) else f"is no entry or page of a ledger: {wrong}"
            )
            raise DeskError(f"{source}: part {number}, after {len(entries)} entries, {what}") from wrong
    return LedgerFile(entries, head)


def check_ledger(ledger: LedgerFile) -> Difference | None:
    """The first entry that does not follow; None when every rating is right."""
    return verify(ledger.entries, ledger.head)


def verdict_to_json(ledger: LedgerFile, difference: Difference | None) -> dict[str, Any]:
    return {
        "pool": ledger.entries[0].pool if ledger.entries else None,
        "holds": difference is None,
        "entries": len(ledger.entries),
        "end_checked": ledger.head is not None,
        "difference": None
        if difference is None
        else {
            "sequence": difference.sequence,
            "field": difference.field,
            "found": _shown(difference.found),
            "expected": _shown(difference.expected),
        },
    }


def verdict_to_text(ledger: LedgerFile, difference: Difference | None) -> str:
    pool = f"Pool {ledger.entries[0].pool}" if ledger.entries else "The ledger"
    if difference is not None:
        return (
            f"{pool} does not hold. First at entry {difference.sequence}, {difference.field}: "
            f"{_shown(difference.found)} stands there, {_shown(difference.expected)} would follow."
        )
    players = len({entry.player_id for entry in ledger.entries})
    lines = [
        f"{pool}: {len(ledger.entries)} entries of {players} players, each recomputed from those before it.",
        f"Its end is {ledger.entries[-1].hash if ledger.entries else 'empty'}"
        + (", as published." if ledger.head else ". No published end was given, so entries after it may be missing."),
        "The ledger holds.",
    ]
    return "\n".join(lines)


def _pages(address: str) -> Iterator[Any]:
    after: int | None = 0
    while after is not None:
        page = _decoded(content_of(f"{address.partition('?')[0]}?after={after}&limit={_PAGE_LIMIT}").decode())
        yield page
        after = page.get("next_after") if isinstance(page, dict) else None


def _documents(text: str) -> Iterator[Any]:
    try:
        whole = json.loads(text)
    except json.JSONDecodeError:
        yield from (_decoded(line, number) for number, line in enumerate(text.splitlines(), 1) if line.strip())
    else:
        yield from whole if isinstance(whole, list) else [whole]


def _decoded(text: str, line: int | None = None) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as wrong:
        raise DeskError(f"{'' if line is None else f'line {line} '}is no JSON: {wrong}") from wrong


def _shown(value: Any) -> Any:
    match value:
        case Head():
            return f"{value.size} entries ending in {value.hash}"
        case Entry():
            return f"an entry of {value.match_id} for {value.player_id}"
        case None:
            return "nothing"
        case int() | float() | str():
            return value
    return str(value)

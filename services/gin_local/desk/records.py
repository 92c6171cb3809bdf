"""Where records come from, and what a check of one tells."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

from gin_local.desk.failures import DeskError
from gin_rules.game import GameError
from gin_rules.record import MatchRecord, record_from_text
from gin_rules.verify import Finding, verify

_TIMEOUT_SECONDS: Final = 30.0
_MOST_BYTES: Final = 64 * 1024 * 1024
_HERE: Final = ("127.0.0.1", "::1", "localhost")
_MATCH = re.compile(r"/api/v1/matches/[^/?#]+$")


class Verdict(NamedTuple):
    """A record that was checked from its first line to `finding`, or to its end when that is None."""

    record: MatchRecord
    finding: Finding | None


def read_record(source: str) -> MatchRecord:
    """The record of a file, of ``-`` (standard input), or of the address of a running house: of a record
    (``…/api/v1/matches/{id}/record``) or of its match. Raises `DeskError` for what cannot be read.
    """
    try:
        return record_from_text(_content(source).decode())
    except (OSError, UnicodeDecodeError, GameError, RecursionError) as wrong:
        raise DeskError(f"{source} cannot be read: {wrong}") from wrong


def check_record(record: MatchRecord) -> Verdict:
    """Check all of it. Raises `DeskError` when it cannot be checked: its seed is still secret, or its shuffle is not
    known here.
    """
    try:
        return Verdict(record, verify(record))
    except GameError as wrong:
        raise DeskError(f"match {record.match_id} cannot be checked: {wrong}") from wrong


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    """Whether the record holds, how much was recorded, and the first thing that does not follow."""
    record, finding = verdict
    return {
        "match_id": record.match_id,
        "game": record.game,
        "holds": finding is None,
        "recorded": {
            "deals": len(record.decks),
            "actions": len(record.actions),
            "scores": len(record.scores),
            "outcome": record.outcome is not None,
        },
        "finding": None if finding is None else finding._asdict(),
    }


def verdict_to_text(verdict: Verdict) -> str:
    """The same for people."""
    record, finding = verdict
    lines = [f"Match {record.match_id}: {record.game}, {' against '.join(record.seats)}"]
    if finding is not None:
        return "\n".join([*lines, f"The record does not hold. First at {finding}"])
    lines.append("Checked: salt and seed are those committed to before the first card;")
    lines.append(f"  {_counted(len(record.decks), 'deal')} follow from seed, entropy and deal id;")
    lines.append(
        f"  {_counted(len(record.actions), 'action')} are legal, each by the seat to act and in order of time;"
    )
    lines.append(f"  {_counted(len(record.scores), 'score')} follow from the cards; {_outcome(record)}.")
    lines.append("The record holds.")
    return "\n".join(lines)


def _content(source: str) -> bytes:
    if source == "-":
        return sys.stdin.buffer.read()
    if source.startswith(("http://", "https://")):
        return _fetched(source)
    return Path(source).read_bytes()


def _fetched(address: str) -> bytes:
    # Here, because most records are files and this takes longer to load than to check one.
    import urllib.parse
    import urllib.request

    if _MATCH.search(address):
        address += "/record"
    request = urllib.request.Request(address, headers={"Accept": "application/json"})  # noqa: S310 - http or https
    # A proxy that the environment names cannot reach the house on this machine.
    here = urllib.parse.urlsplit(address).hostname in _HERE
    opener = urllib.request.build_opener(*([urllib.request.ProxyHandler({})] if here else []))
    with opener.open(request, timeout=_TIMEOUT_SECONDS) as answer:
        content: bytes = answer.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise OSError(f"more than {_MOST_BYTES} bytes")
    return content


def _outcome(record: MatchRecord) -> str:
    if record.outcome is None:
        return "the match has no outcome yet"
    if record.outcome.winner is None:
        return "so does the draw"
    return f"so does the win of {record.seats[record.outcome.winner]}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"

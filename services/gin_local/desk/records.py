"""Where records come from, and what a check of one tells."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from gin_local.desk.failures import DeskError
from gin_local.desk.sources import content_of, is_address
from gin_rules.game import GameError, NotAtHand
from gin_rules.record import MatchRecord, record_from_text
from gin_rules.verify import Finding, verify
from gin_rules.word.dictionary import read_dictionary, register_dictionary

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


def take_words(source: str | None) -> None:
    """Makes the words of a file or an address known, for records of matches that were played with them.

    A record names them by their hash alone. Raises `DeskError` for what is no word list.
    """
    if source is None:
        return
    try:
        register_dictionary(read_dictionary("given", content_of(source)))
    except (OSError, GameError) as wrong:
        raise DeskError(f"{source}: {wrong}") from wrong


def check_record(record: MatchRecord) -> Verdict:
    """Check all of it. Raises `DeskError` when it cannot be checked: its seed is still secret, or its shuffle or its
    words are not known here.
    """
    try:
        return Verdict(record, verify(record))
    except NotAtHand as wrong:
        sha256 = record.rules.get("dictionary_sha256")
        raise DeskError(
            f"match {record.match_id} cannot be checked without its words: give --dictionary the list that its house"
            f" serves at /api/v1/word-lists/{sha256}"
        ) from wrong
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
    return content_of(source + "/record" if is_address(source) and _MATCH.search(source) else source)


def _outcome(record: MatchRecord) -> str:
    if record.outcome is None:
        return "the match has no outcome yet"
    if record.outcome.winner is None:
        return "so does the draw"
    return f"so does the win of {record.seats[record.outcome.winner]}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"

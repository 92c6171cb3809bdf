"""A record as a text for people: one paragraph a hand, one line an action. `read_transcript` reads it back exactly.

Facts stand at the beginning of their line; what only explains them follows a ``·`` and is not read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from gin_rules.game import game_named
from gin_rules.record import (
    FORMAT,
    InvalidRecord,
    MatchRecord,
    RecordedAction,
    RecordedRuling,
    record_from_json,
    record_to_json,
)
from gin_rules.replay import steps

_PLAIN: Final = re.compile(r"[\w/-]+(?: [\w/-]+)*", re.ASCII)
_NUMBER: Final = re.compile(r"-?\d+(?:e-?\d+)?", re.IGNORECASE)
_PLAYER: Final = re.compile(r"(.*?)(?:, entropy ([0-9a-f]+|none))?")
_ACTION: Final = re.compile(r"  (\S+)  seat (-?\d+)  (.*?)(?:  ·.*)?")
_NAMES: Final = {  # as the text calls the fields of the record
    "match_id": "Match",
    "game": "Game",
    "deal_id": "Deals",
    "algorithm": "Shuffle",
    "commitment": "Commitment",
    "seed": "Seed",
    "salt": "Salt",
    "first_dealer": "First dealer",
    "seal": "Seal",
}
_FIELDS: Final = {name: field for field, name in _NAMES.items()}


def transcript(record: MatchRecord) -> str:
    """The match as readable text. Hands are told apart and explained when the record is revealed.

    Raises `BrokenReplay` as `replay` does for a revealed record that does not follow.
    """
    return "\n".join(_lines(record)) + "\n"


def read_transcript(text: str) -> MatchRecord:
    """Read what `transcript` wrote. Raises `InvalidRecord`."""
    lines = text.split("\n")
    if lines[0] != FORMAT:
        raise InvalidRecord(f"a transcript begins with {FORMAT}")
    data: dict[str, Any] = {"format": FORMAT, "outcome": None, "rules": {}}
    data |= {name: [] for name in ("seats", "entropy", "decks", "actions", "rulings", "scores")}
    try:
        for line in lines[1:]:
            _read(line, data)
    except (ValueError, KeyError) as wrong:
        raise InvalidRecord(f"not a transcript: {wrong!r}") from wrong
    return record_from_json(data)


def _lines(record: MatchRecord) -> Iterator[str]:
    data = record_to_json(record)
    yield FORMAT
    for field, name in _NAMES.items():
        yield f"{name}: {_written(data[field])}"
    for name, entropy in zip(record.seats, data["entropy"], strict=False):
        yield f"Player: {_written(name)}, entropy {entropy or 'none'}"
    for name in record.seats[len(data["entropy"]) :]:
        yield f"Player: {_written(name)}"
    for entropy in data["entropy"][len(record.seats) :]:
        yield f"Entropy: {entropy or 'none'}"
    for field, value in data["rules"].items():
        plain = re.fullmatch(r"\w+", field, re.ASCII)
        yield f"Rule: {field} {_written(value)}" if plain else f"Rule: {json.dumps({field: value})}"
    yield ""
    decks = iter(record.decks)
    if record.seed is None or record.salt is None:
        yield from (f"Deck: {_written(deck)}" for deck in decks)
        yield from _entries_as_they_stand(data)
    else:
        yield from _hands(record, data, decks)
    if record.outcome is not None:
        winner = record.outcome.winner
        who = "a draw" if winner is None else f"{_name(record, winner)} wins"
        yield ""
        yield f"Outcome: {json.dumps(data['outcome'])}  · {who}, {record.outcome.termination.value}"


def _hands(record: MatchRecord, data: dict[str, Any], decks: Iterator[str]) -> Iterator[str]:
    game = game_named(record.game)
    actions, rulings, scores = iter(data["actions"]), iter(data["rulings"]), iter(data["scores"])
    dealt = explained = 0
    for entry, state in steps(record):
        if isinstance(entry, RecordedAction):
            yield f"{_action(next(actions))}  · {_name(record, entry.seat)}"
        elif isinstance(entry, RecordedRuling):
            yield f"  Ruling: {json.dumps(next(rulings))}"
        results = game.hand_results(state)
        if isinstance(entry, RecordedAction) and len(results) == explained:
            continue  # no hand has ended, so none was dealt
        for result in results[explained:]:
            yield from (f"    · {_name(record, line.seat)} {line.points:+d}, {line.reason}" for line in result.lines)
            yield from (f"  Score: {json.dumps(score)}" for score in [next(scores, None)] if score is not None)
        explained = len(results)
        for _ in range(dealt, len(game.decks(state))):
            dealt += 1
            yield ""
            yield from (f"Deck: {_written(deck)}" for deck in [next(decks, None)] if deck is not None)
    # What no hand accounts for is written all the same: the text holds the record as it is.
    yield from (f"Deck: {_written(deck)}" for deck in decks)
    yield from (f"  Score: {json.dumps(score)}" for score in scores)


def _entries_as_they_stand(data: dict[str, Any]) -> Iterator[str]:
    yield from (_action(action) for action in data["actions"])
    yield from (f"  Ruling: {json.dumps(ruling)}" for ruling in data["rulings"])
    yield from (f"  Score: {json.dumps(score)}" for score in data["scores"])


def _action(action: dict[str, Any]) -> str:
    return f"  {action['at']}  seat {action['seat']}  {_written(action['action'])}"


def _name(record: MatchRecord, seat: int) -> str:
    return _written(record.seats[seat]) if 0 <= seat < len(record.seats) else f"seat {seat}"


def _written(value: Any) -> str:
    # Plain words need no quotes, unless they would be read as something else.
    return value if isinstance(value, str) and _is_plain(value) else json.dumps(value)


def _value(text: str) -> Any:
    return text if _is_plain(text) else json.loads(text)


def _is_plain(text: str) -> bool:
    words = _PLAIN.fullmatch(text)
    return bool(words) and not _NUMBER.fullmatch(text) and text not in ("null", "true", "false")


def _read(line: str, data: dict[str, Any]) -> None:
    action = _ACTION.fullmatch(line)
    if action:
        at, seat, text = action.groups()
        data["actions"].append({"at": at, "seat": int(seat), "action": _value(text)})
        return
    name, found, rest = line.partition(": ")
    if not found or line.startswith("    ·"):
        if line and not line.startswith("    ·"):
            raise ValueError(f"the line {line!r} says nothing")
        return
    if name == "Player":
        player = _PLAYER.fullmatch(rest)
        assert player is not None
        data["seats"].append(_value(player[1]))
        if player[2]:
            data["entropy"].append("" if player[2] == "none" else player[2])
    elif name == "Entropy":
        data["entropy"].append("" if rest == "none" else rest)
    elif name == "Rule":
        field, _, value = rest.partition(" ")
        data["rules"] |= json.loads(rest) if rest.startswith("{") else {field: _value(value)}
    elif name == "Deck":
        data["decks"].append(_value(rest))
    elif name == "Outcome":
        data["outcome"] = json.loads(rest.rpartition("  · ")[0])
    elif name in ("  Ruling", "  Score"):
        data["rulings" if name == "  Ruling" else "scores"].append(json.loads(rest))
    else:
        data[_FIELDS[name]] = _value(rest)

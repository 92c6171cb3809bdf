"""The record of a match: everything that is needed to play it again and to check it.

`MatchRecord` is a value; its JSON form round-trips exactly, and so does the text for people that
`gin_rules.transcript` writes. Secrets (seed, salt) and decks are absent until the house reveals them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, cast

from gin_rules.game import Action, AnyGame, Outcome, Seat, Termination, outcome_to_json
from gin_rules.replay import (
    BrokenReplay,
    InvalidRecord,
    NotRevealed,
    RecordedAction,
    RecordedRuling,
    deals_of,
    replay,
    steps,
)
from gin_rules.rulings import RULING_KINDS, Ruling, RulingKind
from gin_rules.shuffle import ALGORITHM

__all__ = [
    "FORMAT",
    "BrokenReplay",
    "InvalidRecord",
    "MatchRecord",
    "NotRevealed",
    "RecordedAction",
    "RecordedRuling",
    "RecordedScore",
    "concealed",
    "deals_of",
    "deck_texts",
    "record_from_json",
    "record_from_text",
    "record_match",
    "record_to_json",
    "record_to_text",
    "replay",
    "scores_of",
    "seal_of",
]

FORMAT: Final = "ginhall-record/1"


@dataclass(frozen=True, slots=True)
class RecordedScore:
    """The score of one hand as it was first counted. Tuples are by seat; totals are those after the hand."""

    hand: int
    ended: str
    points: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """One match. Tuples `seats` and `entropy` are by seat."""

    game: str
    rules: Mapping[str, Any]
    """Every field of the rule set, as `Game.rules_to_json` writes it."""
    match_id: str
    deal_id: str
    """The id that the deals are made from: the match's own, or one shared by tables with the same cards."""
    seats: tuple[str, ...]
    """Names or ids of the players."""
    commitment: str
    """Published before the first card: SHA-256 of salt and seed, hex."""
    entropy: tuple[bytes, ...]
    actions: tuple[RecordedAction, ...]
    scores: tuple[RecordedScore, ...]
    outcome: Outcome | None
    """None when the match was not played to its end."""
    rulings: tuple[RecordedRuling, ...] = ()
    """What an arbiter decided, in order. Nothing that stands elsewhere is changed by it."""
    first_dealer: Seat | None = None
    """Who was agreed to deal first; None when the cut decided."""
    seed: bytes | None = None
    salt: bytes | None = None
    decks: tuple[str, ...] = ()
    """Every deck dealt, as card texts; empty until the seed is revealed."""
    algorithm: str = ALGORITHM
    seal: str = ""
    """SHA-256 (hex) over all that is not secret while the match is played; names, times and reasons follow from
    nothing else. The same before and after the reveal.
    """


def record_match(
    *,
    game: AnyGame,
    rules: Any,
    match_id: str,
    deal_id: str | None = None,
    seats: Sequence[str],
    commitment: str,
    entropy: Sequence[bytes],
    seed: bytes,
    salt: bytes,
    actions: Sequence[RecordedAction],
    first_dealer: Seat | None = None,
    rulings: Sequence[RecordedRuling] = (),
) -> MatchRecord:
    """The revealed record of a match, with decks, scores and outcome found by playing the actions again.

    `deal_id` is the match id unless tables share their deals. Raises `BrokenReplay` for an action or a ruling that
    does not follow. Use `concealed` for a record that keeps its secrets.
    """
    record = MatchRecord(
        game=game.name,
        rules=game.rules_to_json(rules),
        match_id=match_id,
        deal_id=match_id if deal_id is None else deal_id,
        seats=tuple(seats),
        commitment=commitment,
        entropy=tuple(entropy),
        actions=tuple(actions),
        scores=(),
        outcome=None,
        rulings=tuple(rulings),
        first_dealer=first_dealer,
        seed=seed,
        salt=salt,
    )
    state: Any = None
    ruled: list[RecordedRuling] = []
    for entry, state in steps(record):
        if isinstance(entry, RecordedRuling):
            ruled.append(replace(entry, totals=tuple(game.totals(state))))
    found = replace(
        record,
        decks=deck_texts(game, rules, state),
        scores=scores_of(game, state),
        outcome=game.outcome(state),
        rulings=tuple(ruled),
    )
    return replace(found, seal=seal_of(found))


def concealed(record: MatchRecord) -> MatchRecord:
    """The record without seed, salt and decks: what may be shown before the reveal."""
    return replace(record, seed=None, salt=None, decks=())


def seal_of(record: MatchRecord) -> str:
    """The seal that the record should have: SHA-256 of its JSON without seed, salt, decks and seal, keys in order and
    no spaces.
    """
    data = record_to_json(record)
    for name in ("seed", "salt", "decks", "seal"):
        del data[name]
    return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def deck_texts(game: AnyGame, rules: Any, state: Any) -> tuple[str, ...]:
    """Every deck dealt so far, as card texts."""
    return tuple(" ".join(game.card_text(card, rules) for card in deck) for deck in game.decks(state))


def scores_of(game: AnyGame, state: Any) -> tuple[RecordedScore, ...]:
    """The score of every hand that is over."""
    return tuple(
        RecordedScore(result.number, result.ended, tuple(result.points), tuple(result.totals))
        for result in game.hand_results(state)
    )


def record_to_json(record: MatchRecord) -> dict[str, Any]:
    """A record as plain JSON values: bytes are hex, times ISO 8601."""
    return {
        "format": FORMAT,
        "game": record.game,
        "rules": dict(record.rules),
        "match_id": record.match_id,
        "deal_id": record.deal_id,
        "seats": list(record.seats),
        "first_dealer": record.first_dealer,
        "algorithm": record.algorithm,
        "commitment": record.commitment,
        "entropy": [part.hex() for part in record.entropy],
        "seed": None if record.seed is None else record.seed.hex(),
        "salt": None if record.salt is None else record.salt.hex(),
        "decks": list(record.decks),
        "actions": [
            {"seat": entry.seat, "action": entry.action, "at": entry.at.isoformat()} for entry in record.actions
        ],
        "rulings": [_ruling_to_json(entry) for entry in record.rulings],
        "scores": [
            {
                "hand": score.hand,
                "ended": score.ended,
                "points": list(score.points),
                "totals": list(score.totals),
            }
            for score in record.scores
        ],
        "outcome": None if record.outcome is None else outcome_to_json(record.outcome),
        "seal": record.seal,
    }


def _ruling_to_json(entry: RecordedRuling) -> dict[str, Any]:
    ruling = entry.ruling
    return {
        "after": entry.after,
        "at": entry.at.isoformat(),
        "kind": ruling.kind,
        "hand": ruling.hand,
        "points": None if ruling.points is None else list(ruling.points),
        "reason": ruling.reason,
        "arbiter": ruling.arbiter,
        "totals": list(entry.totals),
    }


def record_from_json(data: Mapping[str, Any]) -> MatchRecord:
    """Read what `record_to_json` wrote, and nothing else. Raises `InvalidRecord`."""
    record = _read_json(data)
    if record_to_json(record) != data:
        raise InvalidRecord("a field is unknown, or is not written as a record writes it")
    return record


def _read_json(data: Mapping[str, Any]) -> MatchRecord:
    try:
        if data["format"] != FORMAT:
            raise InvalidRecord(f"the format {data['format']!r} is not {FORMAT!r}")
        return MatchRecord(
            game=_text(data["game"]),
            rules=dict(data["rules"]),
            match_id=_text(data["match_id"]),
            deal_id=_text(data["deal_id"]),
            seats=tuple(_text(name) for name in data["seats"]),
            first_dealer=None if data["first_dealer"] is None else _number(data["first_dealer"]),
            algorithm=_text(data["algorithm"]),
            commitment=_text(data["commitment"]),
            entropy=tuple(bytes.fromhex(part) for part in data["entropy"]),
            seed=None if data["seed"] is None else bytes.fromhex(data["seed"]),
            salt=None if data["salt"] is None else bytes.fromhex(data["salt"]),
            decks=tuple(_text(deck) for deck in data["decks"]),
            actions=tuple(
                RecordedAction(
                    _number(entry["seat"]),
                    Action(_text(entry["action"])),
                    datetime.fromisoformat(entry["at"]),
                )
                for entry in data["actions"]
            ),
            rulings=tuple(_ruling_from_json(entry) for entry in data["rulings"]),
            seal=_text(data["seal"]),
            scores=tuple(
                RecordedScore(
                    _number(score["hand"]),
                    _text(score["ended"]),
                    _numbers(score["points"]),
                    _numbers(score["totals"]),
                )
                for score in data["scores"]
            ),
            outcome=None if data["outcome"] is None else _outcome_from_json(data["outcome"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        raise InvalidRecord(f"not a record: {wrong!r}") from wrong


def record_to_text(record: MatchRecord) -> str:
    """The record as JSON text, the same for equal records."""
    return json.dumps(record_to_json(record), indent=1, sort_keys=True) + "\n"


def record_from_text(text: str) -> MatchRecord:
    """Read what `record_to_text` wrote. Raises `InvalidRecord`."""
    try:
        data = json.loads(text)
    except ValueError as wrong:
        raise InvalidRecord(f"not JSON: {wrong}") from wrong
    if not isinstance(data, dict):
        raise InvalidRecord("not a JSON object")
    return record_from_json(data)


def _ruling_from_json(data: Mapping[str, Any]) -> RecordedRuling:
    kind = _text(data["kind"])
    if kind not in RULING_KINDS:
        raise ValueError(f"{kind!r} is no ruling")
    points = data["points"]
    return RecordedRuling(
        _number(data["after"]),
        datetime.fromisoformat(data["at"]),
        Ruling(
            cast("RulingKind", kind),
            _number(data["hand"]),
            None if points is None else _numbers(points),
            _text(data["reason"]),
            _text(data["arbiter"]),
        ),
        _numbers(data["totals"]),
    )


def _outcome_from_json(data: Mapping[str, Any]) -> Outcome:
    return Outcome(
        winner=None if data["winner"] is None else _number(data["winner"]),
        totals=_numbers(data["totals"]),
        final_scores=_numbers(data["final_scores"]),
        hands_played=_number(data["hands_played"]),
        termination=Termination(data["termination"]),
        hands_won=_numbers(data["hands_won"]),
        gins=_numbers(data["gins"]),
        undercuts=_numbers(data["undercuts"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    value.encode()  # half a surrogate pair is no character: neither shuffled with nor shown
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is not a whole number")
    return value


def _numbers(values: Sequence[object]) -> tuple[int, ...]:
    return tuple(_number(value) for value in values)

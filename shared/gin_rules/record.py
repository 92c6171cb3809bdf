"""The record of a match: everything that is needed to play it again and to check it.

`MatchRecord` is a value; its JSON form round-trips exactly. Secrets (seed, salt) and decks are absent until
the house reveals them. `record_text` is for people and is not read back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from gin_rules.game import (
    Action,
    AnyGame,
    Deals,
    GameError,
    IllegalAction,
    Outcome,
    Seat,
    Termination,
    game_named,
    outcome_to_json,
)
from gin_rules.shuffle import ALGORITHM, SeededDeals

FORMAT: Final = "ginhall-record/1"


class InvalidRecord(GameError):
    """A text that is not a record, or a record of a format that is not known."""


class NotRevealed(GameError):
    """The record does not hold the seed, so its cards cannot be dealt again."""


class BrokenReplay(GameError):
    """A recorded action that does not follow from those before it; `index` counts actions from 0."""

    def __init__(self, index: int, reason: str) -> None:
        super().__init__(f"action {index + 1}: {reason}")
        self.index = index
        self.reason = reason


@dataclass(frozen=True, slots=True)
class RecordedAction:
    """One action, who took it and when (aware, UTC)."""

    seat: Seat
    action: Action
    at: datetime

    def __post_init__(self) -> None:
        if self.at.utcoffset() is None:
            raise InvalidRecord(f"the time {self.at.isoformat()} has no zone")


@dataclass(frozen=True, slots=True)
class RecordedScore:
    """The score of one hand. Tuples are by seat; totals are those after the hand."""

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
    seed: bytes | None = None
    salt: bytes | None = None
    decks: tuple[str, ...] = ()
    """The deck of each hand dealt, as card texts; empty until the seed is revealed."""
    algorithm: str = ALGORITHM


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
) -> MatchRecord:
    """The revealed record of a match, with decks, scores and outcome found by playing the actions again.

    `deal_id` is the match id unless tables share their deals. Raises `BrokenReplay` for an action that does
    not follow. Use `concealed` for a record that keeps its
    secrets.
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
        seed=seed,
        salt=salt,
    )
    state = None
    for state in replay(record):  # noqa: B007 - the last state is what is wanted
        pass
    return replace(
        record,
        decks=decks_dealt(record, hands_dealt(game, state)),
        scores=scores_of(game, state),
        outcome=game.outcome(state),
    )


def concealed(record: MatchRecord) -> MatchRecord:
    """The record without seed, salt and decks: what may be shown before the reveal."""
    return replace(record, seed=None, salt=None, decks=())


def replay(record: MatchRecord) -> Iterator[Any]:
    """Every state of the match: after the first deal, then after each action.

    Raises `NotRevealed` without the seed, `BrokenReplay` at an action that is illegal or of the wrong seat.
    """
    game = game_named(record.game)
    rules = game.rules_from_json(record.rules)
    state = game.new_match(rules, len(record.seats), deals_of(record))
    yield state
    for index, recorded in enumerate(record.actions):
        seat = game.to_act(state)
        if seat is None:
            raise BrokenReplay(index, "the match was already over")
        if seat != recorded.seat:
            raise BrokenReplay(index, f"seat {recorded.seat} acted, it was seat {seat} to act")
        try:
            state = game.apply(state, recorded.action)
        except IllegalAction as refused:
            raise BrokenReplay(index, str(refused)) from refused
        yield state


def deals_of(record: MatchRecord) -> Deals:
    """The deals of the match. Raises `NotRevealed` without the seed, `InvalidRecord` for an unknown
    algorithm.
    """
    if record.algorithm != ALGORITHM:
        raise InvalidRecord(f"the shuffle {record.algorithm!r} is not known here")
    if record.seed is None or record.salt is None:
        raise NotRevealed("seed and salt of this match are not revealed")
    game = game_named(record.game)
    size = game.deck_size(game.rules_from_json(record.rules))
    return SeededDeals(record.seed, record.entropy, record.deal_id, size)


def hands_dealt(game: AnyGame, state: Any) -> int:
    """How many hands have been dealt, the one being played included."""
    return len(game.hand_results(state)) + (game.to_act(state) is not None)


def decks_dealt(record: MatchRecord, hands: int) -> tuple[str, ...]:
    """The decks of the first hands, as card texts."""
    game = game_named(record.game)
    rules = game.rules_from_json(record.rules)
    deals = deals_of(record)
    return tuple(" ".join(game.card_text(card, rules) for card in deals.deck(number)) for number in range(1, hands + 1))


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
        "algorithm": record.algorithm,
        "commitment": record.commitment,
        "entropy": [part.hex() for part in record.entropy],
        "seed": None if record.seed is None else record.seed.hex(),
        "salt": None if record.salt is None else record.salt.hex(),
        "decks": list(record.decks),
        "actions": [
            {"seat": entry.seat, "action": entry.action, "at": entry.at.isoformat()} for entry in record.actions
        ],
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
    }


def record_from_json(data: Mapping[str, Any]) -> MatchRecord:
    """Read what `record_to_json` wrote. Raises `InvalidRecord`."""
    try:
        if data["format"] != FORMAT:
            raise InvalidRecord(f"the format {data['format']!r} is not {FORMAT!r}")
        return MatchRecord(
            game=_text(data["game"]),
            rules=dict(data["rules"]),
            match_id=_text(data["match_id"]),
            deal_id=_text(data["deal_id"]),
            seats=tuple(_text(name) for name in data["seats"]),
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
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is not a whole number")
    return value


def _numbers(values: Sequence[object]) -> tuple[int, ...]:
    return tuple(_number(value) for value in values)

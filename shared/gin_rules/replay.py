"""Playing a recorded match again, actions and rulings in the order in which they came."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from gin_rules.game import Action, Deals, GameError, IllegalAction, Seat, game_named
from gin_rules.rulings import RefusedRuling, Ruling
from gin_rules.shuffle import ALGORITHM, SeededDeals

if TYPE_CHECKING:
    from gin_rules.record import MatchRecord


class InvalidRecord(GameError):
    """A text that is not a record, or a record of a format that is not known."""


class NotRevealed(GameError):
    """The record does not hold the seed, so its cards cannot be dealt again."""


class BrokenReplay(GameError):
    """A recorded action or ruling that does not follow from what came before; `index` counts its kind from 0."""

    def __init__(self, index: int, reason: str, what: Literal["action", "ruling"] = "action") -> None:
        super().__init__(f"{what} {index + 1}: {reason}")
        self.index = index
        self.reason = reason
        self.what: Literal["action", "ruling"] = what


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
class RecordedRuling:
    """One ruling of an arbiter, after how many actions it came, and when (aware, UTC)."""

    after: int
    at: datetime
    ruling: Ruling
    totals: tuple[int, ...] = ()
    """By seat, as they stand after the ruling; `record_match` finds them."""

    def __post_init__(self) -> None:
        if self.at.utcoffset() is None:
            raise InvalidRecord(f"the time {self.at.isoformat()} has no zone")


def entries(record: MatchRecord) -> Iterator[RecordedAction | RecordedRuling]:
    """Actions and rulings in their order. Raises `BrokenReplay` for a ruling that stands nowhere among them."""
    waiting = list(enumerate(record.rulings))
    for taken in range(len(record.actions) + 1):
        while waiting and waiting[0][1].after == taken:
            yield waiting.pop(0)[1]
        if taken < len(record.actions):
            yield record.actions[taken]
    if waiting:
        raise BrokenReplay(waiting[0][0], "stands after actions that were not taken in this order", "ruling")


def steps(record: MatchRecord) -> Iterator[tuple[RecordedAction | RecordedRuling | None, Any]]:
    """Each entry with the state after it; first None with the state after the first deal.

    Raises `NotRevealed` without the seed, `BrokenReplay` at an action that is illegal or of the wrong seat and at a
    ruling that is refused.
    """
    game = game_named(record.game)
    rules = game.rules_from_json(record.rules)
    state = game.new_match(rules, len(record.seats), deals_of(record), first_dealer=record.first_dealer)
    yield None, state
    actions = rulings = 0
    for entry in entries(record):
        if isinstance(entry, RecordedAction):
            seat = game.to_act(state)
            if seat is None:
                raise BrokenReplay(actions, "the match was already over")
            if seat != entry.seat:
                raise BrokenReplay(actions, f"seat {entry.seat} acted, it was seat {seat} to act")
            try:
                state = game.apply(state, entry.action)
            except IllegalAction as refused:
                raise BrokenReplay(actions, str(refused)) from refused
            actions += 1
        else:
            try:
                state = game.rule(state, entry.ruling)
            except RefusedRuling as refused:
                raise BrokenReplay(rulings, str(refused), "ruling") from refused
            rulings += 1
        yield entry, state


def replay(record: MatchRecord) -> Iterator[Any]:
    """Every state of the match: after the first deal, then after each action and ruling. Raises as `steps` does."""
    for _, state in steps(record):
        yield state


def deals_of(record: MatchRecord) -> Deals:
    """The deals of the match. Raises `NotRevealed` without the seed, `InvalidRecord` for an unknown algorithm."""
    if record.algorithm != ALGORITHM:
        raise InvalidRecord(f"the shuffle {record.algorithm!r} is not known here")
    if record.seed is None or record.salt is None:
        raise NotRevealed("seed and salt of this match are not revealed")
    game = game_named(record.game)
    size = game.deck_size(game.rules_from_json(record.rules))
    return SeededDeals(record.seed, record.entropy, record.deal_id, size)

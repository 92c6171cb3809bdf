"""Checking a record with nothing but this package: ``python -m gin_rules record.json``."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from gin_rules.game import GameError, game_named
from gin_rules.record import (
    BrokenReplay,
    InvalidRecord,
    MatchRecord,
    NotRevealed,
    decks_dealt,
    hands_dealt,
    replay,
    scores_of,
)
from gin_rules.shuffle import SEED_BYTES, commitment


class Finding(NamedTuple):
    """The first thing in a record that does not follow from what stands before it."""

    what: Literal["rules", "commitment", "time", "action", "deal", "score", "outcome"]
    number: int
    """Which action, deal (hand) or score, from 1; 0 where there is but one."""
    reason: str

    def __str__(self) -> str:
        return f"{self.what}{f' {self.number}' if self.number else ''}: {self.reason}"


def verify(record: MatchRecord) -> Finding | None:
    """The first thing that does not follow, or None when the whole record is right.

    Checked: the seed is the one committed to, the rules can be played, every deck is the one that seed,
    entropy and deal id give, every action is legal for the seat to act and not earlier than the one before,
    every score and the outcome. Raises `NotRevealed` for a record without its seed and `InvalidRecord` for an
    unknown algorithm.
    """
    if record.seed is None or record.salt is None:
        raise NotRevealed("seed and salt of this match are not revealed")
    if len(record.seed) != SEED_BYTES:
        return Finding("commitment", 0, f"the seed has {len(record.seed)} bytes instead of {SEED_BYTES}")
    if commitment(record.salt, record.seed) != record.commitment:
        return Finding("commitment", 0, "salt and seed do not give the published commitment")
    if len(record.entropy) not in (0, len(record.seats)):
        return Finding("deal", 1, f"entropy of {len(record.entropy)} players for {len(record.seats)} seats")
    early = _first_early_action(record)
    if early:
        return Finding("time", early, "is before the time of the action before it")
    return _replay_finding(record)


def _replay_finding(record: MatchRecord) -> Finding | None:
    state: Any = None
    broken: BrokenReplay | None = None
    try:
        for state in replay(record):  # noqa: B007 - the last state reached is what is checked
            pass
    except BrokenReplay as found:
        broken = found
    except (InvalidRecord, NotRevealed):
        raise
    except GameError as refused:
        return Finding("rules", 0, str(refused))
    # A wrong deck or an earlier score is the cause that should be named, a broken action often only its
    # effect.
    game = game_named(record.game)
    wrong = _wrong_deck(record, hands_dealt(game, state), complete=broken is None)
    if wrong is None:
        wrong = _wrong_score(record, scores_of(game, state), complete=broken is None)
    if wrong is None and broken is not None:
        return Finding("action", broken.index + 1, broken.reason)
    if wrong is None and record.outcome != game.outcome(state):
        return Finding("outcome", 0, f"recorded {record.outcome}, played {game.outcome(state)}")
    return wrong


def _wrong_deck(record: MatchRecord, hands: int, *, complete: bool) -> Finding | None:
    expected = decks_dealt(record, hands)
    for number, (recorded, dealt) in enumerate(zip(record.decks, expected, strict=False), 1):
        if recorded != dealt:
            return Finding("deal", number, "the deck is not the one that seed, entropy and deal id give")
    if complete and len(record.decks) != hands:
        number = min(len(record.decks), hands) + 1
        return Finding("deal", number, f"{len(record.decks)} decks are recorded, {hands} hands were dealt")
    return None


def _wrong_score(record: MatchRecord, played: tuple[Any, ...], *, complete: bool) -> Finding | None:
    for number, (recorded, score) in enumerate(zip(record.scores, played, strict=False), 1):
        if recorded != score:
            return Finding("score", number, f"recorded {recorded}, played {score}")
    if complete and len(record.scores) != len(played):
        number = min(len(record.scores), len(played)) + 1
        reason = f"{len(record.scores)} scores are recorded, {len(played)} hands are over"
        return Finding("score", number, reason)
    return None


def _first_early_action(record: MatchRecord) -> int:
    for number in range(1, len(record.actions)):
        if record.actions[number].at < record.actions[number - 1].at:
            return number + 1
    return 0

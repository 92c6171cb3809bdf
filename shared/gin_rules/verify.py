"""Checking a record with nothing but this package: ``python -m gin_rules record.json``."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from gin_rules.game import GameError, NotAtHand, game_named
from gin_rules.record import (
    BrokenReplay,
    InvalidRecord,
    MatchRecord,
    NotRevealed,
    RecordedAction,
    RecordedRuling,
    deck_texts,
    scores_of,
    seal_of,
)
from gin_rules.replay import entries, steps
from gin_rules.shuffle import SEED_BYTES, commitment


class Finding(NamedTuple):
    """The first thing in a record that does not follow from what stands before it."""

    what: Literal["rules", "commitment", "time", "action", "ruling", "deal", "score", "outcome", "seal"]
    number: int
    """Which action, ruling, deck or score, from 1; 0 where there is but one."""
    reason: str

    def __str__(self) -> str:
        return f"{self.what}{f' {self.number}' if self.number else ''}: {self.reason}"


def verify(record: MatchRecord) -> Finding | None:
    """The first thing that does not follow, or None when the whole record is right.

    Checked: the seed is the one committed to, the rules can be played, every deck is the one that seed,
    entropy and deal id give, every action is legal for the seat to act, every ruling is allowed where it stands, none
    is earlier than what came before it, every score, the outcome, and the seal over all of it. Raises `NotRevealed`
    for a record without its seed, `InvalidRecord` for an unknown algorithm, and `NotAtHand` where the word list that
    the match was played with is not registered in this process.
    """
    if record.seed is None or record.salt is None:
        raise NotRevealed("seed and salt of this match are not revealed")
    if len(record.seed) != SEED_BYTES:
        return Finding("commitment", 0, f"the seed has {len(record.seed)} bytes instead of {SEED_BYTES}")
    if commitment(record.salt, record.seed) != record.commitment:
        return Finding("commitment", 0, "salt and seed do not give the published commitment")
    if len(record.entropy) not in (0, len(record.seats)):
        return Finding("deal", 1, f"entropy of {len(record.entropy)} players for {len(record.seats)} seats")
    try:
        early = _first_early_entry(record)
    except BrokenReplay as broken:
        return Finding(broken.what, broken.index + 1, broken.reason)
    found = early or _replay_finding(record)
    if found is None and record.seal != seal_of(record):
        return Finding("seal", 0, "something was changed that nothing else proves: a name, a time, a reason")
    return found


def _replay_finding(record: MatchRecord) -> Finding | None:
    game = None
    state: Any = None
    broken: BrokenReplay | None = None
    ruled: list[tuple[int, ...]] = []
    try:
        game = game_named(record.game)
        for entry, state in steps(record):
            if isinstance(entry, RecordedRuling):
                ruled.append(tuple(game.totals(state)))
    except BrokenReplay as found:
        broken = found
    except (InvalidRecord, NotRevealed, NotAtHand):
        raise
    except GameError as refused:
        return Finding("rules", 0, str(refused))
    assert game is not None
    # A wrong deck or an earlier score is the cause that should be named, a broken action often only its
    # effect.
    wrong = _wrong_deck(record, deck_texts(game, game.rules_from_json(record.rules), state), complete=broken is None)
    if wrong is None:
        wrong = _wrong_totals(record, ruled)
    if wrong is None:
        wrong = _wrong_score(record, scores_of(game, state), complete=broken is None)
    if wrong is None and broken is not None:
        return Finding(broken.what, broken.index + 1, broken.reason)
    if wrong is None and record.outcome != game.outcome(state):
        return Finding("outcome", 0, f"recorded {record.outcome}, played {game.outcome(state)}")
    return wrong


def _wrong_deck(record: MatchRecord, expected: tuple[str, ...], *, complete: bool) -> Finding | None:
    for number, (recorded, dealt) in enumerate(zip(record.decks, expected, strict=False), 1):
        if recorded != dealt:
            return Finding("deal", number, "the deck is not the one that seed, entropy and deal id give")
    if complete and len(record.decks) != len(expected):
        number = min(len(record.decks), len(expected)) + 1
        return Finding("deal", number, f"{len(record.decks)} decks are recorded, {len(expected)} were dealt")
    return None


def _wrong_totals(record: MatchRecord, ruled: list[tuple[int, ...]]) -> Finding | None:
    for number, (entry, totals) in enumerate(zip(record.rulings, ruled, strict=False), 1):
        if entry.totals != totals:
            return Finding("ruling", number, f"totals {entry.totals} are recorded, {totals} follow")
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


def _first_early_entry(record: MatchRecord) -> Finding | None:
    actions = rulings = 0
    last = None
    for entry in entries(record):
        is_action = isinstance(entry, RecordedAction)
        actions, rulings = actions + is_action, rulings + (not is_action)
        if last is not None and entry.at < last:
            number = actions if is_action else rulings
            return Finding("time" if is_action else "ruling", number, "is before the time of what came before it")
        last = entry.at
    return None

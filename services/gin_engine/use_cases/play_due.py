"""Bots play on: many matches a transaction, each until a client must act or it is over."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import structlog
from gin_servicekit.database import Transaction

from gin_engine.domain.match import Match
from gin_engine.domain.play import Progress, play_bots
from gin_engine.store import matches
from gin_engine.store.states import state_of
from gin_engine.use_cases.finish_matches import record_progress

log = structlog.get_logger()

MATCHES_PER_TRANSACTION = 40
REST_AFTER_FAILURE = timedelta(minutes=1)


def play_due(tx: Transaction, time_is_up: Callable[[], bool]) -> int:
    """Plays the matches in which a bot is to act, and tells how many it took; 0 means that none is waiting.

    A rollback releases them unchanged. Matches that `time_is_up` leaves untouched, or in the middle, stay due.
    A match that cannot go on rests for a while, so that it never holds up the others.
    """
    claimed = matches.claim_bot_due(tx, MATCHES_PER_TRANSACTION)
    played: list[tuple[Match, Progress]] = []
    for match in claimed:
        if played and time_is_up():
            break
        progress = _play(match, tx, time_is_up)
        if progress is None:
            matches.put_off_bots(tx, match.match_id, tx.now + REST_AFTER_FAILURE)
        else:
            played.append((match, progress))
    record_progress(tx, played)
    return len(claimed)


def _play(match: Match, tx: Transaction, time_is_up: Callable[[], bool]) -> Progress | None:
    state = state_of(tx, match)
    try:
        return play_bots(match, state, time_is_up)
    except Exception as problem:
        # Only the kind of error: its text may name cards.
        log.error("bot_failed", match_id=match.match_id, error=type(problem).__name__)
        return None

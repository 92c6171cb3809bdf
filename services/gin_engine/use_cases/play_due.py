"""Bots play on: many matches a transaction, each until a client must act or it is over."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import psycopg
import structlog

from gin_engine.domain.match import Match
from gin_engine.domain.play import Progress, play_bots
from gin_engine.domain.results import void
from gin_engine.domain.tasks import PLAY
from gin_engine.store import matches, play_turn
from gin_engine.store.states import state_of
from gin_engine.use_cases.finish_matches import Ended, end_where_they_stand, record_progress
from gin_servicekit.database import Transaction

log = structlog.get_logger()

MATCHES_PER_TRANSACTION = 40
REST_AFTER_FAILURE = timedelta(minutes=1)


def play_due(tx: Transaction, time_is_up: Callable[[], bool], *, only_bots: bool) -> int:
    """Plays matches in which a bot is to act, and tells how many it took; 0 means that none is waiting.

    `only_bots` chooses between matches of bots alone and those in which a client waits. A rollback releases them
    unchanged. Matches that `time_is_up` leaves untouched, or in the middle, stay due. A match that cannot go on
    rests for a while, so that it never holds up the others, and is void once its deadline has passed.
    """
    claimed = matches.claim_bot_due(tx, MATCHES_PER_TRANSACTION, only_bots=only_bots)
    played: list[tuple[Match, Progress]] = []
    for match in claimed:
        if played and time_is_up():
            break
        progress = _play(tx, match, time_is_up)
        if progress is None:
            _give_up_for_now(tx, match)
        else:
            played.append((match, progress))
    record_progress(tx, played)
    return len(claimed)


def ask_for_more(tx: Transaction) -> None:
    """Brings another worker in, unless one was already asked for and has not come yet."""
    if play_turn.ask(tx):
        tx.kick(PLAY)


def begin_turn(tx: Transaction) -> None:
    """Whoever was asked for is here."""
    play_turn.begin(tx)


def _play(tx: Transaction, match: Match, time_is_up: Callable[[], bool]) -> Progress | None:
    try:
        return play_bots(match, state_of(tx, match), time_is_up)
    except psycopg.Error:
        raise
    except Exception as problem:
        # Only the kind of error: its text may name cards.
        log.error("match_stuck", match_id=match.match_id, error=type(problem).__name__)
        return None


def _give_up_for_now(tx: Transaction, match: Match) -> None:
    if match.deadline_at is not None and match.deadline_at <= tx.now:
        end_where_they_stand(tx, [Ended(match, void(len(match.seats)), None)])
        matches.note_reason(tx, {match.match_id: "the match could not be continued"})
    else:
        matches.put_off_bots(tx, match.match_id, tx.now + REST_AFTER_FAILURE)

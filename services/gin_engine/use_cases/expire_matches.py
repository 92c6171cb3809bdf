"""Deadlines pass."""

from __future__ import annotations

import psycopg
import structlog

from gin_engine.domain.match import Match, MatchId
from gin_engine.domain.results import overdue, void
from gin_engine.store import matches
from gin_engine.store.states import state_of
from gin_engine.use_cases.finish_matches import Ended, end_where_they_stand
from gin_servicekit.database import Transaction

log = structlog.get_logger()

MATCHES_PER_TRANSACTION = 50


def expire_matches(tx: Transaction) -> int:
    """Ends undecided matches past their deadline against whoever keeps them waiting; tells how many it ended."""
    stuck: dict[MatchId, str] = {}
    ended = [_end(tx, match, stuck) for match in matches.claim_overdue(tx, MATCHES_PER_TRANSACTION)]
    end_where_they_stand(tx, ended)
    matches.note_reason(tx, stuck)
    return len(ended)


def _end(tx: Transaction, match: Match, stuck: dict[MatchId, str]) -> Ended:
    try:
        return Ended(match, overdue(match, state_of(tx, match)))
    except psycopg.Error:
        raise
    except Exception as problem:
        # Nobody can be blamed for a match whose state is not to be had. The error's text may name cards.
        log.error("match_stuck", match_id=match.match_id, error=type(problem).__name__)
        stuck[match.match_id] = "the match could not be continued"
        return Ended(match, void(len(match.seats)))

"""Deadlines pass."""

from __future__ import annotations

from gin_engine.domain.match import Match, MatchId
from gin_engine.domain.results import overdue, void
from gin_engine.store import matches
from gin_engine.store.states import state_or_none
from gin_engine.use_cases.finish_matches import Ended, end_where_they_stand
from gin_servicekit.database import Transaction

MATCHES_PER_TRANSACTION = 50


def expire_matches(tx: Transaction) -> int:
    """Ends undecided matches past their deadline against whoever keeps them waiting; tells how many it ended."""
    stuck: dict[MatchId, str] = {}
    ended = [_end(tx, match, stuck) for match in matches.claim_overdue(tx, MATCHES_PER_TRANSACTION)]
    end_where_they_stand(tx, ended)
    matches.note_reason(tx, stuck)
    return len(ended)


def _end(tx: Transaction, match: Match, stuck: dict[MatchId, str]) -> Ended:
    state = state_or_none(tx, match)
    if state is not None:
        return Ended(match, overdue(match, state), state)
    # Nobody can be blamed for a match whose state is not to be had.
    stuck[match.match_id] = "the match could not be continued"
    return Ended(match, void(len(match.seats)), None)

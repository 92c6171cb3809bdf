"""Deadlines pass."""

from __future__ import annotations

from gin_servicekit.database import Transaction

from gin_engine.domain.results import overdue
from gin_engine.store import matches
from gin_engine.store.states import state_of
from gin_engine.use_cases.finish_matches import Ended, end_where_they_stand

MATCHES_PER_TRANSACTION = 50


def expire_matches(tx: Transaction) -> int:
    """Ends undecided matches past their deadline against whoever keeps them waiting; tells how many it ended."""
    claimed = matches.claim_overdue(tx, MATCHES_PER_TRANSACTION)
    end_where_they_stand(tx, [Ended(match, overdue(match, state_of(tx, match))) for match in claimed])
    return len(claimed)

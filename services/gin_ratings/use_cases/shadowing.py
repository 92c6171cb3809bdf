"""Lets the shadow follow the ledgers, some way behind, so that settling a match never waits for it."""

from __future__ import annotations

from gin_ratings.domain.ledger import matches_of
from gin_ratings.domain.pools import Pool
from gin_ratings.domain.shadow import follow
from gin_ratings.store import ledger, shadow
from gin_servicekit.database import Transaction

ENTRIES_PER_TRANSACTION = 4_000


def pools_behind(tx: Transaction) -> list[Pool]:
    return shadow.behind(tx)


def follow_ledger(tx: Transaction, pool: Pool, limit: int = ENTRIES_PER_TRANSACTION) -> int:
    """Takes in about `limit` entries behind the last one taken, always whole matches; returns how many.

    Takes none while another process follows the same pool.
    """
    done = shadow.lock(tx, pool)
    if done is None:
        return 0
    entries = ledger.page(tx, pool, done, limit)
    if not entries:
        return 0
    # The entries of a match stand together: the limit may have cut through the last one.
    last = entries[-1].match_id
    entries += ledger.of_match(tx, pool, last, after=entries[-1].sequence)
    standings = shadow.standings(tx, pool, {entry.player_id for entry in entries})
    follow(standings, matches_of(entries))
    shadow.write(tx, pool, standings, entries[-1].sequence)
    return len(entries)

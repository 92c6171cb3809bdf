"""Lets the shadow follow the ledgers, some way behind, so that settling a match never waits for it."""

from __future__ import annotations

from gin_ratings.domain.glicko2 import Glicko
from gin_ratings.domain.ledger import MATCH, Entry, matches_of
from gin_ratings.domain.pools import Pool
from gin_ratings.domain.shadow import counting, follow
from gin_ratings.store import ledger, shadow
from gin_servicekit.database import Transaction

ENTRIES_PER_TRANSACTION = 4_000
MOST_SEATS = 4


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
    # The entries of a settlement stand together: the limit may have cut through the last one.
    for entry in ledger.page(tx, pool, entries[-1].sequence, MOST_SEATS):
        if not _same_settlement(entry, entries[-1]):
            break
        entries.append(entry)
    if all(entry.kind == MATCH for entry in entries):
        standings = shadow.standings(tx, pool, {entry.player_id for entry in entries})
        follow(standings, matches_of(entries))
        shadow.write(tx, pool, standings, entries[-1].sequence)
    else:
        _start_anew(tx, pool, entries[-1].sequence)
    return len(entries)


def _same_settlement(a: Entry, b: Entry) -> bool:
    return (a.match_id, a.kind, a.revision) == (b.match_id, b.kind, b.revision)


def _start_anew(tx: Transaction, pool: Pool, size: int) -> None:
    """Glicko-2 cannot take one match back: after a correction the pool is gone through from its first match."""
    standings: dict[str, Glicko] = {}
    follow(standings, counting(matches_of(ledger.page(tx, pool, 0, size))))
    shadow.forget(tx, pool)
    shadow.write(tx, pool, standings, size)

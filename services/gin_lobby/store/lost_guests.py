"""Guests who cannot come back, in Postgres."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from gin_servicekit.database import Transaction


def claim(tx: Transaction, over_before: datetime, limit: int) -> list[UUID]:
    """Locks guests whose last session was over before then and whom nothing needs: no tournament that is not over,
    nothing that they organise or judge.
    """
    return tx.scalars(
        """
        SELECT account_id FROM accounts a JOIN guests g USING (account_id)
         WHERE a.created_at < %(then)s
           AND NOT EXISTS (SELECT FROM tokens t WHERE t.account_id = a.account_id AND t.expires_at > %(then)s)
           AND NOT EXISTS (SELECT FROM entrants e JOIN tournaments USING (tournament_id)
                            WHERE e.player_id = a.account_id AND tournaments.state NOT IN ('finished', 'cancelled'))
           AND NOT EXISTS (SELECT FROM tournaments t WHERE t.organiser_id = a.account_id)
           AND NOT EXISTS (SELECT FROM series s WHERE s.organiser_id = a.account_id)
           AND NOT EXISTS (SELECT FROM arbiters r WHERE r.account_id = a.account_id)
           AND NOT EXISTS (SELECT FROM players p WHERE p.owner_id = a.account_id)
         ORDER BY account_id LIMIT %(limit)s FOR UPDATE SKIP LOCKED
        """,
        {"then": over_before, "limit": limit},
    )


def remove(tx: Transaction, account_ids: list[UUID]) -> None:
    """Removes these accounts with all that lets somebody in. A player who ever entered a tournament stays, by name."""
    for statement in (
        "DELETE FROM tokens WHERE account_id = ANY(%s)",
        "DELETE FROM account_skeletons WHERE account_id = ANY(%s)",
        "DELETE FROM guests WHERE account_id = ANY(%s)",
        "DELETE FROM accounts WHERE account_id = ANY(%s)",
        "DELETE FROM player_ratings WHERE player_id = ANY(%s)"
        " AND NOT EXISTS (SELECT FROM entrants e WHERE e.player_id = player_ratings.player_id)",
        "DELETE FROM players WHERE player_id = ANY(%s)"
        " AND NOT EXISTS (SELECT FROM entrants e WHERE e.player_id = players.player_id)",
    ):
        tx.execute(statement, (account_ids,))

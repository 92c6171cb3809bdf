"""Who may rule in a match, in Postgres."""

from __future__ import annotations

from collections.abc import Sequence

from gin_engine.domain.match import Match
from gin_messages.match import ArbitersNamed
from gin_servicekit.database import Transaction


def keep(tx: Transaction, named: Sequence[ArbitersNamed]) -> None:
    """Of each tournament the list that was named last counts."""
    tx.execute_many(
        """
        INSERT INTO tournament_arbiters (tournament_id, arbiters, named_at) VALUES (%s, %s, %s)
        ON CONFLICT (tournament_id) DO UPDATE SET arbiters = excluded.arbiters, named_at = excluded.named_at
         WHERE tournament_arbiters.named_at < excluded.named_at
        """,
        [(one.tournament_id, one.arbiters, one.named_at) for one in sorted(named, key=lambda one: one.tournament_id)],
    )


def of_match(tx: Transaction, match: Match) -> frozenset[str]:
    """The accounts that may rule now: those that its tournament told of since, else those it was opened with."""
    told = tx.scalar("SELECT arbiters FROM tournament_arbiters WHERE tournament_id = %s", (match.tournament_id,))
    return frozenset(match.arbiters if told is None else told)

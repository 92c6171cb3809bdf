"""Deals that the tables of a round share: one seed for all of them, kept until the last is over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gin_servicekit.database import Transaction


@dataclass(frozen=True, slots=True)
class SharedDeal:
    """Seed, salt and entropy (by seat) of every match with this id."""

    deal_id: str
    server_seed: bytes = field(repr=False)
    salt: bytes = field(repr=False)
    entropy: tuple[bytes, ...] = field(repr=False)


def drawn(tx: Transaction, deal_ids: Sequence[str], draw: Callable[[str], SharedDeal]) -> dict[str, SharedDeal]:
    """The deals of these ids; `draw` makes those that are not there yet. Whoever comes second gets the first's."""
    for deal_id in sorted(set(deal_ids)):
        new = draw(deal_id)
        tx.execute(
            "INSERT INTO shared_deals VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING",
            (deal_id, new.server_seed, new.salt, list(new.entropy)),
        )
    found = tx.rows(SharedDeal, "SELECT * FROM shared_deals WHERE deal_id = ANY(%s)", (list(deal_ids),))
    return {deal.deal_id: deal for deal in found}


def revealed(tx: Transaction, deal_ids: Sequence[str]) -> frozenset[str]:
    """Those of the deals that nobody will play any more.

    All their matches are over, and either as many were opened as there will be or the last deadline has passed: then
    what was not opened never will be.
    """
    return frozenset(
        tx.scalars(
            """
            SELECT deal_id FROM matches WHERE deal_id = ANY(%s) GROUP BY deal_id
            HAVING bool_and(state <> 'playing')
               AND (max(deal_tables) IS NULL OR count(*) >= max(deal_tables)
                    OR coalesce(max(deadline_at) <= %s, false))
            """,
            (list(deal_ids), tx.now),
        )
    )

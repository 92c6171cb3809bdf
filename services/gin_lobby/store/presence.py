"""When this service last looked at what is due."""

from __future__ import annotations

from datetime import datetime

from gin_servicekit.database import Transaction


def seen_at(tx: Transaction) -> datetime | None:
    """None where it has never looked."""
    seen: datetime | None = tx.scalar("SELECT seen_at FROM presence")
    return seen


def hold(tx: Transaction) -> datetime | None:
    """The same, and nobody else looks until this transaction ends."""
    tx.execute("INSERT INTO presence (seen_at) VALUES (%s) ON CONFLICT DO NOTHING", (tx.now,))
    seen: datetime | None = tx.scalar("SELECT seen_at FROM presence FOR UPDATE")
    return seen


def here(tx: Transaction) -> None:
    tx.execute("UPDATE presence SET seen_at = %s WHERE seen_at < %s", (tx.now, tx.now))

"""Liveness measured on consumption: when did a task of this service last go round?

A worker process can be alive and deaf, for instance after its broker came back; only finished work proves otherwise.
"""

from __future__ import annotations

from gin_servicekit.database import Transaction

RECORD_EVERY_SECONDS = 5


def record_consumption(tx: Transaction) -> None:
    tx.execute(
        """
        INSERT INTO consumption (consumed_at) VALUES (%s)
        ON CONFLICT (one) DO UPDATE SET consumed_at = greatest(consumption.consumed_at, excluded.consumed_at)
        """,
        (tx.now,),
    )


def seconds_since_consumed(tx: Transaction) -> float | None:
    """None when no task was ever consumed."""
    seconds = tx.scalar("SELECT extract(epoch FROM %s - consumed_at)::float FROM consumption", (tx.now,))
    return None if seconds is None else max(0.0, float(seconds))

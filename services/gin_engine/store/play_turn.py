"""Whether a task that plays on waits in the queue already. A wrong answer costs a moment, never a match."""

from __future__ import annotations

from datetime import timedelta

from gin_servicekit.database import Transaction

# After so long the task that was asked for is taken to be lost.
LOST_AFTER = timedelta(seconds=10)


def ask(tx: Transaction) -> bool:
    """True when no such task waits: then the caller sends one."""
    return bool(
        tx.execute(
            "UPDATE play_turn SET asked_at = %s WHERE asked_at IS NULL OR asked_at < %s", (tx.now, tx.now - LOST_AFTER)
        )
    )


def begin(tx: Transaction) -> None:
    """The task that waited has begun: another one may be asked for."""
    tx.execute("UPDATE play_turn SET asked_at = NULL WHERE asked_at IS NOT NULL")

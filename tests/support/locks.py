"""Two transactions at once, one of which waits for what the other holds."""

import time

from gin_servicekit.service import Service

PATIENCE_SECONDS = 30


def wait_for_lock(service: Service, transactions: int = 1) -> None:
    """Returns when so many transactions of this database wait for a lock."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    waiting = -1
    while waiting != transactions:
        assert time.monotonic() < deadline, f"{waiting} transactions wait for a lock, not {transactions}"
        with service.transaction() as tx:
            waiting = tx.scalar(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )

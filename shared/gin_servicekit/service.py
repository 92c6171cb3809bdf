"""One service in one process: its settings, database and broker, and the transactions that it runs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import structlog
from uuid_utils.compat import uuid7

from gin_servicekit import outbox
from gin_servicekit.announcements import Announcer, QueuedAnnouncer
from gin_servicekit.broker import Broker, Delivery
from gin_servicekit.database import Database, Statements, Transaction
from gin_servicekit.settings import Settings


def utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Service:
    """Everything that an API process or a worker of the service `name` needs."""

    name: str
    settings: Settings
    database: Database
    broker: Broker
    announcer: Announcer
    clock: Callable[[], datetime] = utc_now

    @classmethod
    def start(cls, name: str, settings: Settings, *, hints_wait: bool = False) -> Service:
        """With `hints_wait` a thread of this process sends what is announced: for those whom somebody waits for."""
        return cls(
            name=name,
            settings=settings,
            database=Database(settings.database_url, settings.database_pool_size),
            broker=Broker(name, settings.redis_url),
            announcer=(QueuedAnnouncer if hints_wait else Announcer)(settings.redis_url),
        )

    @contextlib.contextmanager
    def transaction(self, correlation_id: str | None = None) -> Iterator[Transaction]:
        """A transaction that commits at the end of the block, then sends what the use case emitted and announced.

        A crash between commit and sending loses nothing: the sweeper sends what the outbox still holds.
        """
        context = structlog.contextvars.get_contextvars()
        correlation = correlation_id or context.get("correlation_id") or uuid7().hex
        with self.database.connection() as connection:
            transaction = Transaction(connection, self.clock(), correlation, self.clock)
            yield transaction
            deliveries = outbox.store(transaction, self.settings.outbox_resend_seconds)
        self._follow(transaction, deliveries)

    @contextlib.contextmanager
    def statements(self) -> Iterator[Statements]:
        """For work of which each statement is a transaction of its own: reading, and one statement that writes.

        It saves two round trips. What was announced or asked for follows at the end of the block.
        """
        with self.database.autocommit() as connection:
            statements = Statements(connection, self.clock(), correlation_id="")
            yield statements
        self._follow(statements, [])

    def _follow(self, transaction: Transaction, deliveries: Sequence[Delivery]) -> None:
        for work in transaction.committed:
            work()
        self.broker.deliver(deliveries)
        self.broker.kick(transaction.kicks)
        self.announcer.send(transaction.announcements)

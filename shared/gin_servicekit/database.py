"""Postgres connections of one process, and the transaction in which a use case runs."""

from __future__ import annotations

import contextlib
import os
import select
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, LiteralString, TypeVar
from uuid import UUID

import psycopg
from psycopg.rows import class_row, dict_row, scalar_row
from psycopg_pool import ConnectionPool

from gin_messages.envelope import Message
from gin_servicekit.announcements import Announcements

T = TypeVar("T")
Parameters = Sequence[Any] | Mapping[str, Any] | None

# Errors that say "the database is away or busy just now", not "the statement is wrong".
UNAVAILABLE = (psycopg.OperationalError, psycopg.errors.SerializationFailure)

TRUSTED_SECONDS = 1.0
"""So long after its last use a connection counts as alive without being asked, unless its socket says something."""


class PooledConnection(psycopg.Connection[Any]):
    """A connection that knows when it was last used (seconds of the monotonic clock)."""

    used_at = float("-inf")


def refuse_dead(connection: PooledConnection) -> None:
    """Raises OperationalError for a connection that is dead.

    A Postgres that ends closes its connections, which the socket tells at once and for nothing; whether one that has
    been silent for longer still leads anywhere is found out by a round trip.
    """
    if time.monotonic() - connection.used_at < TRUSTED_SECONDS and not _has_news(connection):
        return
    ConnectionPool.check_connection(connection)


def _has_news(connection: PooledConnection) -> bool:
    """Whether something came in while nobody asked for anything: mostly the end."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


class Database:
    """A pool of connections, opened on first use in each process, so that a forked worker gets its own."""

    def __init__(self, url: str, pool_size: int) -> None:
        self._url = url
        self._pool_size = pool_size
        self._pools: dict[int, ConnectionPool[PooledConnection]] = {}
        self._opening = threading.Lock()

    @contextlib.contextmanager
    def connection(self) -> Iterator[psycopg.Connection]:
        """A connection in a transaction: committed at the end of the block, rolled back on an exception."""
        with self.autocommit() as connection, connection.transaction():
            yield connection

    @contextlib.contextmanager
    def autocommit(self) -> Iterator[psycopg.Connection]:
        """A connection outside of any transaction: each statement is one of its own, and needs one round trip."""
        pool = self._pool()
        connection = pool.getconn()
        try:
            yield connection
        finally:
            connection.used_at = time.monotonic()
            pool.putconn(connection)

    def close(self) -> None:
        for pool in self._pools.values():
            pool.close()
        self._pools.clear()

    def _pool(self) -> ConnectionPool[PooledConnection]:
        process = os.getpid()
        pool = self._pools.get(process)
        if pool is None:
            with self._opening:
                pool = self._pools.get(process)
                if pool is None:
                    self._pools.clear()  # pools of a parent process are not ours to close
                    pool = self._pools[process] = ConnectionPool(
                        self._url,
                        connection_class=PooledConnection,
                        kwargs={"autocommit": True},
                        min_size=1,
                        max_size=self._pool_size,
                        timeout=5,
                        # A restarted Postgres leaves dead connections behind; none of them reaches a use case.
                        check=refuse_dead,
                        open=True,
                    )
        return pool


class Transaction:
    """One database transaction, the time at which it runs, and what must follow once it has committed.

    `now` is aware UTC. A use case reads and writes through it, emits messages and asks for tasks of its own
    service; messages are stored with the change itself, and both are sent only after the commit.
    """

    def __init__(
        self,
        connection: psycopg.Connection,
        now: datetime,
        correlation_id: str,
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        self.connection = connection
        self.now = now
        self.correlation_id = correlation_id
        self._clock = clock
        self.emitted: list[Message] = []
        self.kicks: set[str] = set()
        self.announcements = Announcements()
        self.committed: list[Callable[[], None]] = []

    def execute(self, query: LiteralString, parameters: Parameters = None) -> int:
        """Runs a statement and tells how many rows it touched."""
        return self.connection.execute(query, parameters).rowcount

    def execute_many(self, query: LiteralString, parameters: Sequence[Parameters]) -> None:
        if parameters:
            with self.connection.cursor() as cursor:
                cursor.executemany(query, parameters)  # type: ignore[arg-type]  # a sequence of Parameters is one

    def rows(self, kind: Callable[..., T], query: LiteralString, parameters: Parameters = None) -> list[T]:
        """Every row as `kind(**columns)`."""
        with self.connection.cursor(row_factory=class_row(kind)) as cursor:  # type: ignore[arg-type]  # any callable serves
            return cursor.execute(query, parameters).fetchall()

    def row(self, kind: Callable[..., T], query: LiteralString, parameters: Parameters = None) -> T | None:
        """The first row as `kind(**columns)`, or None."""
        with self.connection.cursor(row_factory=class_row(kind)) as cursor:  # type: ignore[arg-type]  # any callable serves
            return cursor.execute(query, parameters).fetchone()

    def dicts(self, query: LiteralString, parameters: Parameters = None) -> list[dict[str, Any]]:
        with self.connection.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(query, parameters).fetchall()

    def scalars(self, query: LiteralString, parameters: Parameters = None) -> list[Any]:
        """The first column of every row."""
        with self.connection.cursor(row_factory=scalar_row) as cursor:
            return cursor.execute(query, parameters).fetchall()

    def scalar(self, query: LiteralString, parameters: Parameters = None) -> Any:
        """The first column of the first row, or None."""
        with self.connection.cursor(row_factory=scalar_row) as cursor:
            return cursor.execute(query, parameters).fetchone()

    def catch_up(self) -> None:
        """Moves `now` on: to be called when a lock was given, before what it guards is written.

        Whoever waited for it would else tell an earlier time than those who had it before, and where the latest word
        counts theirs would.
        """
        if self._clock is not None:
            self.now = max(self.now, self._clock())

    def emit(self, message: Message) -> None:
        """The message goes to every consumer that routes.py names, if and only if this transaction commits."""
        self.emitted.append(message)

    def kick(self, task: str) -> None:
        """Asks for a task of this service after the commit. It may get lost: the tick does the same work later."""
        self.kicks.add(task)

    def once_committed(self, work: Callable[[], None]) -> None:
        """Does `work`, which must not fail, in this process after the commit: only then is what was written true."""
        self.committed.append(work)

    def announce(self, topic: str, event: str, data: dict[str, Any], *, delay_seconds: float = 0) -> None:
        """Hints to whoever listens to the topic that something changed, after the commit, at the earliest
        `delay_seconds` (at most an hour) from now. It may get lost. `data` holds JSON that everybody may know.

        Of one event about one match (`data["match_id"]`) a transaction sends the last alone.
        """
        self.announcements.add(topic, event, data, self.now, delay_seconds)


class Statements(Transaction):
    """Work of which each statement is a transaction of its own. What has to follow comes at the end of the work."""

    def emit(self, message: Message) -> None:
        raise TypeError(f"{message.name} must be stored together with its cause, which takes a transaction")


def parse_id(text: str) -> UUID | None:
    """The id that a client sent, or None when it cannot be one of ours."""
    try:
        return UUID(text)
    except ValueError:
        return None

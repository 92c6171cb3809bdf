"""Connections of a process, and what follows a commit."""

import contextlib

import psycopg
import pytest

from gin_messages.match import CancelMatch
from gin_servicekit.service import Service
from tests.integration.gin_servicekit.conftest import Pair


class RolledBack(Exception):
    """What ends a transaction without a commit."""


def process_of(service: Service) -> int:
    """The process of Postgres that serves a transaction."""
    with service.transaction() as tx:
        return int(tx.scalar("SELECT pg_backend_pid()"))


def test_a_connection_that_postgres_closed_a_moment_ago_reaches_no_transaction(pair: Pair) -> None:
    """It is found out however short the time since its last use."""
    first = process_of(pair.producer)
    with pair.producer.transaction() as tx, pair.producer.transaction() as other:
        ours = {tx.scalar("SELECT pg_backend_pid()"), other.scalar("SELECT pg_backend_pid()")}
    assert first in ours
    with pair.producer.transaction() as tx:
        mine = tx.scalar("SELECT pg_backend_pid()")
        ended = tx.scalars(
            "SELECT pg_terminate_backend(pid, 5000) FROM unnest(%s::integer[]) AS pid", (list(ours - {mine}),)
        )
    assert set(ended) == {True}  # one or two: a pool that was asked while it opened may have opened one more
    assert [process_of(pair.producer) in ours - {mine} for _ in range(4)] == [False] * 4


def test_what_waits_for_a_commit_is_done_after_it(pair: Pair) -> None:
    done: list[int] = []
    with pair.producer.transaction() as tx:
        tx.once_committed(lambda: done.append(pair.waiting()))
        assert done == []
    assert done == [0]


def test_what_waits_for_a_commit_is_not_done_without_one(pair: Pair) -> None:
    done: list[int] = []
    with contextlib.suppress(RolledBack), pair.producer.transaction() as tx:
        tx.once_committed(lambda: done.append(1))
        raise RolledBack
    assert done == []


def test_each_statement_commits_by_itself_where_no_transaction_is_asked_for(pair: Pair) -> None:
    with pair.producer.transaction() as tx:
        tx.execute("CREATE TABLE done (what integer)")
    with contextlib.suppress(RolledBack), pair.producer.statements() as tx:
        tx.execute("INSERT INTO done VALUES (1)")
        tx.announce("tables", "changed", {})
        raise RolledBack
    with contextlib.suppress(RolledBack), pair.producer.transaction() as tx:  # on the same connection
        assert tx.scalars("SELECT what FROM done") == [1]
        tx.execute("INSERT INTO done VALUES (2)")
        raise RolledBack
    with pair.producer.statements() as tx:
        assert tx.scalars("SELECT what FROM done") == [1]


def test_a_statement_that_fails_leaves_its_connection_fit_for_a_transaction(pair: Pair) -> None:
    with contextlib.suppress(psycopg.errors.UndefinedTable), pair.producer.statements() as tx:
        tx.execute("SELECT FROM nothing")
    with pair.producer.transaction() as tx:
        assert tx.scalar("SELECT 1") == 1


def test_nothing_is_emitted_outside_of_a_transaction(pair: Pair) -> None:
    with pytest.raises(TypeError), pair.producer.statements() as tx:
        tx.emit(CancelMatch(match_id="1", reason="none"))
    assert pair.waiting() == 0

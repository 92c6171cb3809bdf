"""Word lists in Postgres, as they are told of; `gin_servicekit.word_lists` keeps their words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from gin_servicekit.database import Transaction


@dataclass(frozen=True, slots=True)
class WordList:
    """A list that an organiser brought: `count` words, the longest of `longest` letters."""

    sha256: str
    name: str
    count: int
    longest: int
    added_by: str
    added_at: datetime


def clashing(tx: Transaction, name: str, sha256: str) -> list[WordList]:
    """Lists of this name or with these words."""
    return tx.rows(
        WordList,
        "SELECT sha256, name, count, longest, added_by, added_at FROM word_lists WHERE name = %s OR sha256 = %s"
        " ORDER BY name",
        (name, sha256),
    )


def page(tx: Transaction, after: str, limit: int) -> list[WordList]:
    """Lists by name, from the first one after `after`."""
    return tx.rows(
        WordList,
        "SELECT sha256, name, count, longest, added_by, added_at FROM word_lists"
        " WHERE name > %s ORDER BY name LIMIT %s",
        (after, limit),
    )


def count_of(tx: Transaction, account_id: str) -> int:
    """How many lists this account brought. Others of it wait until this transaction is over."""
    tx.execute("SELECT pg_advisory_xact_lock(hashtextextended('word_lists/' || %s, 0))", (account_id,))
    return int(tx.scalar("SELECT count(*) FROM word_lists WHERE added_by = %s", (account_id,)))


def words_of(tx: Transaction, sha256: str) -> str | None:
    """The canonical list with this hash."""
    words: str | None = tx.scalar("SELECT words FROM word_lists WHERE sha256 = %s", (sha256,))
    return words

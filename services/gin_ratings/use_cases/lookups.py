"""What readers ask: ratings, leaderboards, histories, pools and their ledgers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Generic, TypeVar

from gin_ratings.domain.elo import PROVISIONAL_GAMES
from gin_ratings.domain.ledger import Entry, Head
from gin_ratings.domain.pools import MalformedPool, Pool, parse_pool
from gin_ratings.store import ledger, players, pools, ratings, shadow
from gin_ratings.store.ledger import Chapter
from gin_ratings.store.pools import PoolRow
from gin_ratings.store.ratings import RankedRow, RatingRow
from gin_ratings.store.shadow import ShadowRow
from gin_servicekit.database import Transaction
from gin_servicekit.problems import NotFound

T = TypeVar("T")

LONGEST_CURVE = 5_000  # entries


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some items in order; `more` says whether others follow the last of them."""

    items: list[T]
    more: bool


@dataclass(frozen=True, slots=True)
class PlayerRatings:
    player_id: str
    name: str | None
    kind: str | None
    ratings: list[RatingRow]


@dataclass(frozen=True, slots=True)
class History:
    """`names` holds those of the opponents on this page who are known by name."""

    chapters: Page[Chapter]
    names: dict[str, str]


@dataclass(frozen=True, slots=True)
class LedgerPage:
    """A stretch of the ledger, and the head that it leads to."""

    head: Head
    entries: Page[Entry]


def known_pool(tx: Transaction, text: str) -> Pool:
    """Raises NotFound when there is no such pool."""
    return _pool_and_head(tx, text)[0]


def _pool_and_head(tx: Transaction, text: str) -> tuple[Pool, Head]:
    try:
        pool = parse_pool(text)
    except MalformedPool as problem:
        raise NotFound(str(problem), "pool") from None
    head = pools.head(tx, pool)
    if head is None:
        raise NotFound(f"there is no pool {pool}", "pool")
    return pool, head


def list_pools(tx: Transaction) -> list[PoolRow]:
    return pools.listed(tx, PROVISIONAL_GAMES)


def list_ratings(
    tx: Transaction, pool: str | None, player_id: str | None, after: tuple[str, str] | None, limit: int
) -> Page[RatingRow]:
    """By pool and player. A player without a rating is an empty list, not an error: filters may match nothing."""
    known = None if pool is None else known_pool(tx, pool)
    return page_of(ratings.listed(tx, known, player_id, after, limit + 1), limit)


def player_ratings(tx: Transaction, player_id: str) -> PlayerRatings:
    """The player in every pool that they played in. Raises NotFound for one of whom nothing was ever told."""
    rows = ratings.listed(tx, None, player_id, None, None)
    copy = players.find(tx, player_id)
    if copy is None and not rows:
        raise NotFound(f"there is no player {player_id}", "player_id")
    return PlayerRatings(player_id, copy.name if copy else None, copy.kind if copy else None, rows)


def rating_history(tx: Transaction, player_id: str, pool: str, before: int | None, limit: int) -> History:
    """The newest entries first. Raises NotFound for a player of whom nothing was ever told."""
    known = known_pool(tx, pool)
    player_ratings(tx, player_id)
    chapters = page_of(ledger.history(tx, known, player_id, before, limit + 1), limit)
    opponents = {opponent.player_id for chapter in chapters.items for opponent in chapter.entry.opponents}
    return History(chapters, players.names(tx, opponents))


def rating_curve(tx: Transaction, player_id: str, pool: str) -> tuple[str | None, list[Entry]]:
    """The player's name and every entry of theirs in the pool, the oldest first. Raises NotFound."""
    known = known_pool(tx, pool)
    name = player_ratings(tx, player_id).name
    chapters = ledger.history(tx, known, player_id, None, LONGEST_CURVE)
    return name, [chapter.entry for chapter in reversed(chapters)]


def leaderboard(
    tx: Transaction,
    pool: str,
    *,
    established: bool,
    active_days: int | None,
    after: tuple[float, str] | None,
    limit: int,
) -> Page[RankedRow]:
    """By falling rating; `active_days` leaves out who had no match settled for so long."""
    rows = ratings.ranked(
        tx,
        known_pool(tx, pool),
        established=established,
        active_since=None if active_days is None else tx.now - timedelta(days=active_days),
        after=after,
        limit=limit + 1,
    )
    return page_of(rows, limit)


def ledger_page(tx: Transaction, pool: str, after: int, limit: int) -> LedgerPage:
    """The entries behind the sequence number `after`, oldest first."""
    known, head = _pool_and_head(tx, pool)
    return LedgerPage(head, page_of(ledger.page(tx, known, after, limit + 1), limit))


def shadow_ratings(tx: Transaction, player_id: str) -> list[ShadowRow]:
    """Glicko-2 in every pool. Raises NotFound for a player of whom nothing was ever told."""
    player_ratings(tx, player_id)
    return shadow.of_player(tx, player_id)


def page_of(rows: Sequence[T], limit: int) -> Page[T]:
    """A page of at most `limit`, from rows that were asked for with one more."""
    return Page(list(rows[:limit]), len(rows) > limit)

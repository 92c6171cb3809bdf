"""The log of tournaments in Postgres: appended to and read, never changed."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from psycopg.types.json import Jsonb

from gin_lobby.domain.tournament import PlayerId, TournamentId
from gin_servicekit.database import Transaction


@dataclass(frozen=True, slots=True)
class LogEntry:
    """Who did what, when and why. Without an actor it happened by itself."""

    tournament_id: TournamentId
    number: int
    at: datetime
    actor_id: UUID | None
    actor_name: str | None
    what: str
    reason: str | None
    details: dict[str, Any]
    touched: list[PlayerId]


def append(
    tx: Transaction,
    tournament_id: UUID,
    actor_id: UUID | None,
    what: str,
    reason: str | None,
    details: dict[str, Any],
    touched: Collection[UUID],
) -> int:
    """Writes the next entry and returns its number. The tournament must be locked."""
    number: int = tx.scalar(
        """
        INSERT INTO tournament_log (tournament_id, number, at, actor_id, what, reason, details, touched)
        SELECT %(id)s, coalesce(max(number), 0) + 1, %(at)s, %(actor)s, %(what)s, %(reason)s, %(details)s, %(touched)s
          FROM tournament_log WHERE tournament_id = %(id)s
        RETURNING number
        """,
        {
            "id": tournament_id,
            "at": tx.now,
            "actor": actor_id,
            "what": what,
            "reason": reason,
            "details": Jsonb(details),
            "touched": sorted(touched),
        },
    )
    return number


_SELECT: LiteralString = """
    SELECT tournament_id, number, at, actor_id, p.name AS actor_name, what, reason, details, touched
      FROM tournament_log l LEFT JOIN players p ON p.player_id = l.actor_id
"""


def page(tx: Transaction, tournament_id: UUID, before: int | None, what: str | None, limit: int) -> list[LogEntry]:
    """Newest first, those with a lower number than `before`."""
    found = tx.rows(
        LogEntry,
        _SELECT
        + """
         WHERE tournament_id = %(id)s
           AND (%(before)s::int IS NULL OR number < %(before)s) AND (%(what)s::text IS NULL OR what = %(what)s)
         ORDER BY number DESC LIMIT %(limit)s
        """,
        {"id": tournament_id, "before": before, "what": what, "limit": limit},
    )
    return _as_called_now(tx, found)


def touching(
    tx: Transaction, account_id: UUID, before: tuple[datetime, UUID, int] | None, limit: int
) -> list[LogEntry]:
    """What touches the player of an account or one of its bots, in any tournament, newest first."""
    at, tournament_id, number = before or (None, None, None)
    players = tx.scalars("SELECT player_id FROM players WHERE %(id)s IN (player_id, owner_id)", {"id": account_id})
    found = tx.rows(
        LogEntry,
        _SELECT
        + """
         WHERE touched && %(players)s::uuid[]
           AND (%(at)s::timestamptz IS NULL OR (at, tournament_id, number) < (%(at)s, %(tournament)s, %(number)s))
         ORDER BY at DESC, tournament_id DESC, number DESC LIMIT %(limit)s
        """,
        {"players": players, "at": at, "tournament": tournament_id, "number": number, "limit": limit},
    )
    return _as_called_now(tx, found)


def _as_called_now(tx: Transaction, entries: list[LogEntry]) -> list[LogEntry]:
    """A name is shown as it is now, though the log has it as it was then: where a `player_id` stands beside it, or an
    entry touches one player alone.
    """
    named: set[str] = {str(entry.touched[0]) for entry in entries if _is_of_one(entry)}
    for entry in entries:
        _renamed(entry.details, named.add)
    names = {
        str(row["player_id"]): row["name"]
        for row in tx.dicts("SELECT player_id, name FROM players WHERE player_id = ANY(%s::uuid[])", (list(named),))
    }
    return [
        replace(
            entry,
            details=_renamed(entry.details, names.get)
            | ({"name": names[str(entry.touched[0])]} if _is_of_one(entry) and str(entry.touched[0]) in names else {}),
        )
        for entry in entries
    ]


def _is_of_one(entry: LogEntry) -> bool:
    return "name" in entry.details and "player_id" not in entry.details and len(entry.touched) == 1


def _renamed(value: Any, name_of: Callable[[str], str | None]) -> Any:
    """The same JSON, with the name that `name_of` gives to each player in it."""
    if isinstance(value, list):
        return [_renamed(inner, name_of) for inner in value]
    if not isinstance(value, dict):
        return value
    found = {key: _renamed(inner, name_of) for key, inner in value.items()}
    if isinstance(value.get("player_id"), str) and "name" in value:
        found["name"] = name_of(value["player_id"]) or value["name"]
    return found

"""Players by id and by name, many at once."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from gin_servicekit.database import Transaction


def players_named(tx: Transaction, names: Sequence[str]) -> dict[str, list[UUID]]:
    """The players of each of these names, which are casefolded, as the keys are."""
    found: dict[str, list[UUID]] = {}
    rows = tx.dicts(
        "SELECT player_id, name FROM players WHERE lower(name) = ANY(%s) ORDER BY player_id",
        ([name.lower() for name in names],),
    )
    for row in rows:
        found.setdefault(row["name"].casefold(), []).append(row["player_id"])
    return found


def names_of(tx: Transaction, player_ids: Sequence[UUID]) -> dict[UUID, str]:
    rows = tx.dicts("SELECT player_id, name FROM players WHERE player_id = ANY(%s)", (list(player_ids),))
    return {row["player_id"]: row["name"] for row in rows}

"""The copy of the players' names."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from gin_servicekit.database import Transaction


class PlayerCopy(NamedTuple):
    player_id: str
    name: str
    kind: str
    revision: int


def keep_newest(tx: Transaction, players: Sequence[PlayerCopy]) -> None:
    """Writes each player unless a copy of the same or a higher revision is there. Each id may stand here once."""
    ordered = sorted(players)
    tx.execute(
        """
        INSERT INTO players (player_id, name, kind, revision)
        SELECT * FROM unnest(%s::text[], %s::text[], %s::text[], %s::bigint[])
        ON CONFLICT (player_id) DO UPDATE
           SET name = excluded.name, kind = excluded.kind, revision = excluded.revision
         WHERE players.revision < excluded.revision
        """,
        (
            [player.player_id for player in ordered],
            [player.name for player in ordered],
            [player.kind for player in ordered],
            [player.revision for player in ordered],
        ),
    )


def find(tx: Transaction, player_id: str) -> PlayerCopy | None:
    return tx.row(PlayerCopy, "SELECT player_id, name, kind, revision FROM players WHERE player_id = %s", (player_id,))


def names(tx: Transaction, player_ids: Collection[str]) -> dict[str, str]:
    """The names of those who are known."""
    found = tx.dicts("SELECT player_id, name FROM players WHERE player_id = ANY(%s)", (list(player_ids),))
    return {row["player_id"]: row["name"] for row in found}

"""Keeps the names of players as their owner last told them."""

from __future__ import annotations

from collections.abc import Sequence

from gin_messages.players import PlayerChanged
from gin_ratings.store import players
from gin_ratings.store.players import PlayerCopy
from gin_servicekit.database import Transaction


def copy_players(tx: Transaction, changes: Sequence[PlayerChanged]) -> None:
    """The highest revision wins, in whatever order and however often the changes come."""
    newest: dict[str, PlayerChanged] = {}
    for change in changes:
        if change.player_id not in newest or newest[change.player_id].revision < change.revision:
            newest[change.player_id] = change
    players.keep_newest(tx, [PlayerCopy(c.player_id, c.player_name, c.kind, c.revision) for c in newest.values()])

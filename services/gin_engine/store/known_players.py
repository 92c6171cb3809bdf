"""Other names of players than their first ones, and who is gone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from gin_servicekit.database import Transaction

_LOCK = 7_204_418_554  # any constant: of an advisory lock


class KnownPlayer(NamedTuple):
    """`name` is None where no other than the first was told, `left_at` where they may play."""

    player_id: str
    name: str | None
    left_at: datetime | None


def hold(tx: Transaction) -> None:
    """Nobody seats a player until this transaction ends: matches and tables that are not there now will know."""
    tx.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))


def known(tx: Transaction, player_ids: Collection[str]) -> dict[str, KnownPlayer]:
    """Those of the players of whom something was told. It stays true until this transaction ends."""
    tx.execute("SELECT pg_advisory_xact_lock_shared(%s)", (_LOCK,))
    rows = tx.rows(
        KnownPlayer,
        "SELECT player_id, name, left_at FROM known_players WHERE player_id = ANY(%s)",
        (list(player_ids),),
    )
    return {row.player_id: row for row in rows}


def keep_names(tx: Transaction, names: Sequence[tuple[str, str, int]]) -> list[str]:
    """Writes player, name and revision unless a higher revision is known; the players whose name it changed."""
    return tx.scalars(
        """
        INSERT INTO known_players (player_id, name, revision)
        SELECT * FROM unnest(%s::text[], %s::text[], %s::bigint[])
        ON CONFLICT (player_id) DO UPDATE SET name = excluded.name, revision = excluded.revision
         WHERE known_players.revision < excluded.revision
        RETURNING player_id
        """,
        [list(column) for column in zip(*sorted(names), strict=True)],
    )


def keep_leave(tx: Transaction, player_id: str, left_at: datetime) -> None:
    tx.execute(
        "INSERT INTO known_players (player_id, left_at) VALUES (%s, %s)"
        " ON CONFLICT (player_id) DO UPDATE SET left_at = excluded.left_at",
        (player_id, left_at),
    )


def playing(tx: Transaction, player_ids: Collection[str]) -> list[str]:
    """The matches that these players play."""
    return tx.scalars(
        "SELECT DISTINCT match_id FROM seats JOIN matches USING (match_id)"
        " WHERE player_id = ANY(%s) AND state = 'playing' ORDER BY match_id",
        (list(player_ids),),
    )


def rename_seats(tx: Transaction, match_ids: Collection[str]) -> None:
    """Gives the seats of locked matches that are being played the names that are known."""
    tx.execute(
        "UPDATE seats s SET player_name = k.name FROM known_players k"
        " WHERE s.match_id = ANY(%s) AND k.player_id = s.player_id AND k.name IS NOT NULL",
        (list(match_ids),),
    )


def rename_waiting(tx: Transaction, player_ids: Collection[str]) -> None:
    """The same for those who sit at tables that wait."""
    tx.execute(
        """
        UPDATE table_players p SET player_name = k.name
          FROM known_players k, casual_tables t
         WHERE p.player_id = ANY(%s) AND k.player_id = p.player_id AND k.name IS NOT NULL
           AND t.table_id = p.table_id AND t.state = 'waiting'
        """,
        (list(player_ids),),
    )


def waiting_at(tx: Transaction, player_id: str) -> list[str]:
    """The tables that wait and at which the player sits, locked."""
    return tx.scalars(
        "SELECT table_id FROM casual_tables WHERE state = 'waiting'"
        " AND table_id IN (SELECT table_id FROM table_players WHERE player_id = %s) ORDER BY table_id FOR UPDATE",
        (player_id,),
    )


def show_as(tx: Transaction, player_id: str, name: str) -> None:
    """Shows this name at every seat and table of the player; records keep the one that was played under."""
    tx.execute("UPDATE seats SET shown_name = %s WHERE player_id = %s", (name, player_id))
    tx.execute("UPDATE table_players SET player_name = %s WHERE player_id = %s", (name, player_id))

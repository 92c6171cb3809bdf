"""Casual tables in Postgres."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from psycopg.types.json import Jsonb

from gin_engine.domain.match import Clock
from gin_engine.domain.table import Table, TablePlayer
from gin_servicekit.database import Transaction


def hold_host(tx: Transaction, player_id: str) -> None:
    """Until this transaction ends, no other one opens a table for this person."""
    tx.execute("SELECT pg_advisory_xact_lock(hashtextextended('table of ' || %s, 0))", (player_id,))


def waiting_of(tx: Transaction, player_id: str) -> int:
    """At how many tables this person waits as host, rematches left out."""
    return int(
        tx.scalar(
            "SELECT count(*) FROM casual_tables"
            " WHERE host_id = %s AND state = 'waiting' AND expires_at > %s AND opponent <> 'rematch'",
            (player_id, tx.now),
        )
    )


def insert(tx: Transaction, table: Table, server_seed: bytes, salt: bytes) -> None:
    tx.execute(
        """
        INSERT INTO casual_tables (table_id, state, host_id, game, rules, seats, opponent, bot, invitation, rematch_of,
                                   clock_move_ms, clock_bank_ms, bot_pace_seconds, rated, advice, commitment, opened_at,
                                   expires_at)
        VALUES (%s, 'waiting', %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        """,
        (
            table.table_id,
            table.host_id,
            table.game,
            Jsonb(table.rules),
            table.seats,
            table.opponent,
            table.bot,
            table.invitation,
            table.rematch_of,
            table.clock and table.clock.move_ms,
            table.clock and table.clock.bank_ms,
            table.bot_pace_seconds,
            table.rated,
            table.advice,
            table.commitment,
            table.opened_at,
            table.expires_at,
        ),
    )
    tx.execute("INSERT INTO table_secrets VALUES (%s, %s, %s)", (table.table_id, server_seed, salt))
    seat(tx, table.table_id, table.players)


def seat(tx: Transaction, table_id: str, players: Sequence[TablePlayer]) -> None:
    """Players sit down at a table that this transaction has locked or made."""
    tx.execute_many(
        "INSERT INTO table_players (table_id, seat, player_id, player_name, bot, entropy, joined_at)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s)",
        [(table_id, p.seat, p.player_id, p.player_name, p.bot, p.entropy, tx.now) for p in players],
    )


def unseat(tx: Transaction, table_id: str, player_id: str) -> None:
    tx.execute("DELETE FROM table_players WHERE table_id = %s AND player_id = %s", (table_id, player_id))


def set_entropy(tx: Transaction, table_id: str, player_id: str, entropy: bytes) -> None:
    tx.execute(
        "UPDATE table_players SET entropy = %s WHERE table_id = %s AND player_id = %s",
        (entropy, table_id, player_id),
    )


def find(tx: Transaction, table_id: str) -> Table | None:
    found = load(tx, [table_id])
    return found[0] if found else None


def lock(tx: Transaction, table_id: str) -> Table | None:
    """The table, which nobody else changes until this transaction ends."""
    ids = tx.scalars("SELECT table_id FROM casual_tables WHERE table_id = %s FOR UPDATE", (table_id,))
    return load(tx, ids)[0] if ids else None


def rematch_of(tx: Transaction, match_id: str) -> str | None:
    """The table at which this match is to be played again, or was."""
    found: str | None = tx.scalar(
        "SELECT table_id FROM casual_tables WHERE rematch_of = %s AND state <> 'closed'", (match_id,)
    )
    return found


def secrets_of(tx: Transaction, table_id: str) -> tuple[bytes, bytes]:
    """Seed and salt of the deals at the table."""
    row = tx.dicts("SELECT server_seed, salt FROM table_secrets WHERE table_id = %s", (table_id,))[0]
    return row["server_seed"], row["salt"]


def set_state(tx: Transaction, table_id: str, state: str) -> bool:
    """From waiting to `state`, "seated" or "closed"; False when the table no longer waits."""
    return bool(
        tx.execute(
            "UPDATE casual_tables SET state = %s WHERE table_id = %s AND state = 'waiting'",
            (state, table_id),
        )
    )


def close_expired(tx: Transaction, limit: int) -> list[str]:
    """Closes tables at which nobody sat down in time, and names them."""
    return tx.scalars(
        """
        UPDATE casual_tables SET state = 'closed'
         WHERE table_id IN (
                 SELECT table_id FROM casual_tables WHERE state = 'waiting' AND expires_at <= %s
                  ORDER BY expires_at LIMIT %s FOR UPDATE SKIP LOCKED)
        RETURNING table_id
        """,
        (tx.now, limit),
    )


def page_open(tx: Transaction, after: str, limit: int) -> list[Table]:
    """Open tables that wait, the newest first, before the id `after` unless that is empty."""
    return load(
        tx,
        tx.scalars(
            """
            SELECT table_id FROM casual_tables
             WHERE state = 'waiting' AND opponent = 'open' AND expires_at > %(now)s
               AND (%(after)s = '' OR table_id < %(after)s)
             ORDER BY table_id DESC LIMIT %(limit)s
            """,
            {"now": tx.now, "after": after, "limit": limit},
        ),
    )


def load(tx: Transaction, table_ids: Sequence[str]) -> list[Table]:
    """Those of the tables that are there, in the order asked for."""
    ids = list(table_ids)
    rows = tx.dicts(
        """
        SELECT t.table_id, host_id, t.game, t.rules, t.seats, opponent, bot, invitation, rematch_of, t.clock_move_ms,
               t.clock_bank_ms, t.bot_pace_seconds, rated, t.advice, t.commitment, t.opened_at, expires_at,
               CASE WHEN t.state <> 'seated' THEN t.state WHEN m.state = 'playing' THEN 'playing' ELSE 'finished' END
               AS state
          FROM casual_tables t LEFT JOIN matches m ON m.match_id = t.table_id
         WHERE table_id = ANY(%s) ORDER BY array_position(%s::text[], table_id)
        """,
        (ids, ids),
    )
    players: dict[str, list[TablePlayer]] = defaultdict(list)
    for table_id, number, player_id, name, bot, entropy in tx.connection.execute(
        "SELECT table_id, seat, player_id, player_name, bot, entropy FROM table_players"
        " WHERE table_id = ANY(%s) ORDER BY table_id, seat",
        (ids,),
    ):
        players[table_id].append(TablePlayer(number, player_id, name, bot, entropy))
    return [_table(row, players[row["table_id"]]) for row in rows]


def _table(row: dict[str, Any], players: list[TablePlayer]) -> Table:
    move_ms, bank_ms = row.pop("clock_move_ms"), row.pop("clock_bank_ms")
    return Table(**row, clock=None if move_ms is None else Clock(move_ms, bank_ms), players=tuple(players))

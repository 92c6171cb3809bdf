"""Running clocks in Postgres: when they began, when they are used up, and when we last looked at them."""

from __future__ import annotations

from datetime import datetime

from gin_engine.domain.clocks import AWAY_AFTER
from gin_engine.domain.match import Match, MatchId
from gin_engine.store.matches import load
from gin_servicekit.database import Transaction


def looked_at(tx: Transaction) -> datetime | None:
    """When a tick last looked at the clocks."""
    found: datetime | None = tx.scalar("SELECT beat_at FROM clock_beat")
    return found


def look(tx: Transaction) -> None:
    """Notes that we look at the clocks now, and puts off every running one by the time we were away."""
    last: datetime | None = tx.scalar("SELECT beat_at FROM clock_beat FOR UPDATE")
    if last is None or tx.now - last > AWAY_AFTER:
        tx.execute(
            """
            UPDATE matches m
               SET turn_began_at = m.turn_began_at + gone.away, clock_due_at = m.clock_due_at + gone.away
              FROM (SELECT match_id, %(now)s - greatest(%(last)s::timestamptz, turn_began_at) AS away
                      FROM matches WHERE clock_due_at IS NOT NULL AND state = 'playing'
                     ORDER BY match_id FOR UPDATE) AS gone
             WHERE m.match_id = gone.match_id AND gone.away > '0'
            """,
            {"now": tx.now, "last": last},
        )
    tx.execute(
        "INSERT INTO clock_beat (beat_at) VALUES (%s)"
        " ON CONFLICT (one) DO UPDATE SET beat_at = greatest(clock_beat.beat_at, excluded.beat_at)",
        (tx.now,),
    )


def claim_used_up(tx: Transaction, limit: int) -> list[Match]:
    """Matches whose running clock is used up, that no other transaction has claimed."""
    ids = tx.scalars(
        """
        SELECT match_id FROM matches WHERE clock_due_at <= %s AND state = 'playing'
         ORDER BY clock_due_at LIMIT %s FOR UPDATE SKIP LOCKED
        """,
        (tx.now, limit),
    )
    return load(tx, ids)


def set_bank(tx: Transaction, match_id: MatchId, seat: int, bank_ms: int) -> None:
    tx.execute("UPDATE seats SET bank_ms = %s WHERE match_id = %s AND seat = %s", (bank_ms, match_id, seat))


def start(tx: Transaction, match_id: MatchId, seat: int) -> None:
    """The clock of the seat runs from now on, and no other one; none while the match is paused, without a deadline."""
    tx.execute(
        """
        UPDATE matches m
           SET turn_began_at = %(now)s,
               clock_due_at = %(now)s + (m.clock_move_ms + s.bank_ms) * interval '1 millisecond'
          FROM seats s
         WHERE m.match_id = %(match)s AND s.match_id = m.match_id AND s.seat = %(seat)s
           AND NOT EXISTS (SELECT FROM moved_deadlines d WHERE d.match_id = m.match_id AND d.deadline_at IS NULL)
        """,
        {"now": tx.now, "match": match_id, "seat": seat},
    )


def stop(tx: Transaction, match_id: MatchId) -> None:
    """No clock of the match runs."""
    tx.execute("UPDATE matches SET clock_due_at = NULL WHERE match_id = %s", (match_id,))

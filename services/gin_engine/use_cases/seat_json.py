"""A seat's view as JSON, as answers and live events have it, written out: a player waits for it after every action.

It is what SeatViewSchema, which documents it, makes of the view; that takes several times as long.
"""

from __future__ import annotations

from typing import Any

from gin_engine.domain.clocks import ClockView
from gin_engine.use_cases.show_matches import SeatView


def seat_json(seen: SeatView) -> dict[str, Any]:
    rematch = seen.rematch
    return {
        "match_id": seen.match_id,
        "seat": seen.seat,
        "state": seen.state,
        "action_count": seen.action_count,
        "to_act": seen.to_act,
        "legal_actions": seen.legal_actions,
        "view": seen.view,
        "advice": seen.advice,
        "table_id": seen.table_id,
        "rematch": rematch
        and {"table_id": rematch.table_id, "match_id": rematch.match_id, "asked_by": rematch.asked_by},
        "clock": seen.clock and _clock_json(seen.clock),
    }


def _clock_json(clock: ClockView) -> dict[str, Any]:
    return {
        "seats": [{"bank_ms": seat.bank_ms, "running": seat.running, "move_ms": seat.move_ms} for seat in clock.seats],
        "expires_at": clock.expires_at and clock.expires_at.isoformat(),
        "now": clock.now.isoformat(),
    }

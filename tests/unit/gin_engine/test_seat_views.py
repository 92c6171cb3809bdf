"""What a seat sees, as JSON: written out, and the same as its schema makes of it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from gin_engine.api.schemas import SeatViewSchema
from gin_engine.domain.clocks import ClockView, SeatClock
from gin_engine.domain.match import MatchId
from gin_engine.use_cases.seat_json import seat_json
from gin_engine.use_cases.show_matches import RematchView, SeatView

NOW = datetime(2030, 1, 2, 3, 4, 5, 678, tzinfo=UTC)
PLAIN = SeatView(MatchId("m"), 1, 7, "playing", 1, ["draw"], {"phase": "draw"}, True, None, None, None)
RUNNING = ClockView((SeatClock(None, False, None), SeatClock(900, True, 50)), NOW + timedelta(seconds=1), NOW)


@pytest.mark.parametrize(
    "seen",
    [
        PLAIN,
        replace(PLAIN, table_id=MatchId("m"), clock=RUNNING),
        replace(PLAIN, clock=replace(RUNNING, expires_at=None)),
        replace(PLAIN, to_act=None, legal_actions=[], state="finished", rematch=RematchView("t", None, ["ada"])),
    ],
)
def test_it_is_what_the_schema_says(seen: SeatView) -> None:
    assert json.loads(json.dumps(seat_json(seen))) == json.loads(json.dumps(SeatViewSchema().dump(seen)))

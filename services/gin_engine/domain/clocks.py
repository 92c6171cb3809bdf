"""Clocks: so much time for each action, then a bank that drains until the match is lost.

Only the seat that must act has a running clock; built-in bots have none. Time in which the house did not look at the
clocks is nobody's: between two looks that lie more than AWAY_AFTER apart it was away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from gin_engine.domain.match import PLAYING, Match
from gin_rules.game import Action, AnyGame

AWAY_AFTER = timedelta(seconds=5)
"""The house looks at the clocks every second; where it missed several looks, nobody could have played."""

# Source 000: silence in a challenge is a pass, and who declares no words has none. Play goes on.
_SILENCE: Mapping[str, Action] = {"challenge": Action("pass"), "reveal": Action("reveal")}


@dataclass(frozen=True, slots=True)
class SeatClock:
    """What a seat has left; None for a built-in bot."""

    bank_ms: int | None
    running: bool
    move_ms: int | None


@dataclass(frozen=True, slots=True)
class ClockView:
    """The clocks of a match at the moment `now`. `expires_at` is when the running one is used up."""

    seats: tuple[SeatClock, ...]
    expires_at: datetime | None
    now: datetime


def away(began: datetime, looked_at: datetime | None, now: datetime) -> timedelta:
    """How much of the time since `began` the house was away; it last looked at `looked_at` (None: never)."""
    if looked_at is None:
        return max(now - began, timedelta())
    if now - looked_at <= AWAY_AFTER:
        return timedelta()
    return max(now - max(looked_at, began), timedelta())


def spent_ms(match: Match, looked_at: datetime | None, now: datetime) -> int:
    """How long the running clock has run; 0 when none does."""
    began = match.turn_began_at
    if match.clock_due_at is None or began is None:
        return 0
    return max(0, round((now - began - away(began, looked_at, now)).total_seconds() * 1000))


def bank_after(match: Match, seat: int, spent: int) -> int:
    """What the seat's bank holds after an action that took `spent` ms; below zero: it came too late."""
    assert match.clock is not None
    return (match.seats[seat].bank_ms or 0) - max(0, spent - match.clock.move_ms)


def clock_view(match: Match, to_act: int | None, looked_at: datetime | None, now: datetime) -> ClockView | None:
    """The clocks as everybody may see them; None for a match without."""
    if match.clock is None:
        return None
    running = to_act if match.state == PLAYING and match.clock_due_at is not None else None
    seats = []
    for number, seat in enumerate(match.seats):
        if seat.bot is not None:
            seats.append(SeatClock(None, running=False, move_ms=None))
        elif number == running:
            spent = spent_ms(match, looked_at, now)
            bank = max(0, bank_after(match, number, spent))
            seats.append(SeatClock(bank, running=True, move_ms=max(0, match.clock.move_ms - spent)))
        else:
            seats.append(SeatClock(seat.bank_ms or 0, running=False, move_ms=match.clock.move_ms))
    expires_at = None
    if running is not None and match.clock_due_at is not None and match.turn_began_at is not None:
        expires_at = match.clock_due_at + away(match.turn_began_at, looked_at, now)
    return ClockView(tuple(seats), expires_at, now)


def silent_action(game: AnyGame, state: Any) -> Action | None:
    """What silence means in this state; None where a player must speak, and so loses the match instead."""
    phase = str(game.view_to_json(game.spectator_view(state))["phase"])
    return _SILENCE.get(phase)

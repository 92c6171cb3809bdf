"""One action of a client that leaves its match undecided: match, seat and log in one guarded statement."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, LiteralString

from gin_engine.domain.clocks import AWAY_AFTER
from gin_engine.domain.match import Match
from gin_rules.game import Action
from gin_servicekit.database import Transaction
from gin_servicekit.idempotency import REMEMBER_ANSWER


@dataclass(frozen=True, slots=True)
class ClockStep:
    """What the action does to running clocks: the bank of its seat, and the clock that runs then (None: none does)."""

    bank_ms: int
    began_at: datetime
    due_at: datetime | None


@dataclass(frozen=True, slots=True)
class Step:
    """What `seat` did at `acted_at`, and how the match stands then. The log tells it as of `played_at`.

    Without a `clock` the clocks of the match are somebody else's work.
    """

    seat: int
    action: Action
    acted_at: datetime
    played_at: datetime
    thinking_seconds: float
    hands_played: int
    deadline_at: datetime | None
    bot_due_at: datetime | None
    clock: ClockStep | None = None


def write(tx: Transaction, match: Match, step: Step, answer: dict[str, Any] | None = None) -> bool:
    """Writes the step if the match still is where `match` says, and tells whether it was.

    Where the step has a clock, the running one must be the one of `match`, and the house must not have been away. The
    `answer` (of `Claim.remembering`) is kept under its key with it; UniqueViolation when that is not new.
    """
    parameters = {
        "match_id": match.match_id,
        "commitment": match.commitment,
        "actions": match.action_count,
        "rulings": match.ruling_count,
        "hands": step.hands_played,
        "played_at": step.played_at,
        "deadline_at": step.deadline_at,
        "bot_due_at": step.bot_due_at,
        "acted_at": step.acted_at,
        "thinking": step.thinking_seconds,
        "seat": step.seat,
        "action": step.action,
    }
    if step.clock is not None:
        parameters |= {
            "began_at": match.turn_began_at,
            "due_at": match.clock_due_at,
            "looked_after": step.acted_at - AWAY_AFTER,
            "bank": step.clock.bank_ms,
            "next_began_at": step.clock.began_at,
            "next_due_at": step.clock.due_at,
        }
    if answer is not None:
        parameters |= answer
    return tx.execute(_statement(step.clock is not None, answer is not None), parameters) == 1


# Parts of the one statement. What looks elsewhere than at the row of the match sees what was committed before; that the
# row is where it was guards it.
_MOVE: LiteralString = """
    WITH done AS (
        UPDATE matches
           SET action_count = action_count + 1, hands_played = %(hands)s, last_action_at = %(played_at)s,
               deadline_at = CASE WHEN idle_seconds IS NULL THEN deadline_at ELSE %(deadline_at)s END,
               bot_due_at = %(bot_due_at)s
"""
_SET_CLOCK: LiteralString = ", turn_began_at = %(next_began_at)s, clock_due_at = %(next_due_at)s"
_IF_THERE: LiteralString = """
         WHERE match_id = %(match_id)s AND state = 'playing' AND commitment = %(commitment)s
           AND action_count = %(actions)s AND ruling_count = %(rulings)s
"""
_IF_SAME_CLOCK: LiteralString = """
           AND turn_began_at = %(began_at)s AND clock_due_at = %(due_at)s
           AND EXISTS (SELECT FROM clock_beat WHERE beat_at >= %(looked_after)s)
"""
_NOTE_SEAT: LiteralString = """
        RETURNING match_id
    ), acted AS (
        UPDATE seats SET acted_at = %(acted_at)s, thinking_seconds = thinking_seconds + %(thinking)s
"""
_SET_BANK: LiteralString = ", bank_ms = %(bank)s"
_OF_SEAT: LiteralString = " FROM done WHERE seats.match_id = done.match_id AND seat = %(seat)s)"
_ANSWER: LiteralString = ", answered AS (" + REMEMBER_ANSWER + ")"
_LOG: LiteralString = """
    INSERT INTO action_blocks (match_id, first_action, actions, seats, played_at)
    SELECT match_id, %(actions)s, ARRAY[%(action)s::text], ARRAY[%(seat)s::smallint], %(played_at)s FROM done
"""


@functools.cache
def _statement(clock: bool, answer: bool) -> LiteralString:
    if clock:
        move = _MOVE + _SET_CLOCK + _IF_THERE + _IF_SAME_CLOCK + _NOTE_SEAT + _SET_BANK + _OF_SEAT
    else:
        move = _MOVE + _IF_THERE + _NOTE_SEAT + _OF_SEAT
    return move + _ANSWER + _LOG if answer else move + _LOG


def after(match: Match, step: Step) -> Match:
    """The match once the step is written. What its seats did and how long they thought stays as it was."""
    if step.clock is None:
        return replace(
            match,
            action_count=match.action_count + 1,
            hands_played=step.hands_played,
            last_action_at=step.played_at,
            deadline_at=step.deadline_at,
        )
    acted = replace(match.seats[step.seat], bank_ms=step.clock.bank_ms)
    return replace(
        match,
        action_count=match.action_count + 1,
        hands_played=step.hands_played,
        last_action_at=step.played_at,
        deadline_at=step.deadline_at,
        seats=(*match.seats[: step.seat], acted, *match.seats[step.seat + 1 :]),
        turn_began_at=step.clock.began_at,
        clock_due_at=step.clock.due_at,
    )

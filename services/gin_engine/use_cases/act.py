"""A client acts for its seat."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from psycopg.errors import DeadlockDetected, UniqueViolation

from gin_engine.domain.clocks import bank_after, clock_view, spent_ms
from gin_engine.domain.match import PLAYING, Match
from gin_engine.domain.play import Progress, bot_is_to_act
from gin_engine.domain.problems import (
    ActionRefused,
    MatchIsOver,
    MatchNotFound,
    NotYourTurn,
    OutOfTime,
    StaleActionCount,
)
from gin_engine.domain.tasks import REPLY
from gin_engine.store import clocks, known, matches, steps
from gin_engine.store.states import keep, state_of
from gin_engine.store.steps import ClockStep
from gin_engine.use_cases import hints
from gin_engine.use_cases.finish_matches import record_step, step_of
from gin_engine.use_cases.seat_json import seat_json
from gin_engine.use_cases.show_matches import SeatView, seat_of, seat_view, view_of_seat
from gin_rules.game import Action, IllegalAction, game_named
from gin_servicekit.database import Statements, Transaction
from gin_servicekit.idempotency import Claim, as_json


def act(tx: Transaction, match_id: str, account_id: str, action: str, action_count: int) -> SeatView:
    """Takes the action and returns what the seat sees then. Bots that are to act next are asked to.

    `action_count` is the number of actions (and rulings) after which the client decided. Raises MatchNotFound,
    NotYourSeat, MatchIsOver, StaleActionCount, NotYourTurn, ActionRefused or OutOfTime, and then nothing has changed.
    """
    match = matches.lock(tx, match_id)
    if match is None:
        raise MatchNotFound("there is no such match")
    seat = seat_of(match, account_id)
    if match.state != PLAYING:
        raise MatchIsOver("the match is over")
    if action_count != match.event_count:
        raise StaleActionCount(f"the match is at {match.event_count} actions, not {action_count}", "action_count")
    game, state = game_named(match.game), state_of(tx, match)
    if game.to_act(state) != seat:
        raise NotYourTurn("another seat is to act")
    try:
        after = game.apply(state, Action(action))
    except IllegalAction as problem:
        raise ActionRefused(problem.reason, "action") from problem
    if match.clock is not None:
        _stop_clock(tx, match, seat)
    then = record_step(tx, match, seat, Action(action), after)
    _ask_bots(tx, match, after)
    return seat_view(tx, then, seat, after)


def act_in_one_statement(
    tx: Statements,
    match_id: str,
    account_id: str,
    action: str,
    action_count: int,
    claim: Claim | None,
) -> str | None:
    """The same in the usual case, without a lock: what this process knows of the match says what the action does, and
    one statement writes it if the match still is as it is known.

    Returns the view as JSON, which is kept under the key of `claim` too. None: nothing has changed, and `act` must
    tell what to do, as for the last action of a match, and for every action that is refused. Raises NotYourSeat.
    """
    match = known.after_events(tx, match_id, action_count)
    if match is None:
        return None
    seat, game, state = seat_of(match, account_id), game_named(match.game), state_of(tx, match)
    if game.to_act(state) != seat:
        return None
    try:
        after = game.apply(state, Action(action))
    except IllegalAction:
        return None
    clock = None if match.clock is None else _clock_after(match, seat, after, tx.now)
    if game.outcome(after) is not None or (match.clock is not None and clock is None):
        return None
    step = step_of(tx, match, Progress(after, [Action(action)], [seat]), clock)
    then = steps.after(match, step)
    shown = view_of_seat(then, seat, after, clock_view(then, game.to_act(after), tx.now, tx.now), None)
    seen = as_json(seat_json(shown))
    try:
        if not steps.write(tx, match, step, None if claim is None else claim.remembering(seen, tx.now)):
            return None
    except (UniqueViolation, DeadlockDetected):
        return None  # the key is not new, or another request with it is at work, which claimed the key before the match
    keep(then, after)
    known.remember(then)
    hints.moved(tx, match, then.event_count, hints.seen_by_others(then, after, tx.now, seat))
    _ask_bots(tx, match, after)
    return seen


def _ask_bots(tx: Transaction, match: Match, after: Any) -> None:
    if bot_is_to_act(match, after) and not match.bot_pace_seconds:
        tx.kick(REPLY)


def _clock_after(match: Match, seat: int, after: Any, now: datetime) -> ClockStep | None:
    """What acting now does to the clocks, if the house was not away; None when none runs, or time has run out."""
    if match.clock is None or match.clock_due_at is None:
        return None
    bank_ms = bank_after(match, seat, spent_ms(match, now, now))
    if bank_ms < 0:
        return None
    following = game_named(match.game).to_act(after)
    if following is None or match.seats[following].bot is not None:
        return ClockStep(bank_ms, match.turn_began_at or now, None)
    bank_then = bank_ms if following == seat else match.seats[following].bank_ms or 0
    return ClockStep(bank_ms, now, now + timedelta(milliseconds=match.clock.move_ms + bank_then))


def _stop_clock(tx: Transaction, match: Match, seat: int) -> None:
    """Takes from the bank what the action took longer than it may. Raises OutOfTime when that is more than is left."""
    bank_ms = bank_after(match, seat, spent_ms(match, clocks.looked_at(tx), tx.now))
    if bank_ms < 0:
        raise OutOfTime("your time has run out")
    clocks.set_bank(tx, match.match_id, seat, bank_ms)

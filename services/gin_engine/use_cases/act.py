"""A client acts for its seat."""

from __future__ import annotations

from gin_engine.domain.clocks import bank_after, spent_ms
from gin_engine.domain.match import PLAYING, Match
from gin_engine.domain.play import bot_is_to_act
from gin_engine.domain.problems import (
    ActionRefused,
    MatchIsOver,
    MatchNotFound,
    NotYourTurn,
    OutOfTime,
    StaleActionCount,
)
from gin_engine.domain.tasks import REPLY
from gin_engine.store import clocks, matches
from gin_engine.store.states import state_of
from gin_engine.use_cases.finish_matches import record_step
from gin_engine.use_cases.show_matches import SeatView, seat_of, seat_view
from gin_rules.game import Action, IllegalAction, game_named
from gin_servicekit.database import Transaction


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
    if bot_is_to_act(match, after) and not match.bot_pace_seconds:
        tx.kick(REPLY)
    return seat_view(tx, then, seat, after)


def _stop_clock(tx: Transaction, match: Match, seat: int) -> None:
    """Takes from the bank what the action took longer than it may. Raises OutOfTime when that is more than is left."""
    bank_ms = bank_after(match, seat, spent_ms(match, clocks.looked_at(tx), tx.now))
    if bank_ms < 0:
        raise OutOfTime("your time has run out")
    clocks.set_bank(tx, match.match_id, seat, bank_ms)

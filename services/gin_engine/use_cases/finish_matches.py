"""The one way in which matches go on and end: log, match, seats and message in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from gin_engine.domain import results
from gin_engine.domain.match import Match
from gin_engine.domain.play import Progress, bot_is_to_act
from gin_engine.domain.problems import MatchMoved
from gin_engine.domain.records import Played, seal_of_match
from gin_engine.domain.results import Result, finished_message
from gin_engine.store import action_log, clocks, known, matches, steps
from gin_engine.store.action_log import Block
from gin_engine.store.matches import Advance
from gin_engine.store.rulings import rulings_of
from gin_engine.store.states import keep
from gin_engine.store.steps import ClockStep, Step
from gin_engine.use_cases import hints
from gin_rules.game import Action, game_named
from gin_servicekit.database import Transaction


@dataclass(frozen=True, slots=True)
class Ended:
    """A match that ends where it stands, without another action."""

    match: Match
    result: Result
    state: Any
    """The state in which it ends; None where that is not to be had."""


def record_progress(tx: Transaction, played: Sequence[tuple[Match, Progress]]) -> None:
    """Writes what was played in locked matches, and ends those that are over."""
    action_log.append(
        tx,
        [
            Block(
                match.match_id, match.action_count, list(progress.actions), progress.seats, _not_before(match, tx.now)
            )
            for match, progress in played
            if progress.actions
        ],
    )
    advances = [_after(tx, match, progress) for match, progress in played]
    _advance(tx, advances)
    for advance, (match, progress) in zip(advances, played, strict=True):
        if match.clock is not None:
            run_clock(tx, match, progress.state)
        if progress.actions and advance.result is None:
            _tell(tx, advance, progress.state)


def record_step(tx: Transaction, match: Match, seat: int, action: Action, after: Any) -> Match:
    """Writes what a client did for its seat in a locked match, which ends if `after` ends it. Returns it as it is then.

    Raises MatchMoved when it is not where it was: nothing may commit.
    """
    progress = Progress(after, [action], [seat])
    if game_named(match.game).outcome(after) is not None:
        matches.note_acted(tx, match, seat)
        matches.put_off_deadline(tx, match)
        record_progress(tx, [(match, progress)])
        then = _read_again(tx, match)
    else:
        step = step_of(tx, match, progress)
        if not steps.write(tx, match, step):
            raise MatchMoved("the match is not where it was")
        then = steps.after(match, step)
        hints.moved(tx, match, then.event_count)
        if match.clock is not None:
            run_clock(tx, match, after)
            then = _read_again(tx, match)
    tx.once_committed(lambda: keep(then, after))
    tx.once_committed(lambda: known.remember(then))
    return then


def step_of(tx: Transaction, match: Match, progress: Progress, clock: ClockStep | None = None) -> Step:
    """The one action of `progress`, which leaves the match undecided."""
    advance = _after(tx, match, progress)
    return Step(
        seat=progress.seats[0],
        action=progress.actions[0],
        acted_at=tx.now,
        played_at=_not_before(match, tx.now),
        thinking_seconds=match.waited_seconds(tx.now),
        hands_played=advance.hands_played,
        deadline_at=match.deadline_after(tx.now),
        bot_due_at=advance.bot_due_at,
        clock=clock,
    )


def _read_again(tx: Transaction, match: Match) -> Match:
    found = matches.find(tx, match.match_id)
    assert found is not None  # matches are never deleted
    return found


def run_clock(tx: Transaction, match: Match, state: Any) -> None:
    """In a match with clocks: that of the person who is to act in `state` runs from now on, and no other one."""
    seat = game_named(match.game).to_act(state)
    if seat is None or match.seats[seat].bot is not None:
        clocks.stop(tx, match.match_id)
    else:
        clocks.start(tx, match.match_id, seat)


def end_where_they_stand(tx: Transaction, ended: Sequence[Ended]) -> None:
    """Ends locked matches by something else than play."""
    _advance(
        tx,
        [
            Advance(
                end.match,
                end.match.action_count,
                end.result.hands_played,
                end.match.last_action_at,
                None,
                end.result,
                None if end.state is None else _seal(tx, end.match, end.state, Progress(end.state, [], [])),
            )
            for end in ended
        ],
    )


def _advance(tx: Transaction, advances: Sequence[Advance]) -> None:
    matches.advance(tx, advances)
    for advance in advances:
        if advance.result is not None:
            hints.finished(tx, advance.match)
            tx.emit(finished_message(advance.match, advance.result, tx.now))


def _tell(tx: Transaction, advance: Advance, state: Any) -> None:
    """Tells of actions that leave the match undecided. How its clocks stand then, nobody knows here: players look."""
    then = replace(
        advance.match,
        action_count=advance.action_count,
        hands_played=advance.hands_played,
        last_action_at=advance.last_action_at,
    )
    seen = hints.seen_by_others(then, state, tx.now, actor=None) if then.clock is None else {}
    hints.moved(tx, then, then.event_count, seen)


def _after(tx: Transaction, match: Match, progress: Progress) -> Advance:
    game, state = game_named(match.game), progress.state
    outcome = game.outcome(state)
    return Advance(
        match=match,
        action_count=match.action_count + len(progress.actions),
        hands_played=len(game.hand_results(state)),
        last_action_at=_not_before(match, tx.now) if progress.actions else match.last_action_at,
        bot_due_at=tx.now + _pause(match, progress) if outcome is None and bot_is_to_act(match, state) else None,
        result=None if outcome is None else results.played(outcome),
        seal=None if outcome is None else _seal(tx, match, state, progress),
    )


def _seal(tx: Transaction, match: Match, state: Any, progress: Progress) -> str:
    before = action_log.blocks_of(tx, match.match_id, to_action=match.action_count) if match.action_count else []
    played = [Played(block.actions, block.seats, block.played_at) for block in before]
    now_played = Played(progress.actions, progress.seats, _not_before(match, tx.now))
    return seal_of_match(match, state, [*played, now_played], rulings_of(tx, match))


def _pause(match: Match, progress: Progress) -> timedelta:
    """How long the bot that is to act waits: its pace, where a person acted last."""
    answers_person = bool(progress.seats) and match.seats[progress.seats[-1]].bot is None
    return timedelta(seconds=match.bot_pace_seconds if answers_person else 0.0)


def _not_before(match: Match, now: datetime) -> datetime:
    # A transaction takes its time before it waits for the match, and clocks of two machines differ.
    return now if match.last_action_at is None else max(now, match.last_action_at)

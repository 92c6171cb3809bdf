"""Pausing a tournament, going on with it, and giving a round more time.

While a tournament is paused nothing of it falls due: no check-in opens, nothing starts, no round or challenge is
opened, and no match is lost by a deadline or a clock. Matches in play may be played on, and their results count. When
it goes on, all that was still to come is as far away as it was when it was paused.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from gin_lobby.domain.problems import WrongState
from gin_lobby.domain.tournament import BEFORE_START, ENDED, Tournament, TournamentState
from gin_lobby.domain.webhooks import EventType
from gin_lobby.store import matches, rounds, tournaments
from gin_lobby.use_cases import webhook_events
from gin_lobby.use_cases.log import everybody, note
from gin_lobby.use_cases.rights import directed
from gin_messages.match import DeadlineMoved
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction
from gin_servicekit.problems import NotFound


def pause(tx: Transaction, caller: Caller, tournament_id: UUID | None, reason: str) -> Tournament:
    """Raises NotFound, NotTheOrganiser, or WrongState where it is paused or over."""
    tournament = directed(tx, caller, tournament_id)
    if tournament.state in (*ENDED, TournamentState.DRAFT):
        raise WrongState(f"it cannot be paused: the tournament is {tournament.state}")
    if tournament.paused:
        raise WrongState("it is paused already")
    tournaments.conduct(tx, replace(tournament, paused_at=tx.now))
    for match_id in matches.in_play(tx, tournament.tournament_id):
        tx.emit(DeadlineMoved(str(match_id), None, tx.now))
    webhook_events.tournament_moved(tx, EventType.TOURNAMENT_PAUSED, tournament)
    note(tx, tournament, caller, "paused", reason=reason, touched=everybody(tx, tournament))
    return _again(tx, tournament)


def resume(tx: Transaction, caller: Caller, tournament_id: UUID | None) -> Tournament:
    """Goes on; every time that lay ahead lies as far ahead as before. Raises WrongState where it is not paused."""
    tournament = directed(tx, caller, tournament_id)
    if tournament.paused_at is None or tournament.state in ENDED:
        raise WrongState("it is not paused")
    paused_for = tx.now - tournament.paused_at
    running = tournament.state == TournamentState.RUNNING
    seconds = tournament.paused_seconds + (paused_for.total_seconds() if running else 0.0)
    question = _later(tournament.question, paused_for)
    tournaments.conduct(tx, replace(tournament, paused_at=None, paused_seconds=seconds, question=question))
    if tournament.state in BEFORE_START:
        due_at = None if tournament.due_at is None else tournament.due_at + paused_for
        tournaments.reschedule(tx, tournament.tournament_id, tournament.starts_at + paused_for, due_at)
    else:
        rounds.shift_deadlines(tx, tournament.tournament_id, paused_for)
        tell_deadlines(tx, tournament)
        tournaments.look_at(tx, tournament.tournament_id, tx.now)
    details = {"paused_seconds": int(paused_for.total_seconds())}
    webhook_events.tournament_moved(tx, EventType.TOURNAMENT_RESUMED, tournament)
    note(tx, tournament, caller, "resumed", details=details, touched=everybody(tx, tournament))
    return _again(tx, tournament)


def _later(question: dict[str, Any] | None, by: timedelta) -> dict[str, Any] | None:
    """What the organiser is asked, with as much time left to answer as before the pause."""
    if question is None:
        return None
    return question | {"answer_by": (datetime.fromisoformat(question["answer_by"]) + by).isoformat()}


def extend_round(
    tx: Transaction, caller: Caller, tournament_id: UUID | None, number: int, minutes: int, reason: str
) -> None:
    """Moves the deadline of a round that is being played. Raises NotFound or WrongState."""
    tournament = directed(tx, caller, tournament_id)
    found = next((r for r in rounds.rounds(tx, tournament.tournament_id) if r.number == number), None)
    if found is None:
        raise NotFound("there is no such round")
    if tournament.state != TournamentState.RUNNING or found.state != "playing":
        raise WrongState("only a round that is being played can have more time")
    rounds.shift_deadlines(tx, tournament.tournament_id, timedelta(minutes=minutes), number)
    if not tournament.paused:
        tell_deadlines(tx, tournament, number)
    details = {"round": number, "minutes": minutes}
    note(tx, tournament, caller, "round_extended", reason=reason, details=details, touched=everybody(tx, tournament))


def tell_deadlines(tx: Transaction, tournament: Tournament, number: int | None = None) -> None:
    """Tells the engine the deadlines of matches in play, as their rounds have them now."""
    for match_id, deadline_at in matches.deadlines(tx, tournament.tournament_id, number):
        tx.emit(DeadlineMoved(str(match_id), deadline_at, tx.now))


def announce_text(tx: Transaction, caller: Caller, tournament_id: UUID | None, text: str) -> int:
    """Tells everybody in the tournament something; returns the number of the entry in its log."""
    tournament = directed(tx, caller, tournament_id)
    return note(tx, tournament, caller, "announcement", reason=text, touched=everybody(tx, tournament))


def _again(tx: Transaction, tournament: Tournament) -> Tournament:
    found = tournaments.find(tx, tournament.tournament_id)
    assert found is not None
    return found

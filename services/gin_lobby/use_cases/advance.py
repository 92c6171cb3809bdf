"""What happens by itself: check-in opens, the tournament starts, rounds follow one another, it ends.

One call takes one step of one due tournament. The tournament is locked while it runs and its state is written with
the step, so two workers, a killed one, or a tick that comes twice never take a step twice.

What to open next, and when it is over, is the format's answer (gin_tournament.format); nothing here knows which it is.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from gin_lobby.domain import encounters
from gin_lobby.domain.tournament import EntrantRow, PairingRow, Tournament, TournamentState
from gin_lobby.domain.webhooks import EventType
from gin_lobby.store import rounds, series, tournaments
from gin_lobby.use_cases import hints, matches, standings, webhook_events
from gin_lobby.use_cases.entrants import fill_places
from gin_lobby.use_cases.log import everybody, note
from gin_lobby.use_cases.presence import ABSENT_AFTER, is_absence_pending
from gin_lobby.use_cases.wishes import wishes_of
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction
from gin_tournament.catalogue import opens_while_playing
from gin_tournament.errors import TournamentError
from gin_tournament.format import CannotPair, Choice, Finished, Open, Reason, Waiting

log = structlog.get_logger()

LATE = timedelta(minutes=1)
LOOK_AGAIN = timedelta(seconds=2)
LARGEST_PLANNED = 1024  # writing down every encounter beforehand takes too long for more

WHY_CANNOT_PAIR = {
    Reason.TOO_FEW_ENTRANTS: "too few entrants are left to pair another round",
    Reason.NO_LEGAL_PAIRING: "everyone left has met everyone else: no further round is possible without a rematch",
    Reason.NO_ELIGIBLE_BYE: "everyone left has had a bye: no further round is possible without a second one",
}


def step(tx: Transaction, tournament: Tournament) -> None:
    """The next step of a tournament that is due and locked."""
    match tournament.state:
        case TournamentState.REGISTRATION | TournamentState.CHECK_IN if tx.now > tournament.latest_start:
            _miss(tx, tournament)
        case TournamentState.REGISTRATION | TournamentState.CHECK_IN if _is_superseded(tx, tournament):
            _cancel(tx, tournament, "missed: a later one of its series starts instead")
        case TournamentState.ANNOUNCED:
            _cancel(tx, tournament, "registration was never opened")
        case TournamentState.REGISTRATION if tournament.check_in_minutes > 0:
            _open_check_in(tx, tournament)
        case TournamentState.CHECK_IN if is_absence_pending(tx):
            tournaments.look_at(tx, tournament.tournament_id, tx.now + LOOK_AGAIN)  # the check-in may become longer
        case TournamentState.REGISTRATION | TournamentState.CHECK_IN:
            _start(tx, tournament)
        case TournamentState.RUNNING:
            _continue(tx, tournament)
    now = _again(tx, tournament)
    if (now.state, now.current_round) != (tournament.state, tournament.current_round):
        hints.moved_on(tx, now)


def _open_check_in(tx: Transaction, tournament: Tournament) -> None:
    starts_at = tournament.starts_at
    missed = min(tx.now, starts_at) - (tournament.due_at or tx.now)
    if missed >= ABSENT_AFTER:  # we were away through a part of the window: everybody gets it now
        starts_at = max(tx.now, starts_at) + missed
        tournaments.reschedule(tx, tournament.tournament_id, starts_at, starts_at)
    tournaments.change_state(tx, tournament, TournamentState.CHECK_IN, starts_at)
    webhook_events.tournament_moved(tx, EventType.CHECK_IN_OPENED, tournament, TournamentState.CHECK_IN)


def _is_superseded(tx: Transaction, tournament: Tournament) -> bool:
    """Of a series that was slept through, at most the latest tournament starts late."""
    is_late = tx.now > tournament.starts_at + LATE
    return is_late and series.starts_instead(tx, tournament.tournament_id, tournament.starts_at)


def _miss(tx: Transaction, tournament: Tournament) -> None:
    late = f"it would have started more than {tournament.late_start_grace_minutes} minutes late"
    _cancel(tx, tournament, f"missed: {late}")


def _start(tx: Transaction, tournament: Tournament) -> None:
    if tournament.state == TournamentState.CHECK_IN:
        tournaments.drop_absent(tx, tournament.tournament_id)
        fill_places(tx, tournament)
    count = tournaments.count_registered(tx, tournament.tournament_id)
    if count < tournament.minimum_entrants:
        _cancel(tx, tournament, f"{count} entrants came, and {tournament.minimum_entrants} were needed")
        return
    tournaments.seed_field(tx, tournament.tournament_id, tournament.pool)
    entrants = tournaments.entrants(tx, tournament.tournament_id)
    played_as = tournament.played_as
    try:
        planned = played_as.plan(count).rounds if count <= LARGEST_PLANNED else tournament.rounds
        tournaments.start(tx, tournament, planned)
        webhook_events.tournament_moved(tx, EventType.TOURNAMENT_STARTED, tournament, TournamentState.RUNNING)
        standings.publish(tx, _again(tx, tournament), 0, entrants, [])
        _go_on(tx, _again(tx, tournament), entrants, [])
    except TournamentError as problem:
        log.info("cannot_start", tournament_id=str(tournament.tournament_id), problem=str(problem))
        _cancel(tx, _again(tx, tournament), f"the format cannot be played with this field: {problem}")


def _continue(tx: Transaction, tournament: Tournament) -> None:
    pairings = rounds.pairings(tx, tournament.tournament_id)
    is_decided = all(pairing.result is not None for pairing in pairings)
    if is_decided or opens_while_playing(tournament.played_as):
        _go_on(tx, tournament, tournaments.entrants(tx, tournament.tournament_id), pairings)
    else:
        tournaments.look_at(tx, tournament.tournament_id, None)


def _go_on(tx: Transaction, tournament: Tournament, entrants: list[EntrantRow], pairings: list[PairingRow]) -> None:
    """Does what the format answers, until it waits or has ended. `pairings` are all that have been opened."""
    played_as, started_at = tournament.played_as, tournament.started_at
    assert started_at is not None
    while True:
        closed = rounds.close_rounds(tx, tournament.tournament_id)
        webhook_events.rounds_finished(tx, tournament.tournament_id, closed)
        number = tournament.current_round + 1
        wishes = wishes_of(tx, tournament, entrants, number)
        answer = played_as.next_round(encounters.situation(tournament, entrants, pairings, tx.now, wishes))
        match answer:
            case Open():
                opened = open_round(tx, tournament, entrants, pairings, answer)
                pairings = pairings + opened
                tournament = _again(tx, tournament)
                if any(p.result is None for p in opened) and not opens_while_playing(played_as):
                    tournaments.look_at(tx, tournament.tournament_id, None)
                    return
            case Waiting(until):
                pauses = timedelta(seconds=tournament.paused_seconds)
                due_at = None if until is None else started_at + timedelta(seconds=until) + pauses
                tournaments.look_at(tx, tournament.tournament_id, due_at)
                return
            case Finished():
                tournaments.end(tx, tournament, TournamentState.FINISHED, None)
                finished = TournamentState.FINISHED
                webhook_events.tournament_moved(tx, EventType.TOURNAMENT_FINISHED, tournament, finished)
                return
            case CannotPair():
                _cannot_pair(tx, tournament, answer)
                return


def _cannot_pair(tx: Transaction, tournament: Tournament, answer: CannotPair) -> None:
    """Asks the organiser where something would help, for as long as a round takes; then it ends."""
    question = tournament.question
    asked_until = datetime.fromisoformat(question["answer_by"]) if question else None
    if answer.choices == (Choice.END_EARLY,) or (asked_until is not None and tx.now >= asked_until):
        log.info("ended_early", tournament_id=str(tournament.tournament_id), reason=answer.reason.value)
        end_early(tx, tournament, answer.reason, None)
        return
    answer_by = asked_until or tx.now + timedelta(minutes=tournament.round_minutes)
    asked = {
        "reason": answer.reason.value,
        "choices": [choice.value for choice in answer.choices],
        "together": answer.together,
        "answer_by": answer_by.isoformat(),
    }
    tournaments.conduct(tx, replace(tournament, question=asked))
    tournaments.look_at(tx, tournament.tournament_id, answer_by)
    if question is None:
        note(tx, tournament, None, "cannot_pair", details=asked, touched=[tournament.organiser_id])


def end_early(tx: Transaction, tournament: Tournament, reason: Reason, caller: Caller | None) -> None:
    """Ends it before its last round, because no other can be paired."""
    tournaments.conduct(tx, replace(tournament, question=None))
    tournaments.end(tx, tournament, TournamentState.FINISHED, WHY_CANNOT_PAIR[reason])
    webhook_events.tournament_moved(tx, EventType.TOURNAMENT_FINISHED, tournament, TournamentState.FINISHED)
    touched = everybody(tx, tournament)
    note(tx, tournament, caller, "ended_early", reason=WHY_CANNOT_PAIR[reason], touched=touched)


def open_round(
    tx: Transaction, tournament: Tournament, entrants: list[EntrantRow], before: list[PairingRow], answer: Open
) -> list[PairingRow]:
    """Stores the round, opens its matches and publishes the standings in it."""
    if tournament.question is not None:
        tournaments.conduct(tx, replace(tournament, question=None))
    opened = encounters.opened_rows(answer)
    deadline_at = tx.now + timedelta(minutes=tournament.round_minutes)
    rounds.begin_round(tx, tournament.tournament_id, answer.number, deadline_at, opened)
    webhook_events.round_paired(tx, tournament.tournament_id, answer.number)
    people = {entrant.player_id: entrant for entrant in entrants}
    matches.open_first(tx, tournament, people, opened, deadline_at)
    standings.publish(tx, tournament, answer.number, entrants, before + opened)
    return opened


def _again(tx: Transaction, tournament: Tournament) -> Tournament:
    found = tournaments.find(tx, tournament.tournament_id)
    assert found is not None
    return found


def _cancel(tx: Transaction, tournament: Tournament, because: str) -> None:
    tournaments.end(tx, tournament, TournamentState.CANCELLED, because)
    webhook_events.tournament_moved(tx, EventType.TOURNAMENT_CANCELLED, tournament, TournamentState.CANCELLED)
    note(tx, tournament, None, "cancelled", reason=because, touched=everybody(tx, tournament))

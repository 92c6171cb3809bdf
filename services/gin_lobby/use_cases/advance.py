"""What happens by itself: check-in opens, the tournament starts, rounds follow one another, it ends.

One call takes one step of one due tournament. The tournament is locked while it runs and its state is written with
the step, so two workers, a killed one, or a tick that comes twice never take a step twice.
"""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import structlog
from uuid_utils.compat import uuid7

from gin_lobby.domain import history
from gin_lobby.domain.tournament import (
    EntrantRow,
    MatchId,
    PairingRow,
    PlayerId,
    Tournament,
    TournamentState,
)
from gin_lobby.store import rounds, tournaments
from gin_lobby.use_cases import standings
from gin_lobby.use_cases.entrants import fill_places
from gin_messages.match import OpenMatch, SeatPlan
from gin_servicekit.database import Transaction
from gin_tournament.swiss import CannotPair, Paired, Reason, pair_round

log = structlog.get_logger()

WHY_CANNOT_PAIR = {
    Reason.TOO_FEW_ENTRANTS: "too few entrants are left to pair another round",
    Reason.NO_LEGAL_PAIRING: "everyone left has met everyone else: no further round is possible without a rematch",
    Reason.NO_ELIGIBLE_BYE: "everyone left has had a bye: no further round is possible without a second one",
}


def step(tx: Transaction, tournament: Tournament) -> None:
    """The next step of a tournament that is due and locked."""
    match tournament.state:
        case TournamentState.ANNOUNCED:
            _cancel(tx, tournament, "registration was never opened")
        case TournamentState.REGISTRATION if tournament.check_in_minutes > 0:
            _open_check_in(tx, tournament)
        case TournamentState.REGISTRATION | TournamentState.CHECK_IN:
            _start(tx, tournament)
        case TournamentState.RUNNING:
            _continue(tx, tournament)


def _open_check_in(tx: Transaction, tournament: Tournament) -> None:
    starts_at = tournament.starts_at
    if tx.now >= starts_at:  # we were away through the whole window: everybody gets it now
        starts_at = tx.now + timedelta(minutes=tournament.check_in_minutes)
    tournaments.change_state(tx, tournament, TournamentState.CHECK_IN, starts_at)


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
    standings.publish(tx, tournament, 0, entrants, [])
    tournaments.change_state(tx, tournament, TournamentState.RUNNING, None)
    _pair(tx, tournament, entrants, [])


def _continue(tx: Transaction, tournament: Tournament) -> None:
    pairings = rounds.pairings(tx, tournament.tournament_id)
    if any(pairing.result is None for pairing in pairings):
        tournaments.look_at(tx, tournament.tournament_id, None)
        return
    rounds.close_round(tx, tournament.tournament_id, tournament.current_round)
    entrants = tournaments.entrants(tx, tournament.tournament_id)
    if tournament.current_round >= tournament.rounds:
        tournaments.end(tx, tournament, TournamentState.FINISHED, None)
    else:
        _pair(tx, tournament, entrants, pairings)


def _pair(tx: Transaction, tournament: Tournament, entrants: list[EntrantRow], played: list[PairingRow]) -> None:
    """Pairs the round after the current one and opens its matches; ends the tournament when that cannot be."""
    number = tournament.current_round + 1
    answer = pair_round(
        history.field(entrants),
        history.history(played),
        round_number=number,
        withdrawn=history.gone(entrants),
        seed=tournament.lots_seed,
    )
    if isinstance(answer, CannotPair):
        log.info("ended_early", tournament_id=str(tournament.tournament_id), reason=answer.reason.value)
        running = tournaments.find(tx, tournament.tournament_id)
        assert running is not None
        tournaments.end(tx, running, TournamentState.FINISHED, WHY_CANNOT_PAIR[answer.reason])
        return
    rows = _rows(number, answer)
    deadline_at = tx.now + timedelta(minutes=tournament.round_minutes)
    rounds.begin_round(tx, tournament.tournament_id, number, deadline_at, rows)
    people = {entrant.player_id: entrant for entrant in entrants}
    for row in rows:
        if row.second_id is not None:
            tx.emit(
                OpenMatch(
                    match_id=str(row.match_id),
                    tournament_id=str(tournament.tournament_id),
                    round_number=number,
                    game=tournament.game,
                    rules=tournament.rules,
                    seats=[_seat(people[row.first_id]), _seat(people[row.second_id])],
                    rating_pool=tournament.pool,
                    deadline_at=deadline_at,
                    first_dealer=0,  # a pairing names first whoever is due to deal first
                )
            )
    standings.publish(tx, tournament, number, entrants, played + rows)


def _rows(number: int, paired: Paired) -> list[PairingRow]:
    pairs = [(PlayerId(UUID(p.first)), PlayerId(UUID(p.second)), None) for p in paired.pairings]
    byes = [(PlayerId(UUID(paired.bye.entrant)), None, history.BYE)] if paired.bye else []
    return [
        PairingRow(MatchId(uuid7()), number, table, first, second, result, *([None] * 6))
        for table, (first, second, result) in enumerate([*pairs, *byes], start=1)
    ]


def _seat(entrant: EntrantRow) -> SeatPlan:
    return SeatPlan(str(entrant.player_id), entrant.name, entrant.bot)


def _cancel(tx: Transaction, tournament: Tournament, because: str) -> None:
    tournaments.end(tx, tournament, TournamentState.CANCELLED, because)

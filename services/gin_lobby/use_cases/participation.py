"""How it stands with one person in one tournament."""

from __future__ import annotations

from uuid import UUID

from gin_lobby.domain.participation import Participation, participation
from gin_lobby.domain.tournament import MatchId, Tournament, TournamentState
from gin_lobby.store import matches, tournaments
from gin_lobby.use_cases.entrants import admits_late_entry
from gin_servicekit.database import Transaction


def participation_of(tx: Transaction, tournament: Tournament, player_id: UUID | None) -> Participation:
    """What the person may do now; None stands for one who has not signed in. Changes nothing."""
    entrant = tournaments.entrant(tx, tournament.tournament_id, player_id) if player_id else None
    taken = tournaments.count_registered(tx, tournament.tournament_id)
    running = tournament.state == TournamentState.RUNNING
    return participation(
        tournament,
        entrant,
        full=tournament.capacity is not None and taken >= tournament.capacity,
        admits_late_entry=running and admits_late_entry(tx, tournament),
    )


def table_of(tx: Transaction, tournament: Tournament, player_id: UUID) -> MatchId | None:
    """The match that the player is to play now, the one opened first where there are several."""
    return matches.of_player(tx, tournament.tournament_id, player_id)

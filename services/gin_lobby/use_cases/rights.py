"""Who may do what to a tournament: its organiser, the arbiters that the organiser named, administrators."""

from __future__ import annotations

from uuid import UUID

from gin_lobby.domain.problems import NotTheOrganiser
from gin_lobby.domain.tournament import Tournament, TournamentState
from gin_lobby.store import arbiters, tournaments
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.problems import NotFound


def find(tx: Transaction, tournament_id: str) -> Tournament:
    """The tournament of an id as a client gives it. Raises NotFound when it is none of ours."""
    known = parse_id(tournament_id)
    tournament = tournaments.find(tx, known) if known else None
    if tournament is None or tournament.state == TournamentState.DRAFT:
        raise NotFound("there is no such tournament")
    return tournament


def find_for(tx: Transaction, tournament_id: str, reader: Caller | None) -> Tournament:
    """The same; a draft is found by its organiser and by administrators alone."""
    known = parse_id(tournament_id)
    tournament = tournaments.find(tx, known) if known and reader else None
    if tournament is not None and reader is not None and is_organiser(reader, tournament):
        return tournament
    return find(tx, tournament_id)


def is_organiser(caller: Caller, tournament: Tournament) -> bool:
    """The organiser, or an administrator."""
    return str(tournament.organiser_id) == caller.account_id or caller.administrator


def directs(tx: Transaction, caller: Caller, tournament: Tournament) -> bool:
    """The organiser, an arbiter, or an administrator."""
    return is_organiser(caller, tournament) or arbiters.is_arbiter(
        tx, tournament.tournament_id, parse_id(caller.account_id)
    )


def organised(tx: Transaction, caller: Caller, tournament_id: UUID | None) -> Tournament:
    """The tournament, locked, for its organiser or an administrator. Raises NotFound or NotTheOrganiser."""
    tournament = _locked(tx, tournament_id)
    if not is_organiser(caller, tournament):
        raise NotTheOrganiser("only its organiser may do this")
    return tournament


def directed(tx: Transaction, caller: Caller, tournament_id: UUID | None) -> Tournament:
    """The tournament, locked, for its organiser, an arbiter of it, or an administrator."""
    tournament = _locked(tx, tournament_id)
    if not directs(tx, caller, tournament):
        raise NotTheOrganiser("only its organiser and arbiters may do this")
    return tournament


def _locked(tx: Transaction, tournament_id: UUID | None) -> Tournament:
    tournament = tournaments.lock(tx, tournament_id) if tournament_id else None
    if tournament is None:
        raise NotFound("there is no such tournament")
    return tournament

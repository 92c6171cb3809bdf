"""A tournament gets another organiser: handed over, or taken over by an arbiter where its organiser is gone."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from gin_lobby.domain.problems import NotTheOrganiser
from gin_lobby.domain.tournament import Tournament
from gin_lobby.store import accounts, arbiters, departures, tournaments
from gin_lobby.use_cases.arbiters import tell_engine
from gin_lobby.use_cases.log import note
from gin_lobby.use_cases.rights import directed, is_organiser
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction
from gin_servicekit.problems import InvalidField


def hand_over(tx: Transaction, caller: Caller, tournament_id: UUID | None, account_id: UUID | None) -> Tournament:
    """Makes the account the organiser, also of a tournament that is over. Who hands over what was theirs stays with it
    as an arbiter, whom the new organiser may dismiss.

    The organiser and administrators may; where the organiser's account was deleted, each arbiter for themselves. To
    whom it belongs already changes nothing. Raises NotFound, NotTheOrganiser, or InvalidField for no account.
    """
    tournament = directed(tx, caller, tournament_id)
    if not is_organiser(caller, tournament) and not (
        str(account_id) == caller.account_id and departures.is_gone(tx, tournament.organiser_id)
    ):
        raise NotTheOrganiser("only its organiser may do this, or an arbiter for themselves once that one has left")
    player = accounts.player(tx, account_id) if account_id else None
    if player is None or player.kind != "human" or not departures.stays(tx, player.player_id):
        raise InvalidField("there is no such account", "account_id")
    if player.player_id == tournament.organiser_id:
        return tournament
    handed_over = replace(tournament, organiser_id=player.player_id)
    tournaments.set_organiser(tx, tournament.tournament_id, player.player_id)
    arbiters.remove(tx, tournament.tournament_id, player.player_id)
    if str(tournament.organiser_id) == caller.account_id:
        arbiters.add(tx, tournament.tournament_id, tournament.organiser_id)
    details = {"name": player.name, "player_id": str(player.player_id)}
    touched = {player.player_id, tournament.organiser_id}
    note(tx, handed_over, caller, "handed_over", details=details, touched=touched)
    tell_engine(tx, handed_over)
    return handed_over


def may_take_over(tx: Transaction, caller: Caller, tournament: Tournament) -> bool:
    """Whether the caller, who may sit at its desk, can make themselves its organiser."""
    if str(tournament.organiser_id) == caller.account_id:
        return False
    return caller.administrator or departures.is_gone(tx, tournament.organiser_id)

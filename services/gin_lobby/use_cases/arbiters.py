"""Naming arbiters: they correct results, decide about pairings and pauses, and rule on who is there."""

from __future__ import annotations

from uuid import UUID

from gin_lobby.domain.tournament import Tournament
from gin_lobby.store import accounts, arbiters, departures
from gin_lobby.store.arbiters import Arbiter
from gin_lobby.use_cases.log import note
from gin_lobby.use_cases.rights import find, organised
from gin_messages.match import ArbitersNamed
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction
from gin_servicekit.problems import InvalidField, NotFound


def name_arbiter(tx: Transaction, caller: Caller, tournament_id: UUID | None, account_id: UUID | None) -> list[Arbiter]:
    """Naming somebody twice changes nothing. Raises NotFound, NotTheOrganiser, or InvalidField for no account."""
    tournament = organised(tx, caller, tournament_id)
    player = accounts.player(tx, account_id) if account_id else None
    if player is None or player.kind != "human" or departures.is_gone(tx, player.player_id):
        raise InvalidField("there is no such account", "account_id")
    if arbiters.add(tx, tournament.tournament_id, player.player_id):
        note(tx, tournament, caller, "arbiter_named", details={"name": player.name}, touched=[player.player_id])
        tell_engine(tx, tournament)
    return arbiters.arbiters(tx, tournament.tournament_id)


def dismiss_arbiter(
    tx: Transaction, caller: Caller, tournament_id: UUID | None, account_id: UUID | None
) -> list[Arbiter]:
    """Raises NotFound where the account is no arbiter, or NotTheOrganiser."""
    tournament = organised(tx, caller, tournament_id)
    if account_id is None or not arbiters.remove(tx, tournament.tournament_id, account_id):
        raise NotFound("there is no such arbiter")
    note(tx, tournament, caller, "arbiter_dismissed", touched=[account_id])
    tell_engine(tx, tournament)
    return arbiters.arbiters(tx, tournament.tournament_id)


def list_arbiters(tx: Transaction, tournament_id: str) -> list[Arbiter]:
    return arbiters.arbiters(tx, find(tx, tournament_id).tournament_id)


def may_rule(tx: Transaction, tournament: Tournament) -> list[str]:
    """The accounts that may rule in its matches: the organiser first."""
    named = [str(arbiter.account_id) for arbiter in arbiters.arbiters(tx, tournament.tournament_id)]
    return list(dict.fromkeys((str(tournament.organiser_id), *named)))


def tell_engine(tx: Transaction, tournament: Tournament) -> None:
    """Lets the engine know who may rule from now on, in matches that are open as well."""
    tx.emit(ArbitersNamed(str(tournament.tournament_id), may_rule(tx, tournament), tx.now))

"""Entering a tournament, checking in, withdrawing."""

from __future__ import annotations

import hmac
from uuid import UUID

from gin_bots import bot_named
from gin_lobby.domain.encounters import situation
from gin_lobby.domain.player import Player
from gin_lobby.domain.problems import AlreadyEntered, NotAdmitted, NotEntered, NotYourPlayer, WrongState
from gin_lobby.domain.tournament import ENDED, EntrantRow, EntrantState, Tournament, TournamentState
from gin_lobby.store import accounts, departures, rounds, tournaments
from gin_lobby.use_cases import hints, standings, webhook_events
from gin_lobby.use_cases.log import note
from gin_lobby.use_cases.rights import directs, is_organiser
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction
from gin_servicekit.problems import InvalidField, NotFound
from gin_tournament.catalogue import opens_while_playing

IN_IT = (EntrantState.REGISTERED, EntrantState.WAITLISTED)
UNRATED = 1500.0
PROVISIONAL_GAMES = 30.0  # effective games, as the ratings count them

OPEN = (TournamentState.REGISTRATION, TournamentState.CHECK_IN)


def enter(
    tx: Transaction,
    caller: Caller,
    tournament_id: UUID | None,
    player_id: UUID | None,
    invitation_code: str | None = None,
) -> EntrantRow:
    """Registers a player, or puts it on the waitlist when every place is taken.

    Nobody is entered by others: a player whom the organiser or an arbiter enters is invited, holds no place, and is in
    once they, or the bot's owner, enter it themselves. Who was invited needs no invitation code.

    Once the tournament runs it is up to its format whether somebody may still enter: then with the lowest seed, or
    with their own again if they had left. Late there is no waitlist.

    Raises NotFound, NotYourPlayer, WrongState, NotAdmitted or AlreadyEntered.
    """
    tournament = _locked(tx, tournament_id)
    player = accounts.player(tx, player_id) if player_id else None
    if player is None or departures.is_gone(tx, player.player_id):
        raise InvalidField("there is no such player", "player_id")
    _check_right(tx, caller, tournament, player)
    state = tournaments.entrant_state(tx, tournament.tournament_id, player.player_id)
    if state in IN_IT:  # told at any time: a program that starts anew asks again, also while it is played
        raise AlreadyEntered(f"{player.name} is {state} already")
    late = tournament.state == TournamentState.RUNNING
    if tournament.state not in OPEN and not (late and admits_late_entry(tx, tournament)):
        raise WrongState(f"nobody can enter: the tournament is {tournament.state}")
    _check_kind(tournament, player)
    own = caller.account_id in (str(player.player_id), str(player.owner_id))
    if state not in (None, EntrantState.WITHDRAWN) and not (own and state == EntrantState.INVITED):
        raise AlreadyEntered(f"{player.name} is {state} already")
    if not departures.stays(tx, player.player_id):  # deleted in this very moment
        raise InvalidField("there is no such player", "player_id")
    if not own:
        tournaments.invite(tx, tournament.tournament_id, player.player_id)
        note(tx, tournament, caller, "invited", details={"name": player.name}, touched=[player.player_id])
        return _entrant(tx, tournament, player)
    if state != EntrantState.INVITED and not is_organiser(caller, tournament):
        _check_code(tournament, invitation_code)
    _check_rating(tx, tournament, player)
    taken = tournaments.count_registered(tx, tournament.tournament_id)
    full = tournament.capacity is not None and taken >= tournament.capacity
    if late:
        _enter_late(tx, tournament, player, full=full)
        return _entrant(tx, tournament, player)
    present = tournament.state == TournamentState.CHECK_IN or player.bot is not None
    tournaments.enter(
        tx,
        tournament.tournament_id,
        player.player_id,
        EntrantState.WAITLISTED if full else EntrantState.REGISTERED,
        checked_in=present,
    )
    return _entrant(tx, tournament, player)


def _check_kind(tournament: Tournament, player: Player) -> None:
    if not tournament.admits_kind(player.kind):
        raise NotAdmitted(f"the tournament admits {tournament.admits} only", "player_id")
    if player.bot is not None and tournament.game not in bot_named(player.bot).games:
        raise NotAdmitted(f"the bot {player.bot!r} does not play {tournament.game}", "player_id")


def _check_code(tournament: Tournament, said: str | None) -> None:
    code = tournament.invitation_code
    if code is not None and not hmac.compare_digest(code.encode(), (said or "").encode("utf-8", "surrogatepass")):
        raise NotAdmitted("this tournament is entered with an invitation code", "invitation_code")


def _check_rating(tx: Transaction, tournament: Tournament, player: Player) -> None:
    """Who has no rating counts as 1500, and as provisional."""
    known = accounts.rating(tx, player.player_id, tournament.pool)
    rating = known.rating if known else UNRATED
    if not tournament.admits_provisional and (known is None or known.effective_games < PROVISIONAL_GAMES):
        raise NotAdmitted(
            f"the tournament admits established ratings only, from {PROVISIONAL_GAMES:g} games on", "player_id"
        )
    if tournament.rating_min is not None and rating < tournament.rating_min:
        raise NotAdmitted(f"the tournament admits ratings from {tournament.rating_min:g} on", "player_id")
    if tournament.rating_max is not None and rating > tournament.rating_max:
        raise NotAdmitted(f"the tournament admits ratings up to {tournament.rating_max:g}", "player_id")


def check_in(tx: Transaction, caller: Caller, tournament_id: UUID | None, player_id: UUID | None) -> EntrantRow:
    """Says that the player is there. Raises WrongState outside the check-in window."""
    tournament, player = found(tx, caller, tournament_id, player_id)
    if tournament.state != TournamentState.CHECK_IN:
        raise WrongState(f"there is no check-in now: the tournament is {tournament.state}")
    _require_entered(tx, tournament, player)
    tournaments.check_in(tx, tournament.tournament_id, player.player_id)
    return _entrant(tx, tournament, player)


def withdraw(tx: Transaction, caller: Caller, tournament_id: UUID | None, player_id: UUID | None) -> EntrantRow:
    """Takes a player out: before the start the waitlist moves up, afterwards it is not paired again.

    A match in play goes on; who does not act in it loses it by its deadline.
    """
    tournament, player = found(tx, caller, tournament_id, player_id)
    if tournament.state in ENDED:
        raise WrongState(f"the tournament is {tournament.state}")
    state = _require_entered(tx, tournament, player, (*IN_IT, EntrantState.INVITED))
    take_out(tx, tournament, player.player_id, state)
    return _entrant(tx, tournament, player)


def take_out(tx: Transaction, tournament: Tournament, player_id: UUID, state: str) -> None:
    """Takes a player out who is in a locked tournament in this state, or is invited."""
    tournaments.set_entrant_state(tx, tournament.tournament_id, player_id, EntrantState.WITHDRAWN)
    if state == EntrantState.INVITED:
        return
    if tournament.state == TournamentState.RUNNING:
        standings.publish_now(tx, tournament)  # they tell who has withdrawn
    elif state == EntrantState.REGISTERED:
        fill_places(tx, tournament)


def admits_late_entry(tx: Transaction, tournament: Tournament) -> bool:
    """Whether the format of a tournament that runs lets somebody in now."""
    entrants = tournaments.entrants(tx, tournament.tournament_id)
    now = situation(tournament, entrants, rounds.pairings(tx, tournament.tournament_id), tx.now)
    return tournament.played_as.admits_late_entry(now)


def _enter_late(tx: Transaction, tournament: Tournament, player: Player, *, full: bool) -> None:
    if full:
        raise WrongState("nobody can enter: every place is taken")
    tournaments.enter_late(tx, tournament.tournament_id, player.player_id, tournament.pool)
    if opens_while_playing(tournament.played_as):
        tournaments.look_at(tx, tournament.tournament_id, tx.now)


def fill_places(tx: Transaction, tournament: Tournament) -> None:
    """Moves the waitlist into the places that are free; all of it where there is no limit any more."""
    free = None
    if tournament.capacity is not None:
        free = max(tournament.capacity - tournaments.count_registered(tx, tournament.tournament_id), 0)
    tournaments.promote(tx, tournament.tournament_id, free)


def found(
    tx: Transaction, caller: Caller, tournament_id: UUID | None, player_id: UUID | None
) -> tuple[Tournament, Player]:
    tournament = _locked(tx, tournament_id)
    player = accounts.player(tx, player_id) if player_id else None
    if player is None:
        raise NotFound("there is no such player")
    _check_right(tx, caller, tournament, player)
    return tournament, player


def _locked(tx: Transaction, tournament_id: UUID | None) -> Tournament:
    tournament = tournaments.lock(tx, tournament_id) if tournament_id else None
    if tournament is None:
        raise NotFound("there is no such tournament")
    return tournament


def _check_right(tx: Transaction, caller: Caller, tournament: Tournament, player: Player) -> None:
    """Oneself, the owner of a bot, the organiser, an arbiter, or an administrator."""
    if caller.account_id in (str(player.player_id), str(player.owner_id)):
        return
    if not directs(tx, caller, tournament):
        raise NotYourPlayer("only the player, a bot's owner, the organiser or an arbiter may do this")


def _require_entered(
    tx: Transaction, tournament: Tournament, player: Player, states: tuple[EntrantState, ...] = IN_IT
) -> str:
    state = tournaments.entrant_state(tx, tournament.tournament_id, player.player_id)
    if state not in states:
        raise NotEntered(f"{player.name} is not in the tournament" + (f": {state}" if state else ""))
    return state


def _entrant(tx: Transaction, tournament: Tournament, player: Player) -> EntrantRow:
    entrant = tournaments.entrant(tx, tournament.tournament_id, player.player_id)
    assert entrant is not None
    hints.changed(tx, tournament.tournament_id, tournament.state, tournament.current_round)
    webhook_events.entrants_changed(tx, tournament.tournament_id)
    return entrant

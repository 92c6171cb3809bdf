"""A person deletes their account: what they played stays, who they were is not shown any more."""

from __future__ import annotations

import json
from dataclasses import replace
from uuid import UUID

from gin_lobby.domain.names import DELETED, skeleton
from gin_lobby.domain.player import Player
from gin_lobby.domain.problems import NoAccount
from gin_lobby.domain.series import SeriesState
from gin_lobby.domain.tasks import FOLLOW_PLAYERS
from gin_lobby.domain.tournament import ENDED, EntrantState, Tournament
from gin_lobby.store import accounts, departures, former_names, recovery, rounds, series, tournaments, webhooks
from gin_lobby.store.departures import ChangeDue
from gin_lobby.use_cases import hints, webhook_events
from gin_lobby.use_cases.accounts import nobodys_password, require_own_password, tell
from gin_lobby.use_cases.entrants import IN_IT, take_out
from gin_lobby.use_cases.renaming import RESERVED
from gin_lobby.use_cases.standings import etag_of
from gin_lobby.use_cases.tournaments import cancel
from gin_messages.players import PlayerLeft
from gin_servicekit.database import Transaction

NO_ORGANISER = "its organiser has left"


def delete_account(tx: Transaction, account_id: UUID, password: str) -> Player:
    """Deletes the account for good: nobody gets in any more, its bots stop, its webhooks are told nothing more, and its
    player has a neutral name, which is returned with it. Results and ratings stay.

    Tournaments follow at once, each in a transaction of its own (`follow`); the engine gives up matches in play. What
    the person organises goes on by itself; only what nobody could enter yet is cancelled, and series end.

    Raises NoAccount for guests and bots, or WrongPassword.
    """
    account = accounts.lock(tx, account_id)
    require_own_password(tx, account_id, password, "password")
    if account is None or not departures.note_deletion(tx, account_id):
        raise NoAccount("the account is deleted already")
    _forget_person(tx, account_id, account.name)
    for tournament_id in departures.not_opened(tx, account_id):
        tournament = tournaments.lock(tx, tournament_id)
        if tournament is not None and tournament.state not in ENDED:
            cancel(tx, tournament, None, NO_ORGANISER)
    for series_id in departures.series_of(tx, account_id):
        found = series.lock(tx, series_id)
        if found is not None:
            series.rewrite(tx, replace(found, state=SeriesState.ENDED, due_at=None, revision=found.revision + 1))
    player = accounts.player(tx, account_id)
    assert player is not None  # an account refers to its player
    for player_id in (account_id, *departures.bots_of(tx, account_id)):
        departures.tell_tournaments(tx, player_id)
        tx.emit(PlayerLeft(str(player_id), player.name if player_id == account_id else None, tx.now))
    tx.kick(FOLLOW_PLAYERS)
    tell(tx, player)
    return player


def _forget_person(tx: Transaction, account_id: UUID, name: str) -> None:
    departures.end_rights(tx, account_id)
    recovery.end_all(tx, account_id)
    webhooks.delete_all(tx, account_id)
    former_names.reserve(tx, account_id, skeleton(name), tx.now + RESERVED)
    former_names.lead_nowhere(tx, account_id)
    neutral = f"{DELETED} {departures.next_number(tx)}"
    accounts.delete_skeleton(tx, account_id)
    accounts.insert_skeleton(tx, account_id, skeleton(neutral))
    accounts.name_account(tx, account_id, neutral, nobodys_password())


def follow(tx: Transaction, due: ChangeDue) -> None:
    """Lets a tournament follow a player: who is gone is taken out, and its standings show the name as it is now."""
    tournament = tournaments.lock(tx, due.tournament_id)
    player = accounts.player(tx, due.player_id)
    if tournament is None or player is None:
        return
    if departures.is_gone(tx, due.player_id) and tournament.state not in ENDED:
        state = tournaments.entrant_state(tx, tournament.tournament_id, player.player_id)
        if state in (*IN_IT, EntrantState.INVITED):
            take_out(tx, tournament, player.player_id, state)
            webhook_events.entrants_changed(tx, tournament.tournament_id)
    _rename_in_standings(tx, tournament, player)


def _rename_in_standings(tx: Transaction, tournament: Tournament, player: Player) -> None:
    """The standings of every round, which are kept as they are read, show the player's name."""
    player_id = str(player.player_id)
    for number, body in rounds.standings_with(tx, tournament.tournament_id, player_id):
        document = json.loads(body)
        for table in (document, *document["groups"]):
            for line in table["standings"]:
                if line["player_id"] == player_id:
                    line["name"] = player.name
        renamed = json.dumps(document, ensure_ascii=False)
        if renamed != body:
            rounds.publish_standings(tx, tournament.tournament_id, number, renamed, etag_of(renamed))
    hints.changed(tx, tournament.tournament_id, tournament.state, tournament.current_round)

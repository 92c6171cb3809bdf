"""Those who played a casual match play again: the first one asks, the last one who agrees starts it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from uuid_utils.compat import uuid7

from gin_engine.domain.match import PLAYING, Match
from gin_engine.domain.problems import MatchNotFound, MatchStillPlaying, NoRematch
from gin_engine.domain.table import CLOSED, REMATCH, WAITING, Table, TablePlayer
from gin_engine.store import matches, tables
from gin_engine.use_cases.players import name_of
from gin_engine.use_cases.show_matches import seat_of
from gin_engine.use_cases.tables import set_up, sit_down
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction

WAIT = timedelta(hours=1)
"""How long whoever asks for a rematch waits for the others."""


def rematch(tx: Transaction, caller: Caller, match_id: str) -> Table:
    """The caller asks for the match to be played again, or agrees to that; everybody keeps the seat.

    Raises MatchNotFound, NotYourSeat, MatchStillPlaying, or NoRematch for a match of a tournament.
    """
    name = name_of(tx, caller)  # before anything is locked, as whoever changes names locks in this order
    match = matches.lock(tx, match_id)
    if match is None:
        raise MatchNotFound("there is no such match")
    seat = seat_of(match, caller.account_id)
    if not match.casual:
        raise NoRematch("who meets again in a tournament is the tournament's to say")
    if match.state == PLAYING:
        raise MatchStillPlaying("the match is not over yet")
    table, asker = _asked_for(tx, match), TablePlayer(seat, caller.account_id, name, None)
    if table is None:
        return _ask(tx, match, asker)
    if table.state != WAITING or table.player(caller.account_id) is not None:
        return table
    return sit_down(tx, table, asker)


def _asked_for(tx: Transaction, match: Match) -> Table | None:
    """The rematch that somebody asked for, locked, unless nobody waits for it any more."""
    table_id = tables.rematch_of(tx, match.match_id)
    table = tables.lock(tx, table_id) if table_id else None
    if table is None or table.state == CLOSED:
        return None
    if table.state == WAITING and table.expires_at <= tx.now:
        tables.set_state(tx, table.table_id, "closed")
        return None
    return table


def _ask(tx: Transaction, match: Match, asker: TablePlayer) -> Table:
    before = tables.find(tx, match.match_id)
    assert before is not None
    bots = (player for player in before.players if player.bot is not None)
    table = replace(
        before,
        table_id=str(uuid7()),
        state=WAITING,
        host_id=asker.player_id,
        opponent=REMATCH,
        invitation=None,
        rematch_of=match.match_id,
        commitment="",
        opened_at=tx.now,
        expires_at=tx.now + WAIT,
        players=tuple(sorted((asker, *bots), key=lambda player: player.seat)),
    )
    for player in before.players:
        if player.bot is None and player.player_id != asker.player_id:
            tx.announce(f"player:{player.player_id}", "rematch", {"match_id": match.match_id})
    return set_up(tx, table)

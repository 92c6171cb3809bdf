"""What becomes of matches and tables when players change their names, or leave for good."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from gin_engine.domain.match import Match, MatchId
from gin_engine.domain.problems import PlayerGone
from gin_engine.domain.results import forfeited, void, was_present
from gin_engine.store import known_players, matches, tables
from gin_engine.store.states import state_or_none
from gin_engine.use_cases import hints
from gin_engine.use_cases.finish_matches import Ended, end_where_they_stand
from gin_messages.players import PlayerChanged, PlayerLeft
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction

LEFT = "left"
FIRST = 1
"""The revision of a player who was never renamed: that name comes with matches and tokens."""


def rename_players(tx: Transaction, changes: Sequence[PlayerChanged]) -> None:
    """Matches in play and tables that wait show the new names; matches that are over stay as they were played.

    The highest revision wins, in whatever order and however often the changes come.
    """
    newest: dict[str, PlayerChanged] = {}
    for change in changes:
        if change.revision > FIRST and change.revision >= newest.get(change.player_id, change).revision:
            newest[change.player_id] = change
    if not newest:
        return
    known_players.hold(tx)
    renamed = known_players.keep_names(tx, [(c.player_id, c.player_name, c.revision) for c in newest.values()])
    known_players.rename_waiting(tx, renamed)
    locked = matches.lock_playing(tx, known_players.playing(tx, renamed))
    known_players.rename_seats(tx, [match.match_id for match in locked])
    for match in locked:
        hints.moved(tx, match, match.event_count)


def take_leave(tx: Transaction, departures: Sequence[PlayerLeft]) -> None:
    """Those who left give up their matches and wait at no table. Telling it twice changes nothing."""
    ordered = sorted(departures, key=lambda one: one.player_id)
    gone = {departure.player_id for departure in ordered}
    known_players.hold(tx)
    for departure in ordered:
        known_players.keep_leave(tx, departure.player_id, departure.left_at)
        for table_id in known_players.waiting_at(tx, departure.player_id):
            _get_up(tx, table_id, departure.player_id)
    _give_up(tx, matches.lock_playing(tx, known_players.playing(tx, gone)), gone)
    # Last, as whoever acts in a match or at a table locks that before its seats.
    for departure in ordered:
        if departure.shown_name is not None:
            known_players.show_as(tx, departure.player_id, departure.shown_name)


def give_up_for_the_gone(tx: Transaction, match_ids: Collection[MatchId], gone: Collection[str]) -> None:
    """Of these matches those in play in which somebody sits who is gone are given up for them."""
    _give_up(tx, matches.lock_playing(tx, list(match_ids)), gone)


def seated_as_known(tx: Transaction, wished: Sequence[Match]) -> tuple[list[Match], frozenset[str]]:
    """Matches to be opened, with the names that are known by now, and who of their players is gone."""
    known = known_players.known(tx, {seat.player_id for match in wished for seat in match.seats})
    if not known:
        return list(wished), frozenset()
    names = {player.player_id: player.name for player in known.values() if player.name is not None}
    renamed = [
        replace(
            match,
            seats=tuple(replace(seat, player_name=names.get(seat.player_id, seat.player_name)) for seat in match.seats),
        )
        for match in wished
    ]
    return renamed, frozenset(player.player_id for player in known.values() if player.left_at is not None)


def name_of(tx: Transaction, caller: Caller) -> str:
    """The name under which the caller sits down: a token has the one of when it was signed, and old ones have none.

    Raises PlayerGone: that a token was revoked is known a little later than that its account was deleted.
    """
    known = known_players.known(tx, [caller.account_id]).get(caller.account_id)
    if known is not None and known.left_at is not None:
        raise PlayerGone("this account was deleted")
    return (known and known.name) or caller.name or f"Player {caller.account_id[-4:]}"


def _give_up(tx: Transaction, locked: Sequence[Match], gone: Collection[str]) -> None:
    ended = [_given_up(tx, match, gone) for match in locked if any(s.player_id in gone for s in match.seats)]
    end_where_they_stand(tx, ended)
    matches.note_reason(tx, {end.match.match_id: LEFT for end in ended})


def _given_up(tx: Transaction, match: Match, gone: Collection[str]) -> Ended:
    seat = next(number for number, seat in enumerate(match.seats) if seat.player_id in gone)
    state = state_or_none(tx, match)
    if state is None:  # nobody can be blamed for a match whose state is not to be had
        return Ended(match, void(len(match.seats)), None)
    present = match.seats[seat].bot is not None or was_present(match, seat)
    return Ended(match, forfeited(match, state, seat, present=present), state)


def _get_up(tx: Transaction, table_id: str, player_id: str) -> None:
    table = tables.find(tx, table_id)
    assert table is not None  # it is locked
    if table.host_id == player_id:
        tables.set_state(tx, table_id, "closed")
    else:
        tables.unseat(tx, table_id, player_id)
    tx.announce("tables", "changed", {})
    for player in table.players:
        if player.bot is None and player.player_id != player_id:
            tx.announce(f"player:{player.player_id}", "table", {"table_id": table_id})

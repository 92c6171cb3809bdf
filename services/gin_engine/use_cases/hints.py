"""What live events tell of matches: who may want to look again, and to a player what there is to see for their seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from gin_engine.domain.clocks import clock_view
from gin_engine.domain.match import Match
from gin_engine.use_cases.seat_json import seat_json
from gin_engine.use_cases.show_matches import view_of_seat
from gin_rules.game import game_named
from gin_servicekit.announcements import SEAT_PREFIX
from gin_servicekit.database import Transaction

_NOBODY: Mapping[str, dict[str, Any]] = MappingProxyType({})


def called(tx: Transaction, match: Match) -> None:
    """The match is open: to those whom it waits for."""
    place = {
        "match_id": match.match_id,
        "tournament_id": match.tournament_id,
        "round": match.round_number,
        "table_id": match.match_id if match.casual else None,
    }
    for account_id in _people(match):
        tx.announce(f"player:{account_id}", "called", place)


def moved(tx: Transaction, match: Match, action_count: int, seen: Mapping[str, dict[str, Any]] = _NOBODY) -> None:
    """There were actions: at once to the players, to spectators as late as they see it.

    Players of whom `seen` says by account what their seat sees are told that; the others have to look.
    Bots among themselves play a match within a moment: of those only the end is told.
    """
    if match.only_bots:
        return
    where = {"match_id": match.match_id, "action_count": action_count}
    tx.announce(f"table:{match.match_id}", "moved", where, delay_seconds=match.spectator_delay_seconds)
    for account_id in _people(match):
        if account_id in seen:
            tx.announce(SEAT_PREFIX + account_id, "seen", seen[account_id])
        else:
            tx.announce(SEAT_PREFIX + account_id, "moved", where)


def seen_by_others(match: Match, state: Any, now: datetime, actor: int | None) -> dict[str, dict[str, Any]]:
    """What the seats of people see of a match that is played, of which `state` is the state, by account.

    The seat that acted has its answer already. The clocks must be those of `match`.
    """
    if match.only_bots:
        return {}
    clock = clock_view(match, game_named(match.game).to_act(state), now, now)
    return {
        seat.player_id: seat_json(view_of_seat(match, number, state, clock, None))
        for number, seat in enumerate(match.seats)
        if seat.bot is None and number != actor
    }


def finished(tx: Transaction, match: Match) -> None:
    """The match is over: to everybody at once."""
    where = {"match_id": match.match_id}
    tx.announce(f"table:{match.match_id}", "finished", where)
    for account_id in _people(match):
        tx.announce(f"player:{account_id}", "finished", where)


def _people(match: Match) -> Sequence[str]:
    return [seat.player_id for seat in match.seats if seat.bot is None]

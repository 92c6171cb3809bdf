"""What live events tell of matches: who may want to look again. Never what there is to see."""

from __future__ import annotations

from collections.abc import Sequence

from gin_engine.domain.match import Match
from gin_servicekit.database import Transaction


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


def moved(tx: Transaction, match: Match, action_count: int) -> None:
    """There were actions: at once to the players, to spectators as late as they see it.

    Bots among themselves play a match within a moment: of those only the end is told.
    """
    if match.only_bots:
        return
    where = {"match_id": match.match_id, "action_count": action_count}
    tx.announce(f"table:{match.match_id}", "moved", where, delay_seconds=match.spectator_delay_seconds)
    for account_id in _people(match):
        tx.announce(f"player:{account_id}", "moved", where)


def finished(tx: Transaction, match: Match) -> None:
    """The match is over: to everybody at once."""
    where = {"match_id": match.match_id}
    tx.announce(f"table:{match.match_id}", "finished", where)
    for account_id in _people(match):
        tx.announce(f"player:{account_id}", "finished", where)


def _people(match: Match) -> Sequence[str]:
    return [seat.player_id for seat in match.seats if seat.bot is None]

"""A player gives the match up."""

from __future__ import annotations

from gin_engine.domain.match import PLAYING
from gin_engine.domain.problems import MatchIsOver, MatchNotFound
from gin_engine.domain.results import forfeited
from gin_engine.store import matches
from gin_engine.store.states import state_of
from gin_engine.use_cases.finish_matches import Ended, end_where_they_stand
from gin_engine.use_cases.show_matches import SeatView, find, seat_of, seat_view
from gin_servicekit.database import Transaction

RESIGNED = "resigned"


def resign(tx: Transaction, match_id: str, account_id: str) -> SeatView:
    """The caller's seat comes last and the match is over; at a larger table the totals rank the others.

    Raises MatchNotFound, NotYourSeat or MatchIsOver, and then nothing has changed.
    """
    match = matches.lock(tx, match_id)
    if match is None:
        raise MatchNotFound("there is no such match")
    seat = seat_of(match, account_id)
    if match.state != PLAYING:
        raise MatchIsOver("the match is over")
    state = state_of(tx, match)
    end_where_they_stand(tx, [Ended(match, forfeited(match, state, seat, present=True), state)])
    matches.note_reason(tx, {match.match_id: RESIGNED})
    return seat_view(tx, find(tx, match_id), seat, state)

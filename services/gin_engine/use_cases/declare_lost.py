"""An arbiter declares a match lost for one of its seats."""

from __future__ import annotations

from dataclasses import dataclass

from gin_engine.domain.match import PLAYING, MatchId
from gin_engine.domain.problems import MatchIsOver, MatchNotFound, NoSuchSeat
from gin_engine.domain.results import forfeited
from gin_engine.store import matches
from gin_engine.store.states import state_of
from gin_engine.use_cases.finish_matches import Ended, end_where_they_stand
from gin_engine.use_cases.rule import check_arbiter
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction

DECLARED_LOST = "declared lost by an arbiter"


@dataclass(frozen=True, slots=True)
class DeclaredLost:
    """How a match ended by it; `places` are by seat."""

    match_id: MatchId
    seat: int
    reason: str
    ending: str
    places: tuple[int, ...]


def declare_lost(tx: Transaction, caller: Caller, match_id: str, seat: int, reason: str) -> DeclaredLost:
    """The seat comes last and the match is over; at a larger table the totals rank the others.

    It counts for ratings as if the seat had resigned. Raises MatchNotFound, NotTheArbiter, MatchIsOver or NoSuchSeat,
    and then nothing has changed.
    """
    match = matches.lock(tx, match_id)
    if match is None:
        raise MatchNotFound("there is no such match")
    check_arbiter(tx, match, caller)
    if match.state != PLAYING:
        raise MatchIsOver("the match is over: its tournament corrects its result")
    if seat >= len(match.seats):
        raise NoSuchSeat(f"the match has the seats 0 to {len(match.seats) - 1}", "seat")
    state = state_of(tx, match)
    result = forfeited(match, state, seat, present=True)
    end_where_they_stand(tx, [Ended(match, result, state)])
    told = f"{DECLARED_LOST}: {reason}"
    matches.note_reason(tx, {match.match_id: told})
    return DeclaredLost(match.match_id, seat, told, result.ending, tuple(score.place for score in result.seats))

"""Glicko-2 in the shadow of Elo: the same rated matches, in the same order, by the other formulas.

Each match is a rating period of its own for those who played it. A table of more than two is a game against each of
the others. Glicko-2 knows no length of a match: one to 25 counts like one to 250.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping

from gin_ratings.domain.elo import score
from gin_ratings.domain.glicko2 import NEWCOMER, Glicko, Result, after_period
from gin_ratings.domain.ledger import RatedMatch


def follow(standings: MutableMapping[str, Glicko], matches: Iterable[RatedMatch]) -> None:
    """Takes `standings` through the matches, one after another; all of a match are rated by where they stood before."""
    for match in matches:
        before = [standings.get(seat.player_id, NEWCOMER) for seat in match.seats]
        for number, seat in enumerate(match.seats):
            results = [
                Result(other.rating, other.deviation, score(seat.place, match.seats[at].place))
                for at, other in enumerate(before)
                if at != number
            ]
            standings[seat.player_id] = after_period(before[number], results)

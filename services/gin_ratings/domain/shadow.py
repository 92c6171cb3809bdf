"""Glicko-2 in the shadow of Elo: the same rated matches, in the same order, by the other formulas.

Each match is a rating period of its own for those who played it. A table of more than two is a game against each of
the others. A corrected result stands where the first one stood, as if it had been right at once. Glicko-2 knows no
length of a match: one to 25 counts like one to 250.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from dataclasses import replace

from gin_ratings.domain.elo import score
from gin_ratings.domain.glicko2 import NEWCOMER, Glicko, Result, after_period
from gin_ratings.domain.ledger import MATCH, REVERSAL, RatedMatch


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


def counting(settlements: Iterable[RatedMatch]) -> list[RatedMatch]:
    """The matches that count after all settlements of a ledger, in the order in which they were first settled."""
    found: dict[str, RatedMatch | None] = {}
    for settlement in settlements:
        taken_back = settlement.kind == REVERSAL
        found[settlement.match_id] = None if taken_back else replace(settlement, kind=MATCH, revision=0)
    return [match for match in found.values() if match is not None]

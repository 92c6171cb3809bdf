"""A duel: the one or several matches that decide one pairing of two.

Works for every format. After each match `verdict` tells whether another match is to be played, and who
deals first in it, or how the pairing ended.

A match lost without play loses the whole duel: nobody waits twice for somebody who does not come. A match
that was annulled is played again, at most `REPLAYS` times. A duel that must be decided and is level after
its matches goes on for at most `EXTRA_MATCHES` more; then it ends as a draw, and the format says who
advances. So every duel ends.

Over fixed deals nothing is played again, as their cards are known by then: one match, or with `mirrored` a second
one with the seats swapped, in which case the points of both decide. Where either is given up, lost without play or
annulled, so is the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gin_tournament.errors import InvalidHistoryError
from gin_tournament.format import Fixture, Result
from gin_tournament.model import EntrantId, Outcome, Tally

EXTRA_MATCHES = 2
REPLAYS = 2

_TURNED = {
    Outcome.FIRST_WINS: Outcome.SECOND_WINS,
    Outcome.SECOND_WINS: Outcome.FIRST_WINS,
    Outcome.FIRST_FORFEITS: Outcome.SECOND_FORFEITS,
    Outcome.SECOND_FORFEITS: Outcome.FIRST_FORFEITS,
}
_FORFEITS = frozenset({Outcome.FIRST_FORFEITS, Outcome.SECOND_FORFEITS, Outcome.DOUBLE_FORFEIT})


class PlayMatch(NamedTuple):
    """Open match `number` (from 1) of the duel with these seats; the first deals first."""

    number: int
    seats: tuple[EntrantId, EntrantId]


class PlayedMatch(NamedTuple):
    """A match of the duel as it was opened, and how it ended for those seats."""

    seats: tuple[EntrantId, EntrantId]
    result: Result


def verdict(fixture: Fixture, played: Sequence[PlayedMatch]) -> PlayMatch | Result:
    """The next match of the pairing, or its result with both sides' tallies added up.

    First deals alternate. Raises `InvalidHistoryError` where the fixture is no pairing of two, or a match
    names others or has no outcome.
    """
    if len(fixture.seats) != 2:
        raise InvalidHistoryError("a duel has two sides")
    outcomes = [_outcome(fixture, match) for match in played]
    tallies = _tallies(fixture, played)
    if fixture.deals is not None:
        return _over_fixed_deals(fixture, played, outcomes, tallies, 2 if fixture.deals.mirrored else 1)
    for outcome in outcomes:
        if outcome in _FORFEITS:
            return Result(outcome, tallies=tallies)
    counted = [outcome for outcome in outcomes if outcome is not Outcome.VOID]
    if len(outcomes) - len(counted) > REPLAYS:
        return Result(Outcome.VOID, tallies=tallies)
    lead = counted.count(Outcome.FIRST_WINS) - counted.count(Outcome.SECOND_WINS)
    left = max(fixture.best_of - len(counted), 0)
    if abs(lead) > left:
        return Result(Outcome.FIRST_WINS if lead > 0 else Outcome.SECOND_WINS, tallies=tallies)
    extra = EXTRA_MATCHES if fixture.must_decide else 0
    if len(counted) >= fixture.best_of + extra:
        return Result(Outcome.DRAW, tallies=tallies)
    first, second = fixture.seats
    return PlayMatch(len(played) + 1, (first, second) if len(counted) % 2 == 0 else (second, first))


def _over_fixed_deals(
    fixture: Fixture,
    played: Sequence[PlayedMatch],
    outcomes: Sequence[Outcome],
    tallies: tuple[Tally, Tally],
    matches: int,
) -> PlayMatch | Result:
    for outcome, match in zip(outcomes, played, strict=True):
        if match.result.given_up or not outcome.is_played:
            return Result(outcome, tallies=tallies, given_up=match.result.given_up)
    if len(played) < matches:
        first, second = fixture.seats
        return PlayMatch(len(played) + 1, (second, first) if played else (first, second))
    if matches == 1:
        return Result(outcomes[0], tallies=tallies)
    lead = tallies[0].game_points - tallies[1].game_points
    outcome = Outcome.DRAW if lead == 0 else Outcome.FIRST_WINS if lead > 0 else Outcome.SECOND_WINS
    return Result(outcome, tallies=tallies)


def _outcome(fixture: Fixture, match: PlayedMatch) -> Outcome:
    outcome = match.result.outcome
    if outcome is None:
        raise InvalidHistoryError("a match of a duel has an outcome")
    if match.seats == fixture.seats:
        return outcome
    if match.seats == fixture.seats[::-1]:
        return _TURNED.get(outcome, outcome)
    raise InvalidHistoryError(f"{match.seats} do not play in {fixture.slot}")


def _tallies(fixture: Fixture, played: Sequence[PlayedMatch]) -> tuple[Tally, Tally]:
    sums = [[0, 0, 0], [0, 0, 0]]
    for seats, result in played:
        for side, name in enumerate(fixture.seats):
            for at, value in enumerate(result.tally(seats.index(name))):
                sums[side][at] += value
    return Tally(*sums[0]), Tally(*sums[1])

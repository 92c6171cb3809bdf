"""A duel over fixed deals: nothing is played again, and mirrored deals are played once more with the seats swapped."""

from __future__ import annotations

import pytest

from gin_tournament.duel import PlayedMatch, PlayMatch, verdict
from gin_tournament.format import Deals, Fixture, Result
from gin_tournament.model import EntrantId, Outcome, Tally

A, B = EntrantId("a"), EntrantId("b")
PLAIN = Fixture("1.1", (A, B), deals=Deals("round 1", 4))
MIRRORED = PLAIN._replace(deals=Deals("round 1", 4, mirrored=True))
W, L, D = Outcome.FIRST_WINS, Outcome.SECOND_WINS, Outcome.DRAW


def match(
    seats: tuple[EntrantId, EntrantId], outcome: Outcome, points: tuple[int, int] = (0, 0), *, given_up: bool = False
) -> PlayedMatch:
    return PlayedMatch(seats, Result(outcome, tallies=(Tally(points[0]), Tally(points[1])), given_up=given_up))


@pytest.mark.parametrize("outcome", list(Outcome))
def test_fixed_deals_are_played_once_however_they_end(outcome: Outcome) -> None:
    assert verdict(PLAIN, [match((A, B), outcome, (30, 10))]) == Result(outcome, tallies=(Tally(30), Tally(10)))


def test_a_match_given_up_is_remembered_as_such() -> None:
    assert verdict(PLAIN, [match((A, B), L, (30, 10), given_up=True)]).given_up  # type: ignore[union-attr]


def test_mirrored_deals_are_played_again_with_the_seats_swapped_and_the_points_of_both_decide() -> None:
    first = match((A, B), W, (60, 10))
    assert verdict(MIRRORED, []) == PlayMatch(1, (A, B))
    assert verdict(MIRRORED, [first]) == PlayMatch(2, (B, A))
    lost = verdict(MIRRORED, [first, match((B, A), W, (80, 0))])
    assert lost == Result(L, tallies=(Tally(60), Tally(90)))
    level = verdict(MIRRORED, [first, match((B, A), W, (50, 0))])
    assert level == Result(D, tallies=(Tally(60), Tally(60)))


@pytest.mark.parametrize("outcome", [Outcome.SECOND_FORFEITS, Outcome.VOID])
def test_a_mirrored_duel_ends_with_a_first_match_that_was_not_played(outcome: Outcome) -> None:
    assert verdict(MIRRORED, [match((A, B), outcome)]) == Result(outcome, tallies=(Tally(), Tally()))


def test_a_second_match_given_up_loses_the_whole() -> None:
    first = match((A, B), W, (60, 10))
    whole = verdict(MIRRORED, [first, match((B, A), W, (20, 0), given_up=True)])
    assert whole == Result(L, tallies=(Tally(60), Tally(30)), given_up=True)

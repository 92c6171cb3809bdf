"""Duels: the matches that decide one pairing."""

from __future__ import annotations

import pytest

from gin_tournament.duel import PlayedMatch, PlayMatch, verdict
from gin_tournament.errors import InvalidHistoryError
from gin_tournament.format import Fixture, Result
from gin_tournament.model import EntrantId, Outcome, Tally

A, B = EntrantId("A"), EntrantId("B")
W, L, D = Outcome.FIRST_WINS, Outcome.SECOND_WINS, Outcome.DRAW
VOID, ABSENT = Outcome.VOID, Outcome.SECOND_FORFEITS


def after(fixture: Fixture, *outcomes: Outcome) -> PlayMatch | Result:
    """What follows when the matches, each dealt first by whoever is asked, end so for the fixture's first seat."""
    played: list[PlayedMatch] = []
    for outcome in outcomes:
        asked = verdict(fixture, played)
        assert isinstance(asked, PlayMatch), "the duel was over"
        turned = {W: L, L: W, ABSENT: Outcome.FIRST_FORFEITS}.get(outcome, outcome)
        played.append(PlayedMatch(asked.seats, Result(outcome if asked.seats[0] == A else turned)))
    return verdict(fixture, played)


def outcome_after(fixture: Fixture, *outcomes: Outcome) -> Outcome | None:
    answer = after(fixture, *outcomes)
    return answer.outcome if isinstance(answer, Result) else None


ONE = Fixture("1", (A, B))
THREE = Fixture("1", (A, B), best_of=3)
FIVE = Fixture("1", (A, B), best_of=5, must_decide=True)


def test_first_deals_alternate() -> None:
    assert after(THREE) == PlayMatch(1, (A, B))
    assert after(THREE, W) == PlayMatch(2, (B, A))
    assert after(THREE, W, L) == PlayMatch(3, (A, B))


@pytest.mark.parametrize(
    ("fixture", "outcomes", "expected"),
    [
        (ONE, [W], W),
        (ONE, [D], D),
        (THREE, [W, W], W),
        (THREE, [W, L, L], L),
        (THREE, [W, D, D], W),
        (THREE, [D, W], None),
        (THREE, [W, L, D], D),
        (FIVE, [W, W, W], W),
        (FIVE, [W, W, L, L, D], None),
        (FIVE, [W, L, D, D, D, L], L),
        (FIVE, [W, L, D, D, D, D, D], D),
    ],
)
def test_duel_ends_as_soon_as_nobody_can_catch_up(
    fixture: Fixture, outcomes: list[Outcome], expected: Outcome | None
) -> None:
    assert outcome_after(fixture, *outcomes) == expected


def test_match_lost_without_play_loses_the_duel() -> None:
    assert outcome_after(FIVE, L, L, ABSENT) is ABSENT
    assert outcome_after(FIVE, W, Outcome.DOUBLE_FORFEIT) is Outcome.DOUBLE_FORFEIT


def test_annulled_match_is_played_again_with_the_same_deal_but_not_for_ever() -> None:
    assert after(THREE, VOID) == PlayMatch(2, (A, B))
    assert outcome_after(ONE, VOID, VOID, W) is W
    assert outcome_after(ONE, VOID, VOID, VOID) is VOID


def test_duel_that_must_be_decided_goes_on_when_level_but_not_for_ever() -> None:
    sudden = Fixture("1", (A, B), must_decide=True)
    assert after(sudden, D) == PlayMatch(2, (B, A))
    assert outcome_after(sudden, D, L) is L
    assert outcome_after(sudden, D, D, D) is D


def test_tallies_of_all_matches_add_up_whoever_dealt_first() -> None:
    played = [
        PlayedMatch((A, B), Result(W, tallies=(Tally(100, 5, 1), Tally(40, 2, 0)))),
        PlayedMatch((B, A), Result(L, tallies=(Tally(30, 1, 1), Tally(110, 6, 0)))),
    ]
    assert verdict(THREE, played) == Result(W, tallies=(Tally(210, 11, 1), Tally(70, 3, 1)))


def test_match_of_others_is_refused() -> None:
    with pytest.raises(InvalidHistoryError):
        verdict(ONE, [PlayedMatch((A, EntrantId("C")), Result(W))])
    with pytest.raises(InvalidHistoryError):
        verdict(ONE, [PlayedMatch((A, B), Result())])
    with pytest.raises(InvalidHistoryError):
        verdict(Fixture("1", (A,)), [])

"""Pods: table sizes, who sits with whom and where, and what places are worth."""

from __future__ import annotations

import random
import time
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from gin_tournament.errors import InvalidHistoryError
from gin_tournament.format import CannotPair, Encounter, Fixture, Open, OpenedRound, Reason, Result, Situation
from gin_tournament.model import ByeKind, EntrantId, Outcome, Tally
from gin_tournament.pod_seating import Person, seat_people, table_sizes
from gin_tournament.pods import Pods, table_points
from tests.oracles.pod_brute_force import best_cost
from tests.property.format_driver import field_of, start


@pytest.mark.parametrize(
    ("people", "sizes"),
    [
        (3, (3,)),
        (4, (4,)),
        (6, (3, 3)),
        (7, (4, 3)),
        (8, (4, 4)),
        (9, (3, 3, 3)),
        (10, (4, 3, 3)),
        (11, (4, 4, 3)),
        (17, (4, 4, 3, 3, 3)),
    ],
)
def test_tables_have_four_and_the_remainder_three(people: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(people, twos_allowed=False) == sizes


def test_one_two_and_five_fit_no_table_unless_twos_are_allowed() -> None:
    assert [table_sizes(people, twos_allowed=False) for people in (0, 1, 2, 5)] == [None] * 4
    assert table_sizes(2, twos_allowed=True) == (2,)
    assert table_sizes(5, twos_allowed=True) == (3, 2)
    assert table_sizes(1, twos_allowed=True) is None


@pytest.mark.parametrize("people", range(6, 60))
def test_every_field_fits_with_at_most_three_short_tables(people: int) -> None:
    sizes = table_sizes(people, twos_allowed=False)
    assert sizes is not None
    assert sum(sizes) == people
    assert sizes.count(3) == -people % 4


def first_seating(size: int, **settings: bool) -> list[tuple[str, ...]]:
    answer = Pods(**settings).next_round(Situation(field_of(size)))
    assert isinstance(answer, Open)
    return [fixture.seats for fixture in answer.fixtures]


def test_of_five_one_rests_unless_a_table_of_two_is_allowed() -> None:
    assert first_seating(5)[-1] == ("e5",)
    assert sorted(map(len, first_seating(5, tables_of_two=True))) == [2, 3]
    assert Pods().next_round(Situation(field_of(2))) == CannotPair(Reason.TOO_FEW_ENTRANTS)


def test_rests_are_shared_out() -> None:
    driver = start(Pods(rounds=5), 5, random.Random(3))
    driver.run()
    rests = [e.fixture.seats[0] for e in driver.situation.encounters() if len(e.fixture.seats) == 1]
    assert sorted(rests) == ["e1", "e2", "e3", "e4", "e5"]


def test_first_round_spreads_the_best_seeds_over_the_tables() -> None:
    tables = first_seating(16)
    best = {"e1", "e2", "e3", "e4"}
    assert [len(best & set(table)) for table in tables] == [1, 1, 1, 1]


@pytest.mark.parametrize("size", [6, 7, 8, 9])
def test_small_fields_are_seated_as_well_as_can_be(size: int) -> None:
    rng = random.Random(size)
    for _ in range(2 if size == 9 else 12):
        scores = sorted((rng.randrange(6) for _ in range(size)), reverse=True)
        meetings = {frozenset(pair): rng.randrange(3) for pair in combinations(range(size), 2)}
        short = [rng.randrange(3) for _ in range(size)]
        people = [
            Person(
                scores[i],
                {j: meetings[frozenset({i, j})] for j in range(size) if j != i},
                short[i],
                (0, 0, 0, 0),
            )
            for i in range(size)
        ]
        sizes = table_sizes(size, twos_allowed=False)
        assert sizes is not None
        tables = seat_people(people, sizes, seed=0)
        pairs = [pair for table in tables for pair in combinations(table, 2)]
        cost = (
            sum(meetings[frozenset(pair)] for pair in pairs),
            sum((scores[a] - scores[b]) ** 2 for a, b in pairs),
            sum(short[i] for table in tables if len(table) < 4 for i in table),
        )
        assert cost == best_cost(scores, meetings, short, sizes)


@pytest.mark.parametrize("size", [32, 33, 64])
def test_larger_fields_meet_nobody_twice_in_five_rounds(size: int) -> None:
    driver = start(Pods(rounds=5), size, random.Random(size))
    driver.run()
    met = Counter(
        frozenset(pair) for e in driver.situation.encounters() for pair in combinations(sorted(e.fixture.seats), 2)
    )
    assert max(met.values()) == 1


def test_short_tables_and_seats_are_shared_out() -> None:
    driver = start(Pods(rounds=8), 7, random.Random(2))
    driver.run()
    short: Counter[str] = Counter()
    seats: Counter[tuple[str, int]] = Counter()
    for encounter in driver.situation.encounters():
        short.update(encounter.fixture.seats if len(encounter.fixture.seats) == 3 else ())
        seats.update((name, seat) for seat, name in enumerate(encounter.fixture.seats))
    assert sum(short.values()) == 24
    for entrant in driver.situation.entrants:
        own = [seats[entrant.id, seat] for seat in range(3)]
        assert max(own) - min(own) <= 2


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2, 3, 4), (3, 2, 1, 0)),
        ((2, 1, 3), (Fraction(3, 2), 3, 0)),
        ((1, 2), (3, 0)),
        ((1, 1, 3, 4), (Fraction(5, 2), Fraction(5, 2), 1, 0)),
        ((1, 1, 1), (Fraction(3, 2),) * 3),
        ((1, 0, 2, 0), (3, 0, 2, 0)),
        ((0, 0, 0), (0, 0, 0)),
    ],
)
def test_points_are_those_beaten_on_a_scale_of_three(places: tuple[int, ...], points: tuple[Fraction, ...]) -> None:
    assert tuple(table_points(places, seat) for seat in range(len(places))) == points


def scored(result: Result, *seats: str, bye: ByeKind | None = None) -> Situation:
    fixture = Fixture("1.1", tuple(EntrantId(seat) for seat in seats), bye=bye)
    return Situation(field_of(4), (OpenedRound(1, (Encounter(fixture, result),)),))


def test_winner_of_a_table_gets_the_bonus_and_shares_it_if_the_win_is_shared() -> None:
    table = ("e1", "e2", "e3", "e4")
    alone = Pods(winner_bonus=1).standings(scored(Result(places=(4, 1, 2, 3)), *table))
    assert [(line.entrant, line.points) for line in alone] == [("e2", 4), ("e3", 2), ("e4", 1), ("e1", 0)]
    shared = Pods(winner_bonus=1).standings(scored(Result(places=(1, 1, 3, 4)), *table))
    assert [line.points for line in shared] == [3, 3, 1, 0]
    assert [(line.wins, line.draws) for line in shared[:2]] == [(0, 1), (0, 1)]


def test_ties_are_broken_by_tables_won_and_then_by_game_points() -> None:
    tallies = (Tally(10), Tally(30), Tally(20), Tally(5))
    lines = Pods(winner_bonus=0).standings(scored(Result(places=(1, 1, 1, 1), tallies=tallies), "e1", "e2", "e3", "e4"))
    assert [line.entrant for line in lines] == ["e2", "e3", "e1", "e4"]
    assert Pods().columns == ("tables_won", "game_points")


def test_rest_is_worth_half_unless_it_was_asked_for() -> None:
    allocated = Pods().standings(scored(Result(), "e1", bye=ByeKind.PAIRING_ALLOCATED))
    assert allocated[0].points == Fraction(3, 2)
    asked_for = Pods().standings(scored(Result(), "e1", bye=ByeKind.REQUESTED_ZERO))
    assert asked_for[0].points == 0


def test_table_of_two_may_be_decided_as_a_pairing_and_an_annulled_one_counts_nothing() -> None:
    lines = Pods().standings(scored(Result(Outcome.SECOND_FORFEITS), "e1", "e2"))
    assert [(line.entrant, line.points) for line in lines[:2]] == [("e1", 4), ("e2", 0)]
    assert {line.points for line in Pods().standings(scored(Result(Outcome.VOID), "e1", "e2", "e3"))} == {0}


@pytest.mark.parametrize("result", [Result(), Result(places=(1, 2)), Result(Outcome.DRAW)])
def test_table_without_a_place_for_everybody_is_refused(result: Result) -> None:
    with pytest.raises(InvalidHistoryError):
        Pods().standings(scored(result, "e1", "e2", "e3"))


def test_thousand_are_seated_in_a_moment() -> None:
    started = time.process_time()
    assert len(first_seating(1000)) == 250
    assert time.process_time() - started < 5

"""Round robin: Berger tables, both legs, odd fields, annulled entrants."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import pytest

from gin_tournament.errors import InvalidFormatError
from gin_tournament.format import CannotPair, Encounter, Finished, Leaving, Open, OpenedRound, Reason, Result, Situation
from gin_tournament.model import EntrantId, Outcome
from gin_tournament.round_robin import Meeting, RoundRobin, berger_round
from tests.property.format_driver import field_of

# FIDE handbook C.05 (General Regulations for Competitions), annex 1: details of Berger tables.
BERGER = {
    4: ["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    6: ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
    8: [
        "1-8 2-7 3-6 4-5",
        "8-5 6-4 7-3 1-2",
        "2-8 3-1 4-7 5-6",
        "8-6 7-5 1-4 2-3",
        "3-8 4-2 5-1 6-7",
        "8-7 1-6 2-5 3-4",
        "4-8 5-3 6-2 7-1",
    ],
}


@pytest.mark.parametrize("places", BERGER)
def test_rounds_are_those_of_the_published_berger_tables(places: int) -> None:
    for number, line in enumerate(BERGER[places], 1):
        meetings = [Meeting(*map(int, pair.split("-"))) for pair in line.split()]
        assert list(berger_round(places, number)) == meetings


@pytest.mark.parametrize(("places", "number"), [(4, 0), (4, 4), (5, 1), (0, 1)])
def test_tables_have_no_other_rounds(places: int, number: int) -> None:
    with pytest.raises(InvalidFormatError):
        berger_round(places, number)


def play(
    format_: RoundRobin,
    situation: Situation,
    *,
    rounds: int = 10_000,
    outcome: Callable[[str], Outcome] = lambda slot: Outcome.FIRST_WINS,
) -> Situation:
    """Every encounter that needs play ends with the outcome for its slot."""
    for _ in range(rounds):
        answer = format_.next_round(situation)
        if not isinstance(answer, Open):
            assert isinstance(answer, Finished)
            break
        opened = answer.opened()
        played = tuple(
            encounter if encounter.is_decided else Encounter(encounter.fixture, Result(outcome(encounter.fixture.slot)))
            for encounter in opened.encounters
        )
        situation = replace(situation, rounds=(*situation.rounds, OpenedRound(opened.number, played)))
    return situation


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 8, 9, 16, 17, 33])
def test_everybody_meets_everybody_once_and_first_deals_differ_by_at_most_one(size: int) -> None:
    situation = play(RoundRobin(), Situation(field_of(size)))
    tables = [e.fixture.seats for e in situation.encounters() if len(e.fixture.seats) == 2]
    assert Counter(map(frozenset, tables)) == Counter(
        frozenset(pair) for pair in combinations([e.id for e in situation.entrants], 2)
    )
    firsts, seconds = Counter(a for a, _ in tables), Counter(b for _, b in tables)
    assert all(abs(firsts[e.id] - seconds[e.id]) <= 1 for e in situation.entrants)
    assert len(situation.rounds) == size - 1 + size % 2


@pytest.mark.parametrize("size", [3, 4, 5, 6, 8, 9])
def test_double_round_robin_turns_the_deals_and_nobody_deals_alike_three_times_in_a_row(size: int) -> None:
    situation = play(RoundRobin(legs=2), Situation(field_of(size)))
    tables = [e.fixture.seats for e in situation.encounters() if len(e.fixture.seats) == 2]
    assert len(set(tables)) == len(tables) == size * (size - 1)
    for entrant in situation.entrants:
        deals = "".join("1" if seats[0] == entrant.id else "2" for seats in tables if entrant.id in seats)
        assert "111" not in deals
        assert "222" not in deals


@pytest.mark.parametrize(("legs", "rests"), [(1, 1), (2, 2)])
def test_in_an_odd_field_everybody_rests_once_a_leg_for_no_points(legs: int, rests: int) -> None:
    format_ = RoundRobin(legs=legs)
    situation = play(format_, Situation(field_of(7)), outcome=lambda slot: Outcome.DRAW)
    lines = format_.standings(situation)
    assert {line.byes for line in lines} == {rests}
    assert {line.points for line in lines} == {3 * legs}


def test_table_of_256_is_drawn_up_in_well_under_a_second() -> None:
    start = time.process_time()
    rounds = [berger_round(256, number) for number in range(1, 256)]
    assert time.process_time() - start < 1
    assert sum(map(len, rounds)) == 256 * 255 // 2


def test_who_leaves_before_half_of_the_games_is_annulled_for_everybody() -> None:
    format_, leaver = RoundRobin(), EntrantId("e1")
    situation = play(format_, Situation(field_of(6)), rounds=2)
    assert format_.leaving(situation, leaver) is Leaving.RESULTS_ANNULLED
    situation = play(format_, replace(situation, withdrawn=frozenset({leaver})))
    *others, last = format_.standings(situation)
    assert (last.entrant, last.rank, last.points) == (leaver, 6, 0)
    assert others[0].rank == 1
    assert {line.played for line in others} == {4}
    assert {line.forfeit_wins for line in others} == {0}


def test_who_leaves_later_forfeits_the_rest() -> None:
    format_, leaver = RoundRobin(), EntrantId("e1")
    situation = play(format_, Situation(field_of(6)), rounds=3)
    assert format_.leaving(situation, leaver) is Leaving.FORFEITS_THE_REST
    situation = play(format_, replace(situation, withdrawn=frozenset({leaver})))
    lines = {line.entrant: line for line in format_.standings(situation)}
    assert lines[leaver].played == 3
    assert lines[leaver].forfeit_losses == 2
    assert sum(line.forfeit_wins for line in lines.values()) == 2


def test_plan_shows_the_whole_table_beforehand() -> None:
    plan = RoundRobin().plan(5)
    assert plan.rounds == 5
    assert len(plan.encounters) == 10
    assert plan.encounters[0].sides == ("No. 2", "No. 5")


def test_nobody_enters_once_the_table_is_drawn_and_one_alone_cannot_play() -> None:
    assert RoundRobin().admits_late_entry(Situation(field_of(4)))
    assert not RoundRobin().admits_late_entry(play(RoundRobin(), Situation(field_of(4)), rounds=1))
    assert RoundRobin().next_round(Situation(field_of(1))) == CannotPair(Reason.TOO_FEW_ENTRANTS)


@pytest.mark.parametrize(
    "wrong", [{"legs": 3}, {"best_of": 2}, {"tie_breaks": ("luck",)}, {"tie_breaks": ("wins",) * 2}]
)
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidFormatError):
        RoundRobin(**wrong)  # type: ignore[arg-type]

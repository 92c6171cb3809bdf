"""Arena: who is paired, what it is worth, and when it ends."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from itertools import combinations

import pytest

from gin_tournament.arena import Arena
from gin_tournament.errors import InvalidFormatError
from gin_tournament.format import Encounter, Finished, Fixture, Open, OpenedRound, Result, Situation, Waiting
from gin_tournament.model import Entrant, EntrantId, Outcome
from tests.property.format_driver import Driver, field_of, start

W, L, D = Outcome.FIRST_WINS, Outcome.SECOND_WINS, Outcome.DRAW
ARENA = Arena(duration_seconds=600)


def ended(*encounters: tuple[str, str, Outcome | None]) -> tuple[OpenedRound, ...]:
    """One round for each encounter, oldest first."""
    return tuple(
        OpenedRound(
            number,
            (
                Encounter(
                    Fixture(f"{number}.1", (EntrantId(first), EntrantId(second))),
                    None if outcome is None else Result(outcome),
                ),
            ),
        )
        for number, (first, second, outcome) in enumerate(encounters, 1)
    )


def points(*encounters: tuple[str, str, Outcome], arena: Arena = ARENA) -> dict[str, int]:
    lines = arena.standings(Situation(field_of(4), ended(*encounters)))
    return {line.entrant: int(line.points) for line in lines}


def pairs(situation: Situation) -> set[frozenset[str]]:
    answer = ARENA.next_round(situation)
    return {frozenset(fixture.seats) for fixture in answer.fixtures} if isinstance(answer, Open) else set()


def test_win_is_worth_two_and_draw_one() -> None:
    assert points(("e1", "e2", W), ("e3", "e4", D)) == {"e1": 2, "e2": 0, "e3": 1, "e4": 1}


def test_after_two_wins_in_a_row_encounters_count_double_until_one_is_not_won() -> None:
    wins = [("e1", "e2", W)] * 2
    assert points(*wins)["e1"] == 4
    assert points(*wins, ("e3", "e1", L))["e1"] == 8
    assert points(*wins, ("e3", "e1", L), ("e1", "e4", D))["e1"] == 10
    assert points(*wins, ("e1", "e4", D), ("e1", "e3", W))["e1"] == 8
    assert points(*wins, ("e1", "e4", L), ("e1", "e3", W))["e1"] == 6
    assert points(*wins, ("e1", "e3", W), arena=Arena(streaks=False))["e1"] == 6


def test_win_without_play_is_worth_two_and_neither_helps_nor_ends_a_streak() -> None:
    absent = ("e1", "e2", Outcome.SECOND_FORFEITS)
    assert points(absent, absent, ("e1", "e3", W))["e1"] == 6
    assert points(("e1", "e2", W), ("e1", "e2", W), absent, ("e1", "e3", W))["e1"] == 10


def test_annulled_encounter_changes_nothing() -> None:
    assert points(("e1", "e2", W), ("e1", "e2", W), ("e1", "e2", Outcome.VOID), ("e1", "e3", W))["e1"] == 8


def test_first_pairs_are_close_in_rating() -> None:
    assert pairs(Situation(field_of(4))) == {frozenset({"e1", "e2"}), frozenset({"e3", "e4"})}


def test_nobody_meets_the_last_opponent_again() -> None:
    situation = Situation(field_of(4), ended(("e1", "e2", W), ("e3", "e4", W)))
    assert pairs(situation) == {frozenset({"e1", "e3"}), frozenset({"e2", "e4"})}


def test_two_who_may_not_meet_again_wait_for_the_others() -> None:
    situation = Situation(field_of(4), ended(("e1", "e2", W), ("e3", "e4", None)))
    assert ARENA.next_round(situation) == Waiting(600)


def test_two_alone_may_meet_again_and_again() -> None:
    situation = Situation(field_of(2), ended(("e1", "e2", W)))
    assert pairs(situation) == {frozenset({"e1", "e2"})}
    paused = Situation(field_of(3), ended(("e1", "e2", W)), sitting_out=frozenset({EntrantId("e3")}))
    assert pairs(paused) == {frozenset({"e1", "e2"})}


def test_where_one_must_wait_it_is_not_who_has_waited_longest() -> None:
    situation = Situation(field_of(3), ended(("e1", "e2", D)))
    assert any("e3" in pair for pair in pairs(situation))


def test_who_pauses_is_left_alone_and_who_comes_late_is_paired() -> None:
    situation = Situation(field_of(4), sitting_out=frozenset({EntrantId("e1")}))
    (pair,) = pairs(situation)
    assert "e1" not in pair
    assert ARENA.admits_late_entry(replace(situation, elapsed_seconds=599))
    assert not ARENA.admits_late_entry(replace(situation, elapsed_seconds=600))


def test_when_time_is_up_nobody_is_paired_and_what_is_being_played_still_counts() -> None:
    under_way = Situation(field_of(4), ended(("e1", "e2", None)), elapsed_seconds=600)
    assert ARENA.next_round(under_way) == Waiting()
    assert ARENA.next_round(replace(under_way, rounds=ended(("e1", "e2", W)))) == Finished()


def test_first_deals_even_out() -> None:
    driver = start(ARENA, 9, random.Random(5))
    driver.run()
    deals = {entrant.id: 0 for entrant in driver.situation.entrants}
    for encounter in driver.situation.encounters():
        first, second = encounter.fixture.seats
        deals[first] += 1
        deals[second] -= 1
    assert max(map(abs, deals.values())) <= 2


def is_rematch(situation: Situation, pair: tuple[EntrantId, EntrantId]) -> bool:
    for name in pair:
        own = [e.fixture.seats for e in situation.encounters() if name in e.fixture.seats]
        if own and set(own[-1]) == set(pair):
            return True
    return False


def someone_pauses(driver: Driver) -> None:
    names = [e.id for e in driver.situation.entrants]
    driver.situation = replace(driver.situation, sitting_out=frozenset(n for n in names if driver.rng.random() < 0.1))


@pytest.mark.parametrize("size", [3, 4, 5, 8, 9, 33, 120])
def test_nobody_waits_while_two_free_legal_opponents_exist(size: int) -> None:
    driver = start(Arena(duration_seconds=900), size, random.Random(size), disturb=someone_pauses)
    for _ in range(300):
        driver.disturb(driver)
        situation = driver.situation
        answer = driver.format.next_round(situation)
        if isinstance(answer, Finished):
            break
        active = {e.id for e in situation.present} - situation.sitting_out
        made = [fixture.seats for fixture in answer.fixtures] if isinstance(answer, Open) else []
        for seats in made:
            assert len(active) == 2 or not is_rematch(situation, (seats[0], seats[1]))
        free = active - situation.busy() - {seat for seats in made for seat in seats}
        if situation.elapsed_seconds < 900:
            assert all(is_rematch(situation, pair) for pair in combinations(sorted(free), 2))
        if isinstance(answer, Open):
            driver.open(answer)
        else:
            assert isinstance(answer, Waiting)
            driver.let_time_pass(answer)


def test_thousand_who_are_free_at_once_are_paired_in_a_moment() -> None:
    rng = random.Random(1)
    entrants = tuple(Entrant(EntrantId(f"e{seed}"), seed, rng.randrange(1000, 2200)) for seed in range(1, 1001))
    started = time.process_time()
    answer = ARENA.next_round(Situation(entrants))
    assert time.process_time() - started < 2
    assert isinstance(answer, Open)
    assert len(answer.fixtures) == 500


def test_arena_of_no_time_is_refused() -> None:
    with pytest.raises(InvalidFormatError):
        Arena(duration_seconds=0)

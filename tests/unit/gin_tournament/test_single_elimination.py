"""Single elimination: seed order, byes, third place, and everything that can leave a side empty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from gin_tournament.bracket import bracket_size, seed_order
from gin_tournament.errors import InvalidFormatError, InvalidHistoryError
from gin_tournament.format import Encounter, Finished, Fixture, Format, Leaving, Open, OpenedRound, Result, Situation
from gin_tournament.model import ByeKind, EntrantId, Outcome
from gin_tournament.single_elimination import THIRD_PLACE, SingleElimination
from tests.property.format_driver import field_of


def better_seed_wins(fixture: Fixture) -> Outcome:
    first, second = (int(seat[1:]) for seat in fixture.seats)
    return Outcome.FIRST_WINS if first < second else Outcome.SECOND_WINS


def play(format_: Format, situation: Situation, upsets: Mapping[str, Outcome] = {}, rounds: int = 99) -> Situation:
    """The better seed wins everywhere but in the slots of `upsets`."""
    for _ in range(rounds):
        answer = format_.next_round(situation)
        if not isinstance(answer, Open):
            assert isinstance(answer, Finished)
            break
        encounters = [
            e
            if e.is_decided
            else Encounter(e.fixture, Result(upsets.get(e.fixture.slot) or better_seed_wins(e.fixture)))
            for e in answer.opened().encounters
        ]
        situation = replace(situation, rounds=(*situation.rounds, OpenedRound(answer.number, tuple(encounters))))
    return situation


def places(format_: Format, situation: Situation) -> list[tuple[int, str]]:
    return [(line.rank, line.entrant) for line in format_.standings(situation)]


def seats(situation: Situation, slot: str) -> set[str]:
    return {seat for e in situation.encounters() if e.fixture.slot == slot for seat in e.fixture.seats}


def test_seed_order_is_the_standard_one() -> None:
    # The order that tennis, wrestling and American college basketball share (there called the S-curve).
    assert seed_order(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    assert seed_order(16) == (1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11)


@pytest.mark.parametrize("size", [2, 4, 8, 16, 64, 256])
def test_best_seeds_meet_as_late_as_they_can(size: int) -> None:
    at = {seed: place for place, seed in enumerate(seed_order(size))}
    for seed in range(1, size + 1):
        for other in range(1, seed):
            meet_in_round = (at[seed] ^ at[other]).bit_length()
            assert size >> meet_in_round < seed, "the first 2^k are alone in their part until 2^k are left"


@pytest.mark.parametrize(("field", "size"), [(2, 2), (3, 4), (4, 4), (5, 8), (9, 16), (33, 64)])
def test_bracket_is_the_next_power_of_two(field: int, size: int) -> None:
    assert bracket_size(field) == size


@pytest.mark.parametrize("size", [3, 5, 6, 7, 9, 17, 33])
def test_top_seeds_have_the_byes_as_real_won_encounters(size: int) -> None:
    format_ = SingleElimination()
    situation = play(format_, Situation(field_of(size)), rounds=1)
    byes = [e for e in situation.encounters() if e.fixture.bye]
    count = bracket_size(size) - size
    assert sorted(int(e.fixture.seats[0][1:]) for e in byes) == list(range(1, count + 1))
    assert all(e.is_decided and e.fixture.bye is ByeKind.PAIRING_ALLOCATED for e in byes)
    points = {line.entrant: line.points for line in format_.standings(situation)}
    assert all(points[e.fixture.seats[0]] == 1 for e in byes)


def test_if_the_better_seed_always_wins_places_follow_the_seeds() -> None:
    format_ = SingleElimination(third_place=True)
    situation = play(format_, Situation(field_of(8)))
    expected = [(1, "e1"), (2, "e2"), (3, "e3"), (4, "e4"), (5, "e5"), (5, "e6"), (5, "e7"), (5, "e8")]
    assert places(format_, situation) == expected


def test_without_an_encounter_for_it_the_third_place_is_shared() -> None:
    format_ = SingleElimination()
    situation = play(format_, Situation(field_of(4)))
    assert places(format_, situation) == [(1, "e1"), (2, "e2"), (3, "e3"), (3, "e4")]


def test_who_is_still_in_stands_above_who_is_out() -> None:
    format_ = SingleElimination()
    situation = play(format_, Situation(field_of(4)), {"R1M1": Outcome.SECOND_WINS}, rounds=1)
    assert places(format_, situation) == [(1, "e2"), (1, "e4"), (3, "e1"), (3, "e3")]


def test_draw_that_stands_and_annulled_encounter_advance_the_better_seed() -> None:
    for outcome in (Outcome.DRAW, Outcome.VOID):
        situation = play(SingleElimination(), Situation(field_of(4)), {"R1M2": outcome})
        assert seats(situation, "R2M1") == {"e1", "e2"}


def test_double_forfeit_puts_both_out_and_gives_the_next_opponent_a_bye() -> None:
    format_ = SingleElimination(third_place=True)
    situation = play(format_, Situation(field_of(4)), {"R1M1": Outcome.DOUBLE_FORFEIT})
    assert seats(situation, "R2M1") == {"e2"}
    assert seats(situation, THIRD_PLACE) == {"e3"}
    assert places(format_, situation) == [(1, "e2"), (2, "e3"), (3, "e1"), (3, "e4")]


def test_who_withdraws_loses_the_next_encounter_without_play() -> None:
    format_, leaver = SingleElimination(), EntrantId("e1")
    situation = play(format_, Situation(field_of(4)), rounds=1)
    assert format_.leaving(situation, leaver) is Leaving.FORFEITS_THE_REST
    situation = replace(situation, withdrawn=frozenset({leaver}))
    answer = format_.next_round(situation)
    assert isinstance(answer, Open)
    (final,) = answer.opened().encounters
    assert final.is_decided
    assert places(format_, play(format_, situation))[:2] == [(1, "e2"), (2, "e1")]


def test_last_rounds_may_be_longer() -> None:
    format_ = SingleElimination(best_of=1, best_of_last=(3, 5), third_place=True)
    lengths = {node.slot: node.best_of for node in format_.bracket(8).nodes}
    assert lengths == {f"R1M{table}": 1 for table in (1, 2, 3, 4)} | {"R2M1": 3, "R2M2": 3, "R3M1": 5, THIRD_PLACE: 3}


def test_plan_shows_the_bracket_beforehand() -> None:
    plan = SingleElimination().plan(3)
    assert plan.rounds == 2
    assert [(e.slot, e.title, e.sides) for e in plan.encounters] == [
        ("R1M1", "Semifinal", ("Seed 1", "Bye")),
        ("R1M2", "Semifinal", ("Seed 2", "Seed 3")),
        ("R2M1", "Final", ("Winner of R1M1", "Winner of R1M2")),
    ]


def test_bracket_knows_the_field_of_its_first_round_whatever_seeds_come_later() -> None:
    format_ = SingleElimination()
    situation = play(format_, Situation(field_of(4)), rounds=1)
    late = replace(situation, entrants=field_of(9))
    assert format_.next_round(late) == format_.next_round(situation)
    assert not format_.admits_late_entry(situation)


def test_encounter_that_the_bracket_does_not_have_is_refused() -> None:
    stray = OpenedRound(1, (Encounter(Fixture("X", (EntrantId("e1"), EntrantId("e2"))), Result(Outcome.DRAW)),))
    with pytest.raises(InvalidHistoryError):
        SingleElimination().next_round(Situation(field_of(4), (stray,)))


@pytest.mark.parametrize("wrong", [{"best_of": 2}, {"best_of_last": (4,)}, {"best_of": 3, "best_of_last": (1,)}])
def test_lengths_that_mean_nothing_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidFormatError):
        SingleElimination(**wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidFormatError):
        SingleElimination().bracket(1025)

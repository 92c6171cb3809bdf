"""Stages: who goes into which group, who advances, how they are seeded, and who stands where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gin_tournament.arena import Arena
from gin_tournament.bracket import bracket_size, seed_order
from gin_tournament.duplicate import Duplicate
from gin_tournament.errors import InvalidFormatError
from gin_tournament.format import (
    CannotPair,
    Finished,
    Fixture,
    Open,
    OpenedRound,
    Reason,
    Result,
    Rulings,
    Situation,
    Waiting,
)
from gin_tournament.ladder import Ladder
from gin_tournament.model import EntrantId, Outcome, Pairing
from gin_tournament.qualification import Berth, group_name, group_of, group_sizes, knockout_seeding, natural_seeding
from gin_tournament.round_robin import RoundRobin
from gin_tournament.single_elimination import SingleElimination
from gin_tournament.stages import Stage, Stages
from gin_tournament.swiss_rounds import Swiss
from tests.property.format_driver import field_of
from tests.unit.gin_tournament.test_single_elimination import better_seed_wins

GROUPS = Stages((Stage(RoundRobin(), groups=2, advance=2), Stage(SingleElimination(third_place=True))))


def play(
    format_: Stages, situation: Situation, rounds: int = 99, outcome: Callable[[Fixture], Outcome] = better_seed_wins
) -> Situation:
    for _ in range(rounds):
        answer = format_.next_round(situation)
        if not isinstance(answer, Open):
            assert isinstance(answer, Finished)
            break
        encounters = tuple(
            e if e.is_decided else e._replace(result=Result(outcome(e.fixture))) for e in answer.opened().encounters
        )
        situation = replace(situation, rounds=(*situation.rounds, OpenedRound(answer.number, encounters)))
    return situation


def test_entrants_go_into_the_groups_to_and_fro() -> None:
    assert [group_of(at, 3) for at in range(8)] == [0, 1, 2, 2, 1, 0, 0, 1]
    assert group_sizes(8, 3) == (3, 3, 2)
    assert [group_name(at) for at in (0, 25, 26, 27, 52)] == ["A", "Z", "AA", "AB", "BA"]


def test_groups_play_at_the_same_time_and_one_waits_for_the_other() -> None:
    answer = GROUPS.next_round(Situation(field_of(8)))
    assert isinstance(answer, Open)
    assert [(f.slot, f.seats, f.seeds) for f in answer.fixtures] == [
        ("S1A/1.1", ("e1", "e8"), (1, 8)),
        ("S1A/1.2", ("e4", "e5"), (4, 5)),
        ("S1B/1.1", ("e2", "e7"), (2, 7)),
        ("S1B/1.2", ("e3", "e6"), (3, 6)),
    ]
    half = tuple(
        e._replace(result=Result(Outcome.DRAW)) if e.fixture.slot.startswith("S1A") else e
        for e in answer.opened().encounters
    )
    assert GROUPS.next_round(Situation(field_of(8), (OpenedRound(1, half),))) == Waiting()


def test_winners_meet_the_seconds_of_the_other_group() -> None:
    situation = play(GROUPS, Situation(field_of(8)), rounds=4)
    semifinals = {e.fixture.slot: set(e.fixture.seats) for e in situation.rounds[-1].encounters}
    assert semifinals == {"S2A/R1M1": {"e1", "e3"}, "S2A/R1M2": {"e2", "e4"}}


def test_who_went_further_stands_above_and_equal_places_of_groups_share_a_rank() -> None:
    situation = play(GROUPS, Situation(field_of(8)))
    assert [(line.rank, line.entrant) for line in GROUPS.standings(situation)] == [
        *[(1, "e1"), (2, "e2"), (3, "e3"), (4, "e4"), (5, "e5"), (5, "e6"), (7, "e7"), (7, "e8")]
    ]
    tables = [(table.stage, table.group, len(table.lines)) for table in GROUPS.tables(situation)]
    assert tables == [(1, "A", 4), (1, "B", 4), (2, "", 4)]


@pytest.mark.parametrize(
    ("groups", "advance"), [(2, 2), (4, 2), (8, 2), (16, 2), (2, 4), (4, 4), (8, 4), (3, 2), (6, 2)]
)
def test_two_of_one_group_are_seeded_as_far_apart_as_can_be(groups: int, advance: int) -> None:
    seeding = knockout_seeding(groups, advance)
    assert sorted(seeding) == sorted(natural_seeding(groups, advance))
    assert [berth.place for berth in seeding] == sorted(berth.place for berth in seeding)
    assert list(seeding[:groups]) == [Berth(1, group) for group in range(groups)]
    size = bracket_size(groups * advance)
    at = {seed: place for place, seed in enumerate(seed_order(size))}
    rounds = size.bit_length() - 1
    for group in range(groups):
        own = [at[seed] for seed, berth in enumerate(seeding, 1) if berth.group == group]
        meet = min((a ^ b).bit_length() for a in own for b in own if a != b)
        # Two can be kept apart to the final, up to four to the semifinals.
        assert meet == rounds - (0 if advance == 2 else 1)


def test_everything_about_advancing_is_told_beforehand() -> None:
    plan = GROUPS.plan(8)
    assert plan.rounds == 5
    assert plan.notes[3] == (
        "The first 2 of each group go on to stage 2: seed 1: 1st of group A; seed 2: 1st of group B; "
        "seed 3: 2nd of group A; seed 4: 2nd of group B."
    )
    final_stage = {e.slot: e.sides for e in plan.encounters if e.slot.startswith("S2")}
    assert final_stage["S2A/R1M1"] == ("1st of group A", "2nd of group B")
    assert final_stage["S2A/R1M2"] == ("1st of group B", "2nd of group A")


def test_who_has_withdrawn_does_not_advance_but_the_next_does() -> None:
    situation = replace(play(GROUPS, Situation(field_of(8)), rounds=3), withdrawn=frozenset({EntrantId("e4")}))
    answer = GROUPS.next_round(situation)
    assert isinstance(answer, Open)
    assert {seat for fixture in answer.fixtures for seat in fixture.seats} == {"e1", "e2", "e3", "e5"}


def test_stage_that_has_begun_is_not_changed_by_who_leaves_later() -> None:
    situation = replace(play(GROUPS, Situation(field_of(8)), rounds=4), withdrawn=frozenset({EntrantId("e1")}))
    answer = GROUPS.next_round(situation)
    assert isinstance(answer, Open)
    final = next(fixture for fixture in answer.fixtures if fixture.slot == "S2A/R2M1")
    assert set(final.seats) == {"e1", "e2"}
    assert final.settled is not None


def test_shared_places_at_the_border_are_settled_by_lots() -> None:
    level = Stages((Stage(RoundRobin(tie_breaks=()), groups=2, advance=1), Stage(SingleElimination())))
    finalists = set()
    for seed in range(12):
        situation = play(level, Situation(field_of(4), seed=seed), rounds=1, outcome=lambda fixture: Outcome.DRAW)
        final = level.next_round(situation)
        assert isinstance(final, Open)
        assert level.next_round(situation) == final
        finalists.add(frozenset(final.fixtures[0].seats))
    assert len(finalists) > 1


def test_deals_of_different_stages_differ_and_those_of_groups_are_the_same() -> None:
    duplicate = Stages((Stage(Duplicate(RoundRobin()), groups=2, advance=1), Stage(Duplicate(RoundRobin()))))
    first = duplicate.next_round(Situation(field_of(4)))
    assert isinstance(first, Open)
    assert {f.deals.key for f in first.fixtures if f.deals} == {"stage 1, round 1"}
    second = duplicate.next_round(play(duplicate, Situation(field_of(4)), rounds=1))
    assert isinstance(second, Open)
    assert {f.deals.key for f in second.fixtures if f.deals} == {"stage 2, round 1"}


def test_late_entry_is_open_only_while_the_first_stage_has_one_group_that_admits_it() -> None:
    swiss = Stages((Stage(Swiss(rounds=3, late_entry_rounds=1), advance=4), Stage(SingleElimination())))
    assert swiss.admits_late_entry(play(swiss, Situation(field_of(8)), rounds=1))
    assert not swiss.admits_late_entry(play(swiss, Situation(field_of(8)), rounds=2))
    assert not GROUPS.admits_late_entry(play(GROUPS, Situation(field_of(8)), rounds=1))


def test_rulings_reach_the_group_that_they_are_about() -> None:
    swiss = Stages((Stage(Swiss(rounds=2), groups=2), Stage(SingleElimination())))
    one, other, elsewhere = EntrantId("e1"), EntrantId("e4"), EntrantId("e2")
    rulings = Rulings(manual_pairs=(Pairing(other, one),), forbidden_pairs=((one, elsewhere),))
    answer = swiss.next_round(Situation(field_of(8), rulings=rulings))
    assert isinstance(answer, Open)
    assert (other, one) in [fixture.seats for fixture in answer.fixtures]


def test_groups_of_one_cannot_begin() -> None:
    assert GROUPS.next_round(Situation(field_of(3))) == CannotPair(Reason.TOO_FEW_ENTRANTS)


@pytest.mark.parametrize(
    "stages",
    [
        (Stage(RoundRobin()),),
        (Stage(RoundRobin()), Stage(Ladder())),
        (Stage(RoundRobin()), Stage(Arena())),
        (Stage(Arena(), groups=2), Stage(RoundRobin())),
        (Stage(RoundRobin()), Stage(SingleElimination(), groups=2)),
        (Stage(RoundRobin(), advance=0), Stage(SingleElimination())),
        (Stage(GROUPS), Stage(SingleElimination())),
    ],
)
def test_stages_that_cannot_be_played_are_refused(stages: tuple[Stage, ...]) -> None:
    with pytest.raises(InvalidFormatError):
        Stages(stages)

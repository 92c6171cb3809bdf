"""Double elimination: two losses and out, rematches as late as possible, the reset."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import pytest

from gin_tournament.double_elimination import GRAND_FINAL, MASKS, SECOND_GRAND_FINAL, DoubleElimination
from gin_tournament.format import Finished, Situation
from gin_tournament.model import Outcome
from tests.oracles.rematches import expected_rematches, least_rematches
from tests.property.format_driver import field_of, start
from tests.unit.gin_tournament.test_single_elimination import places, play, seats

FIRST_REMATCH = {4: 2, 8: 3, 16: 4, 32: 5, 64: 7, 128: 8, 256: 9}


def placings(size: int) -> list[tuple[int, ...]]:
    """Where the losers of winners' rounds 2, 3, … go, read from the bracket itself."""
    nodes = {node.slot: node for node in DoubleElimination().bracket(size).nodes}
    found = []
    for number in range(2, size.bit_length()):
        tables = size >> number
        droppers = [nodes[f"L{2 * number - 2}M{i + 1}"].sides[0].slot for i in range(tables)]
        assert sorted(droppers) == sorted(f"W{number}M{i + 1}" for i in range(tables))
        found.append(tuple(int(slot.split("M")[1]) - 1 for slot in droppers))
    return found


@pytest.mark.parametrize("size", FIRST_REMATCH)
def test_nobody_can_meet_again_before_the_stated_round(size: int) -> None:
    expected = expected_rematches(size.bit_length() - 1, placings(size))
    assert next(number for number, again in enumerate(expected, 2) if again) == FIRST_REMATCH[size]


@pytest.mark.parametrize("size", [4, 8, 16])
def test_no_placing_whatever_has_rematches_later(size: int) -> None:
    rounds = size.bit_length() - 1
    assert expected_rematches(rounds, placings(size)) == least_rematches(rounds, lambda n: permutations(range(n)))


@pytest.mark.parametrize("size", [32, 64])
def test_no_other_masks_have_rematches_later(size: int) -> None:
    rounds = size.bit_length() - 1
    masked = [tuple(i ^ mask for i in range(size >> number)) for number, mask in enumerate(MASKS[size], 2)]
    assert masked == placings(size)
    least = least_rematches(rounds, lambda n: [tuple(i ^ mask for i in range(n)) for mask in range(n)])
    assert expected_rematches(rounds, masked) == least


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 64])
@pytest.mark.parametrize("reset", [True, False])
def test_everybody_but_the_champion_has_lost_twice(size: int, reset: bool) -> None:
    for run in range(6):
        driver = start(DoubleElimination(reset=reset), size, random.Random(run))
        assert isinstance(driver.run(), Finished)
        losses: Counter[str] = Counter()
        for encounter in driver.situation.encounters():
            if len(encounter.fixture.seats) == 2:
                first_won = encounter.outcome is Outcome.FIRST_WINS
                if encounter.outcome is Outcome.DRAW:  # the better seed goes on
                    first_won = int(encounter.fixture.seats[0][1:]) < int(encounter.fixture.seats[1][1:])
                losses[encounter.fixture.seats[first_won]] += 1
        champion = driver.format.standings(driver.situation)[0].entrant
        others = {losses[e.id] for e in driver.situation.entrants if e.id != champion}
        assert losses[champion] <= 1
        assert others == {2} if reset else others <= {1, 2}


@pytest.mark.parametrize("size", [2, 3, 4, 5, 8, 9, 33, 128])
def test_bracket_has_twice_the_field_less_two_encounters_that_are_played(size: int) -> None:
    situation = play(DoubleElimination(), Situation(field_of(size)))
    assert sum(len(e.fixture.seats) == 2 for e in situation.encounters()) == 2 * size - 2


def test_places_are_shared_by_those_who_go_out_in_the_same_round() -> None:
    format_ = DoubleElimination()
    situation = play(format_, Situation(field_of(8)))
    assert places(format_, situation) == [
        *[(1, "e1"), (2, "e2"), (3, "e3"), (4, "e4"), (5, "e5"), (5, "e6"), (7, "e7"), (7, "e8")]
    ]


def test_second_grand_final_is_played_only_if_the_unbeaten_side_loses_the_first() -> None:
    format_ = DoubleElimination()
    calm = play(format_, Situation(field_of(4)))
    assert seats(calm, SECOND_GRAND_FINAL) == set()
    (final,) = (e.fixture for e in calm.encounters() if e.fixture.slot == GRAND_FINAL)
    upset = Outcome.FIRST_WINS if final.seats[0] == "e2" else Outcome.SECOND_WINS
    pending = play(format_, Situation(field_of(4)), {GRAND_FINAL: upset}, rounds=4)
    assert places(format_, pending)[:2] == [(1, "e1"), (1, "e2")], "both have lost once: nothing is decided"
    decided = play(format_, pending)
    assert seats(decided, SECOND_GRAND_FINAL) == {"e1", "e2"}
    assert places(format_, decided)[:2] == [(1, "e1"), (2, "e2")]
    single = DoubleElimination(reset=False)
    assert places(single, play(single, Situation(field_of(4)), {GRAND_FINAL: upset}))[:2] == [(1, "e2"), (2, "e1")]


def test_everybody_plays_at_most_once_in_a_round_of_the_plan() -> None:
    plan = DoubleElimination().plan(16)
    assert plan.rounds == 9
    slots = {e.slot: e for e in plan.encounters}
    for encounter in plan.encounters:
        for side in encounter.sides:
            if " of " in side:
                assert slots[side.split(" of ")[1]].round < encounter.round


def test_double_forfeit_of_unbeaten_players_puts_both_out_behind_those_beaten_in_the_round_they_miss() -> None:
    format_ = DoubleElimination()
    situation = play(format_, Situation(field_of(8)), {"W1M1": Outcome.DOUBLE_FORFEIT})
    ranks = {name: rank for rank, name in places(format_, situation)}
    assert (ranks["e1"], ranks["e8"]) == (7, 7)
    assert sorted(ranks.values()) == [1, 2, 3, 4, 5, 6, 7, 7]

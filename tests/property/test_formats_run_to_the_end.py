"""Every format, at awkward sizes, with everything that can go wrong: it ends, or says why it cannot."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from gin_tournament.arena import Arena
from gin_tournament.bracket import places, seat
from gin_tournament.double_elimination import DoubleElimination
from gin_tournament.duplicate import Duplicate
from gin_tournament.format import CannotPair, Finished, Format
from gin_tournament.knockout import field_of
from gin_tournament.model import Entrant, EntrantId
from gin_tournament.pods import Pods
from gin_tournament.round_robin import RoundRobin
from gin_tournament.single_elimination import SingleElimination
from gin_tournament.stages import Stage, Stages
from gin_tournament.swiss_rounds import Swiss
from tests.property.format_driver import Driver, start

FORMATS: dict[str, Format] = {
    "swiss": Swiss(rounds=5, late_entry_rounds=2),
    "swiss accelerated, best of three": Swiss(rounds=6, best_of=3, accelerated=True),
    "round robin": RoundRobin(),
    "double round robin": RoundRobin(legs=2, annul_below_half=False),
    "single elimination": SingleElimination(),
    "single elimination with third place": SingleElimination(best_of_last=(3, 5), third_place=True),
    "double elimination": DoubleElimination(),
    "double elimination without reset": DoubleElimination(best_of=3, reset=False),
    "arena": Arena(duration_seconds=1200),
    "pods": Pods(rounds=4, late_entry_rounds=2),
    "pods with tables of two": Pods(rounds=3, tables_of_two=True),
    "duplicate swiss": Duplicate(Swiss(rounds=4), hands=6),
    "duplicate knockout": Duplicate(SingleElimination(), ranking="format"),
    "mirrored duplicate": Duplicate(DoubleElimination(), mirrored=True),
    "groups, then a knockout": Stages((Stage(RoundRobin(), groups=2), Stage(SingleElimination(third_place=True)))),
    "groups, then double elimination": Stages(
        (Stage(RoundRobin(legs=2), groups=4, advance=3), Stage(DoubleElimination()))
    ),
    "swiss, groups of pods, final": Stages(
        (
            Stage(Swiss(rounds=3, late_entry_rounds=1), advance=8),
            Stage(Pods(rounds=2), groups=2, advance=2),
            Stage(Duplicate(RoundRobin())),
        )
    ),
    "arena, then a knockout": Stages((Stage(Arena(duration_seconds=600), advance=4), Stage(SingleElimination()))),
}


def nothing(driver: Driver) -> None:
    """Everybody plays."""


def some_leave(driver: Driver) -> None:
    here = [e.id for e in driver.situation.present]
    if here and driver.rng.random() < 0.08:
        gone = driver.rng.choice(here)
        driver.format.leaving(driver.situation, gone)
        driver.situation = replace(driver.situation, withdrawn=driver.situation.withdrawn | {gone})


def everybody_leaves(driver: Driver) -> None:
    if len(driver.situation.rounds) >= 2:
        driver.situation = replace(driver.situation, withdrawn=frozenset(e.id for e in driver.situation.entrants))


def all_but_one_leave(driver: Driver) -> None:
    if driver.situation.rounds:
        others = frozenset(e.id for e in driver.situation.entrants[1:])
        driver.situation = replace(driver.situation, withdrawn=others)


def some_come_late(driver: Driver) -> None:
    situation = driver.situation
    if driver.format.admits_late_entry(situation) and driver.rng.random() < 0.3 and len(situation.entrants) < 40:
        seed = max(e.seed for e in situation.entrants) + 1
        driver.situation = replace(situation, entrants=(*situation.entrants, Entrant(EntrantId(f"e{seed}"), seed)))


def some_rest(driver: Driver) -> None:
    resting = frozenset(e.id for e in driver.situation.present if driver.rng.random() < 0.1)
    driver.situation = replace(driver.situation, sitting_out=resting)


DISTURBANCES = (nothing, some_leave, everybody_leaves, all_but_one_leave, some_come_late, some_rest)


@pytest.mark.parametrize("disturb", DISTURBANCES, ids=lambda d: d.__name__)
@pytest.mark.parametrize("size", [2, 3, 5, 7, 8, 9, 17, 33])
@pytest.mark.parametrize("name", FORMATS)
def test_tournament_ends_or_says_why_it_cannot(name: str, size: int, disturb: object) -> None:
    for unplayed in (0.0, 0.3) if size < 17 else (0.15,):
        rng = random.Random(f"{name}/{size}/{unplayed}")
        driver = start(FORMATS[name], size, rng, unplayed=unplayed, disturb=disturb)
        answer = driver.run()
        assert isinstance(answer, Finished | CannotPair)
        if isinstance(driver.format, SingleElimination | DoubleElimination) and isinstance(answer, Finished):
            check_that_everybody_is_out_or_through(driver)
        if disturb is nothing and isinstance(answer, CannotPair):
            assert size <= _TOO_SMALL_BELOW.get(name, 1), "only small fields run out of legal rounds"


def check_that_everybody_is_out_or_through(driver: Driver) -> None:
    assert isinstance(driver.format, SingleElimination | DoubleElimination)
    field = field_of(driver.situation)
    seating = seat(field, driver.situation.withdrawn)
    reached = places(driver.format.bracket(len(field)), seating, driver.situation.encounters())
    assert 0 not in reached.values(), "nobody is left waiting for an encounter that never comes"
    assert list(reached.values()).count(2) <= 1, "there is one champion at most"


_TOO_SMALL_BELOW = {
    "swiss": 5,
    "swiss accelerated, best of three": 9,
    "duplicate swiss": 3,
    "pods": 2,
    "groups, then a knockout": 3,
    "groups, then double elimination": 7,
    "swiss, groups of pods, final": 5,
}
"""The largest field in which everybody has met before the last round, or that does not fill its tables."""

"""Corrections at any moment of any tournament: what was played stands, nobody sits twice, and it still ends."""

from __future__ import annotations

import random

import pytest

from gin_tournament.catalogue import opens_while_playing
from gin_tournament.correction import correct
from gin_tournament.format import CannotPair, Encounter, Finished, Format, Result, at_birth
from gin_tournament.model import Outcome
from tests.property.format_driver import Driver, start
from tests.property.test_formats_run_to_the_end import FORMATS

CORRECTED = (Outcome.FIRST_WINS, Outcome.SECOND_WINS, Outcome.DRAW, Outcome.DOUBLE_FORFEIT, Outcome.VOID)


def other_result(encounter: Encounter, rng: random.Random) -> Result:
    if len(encounter.fixture.seats) == 2 and encounter.outcome is not None:
        return Result(rng.choice(CORRECTED))
    places = list(range(1, len(encounter.fixture.seats) + 1))
    rng.shuffle(places)
    return Result(places=tuple(places))


def correct_something(driver: Driver) -> None:
    situation, rng = driver.situation, driver.rng
    played = [e for e in situation.encounters() if e.is_decided and at_birth(e.fixture) is None]
    if not played or rng.random() > 0.15:
        return
    chosen = rng.choice(played)
    slot = chosen.fixture.slot
    found = correct(driver.format, situation, slot, other_result(chosen, rng))
    driver.situation = found.corrected
    now = {e.fixture.slot: e for e in found.corrected.encounters()}
    for encounter in played:
        if encounter.fixture.slot != slot:
            assert now[encounter.fixture.slot] == encounter, "what was played stands"
    assert now[slot].fixture == chosen.fixture
    assert len(now) == sum(len(opened.encounters) for opened in found.corrected.rounds), "slots are unique"
    for opened in found.corrected.rounds:
        seats = [seat for e in opened.encounters for seat in e.fixture.seats]
        assert len(set(seats)) == len(seats), "nobody sits twice"
    for other in found.others:
        assert bool(other.replaced) >= bool(other.opened)
        assert not other.replaced or other.number == situation.rounds[-1].number
    if opens_while_playing(driver.format):
        assert found.others == ()
    assert found.after == driver.format.standings(found.corrected)


@pytest.mark.parametrize("size", [5, 8, 13])
@pytest.mark.parametrize("name", FORMATS)
def test_a_tournament_full_of_corrections_runs_to_its_end(name: str, size: int) -> None:
    format_: Format = FORMATS[name]
    for seed in range(4):
        driver = start(format_, size, random.Random(seed), unplayed=0.1, disturb=correct_something)
        answer = driver.run()
        assert isinstance(answer, Finished | CannotPair)
        driver.check_standings()

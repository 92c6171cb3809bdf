"""Every level of a Swiss pairing beside an integer program that looks for anything better."""

from __future__ import annotations

import pytest

from gin_tournament.swiss_rounds import Swiss
from tests.oracles.swiss_brute_force import BruteForce
from tests.oracles.swiss_integer_program import IntegerProgram
from tests.support.swiss_play import pairs_of, rounds_of


def check(size: int, seed: int, rounds: int) -> None:
    """The last of so many rounds, with forfeits, absences and withdrawals."""
    *_, (situation, opening) = rounds_of(Swiss(rounds=rounds), size, seed, absences=True)
    figures = BruteForce(situation.entrants, situation.history(), situation.withdrawn | situation.sitting_out)
    at = {int(name): place for place, name in enumerate(figures.ids)}
    pairs = pairs_of(opening)
    mates = [(min(at[a], at[b]), max(at[a], at[b])) for a, b in pairs if b]
    alone = [at[a] for a, b in pairs if not b]
    assert IntegerProgram(figures).complaints(mates, alone[0] if alone else None) == []


@pytest.mark.parametrize(("size", "seed"), [(12, 1), (17, 2), (20, 3), (25, 4)])
def test_no_complete_pairing_is_better_on_any_level(size: int, seed: int) -> None:
    check(size, seed, 4)


def test_the_program_finds_two_pairs_that_should_be_swapped() -> None:
    figures = BruteForce.from_figures([2, 2, 2, 2], [(), (), (), ()], [0] * 4, [False] * 4, [False] * 4)
    assert IntegerProgram(figures).complaints([(0, 2), (1, 3)], None) == []
    assert IntegerProgram(figures).complaints([(0, 3), (1, 2)], None) != []


@pytest.mark.soak
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize(("size", "seed"), [(60, 5), (81, 6), (120, 7), (201, 8), (300, 9)])
def test_soak_of_hundreds_of_players(size: int, seed: int) -> None:
    check(size, seed, 5)

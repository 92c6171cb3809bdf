"""Our Swiss pairings beside gacrux', which pairs by the Dutch rules of 2026, over reports that we write.

Where the rules agree: the first round, first deals included; the score of whoever has the bye; how many float, and
how far, as long as nobody minds who deals first (there the Dutch rules forbid what ours only avoid). Where they do
not: docs/tournaments/swiss.md. So the second comparison is with gacrux' rules about colours taken away, and the third
says that nothing that gacrux finds is better by our rules than what we found.
"""

from __future__ import annotations

import pytest

from gin_tournament.format import Open, Situation
from gin_tournament.model import ByeKind
from gin_tournament.swiss_rounds import Swiss
from gin_tournament.trf_reader import read_trf
from gin_tournament.trf_writer import write_trf
from tests.oracles import gacrux_pairing
from tests.oracles.swiss_brute_force import BruteForce, Vector
from tests.support.swiss_play import document, pairs_of, rounds_of

# The figures of a bracket that both put first. Then ours count all who float again within two rounds; the Dutch rules
# look at the last round before the one before it, and at floating down before floating up (C.04.3, C.14 to C.17).
UNTIL_REPEATS = 4


def vector(situation: Situation, pairs: frozenset[tuple[int, int]]) -> Vector:
    """How good a pairing is by our rules; less is better."""
    figures = BruteForce(situation.entrants, situation.history(), situation.withdrawn | situation.sitting_out)
    at = {int(name): place for place, name in enumerate(figures.ids)}
    mates = [(min(at[a], at[b]), max(at[a], at[b])) for a, b in pairs if b]
    alone = [at[a] for a, b in pairs if not b]
    return figures.vector(mates, alone[0] if alone else None)


def first_difference(ours: Vector, theirs: Vector) -> tuple[tuple[object, ...], tuple[object, ...]]:
    """The first bracket that differs, up to those who float again; the bye without the unplayed games and the seed."""
    for at, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        if one != other:
            upto = UNTIL_REPEATS if at else 1
            return tuple(one[:upto]), tuple(other[:upto])
    return (), ()


def compare(situation: Situation, opening: Open, rounds: int = 5) -> None:
    report = write_trf(document(Swiss(rounds=rounds), situation))
    ours = pairs_of(opening)
    theirs = gacrux_pairing.pair(report)
    if not situation.rounds:
        assert ours == theirs
    colourless = gacrux_pairing.pair(report, colours=False)
    best = vector(situation, ours)
    assert theirs is None or best <= vector(situation, theirs), report  # colours may leave no pairing at all
    assert colourless is not None, report
    assert best <= vector(situation, colourless), report
    one, other = first_difference(best, vector(situation, colourless))
    assert one == other, report


def read_back(situation: Situation, opening: Open) -> None:
    """Our own reader finds the tournament of which the report was written."""
    found = read_trf(write_trf(document(Swiss(rounds=5), situation)))
    answer = found.format.next_round(
        Situation(
            found.situation.entrants,
            found.situation.rounds,
            sitting_out=found.situation.sitting_out,
            seed=situation.seed,
        )
    )
    assert isinstance(answer, Open)
    paired = [f.seats for f in opening.fixtures if f.bye in (None, ByeKind.PAIRING_ALLOCATED)]
    assert [f.seats for f in answer.fixtures if f.bye in (None, ByeKind.PAIRING_ALLOCATED)] == paired


@pytest.mark.parametrize("seed", range(16))
def test_gacrux_finds_nothing_better_and_agrees_where_the_rules_do(seed: int) -> None:
    for situation, opening in rounds_of(Swiss(rounds=5), 6 + 3 * seed, seed, absences=seed % 2 == 0):
        compare(situation, opening)
        read_back(situation, opening)


@pytest.mark.soak
@pytest.mark.timeout(3_600)
def test_soak_of_a_thousand_tournaments_beside_gacrux() -> None:
    for seed in range(100, 1_100):
        for situation, opening in rounds_of(Swiss(rounds=7), 8 + seed % 60, seed, absences=seed % 3 > 0):
            compare(situation, opening, rounds=7)

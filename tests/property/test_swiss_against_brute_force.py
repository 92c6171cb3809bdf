"""The fast pairing and the brute force agree on every criterion, in small fields with wild histories."""

from __future__ import annotations

import random

import pytest
from gin_tournament.model import Bye, ByeKind, DecidedPairing, Entrant, EntrantId, Outcome, Pairing, Round
from gin_tournament.swiss import CannotPair, pair_round

from tests.oracles.swiss_brute_force import BruteForce, Vector

_OUTCOMES = [*Outcome][:3] * 6 + [*Outcome][3:]


def random_history(rng: random.Random, entrants: list[Entrant], rounds: int) -> list[Round]:
    """Rounds paired at random, so that score groups, floats and deals are far from orderly."""
    history = []
    for number in range(1, rounds + 1):
        ids = [entrant.id for entrant in entrants]
        rng.shuffle(ids)
        byes = []
        while len(ids) % 2 or (len(ids) > 2 and rng.random() < 0.1):
            byes.append(Bye(ids.pop(), rng.choice([*ByeKind])))
        if rng.random() < 0.1 and len(ids) > 2:
            del ids[:2]  # two entrants were absent
        pairs = [Pairing(a, b) for a, b in zip(ids[::2], ids[1::2], strict=True)]
        decided = tuple(DecidedPairing(pair, rng.choice(_OUTCOMES)) for pair in pairs)
        history.append(Round(number, decided, tuple(byes)))
    return history


def compare(rng: random.Random, size: int) -> bool:
    """Pair one random round both ways; True where a legal pairing existed."""
    seeds = rng.sample(range(1, size + 1), size)
    entrants = [Entrant(EntrantId(f"e{seed}"), seed) for seed in seeds]
    rounds = rng.randrange(0, 6)
    history = random_history(rng, entrants, rounds)
    ids = [entrant.id for entrant in entrants]
    absent = [name for name in ids if rng.random() < 0.08]
    forbidden = [(a, b) for a, b in [tuple(rng.sample(ids, 2))] if rng.random() < 0.3]
    if size - len(absent) < 2:
        return False
    oracle = BruteForce(entrants, history, absent, forbidden)
    answer = pair_round(
        entrants, history, round_number=rounds + 1, withdrawn=absent, forbidden_pairs=forbidden
    )
    best = oracle.best()
    if best is None:
        assert isinstance(answer, CannotPair)
        return False
    assert not isinstance(answer, CannotPair)
    vector: Vector
    vector, pairs, bye = best
    at = {name: place for place, name in enumerate(oracle.ids)}
    found = sorted(sorted((at[first], at[second])) for first, second in answer.pairings)
    found_bye = None if answer.bye is None else at[answer.bye.entrant]
    assert oracle.vector([(a, b) for a, b in found], found_bye) == vector
    assert (found, found_bye) == (sorted(map(list, pairs)), bye)
    return True


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 8])
def test_small_fields_get_the_least_vector_of_criteria(size: int) -> None:
    rng = random.Random(size)
    legal = sum(compare(rng, size) for _ in range(60))
    assert legal > 5


@pytest.mark.parametrize("size", [9, 10])
def test_fields_of_nine_and_ten_get_the_least_vector_of_criteria(size: int) -> None:
    rng = random.Random(size)
    legal = sum(compare(rng, size) for _ in range(15))
    assert legal > 5

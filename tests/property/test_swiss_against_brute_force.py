"""The fast pairing and the brute force agree on every criterion, in small fields with wild histories."""

from __future__ import annotations

import random

import pytest

from gin_tournament.model import Bye, ByeKind, DecidedPairing, Entrant, EntrantId, Outcome, Pairing, Round
from gin_tournament.swiss import CannotPair, pair_round
from gin_tournament.swiss_bracket import pair_field
from gin_tournament.swiss_field import Field
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
    answer = pair_round(entrants, history, round_number=rounds + 1, withdrawn=absent, forbidden_pairs=forbidden)
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


def crowded_field(rng: random.Random, size: int) -> Field:
    """Few scores and many bans, so that several players at once must float, and float far."""
    scores = sorted((rng.choice((0, 1, 1, 2, 2, 2)) for _ in range(size)), reverse=True)
    density = rng.choice((0.2, 0.4, 0.6))
    banned: list[set[int]] = [set() for _ in range(size)]
    for a in range(size):
        for b in range(a + 1, size):
            if rng.random() < (density if scores[a] == scores[b] else density / 2):
                banned[a].add(b)
                banned[b].add(a)
    return Field(
        scores=scores,
        banned=[frozenset(others) for others in banned],
        lean=[rng.choice((-1, 0, 1)) for _ in range(size)],
        sank=[rng.random() < 0.4 for _ in range(size)],
        rose=[rng.random() < 0.4 for _ in range(size)],
        most_banned=max(map(len, banned)),
    )


@pytest.mark.parametrize("block", range(4))
def test_crowded_fields_get_the_least_vector_of_criteria(block: int) -> None:
    rng = random.Random(f"crowded {block}")
    pairable = 0
    for _ in range(150):
        field = crowded_field(rng, rng.choice((6, 8)))
        oracle = BruteForce.from_figures(field.scores, field.banned, field.lean, field.sank, field.rose)
        best = oracle.best()
        assert field.is_completable(range(len(field.scores))) == (best is not None)
        if best is not None:
            pairable += 1
            assert sorted(pair_field(field)) == sorted(best[1])
    assert pairable > 50


def test_of_two_floaters_the_lowest_is_as_low_as_can_be() -> None:
    # Of the six leaders 3 and 4 may only meet 5 or one another, and 0, 1, 2 only 5 or one another. With
    # 0-2 and 1-5 paired, 3 and 4 would float; with 0-1 and 3-4, 2 and 5 do. 5 is the lowest of them all.
    met = {0: (3, 4), 1: (3, 4, 6), 2: (3, 4), 3: (0, 1, 2), 4: (0, 1, 2), 5: (6,), 6: (1, 5, 7), 7: (6,)}
    field = Field(
        scores=[2, 2, 2, 2, 2, 2, 1, 1],
        banned=[frozenset(met[player]) for player in range(8)],
        lean=[0, 0, 0, 0, -1, 0, 0, 1],
        sank=[True, True, True, False, True, False, False, True],
        rose=[False] * 8,
        most_banned=3,
    )
    assert sorted(pair_field(field)) == [(0, 1), (2, 6), (3, 4), (5, 7)]

"""Fold order is exact in brackets too large for brute force, and however crowded with bans."""

from __future__ import annotations

import random

import pytest

from gin_tournament.swiss_field import Field
from gin_tournament.swiss_fold import fold
from tests.oracles.swiss_fold_by_matching import fold_by_matching, least_totals


def crowded_bracket(rng: random.Random, size: int) -> Field:
    """A bracket with some players floated into it, most of whom have met many of the others."""
    banned: list[set[int]] = [set() for _ in range(size)]
    density = rng.choice([0.1, 0.4, 0.7, 0.85])
    for a in range(size):
        for b in range(a + 1, size):
            if rng.random() < density:
                banned[a].add(b)
                banned[b].add(a)
    floated = rng.randrange(4)
    skew = rng.choice([(-1, 0, 1), (-1, 1), (1, 1, 1, -1), (0, 0, 1)])
    return Field(
        scores=[3] * floated + [2] * (size - floated),
        banned=[frozenset(others) for others in banned],
        lean=[rng.choice(skew) for _ in range(size)],
        sank=[False] * size,
        rose=[rng.random() < 0.5 for _ in range(size)],
        most_banned=max(map(len, banned)),
    )


@pytest.mark.parametrize("size", [10, 14, 20, 28, 40])
def test_fold_order_is_the_same_as_with_a_matching_for_every_choice(size: int) -> None:
    rng = random.Random(size)
    pairable = 0
    for _ in range(12):
        field = crowded_bracket(rng, size)
        members = range(size)
        totals = least_totals(field, members)
        if totals is None:
            assert fold(field, members, size, size) is None
            continue
        pairable += 1
        assert fold(field, members, *totals) == fold_by_matching(field, members)
        if totals[1]:
            assert fold(field, members, totals[0], totals[1] - 1) is None
    assert pairable > 3

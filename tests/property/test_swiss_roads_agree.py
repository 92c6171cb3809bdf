"""Larger fields: the short road by bounds and the long road by matching give the same pairing.

A field that overstates `most_banned` is never roomy, so that every bracket that bounds cannot settle
without regard to those below goes through one matching over everybody left.
"""

from __future__ import annotations

import dataclasses
import random

import pytest

from gin_tournament.swiss_bracket import pair_field
from gin_tournament.swiss_field import Field


def random_field(rng: random.Random, size: int, groups: int, rounds: int) -> Field:
    scores = sorted((rng.randrange(groups) for _ in range(size)), reverse=True)
    banned: list[set[int]] = [set() for _ in range(size)]
    for _ in range(rounds):
        order = list(range(size))
        order.sort(key=lambda p: scores[p] + rng.random() * 2)
        for a, b in zip(order[::2], order[1::2], strict=False):
            banned[a].add(b)
            banned[b].add(a)
    return Field(
        scores=scores,
        banned=[frozenset(others) for others in banned],
        lean=[rng.choice((-1, 0, 1)) if rounds % 2 == 0 else rng.choice((-1, 1)) for _ in range(size)],
        sank=[rng.random() < 0.25 for _ in range(size)],
        rose=[rng.random() < 0.25 for _ in range(size)],
        most_banned=max(map(len, banned)),
    )


def with_few_on_top(rng: random.Random, field: Field) -> Field:
    """The same field with brackets of a few players at the top and everybody else in the last one."""
    scores: list[int] = []
    for score in (5, 4, 3, 2):
        scores += [score] * rng.randrange(1, 6)
    scores += [1] * (len(field.scores) - len(scores))
    banned = [set(others) for others in field.banned]
    for a in range(12):
        for b in range(a + 1, 12):
            if rng.random() < 0.4:
                banned[a].add(b)
                banned[b].add(a)
    return dataclasses.replace(
        field,
        scores=scores,
        banned=[frozenset(others) for others in banned],
        most_banned=max(map(len, banned)),
    )


@pytest.mark.parametrize("case", range(60))
def test_few_on_top_of_many_are_paired_the_same_by_either_road(case: int) -> None:
    rng = random.Random(f"top {case}")
    field = with_few_on_top(rng, random_field(rng, 60, 1, rng.randrange(3)))
    cramped = dataclasses.replace(field, most_banned=len(field.scores))
    assert sorted(pair_field(field)) == sorted(pair_field(cramped))


@pytest.mark.parametrize("case", range(40))
def test_bounds_and_matchings_give_the_same_pairing(case: int) -> None:
    rng = random.Random(case)
    field = random_field(rng, rng.choice([16, 24, 36, 50]), rng.choice([1, 2, 3, 5, 8]), rng.randrange(5))
    cramped = dataclasses.replace(field, most_banned=len(field.scores))
    assert field.is_completable(range(len(field.scores)))
    assert sorted(pair_field(field)) == sorted(pair_field(cramped))

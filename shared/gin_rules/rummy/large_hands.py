"""Least deadwood of hands that buried draws have grown: time in proportion to the thirteen ranks.

Trying every set is best for ten cards, but doubles or worse with each rank that can be a set. Here the ranks
are walked from the ace up, keeping the least deadwood for each state of the four suits' runs.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

_Lengths = tuple[int, ...]
_SETS = ((1, 1, 1, 0), (1, 1, 0, 1), (1, 0, 1, 1), (0, 1, 1, 1), (1, 1, 1, 1))
_NO_SET = (0, 0, 0, 0)


class _Rank(NamedTuple):
    held: tuple[int, ...]
    starts: tuple[bool, ...]
    """Whether the suit also holds the next two ranks, so that a run can begin here."""
    value: int


@lru_cache(maxsize=4096)
def least_of_many(c: int, d: int, h: int, s: int) -> int:
    """The least deadwood of four 13-bit masks, whatever the number of cards."""
    suits = (c, d, h, s)
    # Run lengths by suit: 0 no run, 1 and 2 a run that must still grow, 3 a run that may end.
    costs: dict[_Lengths, int] = {_NO_SET: 0}
    for index in range(13):
        rank = _Rank(
            held=tuple(suit >> index & 1 for suit in suits),
            starts=tuple(suit >> index & 0b111 == 0b111 for suit in suits),
            value=min(index + 1, 10),
        )
        ways = [_NO_SET, *(way for way in _SETS if all(map(int.__le__, way, rank.held)))]
        after: dict[_Lengths, int] = {}
        for lengths, cost in costs.items():
            for way in ways:
                for next_lengths, added in _steps(lengths, way, rank):
                    if cost + added < after.get(next_lengths, 1000):
                        after[next_lengths] = cost + added
        costs = after
    return min(cost for lengths, cost in costs.items() if not {1, 2} & set(lengths))


def _steps(lengths: _Lengths, way: _Lengths, rank: _Rank) -> list[tuple[_Lengths, int]]:
    # The states after this rank, if the suits of `way` give their card to a set, and the deadwood each adds.
    steps: list[tuple[_Lengths, int]] = [((), 0)]
    for length, in_set, held, starts in zip(lengths, way, rank.held, rank.starts, strict=True):
        if in_set or not held:
            if length in (1, 2):
                return []
            choices: tuple[tuple[int, int], ...] = ((0, 0),)
        elif length:
            choices = ((min(length + 1, 3), 0),)  # a run goes on for nothing: never worse than to stop
        elif starts:
            choices = ((0, rank.value), (1, 0))
        else:
            choices = ((0, rank.value),)
        steps = [((*before, now), cost + added) for before, cost in steps for now, added in choices]
    return steps

"""Exact matchings."""

from __future__ import annotations

import pytest

from gin_tournament.matching import first_least_cost_perfect, heaviest, least_cost_perfect


def test_perfect_matching_takes_the_least_total_and_not_the_cheapest_edge() -> None:
    costs = {(0, 1): 0, (2, 3): 9, (0, 2): 2, (1, 3): 2}
    assert least_cost_perfect(range(4), costs) == {0: 2, 2: 0, 1: 3, 3: 1}


def test_no_perfect_matching_gives_none() -> None:
    assert least_cost_perfect(range(4), {(0, 1): 0, (0, 2): 0, (0, 3): 0}) is None
    assert first_least_cost_perfect(range(4), {(0, 1): 0, (0, 2): 0, (0, 3): 0}) is None


def test_first_matching_gives_each_node_its_earliest_mate_at_the_least_total() -> None:
    even = {(a, b): 1 for a in range(6) for b in range(a + 1, 6)}
    assert first_least_cost_perfect(range(6), even) == {0: 1, 1: 0, 2: 3, 3: 2, 4: 5, 5: 4}
    dearer = even | {(0, 1): 2}
    assert first_least_cost_perfect(range(6), dearer) == {0: 2, 2: 0, 1: 3, 3: 1, 4: 5, 5: 4}


def test_weights_of_a_hundred_bits_are_told_apart() -> None:
    big = 1 << 100
    assert heaviest(range(3), {(0, 1): big, (1, 2): big + 1}) == {1: 2, 2: 1}


def test_weights_beyond_the_exact_range_are_refused() -> None:
    with pytest.raises(OverflowError):
        heaviest(range(2), {(0, 1): 1 << 121})

"""The best seating of a small field at tables, by trying every one. Independent of the package's own search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

Cost = tuple[int, int, int]


def best_cost(
    scores: Sequence[int], meetings: Mapping[frozenset[int], int], short: Sequence[int], sizes: Sequence[int]
) -> Cost:
    """The least (repeats, sum of squared gaps, earlier short tables of those at short tables)."""
    people = range(len(scores))
    least: Cost | None = None
    seen: set[frozenset[frozenset[int]]] = set()
    for order in permutations(people):
        tables = frozenset(frozenset(order[sum(sizes[:at]) : sum(sizes[: at + 1])]) for at in range(len(sizes)))
        if tables in seen:
            continue
        seen.add(tables)
        pairs = [pair for table in tables for pair in combinations(table, 2)]
        cost = (
            sum(meetings.get(frozenset(pair), 0) for pair in pairs),
            sum((scores[a] - scores[b]) ** 2 for a, b in pairs),
            sum(short[person] for table in tables if len(table) < 4 for person in table),
        )
        least = cost if least is None else min(least, cost)
    assert least is not None
    return least

"""Who sits with whom at tables of four (three, two) for one round.

In strict order: fewest repeated meetings; closest scores at a table; the short tables to those who have sat
at the fewest; and for each table the seats that its people have had least often. Up to `EXACT` people every
possible seating is compared. Beyond that a search improves a first seating by swaps until no swap helps,
and starts again from shaken seatings while meetings repeat: good, but not proven best.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

EXACT = 12
FULL_TABLE = 4
SHAKES = 60
LARGEST_SHAKEN = 64  # beyond, repeats are rare and a shake costs more than it brings
NEIGHBOURS = 6  # tables, in order of score, between which people are swapped for closer scores

Tables = list[list[int]]


class Person(NamedTuple):
    """`score` is in whole units. `met[i]` counts meetings with person i of the list (missing: none).
    `seats[s]` counts rounds in seat s; `short` rounds at a table that was not full."""

    score: int
    met: dict[int, int]
    short: int
    seats: tuple[int, ...]


def table_sizes(people: int, *, twos_allowed: bool) -> tuple[int, ...] | None:
    """As few short tables as can be, longest first; None where these people cannot be seated.

    Five without tables of two cannot be; nor can one or, without them, two.
    """
    if people == 2 or people == 5:
        return {2: (2,), 5: (3, 2)}[people] if twos_allowed else None
    if people < 2:
        return None
    threes = -people % FULL_TABLE
    return (FULL_TABLE,) * ((people - 3 * threes) // FULL_TABLE) + (3,) * threes


def seat_people(people: Sequence[Person], sizes: Sequence[int], seed: int) -> Tables:
    """Tables of indices into `people`, each in seat order. `sizes` add up to the people, who stand in order of
    score, the highest first."""
    cost = _Cost(people)
    if len(people) <= EXACT:
        tables = min(_partitions(list(range(len(people))), list(sizes)), key=cost.of)
    else:
        tables = _search(_first(people, sizes), cost, random.Random(seed))  # noqa: S311 - repeatable on purpose
    return [seat_order(people, table) for table in tables]


class _Cost:
    """The cost of seatings as one whole number: repeats first, then distance in score, then short tables."""

    def __init__(self, people: Sequence[Person]) -> None:
        self.people = people
        pairs = len(people) * 2
        shortest = max((person.short for person in people), default=0)
        self.closeness = pairs * (shortest + 1) + 1
        widest = max((p.score for p in people), default=0) - min((p.score for p in people), default=0)
        self.repeat = (widest * widest * pairs + 1) * self.closeness

    def table(self, table: Sequence[int]) -> int:
        people = self.people
        total = sum(people[i].short for i in table) if len(table) < FULL_TABLE else 0
        for a, b in combinations(table, 2):
            gap = people[a].score - people[b].score
            total += people[a].met.get(b, 0) * self.repeat + gap * gap * self.closeness
        return total

    def of(self, tables: Sequence[Sequence[int]]) -> int:
        return sum(self.table(table) for table in tables)

    def repeats(self, tables: Sequence[Sequence[int]]) -> int:
        return self.of(tables) // self.repeat


def _partitions(left: list[int], sizes: list[int]) -> Iterator[Tables]:
    """Every way to seat all, each once: the first person left takes each size in turn."""
    if not left:
        yield []
        return
    first, others = left[0], left[1:]
    for size in sorted(set(sizes), reverse=True):
        fewer = sizes.copy()
        fewer.remove(size)
        for mates in combinations(others, size - 1):
            rest = [i for i in others if i not in mates]
            for tables in _partitions(rest, fewer):
                yield [[first, *mates], *tables]


def _first(people: Sequence[Person], sizes: Sequence[int]) -> Tables:
    """Neighbours in score sit together; where all scores are level, the order is dealt out to and fro."""
    tables: Tables = [[] for _ in sizes]
    if len({person.score for person in people}) > 1:
        order = iter(range(len(people)))
        return [[next(order) for _ in range(size)] for size in sizes]
    at, step = 0, 1
    for i in range(len(people)):
        while len(tables[at]) == sizes[at]:
            at, step = _next_table(at, step, len(sizes))
        tables[at].append(i)
        at, step = _next_table(at, step, len(sizes))
    return tables


def _next_table(at: int, step: int, count: int) -> tuple[int, int]:
    return (at + step, step) if 0 <= at + step < count else (at, -step)


def _search(tables: Tables, cost: _Cost, rng: random.Random) -> Tables:
    _improve(tables, cost)
    best, least = [table.copy() for table in tables], cost.of(tables)
    if len(cost.people) > LARGEST_SHAKEN:
        return best
    for _ in range(SHAKES):
        if cost.repeats(best) == 0:
            break
        tables = [table.copy() for table in best]
        for _ in range(3):
            one, other = rng.sample(range(len(tables)), 2)
            a, b = rng.randrange(len(tables[one])), rng.randrange(len(tables[other]))
            tables[one][a], tables[other][b] = tables[other][b], tables[one][a]
        _improve(tables, cost)
        total = cost.of(tables)
        if total < least:
            best, least = [table.copy() for table in tables], total
    return best


def _improve(tables: Tables, cost: _Cost) -> None:
    """Swaps two people as long as that helps: from tables with repeats with anybody, else with neighbours."""
    costs = [cost.table(table) for table in tables]
    better = True
    while better:
        better = False
        for one in range(len(tables)):
            reach = len(tables) if costs[one] >= cost.repeat else NEIGHBOURS
            for other in range(max(0, one - reach), min(len(tables), one + reach + 1)):
                if one != other and _swap(tables, costs, one, other, cost):
                    better = True


def _swap(tables: Tables, costs: list[int], one: int, other: int, cost: _Cost) -> bool:
    """The best swap between two tables, if any helps."""
    mine, theirs = tables[one], tables[other]
    now = costs[one] + costs[other]
    best: tuple[int, int, int, int] | None = None
    for a in range(len(mine)):
        for b in range(len(theirs)):
            mine[a], theirs[b] = theirs[b], mine[a]
            left, right = cost.table(mine), cost.table(theirs)
            mine[a], theirs[b] = theirs[b], mine[a]
            if left + right < now:
                now, best = left + right, (a, b, left, right)
    if best is None:
        return False
    a, b, costs[one], costs[other] = best
    mine[a], theirs[b] = theirs[b], mine[a]
    return True


def seat_order(people: Sequence[Person], table: Sequence[int]) -> list[int]:
    """The order in which everybody has had the given seat least often; the better placed first where level."""

    def wear(order: Iterable[int]) -> int:
        return sum(people[i].seats[seat] for seat, i in enumerate(order))

    return list(min(permutations(sorted(table)), key=wear))

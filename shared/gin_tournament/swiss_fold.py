"""Fold order inside a bracket: the top half meets the bottom half.

Among the pairings of a bracket that keep the given totals of repeated rises and of first-deal clashes,
the one returned is the first in fold order: the highest placed player gets the opponent he prefers most,
then the highest of those left, and so on. A player at place p of 2h prefers somebody of the bottom half
to somebody of the top half, then the least distance from place p + h, then the higher placed.

The way there is greedy, and still exact: an opponent is refused only where a bound proves that the
totals could not be kept, and the greedy choices stand only if the last of them can be completed. Where
they cannot, the choices at the tail are taken back and settled with perfect matchings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gin_tournament.matching import Mates, least_cost_perfect
from gin_tournament.swiss_field import Field, fewest_clashes

Pair = tuple[int, int]
_FIRST_TAIL = 16


class _Budget:
    """What may still be spent, and who is left by lean (index -1, 0, +1)."""

    __slots__ = ("clashes", "field", "left", "rises")

    def __init__(self, field: Field, members: Sequence[int], rises: int, clashes: int) -> None:
        self.field = field
        self.rises = rises
        self.clashes = clashes
        self.left = [0, 0, 0]
        for player in members:
            self.left[field.lean[player]] += 1

    def affords(self, a: int, b: int) -> bool:
        """False where pairing a with b makes the totals certainly impossible to keep."""
        field, left = self.field, self.left
        if field.repeats_rise(a, b) > self.rises:
            return False
        lean_a, lean_b = field.lean[a], field.lean[b]
        left[lean_a] -= 1
        left[lean_b] -= 1
        needed = fewest_clashes(left[1], left[-1], left[0])
        left[lean_a] += 1
        left[lean_b] += 1
        return needed + (1 if lean_a * lean_b == 1 else 0) <= self.clashes

    def spend(self, a: int, b: int) -> None:
        field = self.field
        self.rises -= field.repeats_rise(a, b)
        self.clashes -= field.clash(a, b)
        self.left[field.lean[a]] -= 1
        self.left[field.lean[b]] -= 1


def fold(field: Field, members: Sequence[int], rises: int, clashes: int) -> list[Pair] | None:
    """Pair all `members` (placing order, even in number) in fold order within the totals.

    None means that no pairing has at most so many repeated rises and clashes. The totals must be the
    least possible or less, rises before clashes.
    """
    greedy = _greedy(field, members, rises, clashes)
    if 2 * len(greedy) == len(members):
        return greedy
    tail = max(_FIRST_TAIL, len(members) - 2 * len(greedy) + 4)
    while True:
        kept = greedy[: max(0, (len(members) - tail) // 2)]
        budget = _Budget(field, members, rises, clashes)
        for pair in kept:
            budget.spend(*pair)
        gone = {player for pair in kept for player in pair}
        settled = _settle(field, members, [p for p in members if p not in gone], budget)
        if settled is not None:
            return kept + settled
        if not kept:
            return None
        tail *= 2


def _greedy(field: Field, members: Sequence[int], rises: int, clashes: int) -> list[Pair]:
    """Pairs from the top down, as far as it goes without looking back."""
    size, half = len(members), len(members) // 2
    free = _FreePlaces(size)
    budget = _Budget(field, members, rises, clashes)
    pairs: list[Pair] = []
    for place in range(size):
        if not free.is_free(place):
            continue
        player = members[place]
        banned = field.banned[player]
        for other in free.preferred(place, half):
            opponent = members[other]
            if opponent not in banned and budget.affords(player, opponent):
                break
        else:
            return pairs
        budget.spend(player, opponent)
        pairs.append((player, opponent))
        free.take(place)
        free.take(other)
    return pairs


class _FreePlaces:
    """Places still free, with the next free one in either direction in nearly constant time."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._up = list(range(size + 2))  # toward higher places in the standings; shifted by one
        self._down = list(range(size + 2))

    def is_free(self, place: int) -> bool:
        return self._up[place + 1] == place + 1

    def take(self, place: int) -> None:
        self._up[place + 1] = place
        self._down[place + 1] = place + 2

    def preferred(self, place: int, half: int) -> Iterator[int]:
        """Free places as opponents for `place`, most preferred first."""
        size = self._size
        ideal = place + half
        floor = max(half, place + 1)
        before = self._find(self._up, min(ideal, size - 1) + 1) - 1
        after = self._find(self._down, min(ideal + 1, size) + 1) - 1
        while before >= floor or after < size:
            if after >= size or (before >= floor and ideal - before <= after - ideal):
                yield before
                before = self._find(self._up, before) - 1
            else:
                yield after
                after = self._find(self._down, after + 2) - 1
        before = self._find(self._up, half) - 1
        while before > place:
            yield before
            before = self._find(self._up, before) - 1

    @staticmethod
    def _find(links: list[int], at: int) -> int:
        root = at
        while links[root] != root:
            root = links[root]
        while links[at] != root:
            links[at], at = root, links[at]
        return root


def _settle(field: Field, members: Sequence[int], rest: list[int], budget: _Budget) -> list[Pair] | None:
    """Pair the tail exactly: a perfect matching is kept as proof that each choice can be completed."""
    witness = _matched(field, rest, budget)
    if witness is None:
        return None
    places = {player: at for at, player in enumerate(members)}
    half = len(members) // 2
    pairs: list[Pair] = []
    while rest:
        player, *others = rest
        ideal = places[player] + half

        def preference(other: int, ideal: int = ideal) -> tuple[bool, int, int]:
            place = places[other]
            return (place < half, abs(place - ideal), place)

        for opponent in sorted(others, key=preference):
            if opponent in field.banned[player] or not budget.affords(player, opponent):
                continue
            changed = _rematched(field, rest, witness, player, opponent, budget)
            if changed is not None:
                witness = changed
                break
        else:
            raise AssertionError("the witness itself holds an opponent")
        budget.spend(player, opponent)
        pairs.append((player, opponent))
        rest = [p for p in others if p != opponent]
    return pairs


def _rematched(
    field: Field, rest: list[int], witness: Mates, player: int, opponent: int, budget: _Budget
) -> Mates | None:
    """The witness changed so that player meets opponent at the same totals, or None where that cannot be."""
    left, right = witness[player], witness[opponent]
    if left == opponent:
        return witness
    if right not in field.banned[left]:
        rises, clashes = _price(field, (player, left), (opponent, right))
        if _price(field, (player, opponent), (left, right)) == (rises, clashes):
            return witness | {player: opponent, opponent: player, left: right, right: left}
    others = [p for p in rest if p not in (player, opponent)]
    rises = budget.rises - field.repeats_rise(player, opponent)
    clashes = budget.clashes - field.clash(player, opponent)
    changed = _cheapest(field, others, rises, clashes)
    return None if changed is None else changed | {player: opponent, opponent: player}


def _price(field: Field, *pairs: Pair) -> tuple[int, int]:
    """Repeated rises and clashes of some pairs together."""
    rises = sum(field.repeats_rise(min(pair), max(pair)) for pair in pairs)
    return rises, sum(field.clash(a, b) for a, b in pairs)


def _matched(field: Field, players: list[int], budget: _Budget) -> Mates | None:
    return _cheapest(field, players, budget.rises, budget.clashes)


def _cheapest(field: Field, players: list[int], rises: int, clashes: int) -> Mates | None:
    """A perfect matching with at most so many rises and clashes, rises weighing more than all clashes."""
    radix = len(players) + 1
    costs = {(a, b): field.repeats_rise(a, b) * radix + field.clash(a, b) for a, b in field.legal_edges(players)}
    mates = least_cost_perfect(players, costs)
    if mates is None:
        return None
    spent_rises, spent_clashes = divmod(sum(costs[a, b] for a, b in mates.items() if a < b), radix)
    return mates if spent_rises <= rises and spent_clashes <= clashes else None

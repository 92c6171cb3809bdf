"""Score brackets of a Swiss round, settled one after the other from the top.

A bracket holds the players of one score and those floated down to it. Its criteria, strictest first
(the order is the contract; each is exact):

1. fewest players floated down out of it;
2. least total of points by which they stand above the bracket's own score;
3. fewest players floated down out of the next bracket, then fewest of these that come from this one;
4. fewest repeats: players floated down, or up, who went the same way within the last two rounds;
5. fewest first-deal clashes (both lean the same way) among the pairs made here;
6. the players floated down are the lowest placed: the lowest of them as low as can be, then the next;
7. fold order of the rest (see `swiss_fold`).

A bracket is settled only in a way that lets everybody below be paired. Most brackets are settled by
showing that bounds from below on 1-5 are attained; the others by one weighted matching over the
bracket, the next one and, where that is small, everything below.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gin_tournament.matching import Mates, heaviest, least_cost_perfect
from gin_tournament.swiss_field import Field, fewest_clashes
from gin_tournament.swiss_fold import Pair, fold


@dataclass(frozen=True, slots=True)
class _Bracket:
    """`members` to be settled now, `following` of the next score, `below` of all scores beneath that."""

    field: Field
    members: Sequence[int]
    score: int
    following: Sequence[int]
    below: Sequence[int]

    @property
    def is_carefree(self) -> bool:
        """True where it cannot matter to anybody below who floats down, only how many do: the next
        bracket is so large that it takes in everybody and still serves those below it."""
        roomy = self.field.roomy
        wanted = len(self.below) if len(self.below) < roomy else 1
        return len(self.following) > roomy + wanted


def pair_field(field: Field) -> list[Pair]:
    """Pair everybody. The field must be even and completable (`Field.is_completable`)."""
    players = range(len(field.scores))
    edges = [0, *(p for p in players[1:] if field.scores[p] != field.scores[p - 1]), len(players)]
    groups = [players[start:end] for start, end in pairwise(edges)] if players else []
    floated: list[int] = []
    pairs: list[Pair] = []
    for at, group in enumerate(groups):
        following: Sequence[int] = groups[at + 1] if at + 1 < len(groups) else ()
        below = players[following[-1] + 1 :] if following else ()
        bracket = _Bracket(field, [*floated, *group], field.scores[group[0]], following, below)
        made, floated = _by_bounds(bracket) or _by_matching(bracket)
        pairs += made
    return pairs


def _by_bounds(bracket: _Bracket) -> tuple[list[Pair], list[int]] | None:
    """The settlement where it attains the bounds from below on criteria 1-5, else None."""
    members, following = bracket.members, bracket.following
    if len(members) == 1 and following:
        return [], list(members)
    if len(members) % 2 == 0:
        if following and not bracket.field.is_completable([*following, *bracket.below]):
            return None
        pairs = fold(bracket.field, members, 0, _bound(bracket.field, members))
        return None if pairs is None else (pairs, [])
    if not bracket.is_carefree:
        return None
    floater = _lowest_floater(bracket)
    if floater is None:
        return None
    rest = [player for player in members if player != floater]
    pairs = fold(bracket.field, rest, 0, _bound(bracket.field, rest))
    return None if pairs is None else (pairs, [floater])


def _bound(field: Field, players: Iterable[int]) -> int:
    left = [0, 0, 0]
    for player in players:
        left[field.lean[player]] += 1
    return fewest_clashes(left[1], left[-1], left[0])


def _lowest_floater(bracket: _Bracket) -> int | None:
    """The lowest placed of those whose floating down attains the bounds: of the bracket's own score, not
    floated down lately, of the lean that leaves the fewest clashes."""
    field = bracket.field
    left = [0, 0, 0]
    for player in bracket.members:
        left[field.lean[player]] += 1

    def clashes_without(player: int) -> int:
        without = left.copy()
        without[field.lean[player]] -= 1
        return fewest_clashes(without[1], without[-1], without[0])

    able = [p for p in bracket.members if field.scores[p] == bracket.score and not field.sank[p]]
    return min(able, key=lambda p: (clashes_without(p), -p), default=None)


@dataclass(frozen=True, slots=True)
class _Settlement:
    mates: Mates
    floated: list[int]
    cost: int  # criteria 1-6 in one number
    cost_without_places: int  # criteria 1-5


def _by_matching(bracket: _Bracket) -> tuple[list[Pair], list[int]]:
    """The settlement by weighted matching: always exact."""
    best = _Scales(bracket).settle(())
    if best is None:
        raise AssertionError("the field was completable when this bracket's turn came")
    if len(best.floated) > 1:
        best = _lowest_floaters(bracket, best)
    field = bracket.field
    floated = set(best.floated)
    rest = [player for player in bracket.members if player not in floated]
    made = [(a, best.mates[a]) for a in rest if a < best.mates[a]]
    rises = sum(field.repeats_rise(a, b) for a, b in made)
    clashes = sum(field.clash(a, b) for a, b in made)
    pairs = fold(field, rest, rises, clashes)
    if pairs is None:
        raise AssertionError("the matching itself keeps these totals")
    return pairs, sorted(floated)


def _lowest_floaters(bracket: _Bracket, best: _Settlement) -> _Settlement:
    """Criterion 6 for several floaters: from the bottom up, whoever can be one of them is one."""
    scales = _Scales(bracket)
    chosen: list[int] = []
    for player in reversed(bracket.members):
        if len(chosen) == len(best.floated):
            break
        if player not in best.floated:
            other = scales.settle((*chosen, player))
            if other is None or other.cost_without_places != best.cost_without_places:
                continue
            best = other
        chosen.append(player)
    return best


class _Scales:
    """Turns criteria 1-6 into matching weights. A player without mate in the matching leaves the graph
    for somebody beneath it, where there is room for any number; else the matching must be perfect."""

    def __init__(self, bracket: _Bracket) -> None:
        self._bracket = bracket
        field, members = bracket.field, bracket.members
        if bracket.is_carefree:
            self._others: Sequence[int] = ()
            self._open = True
        elif len(bracket.below) >= field.roomy:
            self._others = bracket.following
            self._open = True
        else:
            self._others = [*bracket.following, *bracket.below]
            self._open = False
        self._depth = dict.fromkeys(members, 0)
        self._depth.update(dict.fromkeys(bracket.following, 1))
        self._depth.update(dict.fromkeys(bracket.below, 2))
        count = len(members) + len(self._others) + 1
        excess = sum(field.scores[p] - bracket.score for p in members) + 1
        self._radices = (count, excess, count, count, count, count, count * count)
        lowest = len(members) - 1
        self._leaving = {p: self._cost_of_leaving(p, lowest - at) for at, p in enumerate(members)}

    def _cost(self, *criteria: int) -> int:
        total = 0
        for value, radix in zip(criteria, self._radices, strict=True):
            total = total * radix + value
        return total

    def _cost_of_leaving(self, player: int, places_from_bottom: int) -> int:
        field = self._bracket.field
        sinks_again = 1 if field.sank[player] else 0
        excess = field.scores[player] - self._bracket.score
        return self._cost(1, excess, 0, 0, sinks_again, 0, places_from_bottom)

    def _cost_of_pair(self, a: int, b: int) -> int:
        field = self._bracket.field
        depth_a, depth_b = self._depth[a], self._depth[b]
        if depth_b == 0:
            return self._cost(0, 0, 0, 0, field.repeats_rise(a, b), field.clash(a, b), 0)
        if depth_a == 0:
            return self._leaving[a] + (self._cost(0, 0, 1, 1, 0, 0, 0) if depth_b == 2 else 0)
        return self._cost(0, 0, 1, 0, 0, 0, 0) if depth_a < depth_b else 0

    def _cost_of_exit(self, player: int) -> int:
        """Cost of meeting somebody outside the graph."""
        if not self._others:
            return self._leaving[player]
        if self._depth[player] == 0:
            return self._leaving[player] + self._cost(0, 0, 1, 1, 0, 0, 0)
        return self._cost(0, 0, 1, 0, 0, 0, 0)

    def settle(self, must_float: Sequence[int]) -> _Settlement | None:
        """The least cost settlement with everybody in `must_float` floated down, if there is one."""
        nodes = [*self._bracket.members, *self._others]
        forced = set(must_float)
        depth = self._depth
        costs = {
            (a, b): self._cost_of_pair(a, b)
            for a, b in self._bracket.field.legal_edges(nodes)
            if depth[b] or not (a in forced or b in forced)
        }
        if self._open:
            exits = {player: self._cost_of_exit(player) for player in nodes}
            mates = heaviest(nodes, {(a, b): exits[a] + exits[b] - cost for (a, b), cost in costs.items()})
            alone = sum(cost for player, cost in exits.items() if player not in mates)
        else:
            perfect = least_cost_perfect(nodes, costs)
            if perfect is None:
                return None
            mates, alone = perfect, 0
        cost = alone + sum(costs[a, b] for a, b in mates.items() if (a, b) in costs)
        floated = [p for p in self._bracket.members if p not in mates or depth[mates[p]]]
        return _Settlement(mates, floated, cost, cost // self._radices[-1])

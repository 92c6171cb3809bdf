"""Swiss pairing as an integer program, for fields of some hundreds.

Written from the rules in docs/tournaments/swiss.md in their strict order; no code of the product is used but the
value types, and the figures of the brute force (who has how many points, met whom, floated when). A pairing is
judged level by level: for each the program looks for anything better among all complete pairings that are as good
on every stricter level, brackets from the top down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

import pulp

from tests.oracles.swiss_brute_force import BruteForce, Pairs

Edge = tuple[int, int]
Cost = Mapping[Edge, int]
ALL = 10**9


class IntegerProgram:
    """Judges one round. Players are numbered in placing order, as in `figures`."""

    def __init__(self, figures: BruteForce) -> None:
        self.figures = figures
        self.solved = 0

    def complaints(self, pairs: Pairs, bye: int | None) -> list[str]:
        """What is not the best possible, in words; nothing where every level is."""
        mate = {a: b for pair in pairs for a, b in (pair, pair[::-1])}
        found = self._better_byes(bye)
        left = set(mate)
        scores = sorted({self.figures.points[p] for p in left}, reverse=True)
        for at, score in enumerate(scores):
            members = sorted(p for p in left if self.figures.points[p] >= score)
            lower = scores[at + 1] if at + 1 < len(scores) else Fraction(-1)
            found += self._bracket(members, sorted(left), score, lower, mate)
            left -= {p for p in members if mate[p] in members}
        return found

    def _better_byes(self, bye: int | None) -> list[str]:
        if bye is None:
            return []
        figures, everybody = self.figures, range(len(self.figures.ids))

        def worth(p: int) -> tuple[Fraction, int, int]:
            return figures.points[p], figures.unplayed[p], -figures.seeds[p]

        better = [p for p in everybody if figures.ids[p] not in figures.free and worth(p) < worth(bye)]
        return [
            f"{figures.ids[p]} could have the bye"
            for p in sorted(better, key=worth)
            if self._least([q for q in everybody if q != p], {}, []) is not None
        ]

    def _bracket(
        self, members: list[int], left: list[int], score: Fraction, lower: Fraction, mate: dict[int, int]
    ) -> list[str]:
        inside = set(members)
        fixed: list[tuple[Cost, int]] = []
        found: list[str] = []
        for name, cost in self._levels(inside, left, score, lower).items():
            ours = sum(cost.get(_edge(p, mate[p]), 0) for p in left if p < mate[p])
            least = self._least(left, cost, fixed)
            if least is None or least < ours:
                found.append(f"bracket of {score}: {name} is {ours}, could be {least}")
            fixed.append((cost, ours))
        floated = [p for p in members if mate[p] not in inside]
        found += self._places(members, left, floated, fixed)
        found += self._fold([p for p in members if p not in floated], left, mate, fixed, floated, inside)
        return found

    def _levels(self, inside: set[int], left: list[int], score: Fraction, lower: Fraction) -> dict[str, Cost]:
        """What a pair costs on each level of a bracket."""
        f = self.figures
        names = ("floats", "excess", "floats of the next", "further floats", "repeats", "clashes")
        levels: dict[str, dict[Edge, int]] = {name: {} for name in names}
        for a, b in self._edges(left):
            if a in inside and b not in inside:
                further = f.points[b] < lower
                costs = (1, int(2 * (f.points[a] - score)), int(further), int(further), int(f.sank[a]), 0)
            elif a in inside:
                rises = f.points[a] > f.points[b] and f.rose[b]
                costs = (0, 0, 0, 0, int(rises), int(f.balance[a] * f.balance[b] > 0))
            else:
                out = f.points[a] == lower and f.points[b] < lower
                costs = (0, 0, int(out), 0, 0, 0)
            for name, cost in zip(names, costs, strict=True):
                if cost:
                    levels[name][a, b] = cost
        return levels

    def _places(
        self, members: list[int], left: list[int], floated: list[int], fixed: list[tuple[Cost, int]]
    ) -> list[str]:
        """From the bottom up: whoever stays could not float in place of somebody above."""
        inside = set(members)
        found: list[str] = []
        same: list[tuple[Cost, int]] = []
        seen = 0
        for p in reversed(members):
            if seen == len(floated):
                break
            floats = {edge: 1 for edge in self._edges(left) if p in edge and len(inside.intersection(edge)) == 1}
            stays = {edge: 1 for edge in self._edges(left) if p in edge and edge not in floats}
            if p not in floated and self._least(left, {}, [*fixed, *same, (stays, 0)]) is not None:
                found.append(f"{self.figures.ids[p]} could float instead of somebody above")
            same.append((stays, 0) if p in floated else (floats, 0))
            seen += p in floated
        return found

    def _fold(
        self,
        paired: list[int],
        left: list[int],
        mate: dict[int, int],
        fixed: list[tuple[Cost, int]],
        floated: list[int],
        inside: set[int],
    ) -> list[str]:
        """From the top down: nobody could meet somebody nearer to their opposite in the other half."""
        half = len(paired) // 2
        place = {p: at for at, p in enumerate(paired)}
        floats = {
            edge: 1
            for edge in self._edges(left)
            if len(inside.intersection(edge)) == 1 and not inside.intersection(edge) <= set(floated)
        }
        rest, found = set(left), []
        budgets = [*fixed, (floats, 0)]
        for p in paired:
            if p not in rest:
                continue
            others = sorted(
                (q for q in paired if q in rest and q != p and self.figures.may_meet(p, q)),
                key=lambda q: (place[q] < half, abs(place[q] - place[p] - half), place[q]),
            )
            rank = {_edge(p, q): at for at, q in enumerate(others)}
            ours = rank[_edge(p, mate[p])]
            least = 0 if ours == 0 else self._least(sorted(rest), rank, budgets)
            if least is None or least < ours:
                found.append(f"{self.figures.ids[p]} meets wish {ours + 1}, could meet wish {least}")
            rest -= {p, mate[p]}
            budgets = [(cost, total - cost.get(_edge(p, mate[p]), 0)) for cost, total in budgets]
        return found

    def _edges(self, players: Iterable[int]) -> list[Edge]:
        there = sorted(players)
        may_meet: Callable[[int, int], bool] = self.figures.may_meet
        return [(a, b) for at, a in enumerate(there) for b in there[at + 1 :] if may_meet(a, b)]

    def _least(self, players: list[int], cost: Cost, budgets: list[tuple[Cost, int]]) -> int | None:
        """The least cost of a complete pairing that keeps within every budget; None where there is none.

        Nothing is below a budget that is the least itself: those are the levels that were judged before.
        """
        self.solved += 1
        program = pulp.LpProblem("round", pulp.LpMinimize)
        meets = {edge: program.add_variable(f"x{edge[0]}_{edge[1]}", cat="Binary") for edge in self._edges(players)}
        program += pulp.lpSum(meets[edge] * value for edge, value in cost.items() if edge in meets)
        at: dict[int, list[object]] = {p: [] for p in players}
        for (a, b), variable in meets.items():
            at[a].append(variable)
            at[b].append(variable)
        for variables in at.values():
            program += pulp.lpSum(variables) == 1
        for values, budget in budgets:
            program += pulp.lpSum(meets[edge] * value for edge, value in values.items() if edge in meets) <= budget
        for odd in self._odd_sets(players):
            inside = [variable for (a, b), variable in meets.items() if a in odd and b in odd]
            program += pulp.lpSum(inside) <= (len(odd) - 1) // 2
        status = program.solve(pulp.COIN_CMD(path=pulp.PULP_CBC_CMD.pulp_cbc_path, msg=False))
        if status == pulp.LpStatusInfeasible:
            return None
        assert status == pulp.LpStatusOptimal, pulp.LpStatus[status]
        return round(pulp.value(program.objective) or 0)

    def _odd_sets(self, players: list[int]) -> Iterable[set[int]]:
        """Sets of odd size by score: not all of one can be paired within it, which halves of pairs would hide."""
        scores = sorted({self.figures.points[p] for p in players})
        found: set[frozenset[int]] = set()
        for at, low in enumerate(scores):
            for high in scores[at:]:
                group = frozenset(p for p in players if low <= self.figures.points[p] <= high)
                if len(group) % 2 and 1 < len(group) < len(players):
                    found.add(group)
        return [set(group) for group in found]


def _edge(a: int, b: int) -> Edge:
    return (a, b) if a < b else (b, a)

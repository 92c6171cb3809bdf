"""Fold order with no shortcuts: each choice is proved by a fresh perfect matching of all the others.

Slow, but free of greedy steps, bounds and kept witnesses; for brackets of up to some dozens.
"""

from __future__ import annotations

from collections.abc import Sequence

from rustworkx import PyGraph, max_weight_matching

from gin_tournament.swiss_field import Field


def least_totals(field: Field, players: Sequence[int]) -> tuple[int, int] | None:
    """Least (repeated rises, clashes), rises first, over all perfect pairings; None where there is none."""
    graph: PyGraph[int | None, tuple[int, int]] = PyGraph(multigraph=False)
    graph.add_nodes_from(list(players))
    for i, a in enumerate(players):
        for j in range(i + 1, len(players)):
            b = players[j]
            if b not in field.banned[a]:
                rises = int(field.rose[b] and field.scores[a] != field.scores[b])
                graph.add_edge(i, j, (rises, int(field.lean[a] * field.lean[b] > 0)))
    mates = max_weight_matching(graph, max_cardinality=True, weight_fn=lambda e: -1000 * e[0] - e[1])
    if 2 * len(mates) < len(players):
        return None
    edges = [graph.get_edge_data(i, j) for i, j in mates]
    return sum(rises for rises, _ in edges), sum(clashes for _, clashes in edges)


def fold_by_matching(field: Field, members: Sequence[int]) -> list[tuple[int, int]] | None:
    """The first pairing in fold order among those with the least totals."""
    totals = least_totals(field, members)
    if totals is None:
        return None
    half = len(members) // 2
    rest = list(members)
    pairs: list[tuple[int, int]] = []
    while rest:
        player = rest[0]
        ideal = members.index(player) + half
        wishes = sorted(
            (members.index(other) < half, abs(members.index(other) - ideal), members.index(other)) for other in rest[1:]
        )
        for _, _, place in wishes:
            other = members[place]
            if other in field.banned[player]:
                continue
            remaining = least_totals(field, [p for p in rest if p not in (player, other)])
            if remaining is None:
                continue
            rises = int(field.rose[other] and field.scores[player] != field.scores[other])
            clashes = int(field.lean[player] * field.lean[other] > 0)
            if (remaining[0] + rises, remaining[1] + clashes) == totals:
                totals = remaining
                break
        else:
            raise AssertionError("somebody must be left to meet")
        pairs.append((player, other))
        rest = [p for p in rest if p not in (player, other)]
    return pairs

"""Matchings with exact integer weights. The only module that knows the graph library."""

from __future__ import annotations

from collections.abc import Iterable

import rustworkx

Mates = dict[int, int]
"""Both directions: `mates[a] == b` and `mates[b] == a`."""

_WEIGHT_BITS = 120  # the library computes in 128 bits and doubles weights on the way


def least_cost_perfect(nodes: Iterable[int], costs: dict[tuple[int, int], int]) -> Mates | None:
    """A perfect matching of least total cost (costs >= 0), or None where no perfect matching exists."""
    size = len(list(nodes := tuple(nodes)))
    if size == 0:
        return {}
    ceiling = max(costs.values(), default=0) + 1
    mates = heaviest(nodes, {edge: ceiling - cost for edge, cost in costs.items()}, as_many_as_possible=True)
    return mates if len(mates) == size else None


def heaviest(nodes: Iterable[int], weights: dict[tuple[int, int], int], *, as_many_as_possible: bool = False) -> Mates:
    """A matching of greatest total weight; with `as_many_as_possible`, among those with the most pairs.

    Raises `OverflowError` where a weight would leave the exact range of the library.
    """
    largest = max(weights.values(), default=0)
    if largest.bit_length() > _WEIGHT_BITS:
        raise OverflowError("matching weight exceeds the exact range")
    numbered = {node: at for at, node in enumerate(nodes)}
    names = list(numbered)
    graph: rustworkx.PyGraph[int | None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(names)
    graph.extend_from_weighted_edge_list([(numbered[a], numbered[b], w) for (a, b), w in weights.items()])
    mates: Mates = {}
    for at, other in rustworkx.max_weight_matching(graph, max_cardinality=as_many_as_possible, weight_fn=int):
        a, b = names[at], names[other]
        mates[a], mates[b] = b, a
    return mates

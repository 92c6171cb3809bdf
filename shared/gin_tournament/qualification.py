"""From one stage into the next: into which group everybody goes, who advances, and how they are seeded.

Everything here depends on places alone ("2nd of group B"), never on who holds them, so that it can be shown
before the first card is dealt.
"""

from __future__ import annotations

from typing import NamedTuple

from gin_tournament.bracket import bracket_size, seed_order
from gin_tournament.matching import first_least_cost_perfect

_ORDINALS = {1: "1st", 2: "2nd", 3: "3rd"}


class Berth(NamedTuple):
    """Place `place` (from 1) of group `group` (from 0)."""

    place: int
    group: int

    @property
    def label(self) -> str:
        return f"{ordinal(self.place)} of group {group_name(self.group)}"


def ordinal(place: int) -> str:
    return _ORDINALS.get(place, f"{place}th") if not 11 <= place % 100 <= 13 else f"{place}th"


def group_name(group: int) -> str:
    """A to Z, then AA, AB, …"""
    name = ""
    group += 1
    while group:
        group, letter = divmod(group - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def group_sizes(people: int, groups: int) -> tuple[int, ...]:
    """As even as can be; where they cannot all be level, see `group_of`."""
    sizes = [0] * groups
    for at in range(people):
        sizes[group_of(at, groups)] += 1
    return tuple(sizes)


def group_of(at: int, groups: int) -> int:
    """The group of whoever stands at place `at` (from 0) of the seed order: to and fro, A to D, D to A, …"""
    lap, step = divmod(at, groups)
    return step if lap % 2 == 0 else groups - 1 - step


def natural_seeding(groups: int, advance: int) -> tuple[Berth, ...]:
    """All winners in the order of groups, then all seconds, and so on."""
    return tuple(Berth(place, group) for place in range(1, advance + 1) for group in range(groups))


def knockout_seeding(groups: int, advance: int) -> tuple[Berth, ...]:
    """Seeds of a knockout, best first: the winners of the groups in their order, then the seconds, and so on;
    within each place in such an order that two of one group meet as late as possible."""
    people = groups * advance
    size = bracket_size(people)
    position = {number: at for at, number in enumerate(seed_order(size))}
    seeded: list[Berth] = list(natural_seeding(groups, 1))
    for place in range(2, advance + 1):
        costs: dict[tuple[int, int], int] = {}
        for group in range(groups):
            fellows = [at for at, berth in enumerate(seeded, 1) if berth.group == group]
            for step in range(groups):
                number = len(seeded) + step + 1
                costs[group, groups + step] = sum(
                    (2 * advance) ** (size.bit_length() - (position[number] ^ position[fellow]).bit_length())
                    for fellow in fellows
                )
        mates = first_least_cost_perfect(range(2 * groups), costs)
        assert mates is not None, "every group can take every seed"
        seeded += [Berth(place, mates[groups + step]) for step in range(groups)]
    return tuple(seeded)

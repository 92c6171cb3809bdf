"""The entrants to be paired in one Swiss round, reduced to the figures that the criteria need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gin_tournament.matching import least_cost_perfect


@dataclass(frozen=True, slots=True)
class Field:
    """Players 0..n-1 in placing order: higher score first, then higher seed.

    `banned[p]` are the players that p may not meet; `lean[p]` is +1 where p has dealt first more often
    than second, -1 where less often, else 0; `sank[p]` and `rose[p]` tell whether p was floated down or
    up within the last two rounds.
    """

    scores: Sequence[int]
    banned: Sequence[frozenset[int]]
    lean: Sequence[int]
    sank: Sequence[bool]
    rose: Sequence[bool]
    most_banned: int

    @property
    def roomy(self) -> int:
        """An even set of at least this many players always has a perfect matching: everybody in it may
        meet at least half of it, which suffices by Dirac's theorem."""
        return 2 * (self.most_banned + 1)

    def repeats_rise(self, higher: int, lower: int) -> int:
        """1 where the pair floats its lower player up again within two rounds, else 0."""
        return 1 if self.rose[lower] and self.scores[higher] > self.scores[lower] else 0

    def clash(self, a: int, b: int) -> int:
        """1 where both lean the same way, so that one of them must lean further, else 0."""
        return 1 if self.lean[a] * self.lean[b] == 1 else 0

    def legal_edges(self, players: Sequence[int]) -> list[tuple[int, int]]:
        """Every pair that may meet, each with the higher placed player first."""
        edges = []
        for at, a in enumerate(players, 1):
            banned = self.banned[a]
            edges += [(a, b) for b in players[at:] if b not in banned]
        return edges

    def is_completable(self, players: Sequence[int]) -> bool:
        """Whether all of `players` can be paired among themselves."""
        if len(players) % 2:
            return False
        if len(players) >= self.roomy:
            return True
        return least_cost_perfect(players, dict.fromkeys(self.legal_edges(players), 0)) is not None


def fewest_clashes(leaning_first: int, leaning_second: int, neutral: int) -> int:
    """A bound from below on the clashes in any pairing of so many players (their sum being even)."""
    surplus = max(leaning_first - leaning_second, leaning_second - leaning_first) - neutral
    return surplus // 2 if surplus > 0 else 0

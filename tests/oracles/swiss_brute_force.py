"""Swiss pairing by trying every pairing there is: for fields of up to ten.

Written from the stated criteria alone and sharing no code with the product beyond the value types. It
takes the least vector of criteria over all bye choices and all perfect pairings:
(bye: points, unplayed rounds, seed from the bottom), then for each score bracket from the top
(floated down, their excess, floated out of the next bracket, of these from here, repeats, clashes,
places of the floated from the bottom, fold preferences).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction

from gin_tournament.model import ByeKind, Entrant, EntrantId, Outcome, Round

Pairs = list[tuple[int, int]]
Vector = tuple[object, ...]

_POINTS = {
    Outcome.FIRST_WINS: (Fraction(1), Fraction(0)),
    Outcome.SECOND_WINS: (Fraction(0), Fraction(1)),
    Outcome.DRAW: (Fraction(1, 2), Fraction(1, 2)),
    Outcome.FIRST_FORFEITS: (Fraction(0), Fraction(1)),
    Outcome.SECOND_FORFEITS: (Fraction(1), Fraction(0)),
    Outcome.DOUBLE_FORFEIT: (Fraction(0), Fraction(0)),
    Outcome.VOID: (Fraction(0), Fraction(0)),
}
_BYE_POINTS = {
    ByeKind.PAIRING_ALLOCATED: Fraction(1),
    ByeKind.REQUESTED_HALF: Fraction(1, 2),
    ByeKind.REQUESTED_ZERO: Fraction(0),
}
_PLAYED = (Outcome.FIRST_WINS, Outcome.SECOND_WINS, Outcome.DRAW)


class BruteForce:
    """One round to be paired. Players are numbered in placing order among those present."""

    def __init__(
        self,
        entrants: Sequence[Entrant],
        history: Sequence[Round],
        absent: Collection[EntrantId] = (),
        forbidden: Collection[tuple[EntrantId, EntrantId]] = (),
    ) -> None:
        points: dict[EntrantId, Fraction] = {entrant.id: Fraction(0) for entrant in entrants}
        unplayed = {entrant.id: len(history) for entrant in entrants}
        balance = dict.fromkeys(points, 0)
        self.free: set[EntrantId] = set()
        met = {frozenset(pair) for pair in forbidden}
        sank: set[EntrantId] = set()
        rose: set[EntrantId] = set()
        for number, played in enumerate(history):
            recent = number >= len(history) - 2
            before = dict(points)
            for (first, second), outcome, *_ in played.pairings:
                won, other_won = _POINTS[outcome]
                points[first] += won
                points[second] += other_won
                if outcome in _PLAYED:
                    met.add(frozenset((first, second)))
                    unplayed[first] -= 1
                    unplayed[second] -= 1
                    balance[first] += 1
                    balance[second] -= 1
                    if recent and before[first] != before[second]:
                        higher, lower = sorted((first, second), key=before.__getitem__, reverse=True)
                        sank.add(higher)
                        rose.add(lower)
                elif won != other_won:
                    winner = first if won else second
                    self.free.add(winner)
                    if recent:
                        sank.add(winner)
            for entrant_id, kind in played.byes:
                points[entrant_id] += _BYE_POINTS[kind]
                if kind is ByeKind.PAIRING_ALLOCATED:
                    self.free.add(entrant_id)
                    if recent:
                        sank.add(entrant_id)
        present = [entrant for entrant in entrants if entrant.id not in absent]
        present.sort(key=lambda entrant: (-points[entrant.id], entrant.seed))
        self.ids = [entrant.id for entrant in present]
        self.seeds = [entrant.seed for entrant in present]
        self.points = [points[name] for name in self.ids]
        self.unplayed = [unplayed[name] for name in self.ids]
        self.balance = [balance[name] for name in self.ids]
        self.sank = [name in sank for name in self.ids]
        self.rose = [name in rose for name in self.ids]
        self.met = met

    @classmethod
    def from_figures(
        cls,
        points: Sequence[int],
        banned: Sequence[Collection[int]],
        balance: Sequence[int],
        sank: Sequence[bool],
        rose: Sequence[bool],
    ) -> BruteForce:
        """A round described by its figures instead of a history; players in placing order."""
        entrants = [Entrant(EntrantId(f"p{at:03}"), at + 1) for at in range(len(points))]
        self = cls(entrants, ())
        self.points = [Fraction(units) for units in points]
        self.balance, self.sank, self.rose = list(balance), list(sank), list(rose)
        self.met = {frozenset((self.ids[a], self.ids[b])) for a, others in enumerate(banned) for b in others}
        return self

    def may_meet(self, a: int, b: int) -> bool:
        return frozenset((self.ids[a], self.ids[b])) not in self.met

    def all_pairings(self, players: Sequence[int]) -> Iterator[Pairs]:
        """Every way to pair `players` that has no rematch."""
        if not players:
            yield []
            return
        first, *others = players
        for other in others:
            if self.may_meet(first, other):
                for rest in self.all_pairings([p for p in others if p != other]):
                    yield [(first, other), *rest]

    def best(self) -> tuple[Vector, Pairs, int | None] | None:
        """The least vector with its pairing and bye; None where no legal pairing exists."""
        everybody = range(len(self.ids))
        byes: list[int | None] = [None]
        if len(self.ids) % 2:
            byes = [p for p in everybody if self.ids[p] not in self.free]
        found = [
            (self.vector(pairs, bye), pairs, bye)
            for bye in byes
            for pairs in self.all_pairings([p for p in everybody if p != bye])
        ]
        return min(found, default=None, key=lambda entry: entry[0])

    def vector(self, pairs: Pairs, bye: int | None) -> Vector:
        """The criteria of a whole pairing, strictest first; less is better."""
        bye_part: Vector = () if bye is None else (self.points[bye], self.unplayed[bye], -self.seeds[bye])
        mate = {a: b for pair in pairs for a, b in (pair, pair[::-1])}
        brackets: list[Vector] = []
        scores = sorted({self.points[p] for p in mate}, reverse=True)
        members: list[int] = []
        for at, score in enumerate(scores):
            members = sorted(members + [p for p in mate if self.points[p] == score])
            next_score = scores[at + 1] if at + 1 < len(scores) else Fraction(-1)
            brackets.append(self._bracket(members, score, next_score, mate))
            members = [p for p in members if mate[p] not in members]
        return (bye_part, *brackets)

    def _bracket(self, members: list[int], score: Fraction, next_score: Fraction, mate: dict[int, int]) -> Vector:
        floated = [p for p in members if mate[p] not in members]
        inside = [(p, mate[p]) for p in members if mate[p] in members and p < mate[p]]
        sinking_twice = [p for p in floated if self.points[mate[p]] < next_score]
        next_out = [
            p
            for p in mate
            if self.points[p] == next_score and mate[p] not in members and self.points[mate[p]] < next_score
        ]
        repeats = sum(self.sank[p] for p in floated)
        repeats += sum(self.rose[b] for a, b in inside if self.points[a] > self.points[b])
        clashes = sum(self.balance[a] * self.balance[b] > 0 for a, b in inside)
        return (
            len(floated),
            sum(self.points[p] - score for p in floated),
            len(sinking_twice) + len(next_out),
            len(sinking_twice),
            repeats,
            clashes,
            tuple(-members.index(p) for p in reversed(floated)),
            self._fold_preferences([p for p in members if p not in floated], mate),
        )

    @staticmethod
    def _fold_preferences(paired: list[int], mate: dict[int, int]) -> Vector:
        half = len(paired) // 2
        seen: set[int] = set()
        wishes: list[tuple[bool, int, int]] = []
        for place, player in enumerate(paired):
            if player in seen:
                continue
            other = paired.index(mate[player])
            seen.add(mate[player])
            wishes.append((other < half, abs(other - (place + half)), other))
        return tuple(wishes)

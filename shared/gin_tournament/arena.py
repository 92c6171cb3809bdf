"""Arena: for a fixed time, whoever is free is paired with whoever else is free and close in rank and rating.

- As many pairs as possible are made at once. Nobody waits while two free legal opponents exist.
- Nobody meets the opponent of their own last encounter, or of the opponent's, unless just two are there.
- Where somebody must wait, it is not whoever has waited longest; then ranks are kept close, then ratings.
- A win is worth 2, a draw 1. After two wins in a row (`streaks`) the next encounters are worth double until
  one is not won. A win without play is worth 2, and neither helps nor ends a streak.
- When the time is up nobody is paired any more; what is being played is played to its end and counts.

Entrants come, pause (`sitting_out`) and leave at any time. Above `ALL_AT_ONCE` free entrants only the
`WINDOW` nearest in rank and rating are compared with each; whoever is left over is then paired without
that limit, so that the first rule still holds, but the pairs need not be as many as there could be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import ClassVar, NamedTuple

from gin_tournament.format import Answer, Finished, Fixture, Leaving, Open, Plan, Situation, Waiting
from gin_tournament.matching import Mates, heaviest
from gin_tournament.model import Entrant, EntrantId, Outcome
from gin_tournament.score_sheet import ScoreSheet, rank_sheets
from gin_tournament.settings import check_best_of, check_range
from gin_tournament.standings import Standing

WIN, DRAW = 2, 1
STREAK = 2  # wins in a row after which encounters count double
ALL_AT_ONCE = 96
WINDOW = 16
POINTS_OF_RATING = 100  # how much of a rating gap weighs as much as one rank
UNRATED = 1500
LONGEST_SECONDS = 7 * 24 * 3600


class _Free(NamedTuple):
    id: EntrantId
    seed: int
    rank: int
    rating: int
    last_round: int  # 0: has not played
    last_opponent: EntrantId | None
    balance: int  # first deals less second deals


_WORTH = {
    Outcome.FIRST_WINS: (WIN, 0),
    Outcome.SECOND_WINS: (0, WIN),
    Outcome.DRAW: (DRAW, DRAW),
    Outcome.FIRST_FORFEITS: (0, WIN),
    Outcome.SECOND_FORFEITS: (WIN, 0),
    Outcome.DOUBLE_FORFEIT: (0, 0),
}


@dataclass(slots=True)
class _Run:
    """One entrant's points, encounter by encounter, and the wins in a row."""

    points: list[int] = field(default_factory=list)
    wins: int = 0
    longest: int = 0

    def add(self, worth: int, *, counts_for_streak: bool, streaks: bool) -> None:
        doubles = streaks and counts_for_streak and self.wins >= STREAK
        self.points.append(2 * worth if doubles else worth)
        if counts_for_streak or worth == 0:  # whoever does not come ends the streak
            self.wins = self.wins + 1 if worth == WIN else 0
            self.longest = max(self.longest, self.wins)


@dataclass(frozen=True, slots=True)
class Arena:
    kind: ClassVar[str] = "arena"

    duration_seconds: int = 3600
    best_of: int = 1
    streaks: bool = True

    def __post_init__(self) -> None:
        check_range("duration_seconds", self.duration_seconds, 60, LONGEST_SECONDS)
        check_best_of("best_of", self.best_of)

    @property
    def columns(self) -> tuple[str, ...]:
        return ("wins", "longest_streak")

    def next_round(self, situation: Situation) -> Answer:
        if situation.elapsed_seconds >= self.duration_seconds:
            return Finished() if situation.is_decided else Waiting()
        active = [e for e in situation.present if e.id not in situation.sitting_out]
        busy = situation.busy()
        if sum(e.id not in busy for e in active) < 2:
            return Waiting(self.duration_seconds)
        free = self._free(situation, [e for e in active if e.id not in busy])
        pairs = pair_free(free, rematch=len(active) == 2)
        if not pairs:
            return Waiting(self.duration_seconds)
        number = situation.next_number
        fixtures = tuple(
            Fixture(f"{number}.{table}", _in_dealing_order(*pair, number), self.best_of)
            for table, pair in enumerate(pairs, 1)
        )
        return Open(number, fixtures)

    def _free(self, situation: Situation, free: Sequence[Entrant]) -> list[_Free]:
        totals = {name: sum(run.points) for name, run in self._runs(situation).items()}
        order = sorted(totals.values(), reverse=True)
        ranks = {points: rank for rank, points in reversed(list(enumerate(order, 1)))}
        last: dict[EntrantId, tuple[int, EntrantId]] = {}
        balance: dict[EntrantId, int] = {}
        for opened in situation.rounds:
            for first, second in (e.fixture.seats for e in opened.encounters):
                last[first], last[second] = (opened.number, second), (opened.number, first)
                balance[first] = balance.get(first, 0) + 1
                balance[second] = balance.get(second, 0) - 1
        found = []
        for entrant in free:
            number, opponent = last.get(entrant.id, (0, None))
            rating = UNRATED if entrant.rating is None else entrant.rating
            own_balance = balance.get(entrant.id, 0)
            found.append(
                _Free(entrant.id, entrant.seed, ranks[totals[entrant.id]], rating, number, opponent, own_balance)
            )
        return sorted(found, key=lambda one: (one.rank, -one.rating, one.seed))

    def standings(self, situation: Situation) -> tuple[Standing, ...]:
        """Ties are broken by wins in play, then by the longest run of them."""
        runs = self._runs(situation)
        sheets = {name: ScoreSheet([Fraction(points) for points in run.points]) for name, run in runs.items()}
        for encounter in situation.encounters():
            if encounter.outcome is not None:
                for side, name in enumerate(encounter.fixture.seats):
                    sheets[name].count(encounter.outcome, is_first=side == 0)
        ties = {name: (Fraction(sheets[name].wins), Fraction(run.longest)) for name, run in runs.items()}
        return rank_sheets(situation.entrants, sheets, ties)

    def _runs(self, situation: Situation) -> dict[EntrantId, _Run]:
        runs = {entrant.id: _Run() for entrant in situation.entrants}
        for encounter in situation.encounters():
            outcome = encounter.outcome
            if outcome is not None and outcome is not Outcome.VOID:
                for name, worth in zip(encounter.fixture.seats, _WORTH[outcome], strict=True):
                    runs[name].add(worth, counts_for_streak=outcome.is_played, streaks=self.streaks)
        return runs

    def plan(self, field_size: int) -> Plan:
        notes = [
            f"Pairs are made for {self.duration_seconds // 60} minutes; what is being played then still counts.",
            "A win is worth 2, a draw 1.",
        ]
        if self.streaks:
            notes.append("After two wins in a row everything counts double until an encounter is not won.")
        return Plan(None, notes=tuple(notes))

    def admits_late_entry(self, situation: Situation) -> bool:
        return situation.elapsed_seconds < self.duration_seconds

    def leaving(self, situation: Situation, entrant: EntrantId) -> Leaving:
        return Leaving.NOT_PAIRED_ANY_MORE


def pair_free(free: Sequence[_Free], *, rematch: bool) -> list[tuple[_Free, _Free]]:
    """Pairs among those free, given in order of rank and rating, best pair first."""
    mates: Mates = {}
    if len(free) > ALL_AT_ONCE:
        near = ((a, b) for a in range(len(free)) for b in range(a + 1, min(a + 1 + WINDOW, len(free))))
        mates = _match(free, near, rematch)
    left = [at for at in range(len(free)) if at not in mates]
    mates |= _match(free, combinations(left, 2), rematch)
    return [(free[a], free[b]) for a, b in sorted(mates.items()) if a < b]


def _match(free: Sequence[_Free], edges: Iterable[tuple[int, int]], rematch: bool) -> Mates:
    """As many pairs as possible; then the longest waits are ended; then ranks and ratings are close."""
    legal = [(a, b) for a, b in edges if rematch or _may_meet(free[a], free[b])]
    costs = {(a, b): _gap(free[a], free[b]) for a, b in legal}
    newest = max((one.last_round for one in free), default=0)
    radix = (max(costs.values(), default=0) + 1) * (len(free) + 1)
    weights = {
        (a, b): (2 * newest - free[a].last_round - free[b].last_round) * radix + radix - cost
        for (a, b), cost in costs.items()
    }
    return heaviest(sorted({at for pair in legal for at in pair}), weights, as_many_as_possible=True)


def _may_meet(one: _Free, other: _Free) -> bool:
    return one.last_opponent != other.id and other.last_opponent != one.id


def _gap(one: _Free, other: _Free) -> int:
    return abs(one.rank - other.rank) * POINTS_OF_RATING + abs(one.rating - other.rating)


def _in_dealing_order(one: _Free, other: _Free, number: int) -> tuple[EntrantId, EntrantId]:
    if one.balance == other.balance:
        one_first = (one.seed < other.seed) == (number % 2 == 1)
    else:
        one_first = one.balance < other.balance
    return (one.id, other.id) if one_first else (other.id, one.id)

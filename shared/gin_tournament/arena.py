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
from dataclasses import dataclass
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
        ranks = {line.entrant: line.rank for line in self.standings(situation)}
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
            found.append(_Free(entrant.id, entrant.seed, ranks[entrant.id], rating, number, opponent, own_balance))
        return sorted(found, key=lambda one: (one.rank, -one.rating, one.seed))

    def standings(self, situation: Situation) -> tuple[Standing, ...]:
        """Ties are broken by wins in play, then by the longest run of them."""
        sheets = {entrant.id: ScoreSheet() for entrant in situation.entrants}
        runs = dict.fromkeys(sheets, 0)
        longest = dict.fromkeys(sheets, 0)
        for encounter in situation.encounters():
            outcome = encounter.outcome
            if outcome is None or outcome is Outcome.VOID:
                continue
            for side, name in enumerate(encounter.fixture.seats):
                sheet = sheets[name]
                won, drawn = sheet.wins, sheet.draws
                won_unplayed = sheet.forfeit_wins
                sheet.count(outcome, is_first=side == 0)
                worth = WIN * (sheet.wins - won + sheet.forfeit_wins - won_unplayed) + DRAW * (sheet.draws - drawn)
                doubles = self.streaks and outcome.is_played and runs[name] >= STREAK
                sheet.points.append(Fraction(2 * worth if doubles else worth))
                if sheet.forfeit_wins == won_unplayed:
                    runs[name] = runs[name] + 1 if sheet.wins > won else 0
                    longest[name] = max(longest[name], runs[name])
        ties = {name: (Fraction(sheet.wins), Fraction(longest[name])) for name, sheet in sheets.items()}
        return rank_sheets(situation.entrants, sheets, ties)

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

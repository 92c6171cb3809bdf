"""Round robin: everybody meets everybody, once or twice.

The rounds are the Berger tables (FIDE handbook C.05, annex 1) in closed form, so that a table of any size
costs no more than writing it down. With n places (n even; in an odd field the last place is empty and its
opponent has the bye), i and j below n meet in the round r where i + j = r + 1 modulo n - 1; who is left
meets n. The lower number deals first where i + j is odd, the higher where it is even; against n the lower
half of the numbers deals first. So first deals differ by at most one over a single round robin. A double
one repeats the tables with the deals turned round, the last two rounds of the first leg changing places, so
that nobody deals first (or second) three times in a row, as the handbook recommends.

An entrant who leaves before half of the games are played is annulled: nothing of it counts, for anybody
(`annul_below_half`). Whoever leaves later forfeits the rest. The bye scores nothing: everybody has as many.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, NamedTuple

from gin_tournament.errors import InvalidFormatError
from gin_tournament.format import (
    Answer,
    CannotPair,
    Finished,
    Fixture,
    Leaving,
    Open,
    Plan,
    PlannedEncounter,
    Reason,
    Situation,
    Waiting,
)
from gin_tournament.model import STANDARD_SCORING, ByeKind, Entrant, EntrantId, Outcome, Round, Scoring
from gin_tournament.settings import ROUND_ROBIN_TIE_BREAKS, check_best_of, check_range, check_scoring, check_tie_breaks
from gin_tournament.standings import Standing, rank

ROUND_ROBIN_SCORING = replace(STANDARD_SCORING, bye=Fraction(0))


class Meeting(NamedTuple):
    """Two numbers from 1 who meet; the first deals first."""

    first: int
    second: int


def berger_round(places: int, number: int) -> tuple[Meeting, ...]:
    """Round `number` (1 to places - 1) of the Berger table with an even number of places, board 1 first.

    Raises `InvalidFormatError` where there is no such round.
    """
    if places < 2 or places % 2 or not 1 <= number < places:
        raise InvalidFormatError("rounds", f"there is no round {number} in a table of {places}")
    cycle = places - 1
    free = (number + 1) * (places // 2) % cycle or cycle  # half of the sum, modulo n - 1
    meetings = [Meeting(free, places) if free <= places // 2 else Meeting(places, free)]
    for step in range(1, places // 2):
        low, high = (free + step - 1) % cycle + 1, (free - step - 1) % cycle + 1
        low, high = min(low, high), max(low, high)
        meetings.append(Meeting(low, high) if (low + high) % 2 else Meeting(high, low))
    return tuple(meetings)


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """`legs` 1 or 2."""

    kind: ClassVar[str] = "round_robin"

    legs: int = 1
    best_of: int = 1
    annul_below_half: bool = True
    tie_breaks: tuple[str, ...] = ROUND_ROBIN_TIE_BREAKS
    scoring: Scoring = ROUND_ROBIN_SCORING

    def __post_init__(self) -> None:
        check_range("legs", self.legs, 1, 2)
        check_best_of("best_of", self.best_of)
        check_tie_breaks(self.tie_breaks)
        check_scoring(self.scoring)

    @property
    def columns(self) -> tuple[str, ...]:
        return self.tie_breaks

    def next_round(self, situation: Situation) -> Answer:
        if not situation.is_decided:
            return Waiting()
        field = _field(situation)
        if len(field) < 2:
            return CannotPair(Reason.TOO_FEW_ENTRANTS)
        everybody_left = all(e.id in situation.withdrawn for e in field)
        if len(situation.rounds) >= self._rounds(len(field)) or everybody_left:
            return Finished()
        return Open(situation.next_number, self._fixtures(field, situation))

    def _fixtures(self, field: list[Entrant], situation: Situation) -> tuple[Fixture, ...]:
        number = situation.next_number
        gone = situation.withdrawn
        tables: list[Fixture] = []
        alone: list[Fixture] = []
        for table, meeting in enumerate(self._meetings(len(field), number), 1):
            slot = f"{number}.{table}"
            seats = tuple(field[at - 1].id for at in meeting if at <= len(field))
            if len(seats) == 2:
                tables.append(Fixture(slot, seats, self.best_of, settled=_settled(seats, gone)))
            elif seats[0] not in gone:
                alone.append(Fixture(slot, seats, bye=ByeKind.PAIRING_ALLOCATED))
        return tuple(tables + alone)

    def _meetings(self, size: int, number: int) -> tuple[Meeting, ...]:
        """The meetings of a round, over both legs."""
        places = size + size % 2
        cycle = places - 1
        leg, at = divmod(number - 1, cycle)
        order = list(range(1, places))
        if self.legs == 2 and leg == 0 and places >= 4:
            order[-2:] = order[:-3:-1]
        meetings = berger_round(places, order[at])
        return tuple(Meeting(b, a) for a, b in meetings) if leg else meetings

    def _rounds(self, size: int) -> int:
        return (size + size % 2 - 1) * self.legs if size > 1 else 0

    def standings(self, situation: Situation) -> tuple[Standing, ...]:
        annulled = frozenset(
            entrant for entrant in situation.withdrawn if self.leaving(situation, entrant) is Leaving.RESULTS_ANNULLED
        )
        history = tuple(_without(played, annulled) for played in situation.history())
        lines = rank(situation.entrants, history, self.tie_breaks, scoring=self.scoring, seed=situation.seed)
        if not annulled:
            return lines
        counted = [line for line in lines if line.entrant not in annulled]
        ranks = [line.rank for line in counted]  # rising
        ranked = [line._replace(rank=bisect_left(ranks, line.rank) + 1) for line in counted]
        last = len(counted) + 1
        return tuple(ranked + [line._replace(rank=last) for line in lines if line.entrant in annulled])

    def plan(self, field_size: int) -> Plan:
        rounds = self._rounds(field_size)
        encounters = tuple(
            PlannedEncounter(f"{number}.{table}", number, f"Round {number}", tuple(f"No. {at}" for at in meeting))
            for number in range(1, rounds + 1)
            for table, meeting in enumerate(self._meetings(field_size, number), 1)
            if max(meeting) <= field_size
        )
        notes = ["Everybody meets everybody " + ("once." if self.legs == 1 else "twice.")]
        if field_size % 2:
            notes.append("The field is odd: everybody rests once" + (" in each half." if self.legs == 2 else "."))
        if self.annul_below_half:
            notes.append("Whoever withdraws before half of the games are played is taken out of the table.")
        return Plan(rounds, encounters, tuple(notes))

    def admits_late_entry(self, situation: Situation) -> bool:
        return not situation.rounds

    def leaving(self, situation: Situation, entrant: EntrantId) -> Leaving:
        """Annulled below half of the games of the whole tournament, counted by play."""
        field = _field(situation)
        games = (len(field) - 1) * self.legs
        played = _games_played(situation).get(entrant, 0)
        if self.annul_below_half and 2 * played < games:
            return Leaving.RESULTS_ANNULLED
        return Leaving.FORFEITS_THE_REST


def _field(situation: Situation) -> list[Entrant]:
    """Those who were there when round 1 was opened, by number."""
    if not situation.rounds:
        return list(situation.present)
    seated = {seat for e in situation.rounds[0].encounters for seat in e.fixture.seats}
    return sorted((e for e in situation.entrants if e.id in seated), key=lambda e: e.seed)


def _settled(seats: tuple[EntrantId, ...], gone: frozenset[EntrantId]) -> Outcome | None:
    absent = [seat in gone for seat in seats]
    if all(absent):
        return Outcome.DOUBLE_FORFEIT
    if absent[0]:
        return Outcome.FIRST_FORFEITS
    return Outcome.SECOND_FORFEITS if absent[1] else None


def _games_played(situation: Situation) -> Mapping[EntrantId, int]:
    count: dict[EntrantId, int] = {}
    for encounter in situation.encounters():
        if encounter.outcome is not None and encounter.outcome.is_played:
            for seat in encounter.fixture.seats:
                count[seat] = count.get(seat, 0) + 1
    return count


def _without(played: Round, annulled: frozenset[EntrantId]) -> Round:
    """The round with every pairing of those annulled void."""
    if not annulled:
        return played
    return played._replace(
        pairings=tuple(
            decided._replace(outcome=Outcome.VOID) if annulled.intersection(decided.pairing) else decided
            for decided in played.pairings
        ),
        byes=tuple(bye for bye in played.byes if bye.entrant not in annulled),
    )

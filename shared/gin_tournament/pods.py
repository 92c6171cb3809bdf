"""Pods: rounds at tables of four, for Word Gin and for rotation tables.

Each round seats everybody who is there at tables of four, with tables of three for the remainder (and of
two if `tables_of_two`); `pod_seating` says who sits where. Five without tables of two: one rests.

A table gives points by places. Everybody beaten is worth 3 / (people at the table - 1), an equal half of it,
so that first to last are worth 3, 2, 1, 0 at four, 3, 1½, 0 at three and 3, 0 at two; the winner of a table
gets `winner_bonus` more, shared if the win is. Who does not come (place 0) gets nothing, and everybody who
came beats them. A rest is worth 1½; one that was asked for, and an annulled table, nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from gin_tournament.errors import InvalidHistoryError
from gin_tournament.format import (
    Answer,
    CannotPair,
    Encounter,
    Finished,
    Fixture,
    Leaving,
    Open,
    Plan,
    Reason,
    Situation,
    Waiting,
)
from gin_tournament.model import ByeKind, Entrant, EntrantId, Outcome
from gin_tournament.pod_seating import FULL_TABLE, Person, seat_people, table_sizes
from gin_tournament.score_sheet import ScoreSheet, rank_sheets
from gin_tournament.settings import MOST_ROUNDS, check_range
from gin_tournament.standings import Standing

TABLE_POINTS = 3
REST_POINTS = Fraction(TABLE_POINTS, 2)
_SCALE = 24  # points are whole numbers of 1/24: halves, thirds and quarters of wins, at two to four people


@dataclass(frozen=True, slots=True)
class Pods:
    kind: ClassVar[str] = "pods"

    rounds: int = 4
    tables_of_two: bool = False
    winner_bonus: int = 1
    late_entry_rounds: int = 0

    def __post_init__(self) -> None:
        check_range("rounds", self.rounds, 1, MOST_ROUNDS)
        check_range("winner_bonus", self.winner_bonus, 0, 10)
        check_range("late_entry_rounds", self.late_entry_rounds, 0, self.rounds - 1)

    @property
    def columns(self) -> tuple[str, ...]:
        return ("tables_won", "game_points")

    def next_round(self, situation: Situation) -> Answer:
        if not situation.is_decided:
            return Waiting()
        if len(situation.rounds) >= self.rounds:
            return Finished()
        scores = {line.entrant: line.points for line in self.standings(situation)}
        here = [e for e in situation.present if e.id not in situation.sitting_out]
        here.sort(key=lambda e: (-scores[e.id], e.seed))
        resting: list[Entrant] = []
        sizes = table_sizes(len(here), twos_allowed=self.tables_of_two)
        if sizes is None and len(here) == FULL_TABLE + 1:
            resting = [self._who_rests(here, situation)]
            here.remove(resting[0])
            sizes = (FULL_TABLE,)
        if sizes is None:
            return CannotPair(Reason.TOO_FEW_ENTRANTS)
        number = situation.next_number
        tables = seat_people(_people(here, scores, situation), sizes, situation.seed + number)
        fixtures = [
            Fixture(f"{number}.{at}", tuple(here[i].id for i in table))
            for at, table in enumerate(sorted(tables, key=min), 1)
        ]
        alone = [(e, ByeKind.PAIRING_ALLOCATED) for e in resting]
        alone += [(e, ByeKind.REQUESTED_ZERO) for e in situation.present if e.id in situation.sitting_out]
        for entrant, bye in alone:
            fixtures.append(Fixture(f"{number}.{len(fixtures) + 1}", (entrant.id,), bye=bye))
        return Open(number, tuple(fixtures))

    def _who_rests(self, here: Sequence[Entrant], situation: Situation) -> Entrant:
        """The fewest rests so far, then the lowest score."""
        rests = [e.fixture.seats[0] for e in situation.encounters() if e.fixture.bye is ByeKind.PAIRING_ALLOCATED]
        return min(reversed(here), key=lambda entrant: rests.count(entrant.id))

    def standings(self, situation: Situation) -> tuple[Standing, ...]:
        """Ties are broken by tables won, then by game points."""
        sheets = {entrant.id: ScoreSheet() for entrant in situation.entrants}
        game_points = dict.fromkeys(sheets, 0)
        won = dict.fromkeys(sheets, Fraction(0))
        for encounter in situation.encounters():
            if encounter.result is None or encounter.outcome is Outcome.VOID:
                continue
            places = places_of(encounter)
            for seat, name in enumerate(encounter.fixture.seats):
                sheet = sheets[name]
                if not places:
                    sheet.byes += 1
                    asked_for = encounter.fixture.bye is ByeKind.REQUESTED_ZERO
                    sheet.points.append(Fraction(0) if asked_for else REST_POINTS)
                    continue
                share = _win_share(places, seat)
                sheet.points.append(table_points(places, seat) + share * self.winner_bonus)
                won[name] += share
                game_points[name] += encounter.result.tally(seat).game_points
                sheet.forfeit_losses += places[seat] == 0
                sheet.wins += share == 1
                sheet.draws += 0 < share < 1
                sheet.losses += share == 0 and places[seat] > 0
        ties = {name: (won[name], Fraction(game_points[name])) for name in sheets}
        return rank_sheets(situation.entrants, sheets, ties)

    def plan(self, field_size: int) -> Plan:
        sizes = table_sizes(field_size, twos_allowed=self.tables_of_two)
        if sizes is None and field_size == FULL_TABLE + 1:
            notes = ["One table of 4; one rests."]
        elif sizes is None:
            notes = ["Too few for a table."]
        else:
            kinds = sorted(set(sizes), reverse=True)
            notes = ["Tables each round: " + ", ".join(f"{sizes.count(size)} of {size}" for size in kinds) + "."]
        notes.append("At a table of four the places are worth 3, 2, 1 and 0; at one of three 3, 1½ and 0.")
        if self.winner_bonus:
            notes.append(f"The winner of a table gets {self.winner_bonus} more.")
        return Plan(self.rounds, notes=tuple(notes))

    def admits_late_entry(self, situation: Situation) -> bool:
        return len(situation.rounds) <= self.late_entry_rounds

    def leaving(self, situation: Situation, entrant: EntrantId) -> Leaving:
        return Leaving.NOT_PAIRED_ANY_MORE


def places_of(encounter: Encounter) -> tuple[int, ...]:
    """Places in seat order, also of a table of two that was decided as a pairing; empty for a rest.

    Raises `InvalidHistoryError` for a table without places.
    """
    fixture, result = encounter
    if len(fixture.seats) == 1 or result is None:
        return ()
    if result.places:
        if len(result.places) != len(fixture.seats):
            raise InvalidHistoryError(f"{fixture.slot} needs a place for every seat")
        return result.places
    two = _PLACES_OF_TWO.get(result.outcome) if result.outcome else None
    if two is None or len(fixture.seats) != 2:
        raise InvalidHistoryError(f"{fixture.slot} has no places")
    return two


_PLACES_OF_TWO = {
    Outcome.FIRST_WINS: (1, 2),
    Outcome.SECOND_WINS: (2, 1),
    Outcome.DRAW: (1, 1),
    Outcome.FIRST_FORFEITS: (0, 1),
    Outcome.SECOND_FORFEITS: (1, 0),
    Outcome.DOUBLE_FORFEIT: (0, 0),
}


def table_points(places: Sequence[int], seat: int) -> Fraction:
    """Points for a place, without the winner's bonus; 0 for who did not come."""
    mine = places[seat]
    if mine == 0:
        return Fraction(0)
    others = [place for at, place in enumerate(places) if at != seat]
    halves = sum(2 if place == 0 or place > mine else int(place == mine) for place in others)
    return Fraction(TABLE_POINTS * halves, 2 * len(others))


def _win_share(places: Sequence[int], seat: int) -> Fraction:
    best = min((place for place in places if place), default=0)
    if places[seat] == 0 or places[seat] != best:
        return Fraction(0)
    return Fraction(1, list(places).count(best))


def _people(here: Sequence[Entrant], scores: dict[EntrantId, Fraction], situation: Situation) -> list[Person]:
    at = {entrant.id: i for i, entrant in enumerate(here)}
    met: list[dict[int, int]] = [{} for _ in here]
    short = [0] * len(here)
    seats = [[0] * FULL_TABLE for _ in here]
    for encounter in situation.encounters():
        names = encounter.fixture.seats
        for seat, name in enumerate(names):
            if name not in at or len(names) == 1:
                continue
            i = at[name]
            short[i] += len(names) < FULL_TABLE
            seats[i][seat] += 1
            for other in names:
                if other != name and other in at:
                    met[i][at[other]] = met[i].get(at[other], 0) + 1
    return [Person(int(scores[e.id] * _SCALE), met[i], short[i], tuple(seats[i])) for i, e in enumerate(here)]

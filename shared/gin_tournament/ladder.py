"""Ladder: a permanent order in which everybody may challenge those a few places above.

The first order is that of the seeds; whoever enters starts at the bottom. A challenger who wins takes the
place of the one challenged, who takes the challenger's; nothing else moves. A draw, a lost or an annulled
challenge leaves the order as it is; so does a double forfeit. Who withdraws gives up the place: everybody
below moves up.

The order is read from the encounters: the challenger is the lower placed of the two. It does not matter
which of several challenges under way is decided first, as nobody is in two of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import ClassVar

from gin_tournament.format import Answer, Challenge, Fixture, Leaving, Open, Plan, Situation, Waiting
from gin_tournament.model import EntrantId, Outcome
from gin_tournament.score_sheet import ScoreSheet
from gin_tournament.settings import check_best_of, check_range
from gin_tournament.standings import Standing

_WON_BY = {
    Outcome.FIRST_WINS: 0,
    Outcome.SECOND_FORFEITS: 0,
    Outcome.SECOND_WINS: 1,
    Outcome.FIRST_FORFEITS: 1,
}


class Refusal(Enum):
    """Why a challenge cannot be made now."""

    NOT_ON_THE_LADDER = "not_on_the_ladder"
    NOT_ABOVE = "not_above"
    OUT_OF_REACH = "out_of_reach"
    BUSY = "busy"  # one of the two is in an undecided challenge
    RESTING = "resting"  # one of the two does not take challenges for now


@dataclass(frozen=True, slots=True)
class Ladder:
    """`reach` is how many places above may be challenged."""

    kind: ClassVar[str] = "ladder"

    reach: int = 3
    best_of: int = 1

    def __post_init__(self) -> None:
        check_range("reach", self.reach, 1, 1_000)
        check_best_of("best_of", self.best_of)

    @property
    def columns(self) -> tuple[str, ...]:
        return ()

    def refusal(self, situation: Situation, challenge: Challenge) -> Refusal | None:
        """Why this challenge cannot be opened now; None where it can."""
        return self._refusal(situation, challenge, order(situation), situation.busy())

    def _refusal(
        self, situation: Situation, challenge: Challenge, places: list[EntrantId], busy: frozenset[EntrantId]
    ) -> Refusal | None:
        if not set(challenge) <= set(places):
            return Refusal.NOT_ON_THE_LADDER
        above = places.index(challenge.challenger) - places.index(challenge.opponent)
        if above <= 0:
            return Refusal.NOT_ABOVE
        if above > self.reach:
            return Refusal.OUT_OF_REACH
        if not busy.isdisjoint(challenge):
            return Refusal.BUSY
        return None if situation.sitting_out.isdisjoint(challenge) else Refusal.RESTING

    def next_round(self, situation: Situation) -> Answer:
        """Opens every challenge that can be opened, oldest first; the others stay unanswered."""
        places, busy = order(situation), set(situation.busy())
        number = situation.next_number
        fixtures: list[Fixture] = []
        for challenge in situation.challenges:
            if self._refusal(situation, challenge, places, frozenset(busy)) is None:
                busy.update(challenge)
                seats = tuple(challenge) if number % 2 else (challenge.opponent, challenge.challenger)
                fixtures.append(Fixture(f"{number}.{len(fixtures) + 1}", seats, self.best_of))
        return Open(number, tuple(fixtures)) if fixtures else Waiting()

    def standings(self, situation: Situation) -> tuple[Standing, ...]:
        """The ladder from the top; points are encounters won. Who has withdrawn shares the place after all."""
        sheets = {entrant.id: ScoreSheet() for entrant in situation.entrants}
        for encounter in situation.encounters():
            if encounter.outcome is None:
                continue
            winner = _WON_BY.get(encounter.outcome)
            for side, name in enumerate(encounter.fixture.seats):
                sheets[name].count(encounter.outcome, is_first=side == 0)
                sheets[name].points.append(Fraction(winner == side))
        places = order(situation)
        lines = [sheets[name].line(place, name, ()) for place, name in enumerate(places, 1)]
        gone = sorted((e for e in situation.entrants if e.id in situation.withdrawn), key=lambda e: e.seed)
        return tuple(lines + [sheets[e.id].line(len(places) + 1, e.id, ()) for e in gone])

    def plan(self, field_size: int) -> Plan:
        reach = "the place above" if self.reach == 1 else f"up to {self.reach} places above"
        notes = (
            f"Everybody may challenge {reach}. A challenger who wins changes places with the opponent.",
            "The ladder has no end; whoever enters starts at the bottom.",
        )
        return Plan(None, notes=notes)

    def admits_late_entry(self, situation: Situation) -> bool:
        return True

    def leaving(self, situation: Situation, entrant: EntrantId) -> Leaving:
        return Leaving.NOT_PAIRED_ANY_MORE


def order(situation: Situation) -> list[EntrantId]:
    """Everybody on the ladder, from the top."""
    places = [entrant.id for entrant in sorted(situation.entrants, key=lambda entrant: entrant.seed)]
    at = {name: place for place, name in enumerate(places)}
    for encounter in situation.encounters():
        if encounter.outcome not in _WON_BY:
            continue
        winner = _WON_BY[encounter.outcome]
        won, lost = encounter.fixture.seats[winner], encounter.fixture.seats[1 - winner]
        if at[won] > at[lost]:
            places[at[won]], places[at[lost]] = lost, won
            at[won], at[lost] = at[lost], at[won]
    return [name for name in places if name not in situation.withdrawn]

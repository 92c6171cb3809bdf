"""Swiss as a format: a fixed number of rounds, each paired by `swiss.pair_round` when the last is decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gin_tournament.acceleration import BakuAcceleration, baku
from gin_tournament.format import Answer, CannotPair, Finished, Fixture, Leaving, Open, Plan, Situation, Waiting
from gin_tournament.model import STANDARD_SCORING, ByeKind, EntrantId, Scoring
from gin_tournament.settings import (
    DEFAULT_TIE_BREAKS,
    MOST_ROUNDS,
    check_best_of,
    check_choice,
    check_range,
    check_scoring,
    check_tie_breaks,
)
from gin_tournament.standings import Standing, rank
from gin_tournament.swiss import pair_round

_REQUESTED = {"half": ByeKind.REQUESTED_HALF, "zero": ByeKind.REQUESTED_ZERO}


@dataclass(frozen=True, slots=True)
class Swiss:
    """`late_entry_rounds` is how many rounds may have been opened when somebody still enters.

    `requested_bye` is what a bye on request scores: "half" (as a draw) or "zero".
    """

    kind: ClassVar[str] = "swiss"

    rounds: int = 5
    best_of: int = 1
    late_entry_rounds: int = 0
    requested_bye: str = "half"
    accelerated: bool = False
    tie_breaks: tuple[str, ...] = DEFAULT_TIE_BREAKS
    scoring: Scoring = STANDARD_SCORING

    def __post_init__(self) -> None:
        check_range("rounds", self.rounds, 1, MOST_ROUNDS)
        check_best_of("best_of", self.best_of)
        check_range("late_entry_rounds", self.late_entry_rounds, 0, self.rounds - 1)
        check_choice("requested_bye", self.requested_bye, tuple(_REQUESTED))
        check_tie_breaks(self.tie_breaks)
        check_scoring(self.scoring)

    @property
    def columns(self) -> tuple[str, ...]:
        return self.tie_breaks

    def next_round(self, situation: Situation) -> Answer:
        if not situation.is_decided:
            return Waiting()
        number = situation.next_number
        if len(situation.rounds) >= self.rounds:
            return Finished()
        rulings = situation.rulings
        resting = situation.sitting_out - situation.withdrawn
        answer = pair_round(
            situation.entrants,
            situation.history(),
            round_number=number,
            withdrawn=situation.withdrawn,
            requested_byes=resting,
            forbidden_pairs=rulings.forbidden_pairs,
            manual_pairs=rulings.manual_pairs,
            acceleration=self._acceleration(situation),
            scoring=self.scoring,
            seed=situation.seed,
            allow=rulings.allow,
        )
        if isinstance(answer, CannotPair):
            return answer
        alone = [(answer.bye.entrant, answer.bye.kind)] if answer.bye else []
        alone += [(name, _REQUESTED[self.requested_bye]) for name in sorted(resting)]
        tables = [(tuple(pairing), None) for pairing in answer.pairings] + [((name,), kind) for name, kind in alone]
        fixtures = tuple(
            Fixture(f"{number}.{table}", seats, self.best_of, bye=bye) for table, (seats, bye) in enumerate(tables, 1)
        )
        return Open(number, fixtures, answer.conceded)

    def _acceleration(self, situation: Situation) -> BakuAcceleration | None:
        if not self.accelerated:
            return None
        at_start = {e.id for e in situation.present}
        if situation.rounds:
            at_start = {seat for e in situation.rounds[0].encounters for seat in e.fixture.seats}
        return baku([e for e in situation.entrants if e.id in at_start], self.rounds)

    def standings(self, situation: Situation) -> tuple[Standing, ...]:
        return rank(situation.entrants, situation.history(), self.tie_breaks, scoring=self.scoring, seed=situation.seed)

    def plan(self, field_size: int) -> Plan:
        notes = ["Each round pairs entrants of like scores; nobody meets the same opponent twice."]
        if self.rounds >= field_size + field_size % 2:
            notes.append(
                f"{field_size} entrants have met each other after {max(field_size + field_size % 2 - 1, 0)} rounds: "
                "the tournament ends there unless rematches are allowed."
            )
        return Plan(self.rounds, notes=tuple(notes))

    def admits_late_entry(self, situation: Situation) -> bool:
        return len(situation.rounds) <= self.late_entry_rounds

    def leaving(self, situation: Situation, entrant: EntrantId) -> Leaving:
        return Leaving.NOT_PAIRED_ANY_MORE

"""Drives any format to its end the way a lobby does, and checks what must hold at every moment."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from gin_tournament.catalogue import opens_while_playing
from gin_tournament.duel import PlayedMatch, PlayMatch, verdict
from gin_tournament.format import (
    Answer,
    CannotPair,
    Finished,
    Fixture,
    Format,
    Open,
    OpenedRound,
    Result,
    Situation,
    Waiting,
)
from gin_tournament.model import Entrant, EntrantId, Outcome, Tally

PLAYED = (Outcome.FIRST_WINS, Outcome.SECOND_WINS, Outcome.DRAW)
UNPLAYED = (Outcome.FIRST_FORFEITS, Outcome.SECOND_FORFEITS, Outcome.DOUBLE_FORFEIT, Outcome.VOID)

Disturb = Callable[["Driver"], None]


def field_of(size: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(EntrantId(f"e{seed}"), seed, 2000 - 10 * seed) for seed in range(1, size + 1))


@dataclass
class Driver:
    """A tournament under way. `unplayed` is the share of encounters that end without play."""

    format: Format
    situation: Situation
    rng: random.Random
    unplayed: float = 0.0
    disturb: Disturb = lambda driver: None
    answers: list[Answer] = field(default_factory=list)

    def run(self, most_steps: int = 5_000) -> Answer:
        """Until the format has finished or cannot go on."""
        for _ in range(most_steps):
            self.disturb(self)
            answer = self.format.next_round(self.situation)
            self.answers.append(answer)
            if not isinstance(answer, Waiting):
                assert answer == self.format.next_round(self.situation), "the same situation gives the same answer"
                self.check_standings()
            match answer:
                case Open():
                    self.open(answer)
                case Waiting():
                    self.let_time_pass(answer)
                case Finished() | CannotPair():
                    assert self.situation.is_decided
                    return answer
        raise AssertionError("the tournament does not end")

    def open(self, answer: Open) -> None:
        situation = self.situation
        assert answer.number == situation.next_number
        assert answer.fixtures, "a round is never empty"
        assert situation.is_decided or opens_while_playing(self.format)
        seats = [seat for fixture in answer.fixtures for seat in fixture.seats]
        assert len(set(seats)) == len(seats), "nobody sits twice"
        assert not set(seats) & situation.busy(), "nobody is called away from a table"
        assert set(seats) <= {e.id for e in situation.entrants}
        slots = [e.fixture.slot for e in situation.encounters()] + [f.slot for f in answer.fixtures]
        assert len(set(slots)) == len(slots), "slots are unique"
        for fixture in answer.fixtures:
            if len(fixture.seats) > 1 and fixture.settled is None:
                assert not set(fixture.seats) & situation.withdrawn, "who has left is not asked to play"
        self.situation = replace(situation, rounds=(*situation.rounds, answer.opened()))

    def let_time_pass(self, answer: Waiting) -> None:
        """One encounter ends; where nothing is being played, time passes to when the format wants it."""
        under_way = [e.fixture for e in self.situation.encounters() if not e.is_decided]
        self.situation = replace(self.situation, elapsed_seconds=self.situation.elapsed_seconds + 30)
        if under_way:
            self.decide(self.rng.choice(under_way))
        else:
            assert answer.until_seconds is not None, "waiting for nothing would last for ever"
            later = max(answer.until_seconds, self.situation.elapsed_seconds)
            self.situation = replace(self.situation, elapsed_seconds=later)

    def decide(self, fixture: Fixture) -> None:
        self.record(fixture.slot, self.play_duel(fixture) if len(fixture.seats) == 2 else self.play_table(fixture))

    def record(self, slot: str, result: Result) -> None:
        def recorded(opened: OpenedRound) -> OpenedRound:
            if all(e.fixture.slot != slot for e in opened.encounters):
                return opened
            return opened._replace(
                encounters=tuple(e._replace(result=result) if e.fixture.slot == slot else e for e in opened.encounters)
            )

        self.situation = replace(self.situation, rounds=tuple(map(recorded, self.situation.rounds)))

    def play_duel(self, fixture: Fixture) -> Result:
        played: list[PlayedMatch] = []
        while isinstance(asked := verdict(fixture, played), PlayMatch):
            gone = [seat in self.situation.withdrawn for seat in asked.seats]
            outcome = self.rng.choice(UNPLAYED if self.rng.random() < self.unplayed else PLAYED)
            if any(gone):
                outcome = Outcome.SECOND_FORFEITS if not gone[0] else Outcome.FIRST_FORFEITS
                outcome = Outcome.DOUBLE_FORFEIT if all(gone) else outcome
            tallies = (Tally(self.rng.randrange(150), 3, 1), Tally(self.rng.randrange(150), 2))
            given_up = outcome in (Outcome.FIRST_WINS, Outcome.SECOND_WINS) and self.rng.random() < self.unplayed
            played.append(PlayedMatch(asked.seats, Result(outcome, tallies=tallies, given_up=given_up)))
        return asked

    def play_table(self, fixture: Fixture) -> Result:
        places = list(range(1, len(fixture.seats) + 1))
        self.rng.shuffle(places)
        for at, seat in enumerate(fixture.seats):
            if seat in self.situation.withdrawn or self.rng.random() < self.unplayed:
                places[at] = 0
        return Result(places=tuple(places), tallies=tuple(Tally(self.rng.randrange(100)) for _ in places))

    def check_standings(self) -> None:
        lines = self.format.standings(self.situation)
        assert sorted(line.entrant for line in lines) == sorted(e.id for e in self.situation.entrants)
        ranks = [line.rank for line in lines]
        assert ranks == sorted(ranks)
        for line in lines:
            assert line.rank == 1 + sum(rank < line.rank for rank in ranks), "a shared place leaves out the next"
            assert len(line.tie_breaks) == len(self.format.columns)


def start(format_: Format, size: int, rng: random.Random, **more: object) -> Driver:
    return Driver(format_, Situation(field_of(size), seed=7), rng, **more)  # type: ignore[arg-type]

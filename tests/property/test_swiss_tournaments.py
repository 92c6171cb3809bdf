"""Whole simulated tournaments: with withdrawals, late entries, forfeits and requested byes."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

import pytest

from gin_tournament.model import Bye, ByeKind, DecidedPairing, Entrant, EntrantId, Outcome, Round
from gin_tournament.standings import Standing, rank
from gin_tournament.swiss import CannotPair, Choice, Paired, Reason, pair_round
from gin_tournament.tie_breaks import TIE_BREAK_NAMES
from tests.oracles.swiss_brute_force import BruteForce

SMALL_ENOUGH_FOR_BRUTE_FORCE = 9
_PLAYED = [Outcome.FIRST_WINS, Outcome.SECOND_WINS, Outcome.DRAW]
_UNPLAYED = [Outcome.FIRST_FORFEITS, Outcome.SECOND_FORFEITS, Outcome.DOUBLE_FORFEIT, Outcome.VOID]


@dataclass
class Simulation:
    """A tournament under way, with what a referee would write down."""

    rng: random.Random
    entrants: list[Entrant]
    history: list[Round] = field(default_factory=list)
    withdrawn: set[EntrantId] = field(default_factory=set)
    met: set[frozenset[EntrantId]] = field(default_factory=set)
    free_wins: set[EntrantId] = field(default_factory=set)

    def play_round(self, number: int) -> CannotPair | None:
        self._come_and_go()
        requested = {e.id for e in self.entrants if e.id not in self.withdrawn and self.rng.random() < 0.05}
        answer = pair_round(
            self.entrants,
            self.history,
            round_number=number,
            withdrawn=self.withdrawn,
            requested_byes=requested,
        )
        present = {e.id for e in self.entrants} - self.withdrawn - requested
        if isinstance(answer, CannotPair):
            self._check_refusal(answer, present)
            return answer
        self._check_round(answer, present)
        self._score(answer, requested, number)
        return None

    def _come_and_go(self) -> None:
        if self.rng.random() < 0.2:
            seed = len(self.entrants) + 1
            self.entrants.append(Entrant(EntrantId(f"late{seed}"), seed))
        self.withdrawn |= {e.id for e in self.entrants if self.rng.random() < 0.02}

    def _check_round(self, answer: Paired, present: set[EntrantId]) -> None:
        seated = [name for pair in answer.pairings for name in pair]
        seated += [answer.bye.entrant] if answer.bye else []
        assert sorted(seated) == sorted(present), "everybody present sits exactly once"
        assert (answer.bye is None) == (len(present) % 2 == 0)
        assert not {frozenset(pair) for pair in answer.pairings} & self.met, "no rematch"
        if answer.bye:
            assert answer.bye.entrant not in self.free_wins, "no second bye"
        assert answer.conceded == ()

    def _check_refusal(self, answer: CannotPair, present: set[EntrantId]) -> None:
        assert answer.choices[-1] is Choice.END_EARLY
        if len(present) < 2:
            assert answer.reason is Reason.TOO_FEW_ENTRANTS
        elif len(present) <= SMALL_ENOUGH_FOR_BRUTE_FORCE:
            absent = {entrant.id for entrant in self.entrants} - present
            assert BruteForce(self.entrants, self.history, absent).best() is None
            absent_too = pair_round(
                self.entrants,
                self.history,
                round_number=len(self.history) + 1,
                withdrawn=absent,
                allow=answer.choices,
            )
            assert isinstance(absent_too, Paired), "the choices offered do help"
            assert set(absent_too.conceded) <= set(answer.choices)
            assert absent_too.conceded

    def _score(self, answer: Paired, requested: set[EntrantId], number: int) -> None:
        decided = []
        for pair in answer.pairings:
            outcome = self.rng.choice(_UNPLAYED if self.rng.random() < 0.05 else _PLAYED)
            decided.append(DecidedPairing(pair, outcome))
            if outcome in _PLAYED:
                self.met.add(frozenset(pair))
            elif outcome is Outcome.FIRST_FORFEITS:
                self.free_wins.add(pair.second)
            elif outcome is Outcome.SECOND_FORFEITS:
                self.free_wins.add(pair.first)
        byes = [Bye(name, self.rng.choice([ByeKind.REQUESTED_HALF, ByeKind.REQUESTED_ZERO])) for name in requested]
        if answer.bye:
            byes.append(answer.bye)
            self.free_wins.add(answer.bye.entrant)
        self.history.append(Round(number, tuple(decided), tuple(byes)))


@pytest.mark.parametrize("size", [2, 3, 5, 7, 8, 9, 17, 33])
def test_tournaments_end_or_say_why_they_cannot(size: int) -> None:
    for run in range(40):
        rng = random.Random(f"{size}/{run}")
        simulation = Simulation(rng, [Entrant(EntrantId(f"e{seed}"), seed) for seed in range(1, size + 1)])
        for number in range(1, 10):
            if simulation.play_round(number) is not None:
                break
        lines = rank(simulation.entrants, simulation.history, TIE_BREAK_NAMES, seed=run)
        check_standings(simulation, lines)


def check_standings(simulation: Simulation, lines: tuple[Standing, ...]) -> None:
    assert sorted(line.entrant for line in lines) == sorted(entrant.id for entrant in simulation.entrants)
    assert [line.rank for line in lines] == list(range(1, len(lines) + 1)), "lots leave nobody level"
    assert all(above.points >= below.points for above, below in pairwise(lines))
    for line in lines:
        assert line.wins + line.draws + line.losses == line.played
        assert line.progress[-1:] in ((), (line.points,))


@pytest.mark.parametrize("size", [16, 32])
def test_rounds_up_to_half_the_field_can_always_be_paired(size: int) -> None:
    rng = random.Random(size)
    entrants = [Entrant(EntrantId(f"e{seed}"), seed) for seed in range(1, size + 1)]
    history: list[Round] = []
    for number in range(1, size // 2 + 1):
        answer = pair_round(entrants, history, round_number=number)
        assert isinstance(answer, Paired)
        decided = tuple(DecidedPairing(pair, rng.choice(_PLAYED)) for pair in answer.pairings)
        history.append(Round(number, decided))


def test_order_in_which_entrants_are_listed_changes_nothing() -> None:
    rng = random.Random(4)
    entrants = [Entrant(EntrantId(f"e{seed}"), seed) for seed in range(1, 34)]
    history: list[Round] = []
    for number in range(1, 8):
        answer = pair_round(entrants, history, round_number=number)
        shuffled = rng.sample(entrants, len(entrants))
        assert pair_round(shuffled, history, round_number=number) == answer
        assert isinstance(answer, Paired)
        decided = tuple(DecidedPairing(pair, rng.choice(_PLAYED)) for pair in answer.pairings)
        history.append(Round(number, decided, (answer.bye,) if answer.bye else ()))


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 9, 12])
def test_with_every_concession_a_tournament_never_has_to_end(size: int) -> None:
    rng = random.Random(size)
    entrants = [Entrant(EntrantId(f"e{seed}"), seed) for seed in range(1, size + 1)]
    history: list[Round] = []
    meetings: Counter[frozenset[EntrantId]] = Counter()
    for number in range(1, 3 * size + 1):
        lawful = pair_round(entrants, history, round_number=number)
        answer = pair_round(entrants, history, round_number=number, allow=[*Choice])
        assert isinstance(answer, Paired)
        assert (answer.conceded == ()) == isinstance(lawful, Paired)
        if answer.conceded == ():
            assert answer == lawful
        seated = [name for pair in answer.pairings for name in pair]
        assert len(set(seated)) == len(seated) == size - size % 2
        meetings.update(frozenset(pair) for pair in answer.pairings)
        decided = tuple(DecidedPairing(pair, rng.choice(_PLAYED)) for pair in answer.pairings)
        history.append(Round(number, decided, (answer.bye,) if answer.bye else ()))
    # Three times as many rounds as a round robin needs: nobody meets the same opponent much oftener.
    assert max(meetings.values()) <= 6

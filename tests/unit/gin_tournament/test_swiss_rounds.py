"""Swiss behind the interface of all formats."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gin_tournament.acceleration import baku
from gin_tournament.errors import InvalidFormatError
from gin_tournament.format import (
    CannotPair,
    Choice,
    Encounter,
    Finished,
    Open,
    OpenedRound,
    Reason,
    Result,
    Rulings,
    Situation,
    Waiting,
)
from gin_tournament.model import ByeKind, Entrant, EntrantId, Outcome, Pairing
from gin_tournament.standings import rank
from gin_tournament.swiss import Paired, pair_round
from gin_tournament.swiss_rounds import Swiss
from tests.property.format_driver import field_of

SWISS = Swiss(rounds=3)


def play(format_: Swiss, situation: Situation, rounds: int = 99) -> Situation:
    """Whoever deals first wins."""
    for _ in range(rounds):
        answer = format_.next_round(situation)
        if not isinstance(answer, Open):
            break
        encounters = tuple(
            e if e.is_decided else e._replace(result=Result(Outcome.FIRST_WINS)) for e in answer.opened().encounters
        )
        situation = replace(situation, rounds=(*situation.rounds, OpenedRound(answer.number, encounters)))
    return situation


@pytest.mark.parametrize("size", [8, 9, 33])
@pytest.mark.parametrize("accelerated", [False, True])
def test_rounds_are_those_of_the_swiss_pairing(size: int, accelerated: bool) -> None:
    format_ = Swiss(rounds=5, accelerated=accelerated)
    situation = play(format_, Situation(field_of(size), seed=3))
    history = situation.history()
    assert len(history) == 5
    for played in history:
        expected = pair_round(
            field_of(size),
            history[: played.number - 1],
            round_number=played.number,
            acceleration=baku(field_of(size), 5) if accelerated else None,
            seed=3,
        )
        assert isinstance(expected, Paired)
        assert tuple(decided.pairing for decided in played.pairings) == expected.pairings
        assert played.byes == ((expected.bye,) if expected.bye else ())
    assert format_.standings(situation) == rank(field_of(size), history, format_.tie_breaks, seed=3)


def test_next_round_waits_for_the_last_result_and_the_last_round_ends_it() -> None:
    answer = SWISS.next_round(Situation(field_of(4)))
    assert isinstance(answer, Open)
    opened = answer.opened()
    assert SWISS.next_round(Situation(field_of(4), (opened,))) == Waiting()
    assert SWISS.next_round(play(SWISS, Situation(field_of(4)))) == Finished()


def test_bye_on_request_is_an_encounter_of_its_own_and_scores_as_stated() -> None:
    for requested, kind, points in (("half", ByeKind.REQUESTED_HALF, 0.5), ("zero", ByeKind.REQUESTED_ZERO, 0)):
        format_ = Swiss(rounds=3, requested_bye=requested)
        situation = Situation(field_of(5), sitting_out=frozenset({EntrantId("e1")}))
        answer = format_.next_round(situation)
        assert isinstance(answer, Open)
        assert [(f.slot, f.seats, f.bye) for f in answer.fixtures][-1] == ("1.3", ("e1",), kind)
        lines = format_.standings(replace(situation, rounds=(answer.opened(),)))
        assert next(line.points for line in lines if line.entrant == "e1") == points


def test_when_everybody_has_met_the_organiser_may_allow_rematches() -> None:
    situation = play(Swiss(rounds=2), Situation(field_of(2)), rounds=1)
    answer = Swiss(rounds=2).next_round(situation)
    assert answer == CannotPair(Reason.NO_LEGAL_PAIRING, (Choice.ALLOW_REMATCH, Choice.END_EARLY))
    allowed = Swiss(rounds=2).next_round(replace(situation, rulings=Rulings(allow=(Choice.ALLOW_REMATCH,))))
    assert isinstance(allowed, Open)
    assert allowed.conceded == (Choice.ALLOW_REMATCH,)


def test_manual_and_forbidden_pairs_are_kept() -> None:
    first, second, third = (EntrantId(f"e{seed}") for seed in (1, 2, 3))
    manual = SWISS.next_round(Situation(field_of(4), rulings=Rulings(manual_pairs=(Pairing(second, first),))))
    assert isinstance(manual, Open)
    assert manual.fixtures[0].seats == (second, first)
    forbidden = SWISS.next_round(Situation(field_of(4), rulings=Rulings(forbidden_pairs=((first, third),))))
    assert isinstance(forbidden, Open)
    assert not any({first, third} == set(fixture.seats) for fixture in forbidden.fixtures)


def test_late_entry_is_open_until_the_stated_round() -> None:
    format_ = Swiss(rounds=4, late_entry_rounds=1)
    situation = play(format_, Situation(field_of(4)), rounds=1)
    assert format_.admits_late_entry(situation)
    late = replace(situation, entrants=(*situation.entrants, Entrant(EntrantId("late"), 5)))
    answer = format_.next_round(late)
    assert isinstance(answer, Open)
    assert any("late" in fixture.seats for fixture in answer.fixtures)
    assert not format_.admits_late_entry(play(format_, situation, rounds=1))


def test_result_that_is_missing_is_no_history() -> None:
    answer = SWISS.next_round(Situation(field_of(4)))
    assert isinstance(answer, Open)
    one_decided = Encounter(answer.fixtures[0], Result(Outcome.FIRST_WINS))
    situation = Situation(field_of(4), (OpenedRound(1, (one_decided, Encounter(answer.fixtures[1]))),))
    assert len(situation.history()[0].pairings) == 1
    assert situation.busy() == set(answer.fixtures[1].seats)


@pytest.mark.parametrize("wrong", [{"rounds": 0}, {"best_of": 4}, {"late_entry_rounds": 5}, {"requested_bye": "full"}])
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidFormatError):
        Swiss(**wrong)  # type: ignore[arg-type]

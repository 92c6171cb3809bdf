"""Corrections: what follows from another result is told before it is done."""

from __future__ import annotations

import pytest

from gin_tournament.correction import Moved, correct
from gin_tournament.errors import InvalidHistoryError
from gin_tournament.format import Result, Situation
from gin_tournament.model import EntrantId, Outcome
from gin_tournament.round_robin import RoundRobin
from gin_tournament.single_elimination import SingleElimination
from tests.property.format_driver import field_of
from tests.unit.gin_tournament.test_round_robin import play as play_robin
from tests.unit.gin_tournament.test_single_elimination import play

KNOCKOUT = SingleElimination()


def test_other_winner_of_a_semifinal_would_have_played_the_final() -> None:
    situation = play(KNOCKOUT, Situation(field_of(4)))
    semifinal = situation.rounds[0].encounters[0]
    assert set(semifinal.fixture.seats) == {"e1", "e4"}
    upset = Outcome.SECOND_WINS if semifinal.fixture.seats[0] == "e1" else Outcome.FIRST_WINS
    found = correct(KNOCKOUT, situation, "R1M1", Result(upset))
    assert found.other_round == 2
    assert [set(fixture.seats) for fixture in found.instead] == [{"e2", "e4"}]
    assert found.corrected.rounds[1] == situation.rounds[1], "what was played stays played"
    lines = [(line.rank, line.entrant) for line in KNOCKOUT.standings(found.corrected)]
    assert lines == [(1, "e1"), (2, "e2"), (2, "e4"), (4, "e3")], "who missed the final stands with its loser"


def test_correction_that_changes_nobody_s_way_changes_no_round() -> None:
    situation = play(KNOCKOUT, Situation(field_of(4)))
    same_winner = situation.rounds[0].encounters[1].result
    assert same_winner is not None
    found = correct(KNOCKOUT, situation, "R1M2", same_winner)
    assert (found.other_round, found.instead, found.moved) == (None, (), ())


def test_ranks_that_change_are_told_and_a_fixed_table_is_never_drawn_up_anew() -> None:
    format_ = RoundRobin(tie_breaks=())
    situation = play_robin(format_, Situation(field_of(4)))
    seats = next(e.fixture.seats for e in situation.encounters() if e.fixture.slot == "1.1")
    assert seats == ("e1", "e4")
    found = correct(format_, situation, "1.1", Result(Outcome.SECOND_WINS))
    assert found.other_round is None
    ranks = {line.entrant: line.rank for line in format_.standings(situation)}
    new = {line.entrant: line.rank for line in format_.standings(found.corrected)}
    assert set(found.moved) == {Moved(name, ranks[name], new[name]) for name in ranks if ranks[name] != new[name]}
    assert EntrantId("e4") in {moved.entrant for moved in found.moved}


@pytest.mark.parametrize("slot", ["R9M9", "R2M1"])
def test_only_decided_encounters_can_be_corrected(slot: str) -> None:
    situation = play(KNOCKOUT, Situation(field_of(4)), rounds=1)
    with pytest.raises(InvalidHistoryError):
        correct(KNOCKOUT, situation, slot, Result(Outcome.DRAW))

"""Corrections: what follows from another result is told before it is done."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest

from gin_tournament.correction import Consequences, Moved, Wishes, correct
from gin_tournament.double_elimination import DoubleElimination
from gin_tournament.errors import InvalidHistoryError
from gin_tournament.format import Encounter, Finished, Fixture, Format, Open, OpenedRound, Result, Rulings, Situation
from gin_tournament.model import EntrantId, Outcome, Pairing
from gin_tournament.round_robin import RoundRobin
from gin_tournament.single_elimination import SingleElimination
from gin_tournament.stages import Stage, Stages
from gin_tournament.swiss_rounds import Swiss
from tests.property.format_driver import field_of, start
from tests.property.test_corrections import correct_something
from tests.unit.gin_tournament.test_round_robin import play as play_robin
from tests.unit.gin_tournament.test_single_elimination import better_seed_wins, play

KNOCKOUT = SingleElimination()
SWISS = Swiss(rounds=5, tie_breaks=())
GROUPS = Stages((Stage(RoundRobin(), groups=2, advance=2), Stage(SingleElimination())))


def open_next(format_: Format, situation: Situation) -> Situation:
    answer = format_.next_round(situation)
    assert isinstance(answer, Open)
    return replace(situation, rounds=(*situation.rounds, answer.opened()))


def decided(situation: Situation, *slots: str) -> Situation:
    """The better seed wins in these slots of the last round."""

    def after(encounter: Encounter) -> Encounter:
        is_meant = encounter.fixture.slot in slots
        return encounter._replace(result=Result(better_seed_wins(encounter.fixture))) if is_meant else encounter

    last = situation.rounds[-1]
    fresh = OpenedRound(last.number, tuple(map(after, last.encounters)))
    return replace(situation, rounds=(*situation.rounds[:-1], fresh))


def encounter(situation: Situation, slot: str) -> Encounter:
    return next(e for e in situation.encounters() if e.fixture.slot == slot)


def turned(situation: Situation, slot: str) -> Result:
    won = encounter(situation, slot).outcome
    return Result(Outcome.SECOND_WINS if won is Outcome.FIRST_WINS else Outcome.FIRST_WINS)


def upset(format_: Format, situation: Situation, slot: str, **options: frozenset[str]) -> Consequences:
    return correct(format_, situation, slot, turned(situation, slot), **options)  # type: ignore[arg-type]


def pairs(fixtures: tuple[Fixture, ...]) -> Mapping[str, set[str]]:
    return {fixture.slot: set(fixture.seats) for fixture in fixtures}


def test_a_final_that_was_played_stands_and_who_missed_it_ranks_with_its_loser() -> None:
    situation = play(KNOCKOUT, Situation(field_of(4)))
    found = upset(KNOCKOUT, situation, "R1M1")
    (other,) = found.others
    assert (other.number, other.replaced, other.opened) == (2, (), ())
    assert pairs(other.stands) == {"R2M1": {"e1", "e2"}}
    assert pairs(other.instead) == {"R2M1": {"e2", "e4"}}
    assert found.corrected.rounds[1] == situation.rounds[1], "what was played stays played"
    lines = [(line.rank, line.entrant) for line in found.after]
    assert lines == [(1, "e1"), (2, "e2"), (2, "e4"), (4, "e3")]


def test_a_player_who_advanced_wrongly_comes_back_from_an_undecided_final() -> None:
    situation = open_next(KNOCKOUT, play(KNOCKOUT, Situation(field_of(4)), rounds=1))
    found = upset(KNOCKOUT, situation, "R1M1")
    (other,) = found.others
    assert pairs(other.replaced) == {"R2M1": {"e1", "e2"}}
    assert pairs(other.opened) == {"R2M1": {"e2", "e4"}}
    assert other.stands == ()
    assert not encounter(found.corrected, "R2M1").is_decided


def test_a_best_of_three_that_has_begun_stands() -> None:
    situation = open_next(KNOCKOUT, play(KNOCKOUT, Situation(field_of(4)), rounds=1))
    found = upset(KNOCKOUT, situation, "R1M1", begun=frozenset({"R2M1"}))
    assert (found.others[0].replaced, found.others[0].opened) == ((), ())


def test_only_the_slot_that_is_touched_is_replaced() -> None:
    situation = open_next(KNOCKOUT, play(KNOCKOUT, Situation(field_of(8)), rounds=1))
    situation = decided(situation, "R2M2")
    found = upset(KNOCKOUT, situation, "R1M1")
    assert pairs(found.others[0].opened) == {"R2M1": {"e8", "e4"}}
    assert found.corrected.rounds[1].encounters[1] == situation.rounds[1].encounters[1]


def test_a_winner_made_of_a_double_forfeit_takes_the_place_in_a_bye() -> None:
    format_, field = KNOCKOUT, Situation(field_of(4))
    situation = open_next(format_, play(format_, field, upsets={"R1M1": Outcome.DOUBLE_FORFEIT}, rounds=1))
    assert encounter(situation, "R2M1").fixture.seats == ("e2",)
    found = correct(format_, situation, "R1M1", Result(Outcome.FIRST_WINS))
    assert pairs(found.others[0].opened) == {"R2M1": {"e1", "e2"}}


def test_a_double_forfeit_leaves_the_opponent_a_bye() -> None:
    situation = open_next(KNOCKOUT, play(KNOCKOUT, Situation(field_of(4)), rounds=1))
    found = correct(KNOCKOUT, situation, "R1M1", Result(Outcome.DOUBLE_FORFEIT))
    bye = encounter(found.corrected, "R2M1")
    assert (bye.fixture.seats, bye.is_decided) == (("e2",), True)


def test_winners_and_losers_change_places_in_a_double_elimination() -> None:
    format_ = DoubleElimination()
    situation = open_next(format_, play(format_, Situation(field_of(4)), rounds=1))
    found = upset(format_, situation, situation.rounds[0].encounters[0].fixture.slot)
    (other,) = found.others
    assert len(other.replaced) == len(other.opened) == 2
    seated = sorted(seat for fixture in other.opened for seat in fixture.seats)
    assert seated == ["e1", "e2", "e3", "e4"]


def test_where_the_losers_have_played_on_the_winners_stand_too() -> None:
    format_ = DoubleElimination()
    situation = open_next(format_, play(format_, Situation(field_of(4)), rounds=1))
    winners, losers = (e.fixture.slot for e in situation.rounds[1].encounters)
    for played, open_ in ((winners, losers), (losers, winners)):
        now = decided(situation, played)
        found = upset(format_, now, situation.rounds[0].encounters[0].fixture.slot)
        assert found.corrected.rounds[1] == now.rounds[1], f"{open_} holds somebody who sits in {played}"


def test_who_has_played_on_as_the_loser_goes_on_so_although_the_result_was_corrected() -> None:
    format_ = DoubleElimination()
    situation = Situation(field_of(8))
    for slots in (("W1M1", "W1M2", "W1M3", "W1M4"), ("W2M1", "W2M2", "L1M1", "L1M2"), ("L2M1", "L2M2")):
        situation = decided(open_next(format_, situation), *slots)
    loser, winner = "e4", "e1"  # of W2M1, whose loser has won in the losers' bracket since
    assert pairs((encounter(situation, "W2M1").fixture,)) == {"W2M1": {winner, loser}}
    following = open_next(format_, upset(format_, situation, "W2M1").corrected)
    seats = pairs(tuple(e.fixture for e in following.rounds[-1].encounters))
    assert (winner in seats["W3M1"], loser in seats["W3M1"], loser in seats["L3M1"]) == (True, False, True)


@pytest.mark.parametrize("size", [3, 4, 5, 6, 9])
@pytest.mark.parametrize("reset", [True, False])
def test_nobody_ever_sits_in_both_brackets_however_much_is_corrected(size: int, reset: bool) -> None:
    for seed in range(40):
        driver = start(DoubleElimination(reset=reset), size, random.Random(seed), disturb=correct_something)
        assert isinstance(driver.run(), Finished)
        first = {line.entrant for line in driver.format.standings(driver.situation) if line.rank == 1}
        finalists = set(driver.situation.rounds[-1].encounters[-1].fixture.seats)
        assert first <= finalists, "nobody is first who did not play for it"


def test_who_missed_a_winners_round_after_a_double_forfeit_is_not_first() -> None:
    format_ = DoubleElimination()
    situation = decided(open_next(format_, Situation(field_of(8))), "W1M1", "W1M2", "W1M3", "W1M4")
    situation = decided(open_next(format_, situation), "W2M1", "W2M2", "L1M1", "L1M2")
    both_away = Result(Outcome.DOUBLE_FORFEIT)
    situation = correct(format_, situation, "W2M1", both_away).corrected
    while isinstance(format_.next_round(situation), Open):
        situation = open_next(format_, situation)
        slots = [e.fixture.slot for e in situation.rounds[-1].encounters if not e.is_decided]
        situation = decided(situation, *slots)
    found = correct(format_, situation, "W2M1", Result(Outcome.FIRST_WINS))
    assert [line.entrant for line in found.before if line.rank == 1] == ["e2"]
    assert [line.entrant for line in found.after if line.rank == 1] == ["e2"]


def test_a_swiss_round_is_paired_anew_where_nobody_has_played_it() -> None:
    situation = open_next(SWISS, play(SWISS, Situation(field_of(8)), rounds=1))
    found = upset(SWISS, situation, "1.1")
    (other,) = found.others
    assert other.stands == ()
    assert other.replaced
    assert sorted(f.slot for f in other.opened) == sorted(f.slot for f in other.replaced)
    anew = open_next(SWISS, replace(found.corrected, rounds=found.corrected.rounds[:1]))
    meetings = {frozenset(e.fixture.seats) for e in anew.rounds[1].encounters}
    assert {frozenset(e.fixture.seats) for e in found.corrected.rounds[1].encounters} == meetings


def test_a_swiss_table_that_was_played_stands_with_all_who_would_have_met_its_people() -> None:
    situation = open_next(SWISS, play(SWISS, Situation(field_of(8)), rounds=1))
    played = encounter(upset(SWISS, situation, "1.1").corrected, "2.1")
    first = next(
        e.fixture.slot for e in situation.rounds[1].encounters if set(e.fixture.seats) & set(played.fixture.seats)
    )
    now = decided(situation, first)
    found = upset(SWISS, now, "1.1")
    seats = sorted(seat for e in found.corrected.rounds[1].encounters for seat in e.fixture.seats)
    assert seats == sorted(f"e{n}" for n in range(1, 9))
    assert encounter(found.corrected, first) == encounter(now, first)


def test_manual_pairs_are_kept_when_their_round_is_paired_anew() -> None:
    wishes = Wishes(Rulings(manual_pairs=(Pairing(EntrantId("e1"), EntrantId("e7")),)))
    situation = play(SWISS, Situation(field_of(8)), rounds=1)
    situation = replace(open_next(SWISS, replace(situation, rulings=wishes.rulings)), rulings=Rulings())
    found = correct(SWISS, situation, "1.2", turned(situation, "1.2"), wishes={2: wishes})
    assert {"e1", "e7"} in [set(e.fixture.seats) for e in found.corrected.rounds[1].encounters]


def test_who_advances_from_the_groups_is_settled_anew_while_the_next_stage_is_unplayed() -> None:
    situation = open_next(GROUPS, play(GROUPS, Situation(field_of(8)), rounds=3))
    last = next(e for e in situation.encounters() if set(e.fixture.seats) == {"e4", "e5"})
    assert {"e1", "e4"} <= {seat for e in situation.rounds[3].encounters for seat in e.fixture.seats}
    found = upset(GROUPS, situation, last.fixture.slot)
    qualified = {seat for e in found.corrected.rounds[3].encounters for seat in e.fixture.seats}
    assert {"e1", "e5"} <= qualified
    assert "e4" not in qualified


def test_a_round_robin_is_never_drawn_up_anew_and_ranks_that_change_are_told() -> None:
    format_ = RoundRobin(tie_breaks=())
    situation = play_robin(format_, Situation(field_of(4)))
    assert encounter(situation, "1.1").fixture.seats == ("e1", "e4")
    found = correct(format_, situation, "1.1", Result(Outcome.SECOND_WINS))
    assert found.others == ()
    ranks = {line.entrant: line.rank for line in found.before}
    new = {line.entrant: line.rank for line in found.after}
    assert set(found.moved) == {Moved(name, ranks[name], new[name]) for name in ranks if ranks[name] != new[name]}
    assert EntrantId("e4") in {moved.entrant for moved in found.moved}


def test_a_correction_that_changes_nobody_s_way_changes_no_round() -> None:
    situation = play(KNOCKOUT, Situation(field_of(4)))
    same = encounter(situation, "R1M2").result
    assert same is not None
    found = correct(KNOCKOUT, situation, "R1M2", same)
    assert (found.others, found.moved) == ((), ())


@pytest.mark.parametrize("slot", ["R9M9", "R2M1"])
def test_only_decided_encounters_can_be_corrected(slot: str) -> None:
    situation = open_next(KNOCKOUT, play(KNOCKOUT, Situation(field_of(4)), rounds=1))
    with pytest.raises(InvalidHistoryError):
        correct(KNOCKOUT, situation, slot, Result(Outcome.DRAW))


def test_a_bye_has_no_result_to_correct() -> None:
    situation = play(KNOCKOUT, Situation(field_of(3)))
    with pytest.raises(InvalidHistoryError, match="nothing was played"):
        correct(KNOCKOUT, situation, "R1M1", Result(Outcome.FIRST_WINS))

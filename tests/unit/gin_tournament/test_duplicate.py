"""Duplicate: the same deals everywhere, and what counts is the difference to the field."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from gin_tournament.arena import Arena
from gin_tournament.duplicate import Duplicate, compared, differences, gains
from gin_tournament.errors import InvalidFormatError
from gin_tournament.format import Deals, Encounter, Fixture, Open, OpenedRound, Result, Situation, Waiting
from gin_tournament.model import EntrantId, Outcome, Tally
from gin_tournament.round_robin import RoundRobin
from gin_tournament.single_elimination import SingleElimination
from gin_tournament.swiss_rounds import Swiss
from tests.property.format_driver import field_of

W, L = Outcome.FIRST_WINS, Outcome.SECOND_WINS
FORMAT = Duplicate(Swiss(rounds=3, tie_breaks=()), hands=8)


def table(number: int, first: int, second: int, ours: int, theirs: int, outcome: Outcome | None = W) -> Encounter:
    fixture = Fixture(f"1.{number}", (EntrantId(f"e{first}"), EntrantId(f"e{second}")))
    return Encounter(fixture, None if outcome is None else Result(outcome, tallies=(Tally(ours), Tally(theirs))))


# Three tables with the same cards: the first side is 60, 30 and 0 points ahead.
ROUND = OpenedRound(1, (table(1, 1, 4, 80, 20), table(2, 2, 5, 50, 20), table(3, 3, 6, 40, 40)))


def test_difference_is_to_the_mean_of_the_others_who_held_the_same_cards() -> None:
    assert differences(ROUND) == {"1.1": 60 - Fraction(30, 2), "1.2": 0, "1.3": -45}


def test_who_won_by_less_than_the_field_has_lost_in_the_eyes_of_the_format() -> None:
    seen = compared(Situation(field_of(6), (ROUND,)))
    assert [encounter.outcome for encounter in seen.encounters()] == [W, Outcome.DRAW, L]


def test_standings_are_by_the_sum_of_differences_and_those_add_up_to_nothing() -> None:
    lines = FORMAT.standings(Situation(field_of(6), (ROUND,)))
    assert [(line.rank, line.entrant, line.points) for line in lines] == [
        *[(1, "e1", 45), (1, "e6", 45), (3, "e2", 0), (3, "e5", 0), (5, "e3", -45), (5, "e4", -45)]
    ]
    assert sum(line.points for line in lines) == 0
    assert FORMAT.columns[0] == "match_points"
    assert lines[0].tie_breaks[0] == 1


def test_forfeited_table_is_no_part_of_the_field() -> None:
    forfeited = table(3, 3, 6, 0, 0, Outcome.SECOND_FORFEITS)
    opened = OpenedRound(1, (*ROUND.encounters[:2], forfeited))
    assert differences(opened) == {"1.1": 30, "1.2": -30}
    seen = compared(Situation(field_of(6), (opened,)))
    assert [encounter.outcome for encounter in seen.encounters()] == [W, L, Outcome.SECOND_FORFEITS]


def given_up(number: int, first: int, second: int, ours: int, theirs: int, outcome: Outcome) -> Encounter:
    told = table(number, first, second, ours, theirs, outcome)
    assert told.result is not None
    return told._replace(result=told.result._replace(given_up=True))


def test_table_given_up_is_no_part_of_the_field_and_stays_lost() -> None:
    opened = OpenedRound(1, (*ROUND.encounters[:2], given_up(3, 3, 6, 90, 0, L)))
    assert differences(opened) == {"1.1": 30, "1.2": -30}
    assert compared(Situation(field_of(6), (opened,))).rounds[0].encounters[2].outcome is L


def test_nobody_gains_by_giving_up_while_ahead_and_the_opponent_loses_nothing() -> None:
    opened = OpenedRound(1, (*ROUND.encounters[:2], given_up(3, 3, 6, 90, 0, L)))
    assert gains(opened)["1.3"] == (-30, 0), "the lowest difference of the round"


def test_nobody_escapes_a_worse_difference_by_giving_up_and_the_opponent_keeps_the_gain() -> None:
    opened = OpenedRound(1, (*ROUND.encounters[:2], given_up(3, 3, 6, 0, 90, L)))
    assert gains(opened)["1.3"] == (-90 - 45, 90 + 45)


def test_who_does_not_come_has_the_lowest_difference_and_the_opponent_none() -> None:
    absent = table(3, 3, 6, 0, 0, Outcome.FIRST_FORFEITS)
    neither = table(4, 7, 8, 0, 0, Outcome.DOUBLE_FORFEIT)
    opened = OpenedRound(1, (*ROUND.encounters[:2], absent, neither))
    assert (gains(opened)["1.3"], gains(opened)["1.4"]) == ((-30, 0), (-30, -30))
    lines = {line.entrant: line.points for line in FORMAT.standings(Situation(field_of(8), (opened,)))}
    assert [lines[EntrantId(f"e{n}")] for n in (3, 6, 7, 8)] == [-30, 0, -30, -30]


def test_an_annulled_table_a_bye_and_a_withdrawal_announced_before_the_round_count_for_nobody() -> None:
    void = table(3, 3, 6, 90, 0, Outcome.VOID)
    settled = table(4, 7, 8, 0, 0, Outcome.SECOND_FORFEITS)
    settled = settled._replace(fixture=settled.fixture._replace(settled=Outcome.SECOND_FORFEITS))
    bye = Encounter(Fixture("1.5", (EntrantId("e9"),)), Result())
    assert set(gains(OpenedRound(1, (*ROUND.encounters[:2], void, settled, bye)))) == {"1.1", "1.2"}


def test_tables_are_compared_with_those_that_played_the_same_cards_alone() -> None:
    def with_key(encounter: Encounter, key: str) -> Encounter:
        return encounter._replace(fixture=encounter.fixture._replace(deals=Deals(key, 4)))

    keys = ("round 1", "round 1", "round 1, anew")
    opened = OpenedRound(1, tuple(with_key(e, key) for e, key in zip(ROUND.encounters, keys, strict=True)))
    assert differences(opened) == {"1.1": 30, "1.2": -30, "1.3": 0}


def test_table_alone_is_compared_with_nobody() -> None:
    assert differences(OpenedRound(1, ROUND.encounters[:1])) == {"1.1": 60}


def test_no_table_is_decided_before_the_last_of_its_round() -> None:
    under_way = OpenedRound(1, (*ROUND.encounters[:2], table(3, 3, 6, 0, 0, None)))
    situation = Situation(field_of(6), (under_way,))
    assert [encounter.outcome for encounter in compared(situation).encounters()] == [None, None, None]
    assert FORMAT.next_round(situation) == Waiting()
    assert [line.points for line in FORMAT.standings(situation)] == [30, 30, 0, 0, -30, -30]


def test_all_tables_of_a_round_play_the_same_deals_and_every_round_others() -> None:
    first = FORMAT.next_round(Situation(field_of(6)))
    second = FORMAT.next_round(Situation(field_of(6), (ROUND,)))
    assert isinstance(first, Open)
    assert isinstance(second, Open)
    assert {fixture.deals for fixture in first.fixtures} == {Deals("round 1", 8)}
    assert {fixture.deals for fixture in second.fixtures} == {Deals("round 2", 8)}


def test_bye_and_settled_encounters_have_no_deals() -> None:
    robin = Duplicate(RoundRobin(), mirrored=True)
    opened = robin.next_round(Situation(field_of(5)))
    assert isinstance(opened, Open)
    assert [fixture.deals for fixture in opened.fixtures] == [Deals("round 1", 4, True)] * 2 + [None]


def test_level_table_of_a_knockout_advances_the_better_seed_as_fixed_deals_end() -> None:
    knockout = Duplicate(SingleElimination(), ranking="format")
    opened = knockout.next_round(Situation(field_of(4)))
    assert isinstance(opened, Open)
    assert not any(fixture.must_decide for fixture in opened.fixtures)
    level = tuple(Encounter(f, Result(L, tallies=(Tally(9), Tally(9)))) for f in opened.fixtures)
    situation = Situation(field_of(4), (OpenedRound(1, level),))
    final = knockout.next_round(situation)
    assert isinstance(final, Open)
    assert set(final.fixtures[0].seats) == {"e1", "e2"}
    assert [line.entrant for line in knockout.standings(situation)][:2] == ["e1", "e2"]


def test_progress_is_the_running_difference() -> None:
    again = replace(Situation(field_of(6), (ROUND, ROUND._replace(number=2))))
    lines = {line.entrant: line.progress for line in FORMAT.standings(again)}
    assert lines[EntrantId("e1")] == (45, 90)


@pytest.mark.parametrize(
    "wrong",
    [
        {"format": Arena()},
        {"format": Duplicate(Swiss())},
        {"format": Swiss(best_of=3)},
        {"format": SingleElimination(best_of_last=(3,))},
        {"format": Swiss(), "hands": 0},
        {"format": Swiss(), "ranking": "mood"},
    ],
)
def test_formats_without_rounds_and_longer_matches_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidFormatError):
        Duplicate(**wrong)  # type: ignore[arg-type]

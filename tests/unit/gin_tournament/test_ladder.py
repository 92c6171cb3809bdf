"""Ladder: who may challenge whom, and what a challenge changes."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from gin_tournament.errors import InvalidFormatError
from gin_tournament.format import Challenge, Encounter, Fixture, Open, OpenedRound, Result, Situation, Waiting
from gin_tournament.ladder import Ladder, Refusal, order
from gin_tournament.model import Entrant, EntrantId, Outcome
from tests.property.format_driver import field_of

LADDER = Ladder(reach=2)


def challenge(challenger: int, opponent: int) -> Challenge:
    return Challenge(EntrantId(f"e{challenger}"), EntrantId(f"e{opponent}"))


def played(*encounters: tuple[int, int, Outcome | None]) -> Situation:
    """A ladder of six after these encounters; the challenger sits first."""
    rounds = tuple(
        OpenedRound(
            number,
            (Encounter(Fixture(f"{number}.1", challenge(one, other)), None if outcome is None else Result(outcome)),),
        )
        for number, (one, other, outcome) in enumerate(encounters, 1)
    )
    return Situation(field_of(6), rounds)


def ladder(situation: Situation) -> str:
    return " ".join(name.removeprefix("e") for name in order(situation))


def test_challenger_who_wins_changes_places_with_the_opponent() -> None:
    assert ladder(played((3, 1, Outcome.FIRST_WINS))) == "3 2 1 4 5 6"
    assert ladder(played((3, 1, Outcome.SECOND_FORFEITS))) == "3 2 1 4 5 6"


@pytest.mark.parametrize(
    "outcome",
    [Outcome.SECOND_WINS, Outcome.DRAW, Outcome.VOID, Outcome.FIRST_FORFEITS, Outcome.DOUBLE_FORFEIT, None],
)
def test_nothing_else_changes_the_ladder(outcome: Outcome | None) -> None:
    assert ladder(played((3, 1, outcome))) == "1 2 3 4 5 6"


def test_later_challenges_start_from_the_new_order() -> None:
    assert ladder(played((3, 1, Outcome.FIRST_WINS), (1, 2, Outcome.FIRST_WINS))) == "3 1 2 4 5 6"


def test_order_in_which_challenges_under_way_end_does_not_matter() -> None:
    first_open = played((3, 1, None), (4, 2, Outcome.FIRST_WINS))
    assert ladder(first_open) == "1 4 3 2 5 6"
    both = played((3, 1, Outcome.FIRST_WINS), (4, 2, Outcome.FIRST_WINS))
    assert ladder(both) == "3 4 1 2 5 6"


@pytest.mark.parametrize(
    ("wanted", "refusal"),
    [
        ((3, 2), None),
        ((3, 1), None),
        ((4, 1), Refusal.OUT_OF_REACH),
        ((1, 2), Refusal.NOT_ABOVE),
        ((2, 2), Refusal.NOT_ABOVE),
        ((9, 1), Refusal.NOT_ON_THE_LADDER),
        ((6, 5), Refusal.BUSY),
        ((5, 4), Refusal.BUSY),
    ],
)
def test_only_those_within_reach_above_who_are_free_can_be_challenged(
    wanted: tuple[int, int], refusal: Refusal | None
) -> None:
    assert LADDER.refusal(played((5, 3, Outcome.DRAW), (5, 4, None)), challenge(*wanted)) is refusal


def test_who_rests_is_not_challenged() -> None:
    situation = replace(played(), sitting_out=frozenset({EntrantId("e1")}))
    assert LADDER.refusal(situation, challenge(2, 1)) is Refusal.RESTING


def test_challenges_open_in_the_order_in_which_they_came_and_nobody_twice() -> None:
    situation = replace(played(), challenges=(challenge(3, 1), challenge(2, 1), challenge(6, 3), challenge(5, 4)))
    answer = LADDER.next_round(situation)
    assert isinstance(answer, Open)
    assert [set(fixture.seats) for fixture in answer.fixtures] == [{"e3", "e1"}, {"e5", "e4"}]
    assert LADDER.next_round(played()) == Waiting()


def test_who_enters_starts_at_the_bottom_and_who_leaves_lets_the_others_move_up() -> None:
    situation = played((3, 1, Outcome.FIRST_WINS))
    assert LADDER.admits_late_entry(situation)
    grown = replace(situation, entrants=(*situation.entrants, Entrant(EntrantId("e7"), 7)))
    shrunk = replace(grown, withdrawn=frozenset({EntrantId("e2")}))
    assert ladder(shrunk) == "3 1 4 5 6 7"
    assert [(line.rank, line.entrant) for line in LADDER.standings(shrunk)][-2:] == [(6, "e7"), (7, "e2")]


def test_withdrawn_player_cannot_be_challenged() -> None:
    situation = replace(played(), withdrawn=frozenset({EntrantId("e2")}))
    assert LADDER.refusal(situation, challenge(3, 2)) is Refusal.NOT_ON_THE_LADDER
    assert LADDER.refusal(situation, challenge(4, 1)) is None


def test_ladder_without_reach_is_refused() -> None:
    with pytest.raises(InvalidFormatError):
        Ladder(reach=0)


def test_whatever_happens_everybody_who_stays_has_exactly_one_place() -> None:
    rng = random.Random(11)
    situation = Situation(field_of(9))
    for _ in range(300):
        here = [entrant.id for entrant in situation.present]
        if rng.random() < 0.05 and len(here) > 3:
            situation = replace(situation, withdrawn=situation.withdrawn | {rng.choice(here)})
        if rng.random() < 0.05:
            seed = len(situation.entrants) + 1
            situation = replace(situation, entrants=(*situation.entrants, Entrant(EntrantId(f"e{seed}"), seed)))
        wanted = tuple(Challenge(*rng.sample(here, 2)) for _ in range(4))
        answer = LADDER.next_round(replace(situation, challenges=wanted))
        if isinstance(answer, Open):
            places = order(situation)
            for fixture in answer.fixtures:
                one, other = (places.index(seat) for seat in fixture.seats)
                assert 1 <= abs(one - other) <= 2
            assert not situation.busy() & {seat for fixture in answer.fixtures for seat in fixture.seats}
            situation = replace(situation, rounds=(*situation.rounds, answer.opened()))
        situation = end_some(situation, rng)
        assert sorted(order(situation)) == sorted(entrant.id for entrant in situation.present)


def end_some(situation: Situation, rng: random.Random) -> Situation:
    """Every other encounter under way ends, somehow."""
    rounds = tuple(
        opened._replace(
            encounters=tuple(
                e if e.is_decided or rng.random() < 0.5 else e._replace(result=Result(rng.choice(list(Outcome))))
                for e in opened.encounters
            )
        )
        for opened in situation.rounds
    )
    return replace(situation, rounds=rounds)

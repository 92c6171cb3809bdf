"""Standings: order, shared ranks, earlier rounds, movement, other scoring."""

from __future__ import annotations

from fractions import Fraction

import pytest

from gin_tournament.errors import InvalidHistoryError, UnknownTieBreakError
from gin_tournament.model import (
    Bye,
    ByeKind,
    DecidedPairing,
    Entrant,
    EntrantId,
    Outcome,
    Pairing,
    Round,
    Scoring,
)
from gin_tournament.standings import movements, rank

A, B, C, D = (EntrantId(letter) for letter in "ABCD")
ENTRANTS = [Entrant(D, 4), Entrant(C, 3), Entrant(B, 2), Entrant(A, 1)]
HISTORY = (
    Round(
        1,
        (
            DecidedPairing(Pairing(A, C), Outcome.FIRST_WINS),
            DecidedPairing(Pairing(D, B), Outcome.FIRST_WINS),
        ),
    ),
    Round(
        2,
        (DecidedPairing(Pairing(A, D), Outcome.SECOND_WINS),),
        (Bye(B, ByeKind.PAIRING_ALLOCATED), Bye(C, ByeKind.REQUESTED_HALF)),
    ),
)


def test_more_points_rank_higher_and_those_level_in_everything_share_a_rank_in_seed_order() -> None:
    lines = rank(ENTRANTS, HISTORY)
    assert [(line.rank, line.entrant, line.points) for line in lines] == [
        (1, D, 2),
        (2, A, 1),
        (2, B, 1),
        (4, C, Fraction(1, 2)),
    ]


def test_tie_breaks_apply_in_the_order_published() -> None:
    # B's bye is no win, so wins put A first; lots alone may put either first, always the same.
    by_wins = rank(ENTRANTS, HISTORY, ["wins", "lots"], seed=3)
    assert [line.entrant for line in by_wins] == [D, A, B, C]
    by_lots = {tuple(line.entrant for line in rank(ENTRANTS, HISTORY, ["lots"], seed=seed)) for seed in range(9)}
    assert by_lots == {(D, A, B, C), (D, B, A, C)}


def test_shorter_history_gives_the_standings_as_of_an_earlier_round() -> None:
    lines = rank(ENTRANTS, HISTORY[:1])
    assert [(line.rank, line.entrant) for line in lines] == [(1, A), (1, D), (3, B), (3, C)]
    assert movements(lines, rank(ENTRANTS, HISTORY)) == {D: 0, A: -1, B: 1, C: -1}


def test_line_tells_how_the_points_came_about() -> None:
    by_name = {line.entrant: line for line in rank(ENTRANTS, HISTORY)}
    assert by_name[B].progress == (Fraction(0), Fraction(1))
    assert (by_name[B].played, by_name[B].wins, by_name[B].losses, by_name[B].byes) == (1, 0, 1, 1)
    assert (by_name[D].played, by_name[D].wins, by_name[D].byes) == (2, 2, 0)


def test_forfeits_score_but_are_not_played() -> None:
    history = (Round(1, (DecidedPairing(Pairing(A, B), Outcome.FIRST_FORFEITS),)),)
    by_name = {line.entrant: line for line in rank(ENTRANTS, history)}
    assert (by_name[B].points, by_name[B].played, by_name[B].forfeit_wins) == (Fraction(1), 0, 1)
    assert (by_name[A].points, by_name[A].played, by_name[A].forfeit_losses) == (Fraction(0), 0, 1)


def test_absent_entrant_has_no_points_and_no_bye() -> None:
    history = (Round(1, (DecidedPairing(Pairing(A, B), Outcome.DRAW),)),)
    by_name = {line.entrant: line for line in rank(ENTRANTS, history)}
    assert (by_name[C].points, by_name[C].played, by_name[C].byes) == (Fraction(0), 0, 0)


def test_other_scoring_systems_stay_exact() -> None:
    scoring = Scoring(win=Fraction(3), draw=Fraction(1), bye=Fraction(3), half_bye=Fraction(4, 3))
    points = {line.entrant: line.points for line in rank(ENTRANTS, HISTORY, scoring=scoring)}
    assert points == {D: 6, A: 3, B: 3, C: Fraction(4, 3)}


def test_unknown_tie_break_is_refused() -> None:
    with pytest.raises(UnknownTieBreakError):
        rank(ENTRANTS, HISTORY, ["luck"])


def test_rounds_out_of_order_are_refused() -> None:
    with pytest.raises(InvalidHistoryError):
        rank(ENTRANTS, HISTORY[::-1])


def test_tournament_without_rounds_ranks_everybody_first() -> None:
    assert {line.rank for line in rank(ENTRANTS, (), ["buchholz", "opponent_match_win", "koya"])} == {1}

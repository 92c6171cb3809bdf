"""Reading the history: what is refused, and which outcomes count as an encounter."""

from __future__ import annotations

from fractions import Fraction

import pytest

from gin_tournament.errors import InvalidEntrantsError, InvalidHistoryError
from gin_tournament.ledger import NOBODY, Kind, read
from gin_tournament.model import Bye, ByeKind, DecidedPairing, Entrant, EntrantId, Outcome, Pairing, Round

A, B, C = (EntrantId(letter) for letter in "ABC")
ENTRANTS = [Entrant(A, 1), Entrant(B, 2), Entrant(C, 3)]


def test_only_wins_and_draws_over_the_table_are_encounters() -> None:
    played = {outcome for outcome in Outcome if outcome.is_played}
    assert played == {Outcome.FIRST_WINS, Outcome.SECOND_WINS, Outcome.DRAW}


def test_every_entrant_has_one_cell_per_round_and_who_is_not_named_was_absent() -> None:
    history = (
        Round(1, (DecidedPairing(Pairing(A, B), Outcome.DRAW),)),
        Round(2, (DecidedPairing(Pairing(B, C), Outcome.FIRST_WINS),), (Bye(A, ByeKind.REQUESTED_HALF),)),
    )
    ledger = read(ENTRANTS, history)
    assert [[cell.kind for cell in row] for row in ledger.rows] == [
        [Kind.DRAW, Kind.REQUESTED_HALF_BYE],
        [Kind.DRAW, Kind.WIN],
        [Kind.ABSENT, Kind.LOSS],
    ]
    assert ledger.rows[2][0].opponent == NOBODY
    assert [ledger.points(total) for total in ledger.totals] == [1, Fraction(3, 2), 0]


@pytest.mark.parametrize("entrants", [[Entrant(A, 1), Entrant(A, 2)], [Entrant(A, 1), Entrant(B, 1)]])
def test_doubled_id_or_seed_is_refused(entrants: list[Entrant]) -> None:
    with pytest.raises(InvalidEntrantsError):
        read(entrants, ())


def test_entrant_with_a_game_and_a_bye_in_one_round_is_refused() -> None:
    both = Round(1, (DecidedPairing(Pairing(A, B), Outcome.DRAW),), (Bye(A, ByeKind.REQUESTED_HALF),))
    with pytest.raises(InvalidHistoryError):
        read(ENTRANTS, (both,))


def test_the_same_round_twice_is_refused() -> None:
    with pytest.raises(InvalidHistoryError):
        read(ENTRANTS, (Round(1), Round(1)))

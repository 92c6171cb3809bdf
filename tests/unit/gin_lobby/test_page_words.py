"""Words on the lobby's pages."""

from __future__ import annotations

from uuid import UUID

import pytest

from gin_lobby.domain.tournament import PairingId, PairingRow, PlayerId
from gin_lobby.pages.pairing_lines import line_of
from gin_lobby.pages.site import kind_of, state_name
from gin_tournament.format import Fixture
from gin_tournament.model import EntrantId
from gin_tournament.storage import fixture_to_json

ANN, BOB = PlayerId(UUID(int=1)), PlayerId(UUID(int=2))


def pairing(result: str, first_score: int, second_score: int) -> PairingRow:
    fixture = fixture_to_json(Fixture("1.1", (EntrantId(str(ANN)), EntrantId(str(BOB)))))
    return PairingRow(PairingId(UUID(int=3)), 1, 1, "1.1", fixture, ANN, BOB, result, None, first_score, second_score)


@pytest.mark.parametrize(
    ("result", "points", "notes"),
    [
        ("first_wins", (104, 60), ["", ""]),
        ("first_wins", (0, 0), ["by forfeit", ""]),
        ("second_wins", (40, 12), ["", "by forfeit"]),
        ("draw", (50, 50), ["", ""]),
    ],
)
def test_a_win_without_more_points_is_called_what_it_is(result: str, points: tuple[int, int], notes: list[str]) -> None:
    line = line_of(pairing(result, *points), [], {ANN: "Ann", BOB: "Bob"})
    assert [seat.note for seat in line.seats] == notes
    assert line.score == f"{points[0]}–{points[1]}"


def test_formats_and_states_are_called_as_the_desk_calls_them() -> None:
    assert kind_of({"kind": "single_elimination"}) == "Knockout"
    assert kind_of({"kind": "duplicate", "format": {"kind": "round_robin"}}) == "Duplicate round robin"
    assert (state_name("registration"), state_name("check_in")) == ("registration open", "check-in")

"""A pairing as one line of a table for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from gin_lobby.domain.encounters import BYE, PLACES, played, players_of
from gin_lobby.domain.tournament import MatchRow, PairingRow, PlayerId
from gin_tournament.model import EntrantId, Outcome
from gin_tournament.storage import fixture_from_json, result_from_json

_WON = {
    Outcome.FIRST_WINS.value: {0},
    Outcome.SECOND_FORFEITS.value: {0},
    Outcome.SECOND_WINS.value: {1},
    Outcome.FIRST_FORFEITS.value: {1},
}
_BY_PLAY = frozenset({"first_wins", "second_wins", "draw"})


@dataclass(frozen=True, slots=True)
class Seat:
    """`note` is a place with game points at a table of three or four."""

    name: str
    won: bool
    note: str


@dataclass(frozen=True, slots=True)
class PairingLine:
    """`score` stands between two; `seats` are one for a bye, two, or all of a larger table.

    In a duplicate whoever gained on the field has won, and `note` of a seat says how much.
    """

    round_number: int
    table_number: int
    seats: tuple[Seat, ...]
    score: str
    is_decided: bool


def line_of(
    pairing: PairingRow,
    matches: Sequence[MatchRow],
    names: Mapping[PlayerId, str],
    gained: tuple[Fraction, Fraction] | None = None,
) -> PairingLine:
    """`matches` are those of a best of several, whose score is in matches; else the score is in game points.

    `gained` are the differences of a duplicate.
    """
    fixture = fixture_from_json(pairing.fixture)
    seats = [names[player] for player in players_of(fixture.seats)]
    won, notes = _WON.get(pairing.result or "", set()), [""] * len(seats)
    if pairing.result == PLACES:
        result = result_from_json(pairing.ended or {})
        won = {seat for seat, place in enumerate(result.places) if place == 1}
        notes = [
            f"{_ordinal(place)}, {result.tally(seat).game_points}" if place else "did not come"
            for seat, place in enumerate(result.places)
        ]
    if won and _without_points(pairing):
        notes = ["by forfeit" if at in won else "" for at in range(len(seats))]
    if gained is not None:
        won = {at for at, gain in enumerate(gained) if gain > 0}
        notes = [_signed(gain) for gain in gained]
    return PairingLine(
        pairing.round_number,
        pairing.table_number,
        tuple(Seat(name, at in won, notes[at]) for at, name in enumerate(seats)),
        _score(pairing, fixture.seats, matches),
        pairing.result is not None,
    )


def _score(pairing: PairingRow, seats: Sequence[EntrantId], matches: Sequence[MatchRow]) -> str:
    over = [played(match) for match in matches if match.ended is not None]
    if over and pairing.result in (None, *_BY_PLAY):
        wins = dict.fromkeys(seats, 0)
        for match in over:
            for at in _WON.get(match.result.outcome.value if match.result.outcome else "", set()):
                wins[match.seats[at]] += 1
        return f"{wins[seats[0]]}–{wins[seats[1]]}" + ("" if pairing.result else " …")
    if pairing.result is None:
        return "…"
    if pairing.result in _BY_PLAY:
        return f"{pairing.first_score}–{pairing.second_score}"
    return "" if pairing.result in (BYE, PLACES) else pairing.result.replace("_", " ")


def _without_points(pairing: PairingRow) -> bool:
    """Whether the winner of a played match had no more points than the loser, who gave up or ran out of time."""
    points = [pairing.first_score or 0, pairing.second_score or 0]
    if pairing.result not in ("first_wins", "second_wins") or pairing.fixture.get("best_of", 1) > 1:
        return False
    return max(points) != points[0 if pairing.result == "first_wins" else 1] or points[0] == points[1]


def _signed(gain: Fraction) -> str:
    """A difference for people: `+45`, `−22.5`, `0`, with a true minus sign."""
    text = f"{abs(float(gain)):.2f}".rstrip("0").rstrip(".")
    return text if gain == 0 else ("+" if gain > 0 else "−") + text


def _ordinal(place: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(place, f"{place}th")

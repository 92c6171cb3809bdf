"""Cross tables: everybody's results at a glance.

A round robin is a square: a row and a column for each, in the order of the standings. Anything else has a column for
each round, in which everybody's opponent stands by rank. Stages have one table for each group of each stage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from gin_tournament.catalogue import tables
from gin_tournament.duplicate import Duplicate, compared
from gin_tournament.format import Encounter, Format, Situation
from gin_tournament.model import ByeKind, EntrantId, Outcome
from gin_tournament.round_robin import RoundRobin
from gin_tournament.stages import Stages
from gin_tournament.standings import Standing

EVERYBODY = "everybody"
ROUNDS = "rounds"


class Meeting(NamedTuple):
    """One encounter from one side: `opponents` are none for a bye, one, or the others of a table.

    `result` is one of `win`, `draw`, `loss`, `forfeit_win`, `forfeit_loss`, `void`, `bye`, `half_bye`, `zero_bye`,
    `place` (then `place` says which, 0 for who did not come), or None while it is played. `first` deals first.
    """

    round: int
    opponents: tuple[EntrantId, ...]
    result: str | None
    place: int = 0
    first: bool = False


class Row(NamedTuple):
    """`cells` has one list for each column: the meetings with that opponent, or of that round; most have one."""

    standing: Standing
    cells: tuple[tuple[Meeting, ...], ...]


class CrossTable(NamedTuple):
    """`layout` is `EVERYBODY` or `ROUNDS`; `columns` are the entrants or the rounds that the cells stand for."""

    stage: int
    group: str
    layout: str
    columns: tuple[EntrantId, ...] | tuple[int, ...]
    rows: tuple[Row, ...]


_RESULTS = {
    Outcome.FIRST_WINS: ("win", "loss"),
    Outcome.SECOND_WINS: ("loss", "win"),
    Outcome.DRAW: ("draw", "draw"),
    Outcome.FIRST_FORFEITS: ("forfeit_loss", "forfeit_win"),
    Outcome.SECOND_FORFEITS: ("forfeit_win", "forfeit_loss"),
    Outcome.DOUBLE_FORFEIT: ("forfeit_loss", "forfeit_loss"),
    Outcome.VOID: ("void", "void"),
}
_BYES = {
    ByeKind.PAIRING_ALLOCATED: "bye",
    ByeKind.REQUESTED_HALF: "half_bye",
    ByeKind.REQUESTED_ZERO: "zero_bye",
}
LETTERS: Mapping[str, str] = {
    "win": "W",
    "draw": "D",
    "loss": "L",
    "forfeit_win": "X",
    "forfeit_loss": "F",
    "void": "N",
    "bye": "B",
    "half_bye": "H",
    "zero_bye": "Z",
}
"""One letter for each result, as club cross tables write them; a loss without play is F, a win without play X."""


def cross_tables(format_: Format, situation: Situation) -> tuple[CrossTable, ...]:
    """One table, or one for each group of each stage that has begun."""
    found = []
    for table in tables(format_, situation):
        seen = situation
        if isinstance(format_, Stages):
            seen = format_.seen_by(situation, table)
        if isinstance(table.format, Duplicate):
            seen = compared(seen)
        found.append(_cross_table(table.stage, table.group, table.format, table.lines, seen))
    return tuple(found)


def _cross_table(
    stage: int, group: str, format_: Format, lines: Sequence[Standing], situation: Situation
) -> CrossTable:
    meetings: dict[EntrantId, list[Meeting]] = {line.entrant: [] for line in lines}
    for opened in situation.rounds:
        for encounter in opened.encounters:
            for seat, entrant in enumerate(encounter.fixture.seats):
                if entrant in meetings:
                    meetings[entrant].append(_meeting(opened.number, encounter, seat))
    if isinstance(format_.format if isinstance(format_, Duplicate) else format_, RoundRobin):
        everybody = tuple(line.entrant for line in lines)
        rows = tuple(Row(line, _by_opponent(meetings[line.entrant], everybody)) for line in lines)
        return CrossTable(stage, group, EVERYBODY, everybody, rows)
    numbers = tuple(opened.number for opened in situation.rounds)
    rows = tuple(Row(line, _by_round(meetings[line.entrant], numbers)) for line in lines)
    return CrossTable(stage, group, ROUNDS, numbers, rows)


def _meeting(number: int, encounter: Encounter, seat: int) -> Meeting:
    fixture, result = encounter
    opponents = fixture.seats[:seat] + fixture.seats[seat + 1 :]
    if not opponents:
        return Meeting(number, (), _BYES[fixture.bye or ByeKind.PAIRING_ALLOCATED])
    if result is None:
        return Meeting(number, opponents, None, first=seat == 0)
    if result.outcome is not None:
        return Meeting(number, opponents, _RESULTS[result.outcome][min(seat, 1)], first=seat == 0)
    place = result.places[seat] if seat < len(result.places) else 0
    return Meeting(number, opponents, "place" if result.places else "void", place, seat == 0)


def _by_opponent(meetings: Sequence[Meeting], everybody: Sequence[EntrantId]) -> tuple[tuple[Meeting, ...], ...]:
    met: dict[EntrantId, list[Meeting]] = {}
    for meeting in meetings:
        for opponent in meeting.opponents:
            met.setdefault(opponent, []).append(meeting)
    return tuple(tuple(met.get(entrant, ())) for entrant in everybody)


def _by_round(meetings: Sequence[Meeting], numbers: Sequence[int]) -> tuple[tuple[Meeting, ...], ...]:
    by_number: dict[int, list[Meeting]] = {}
    for meeting in meetings:
        by_number.setdefault(meeting.round, []).append(meeting)
    return tuple(tuple(by_number.get(number, ())) for number in numbers)


def short(meeting: Meeting, ranks: Mapping[EntrantId, int], layout: str) -> str:
    """A cell in the fewest letters: `W12` is a win over rank 12, `W` the same where the column names the opponent,
    `2nd of 4` a place, `B` a bye, `·` what is being played."""
    if meeting.result is None:
        letter = "·"
    elif meeting.result == "place":
        return f"{ordinal(meeting.place)} of {len(meeting.opponents) + 1}" if meeting.place else "F"
    else:
        letter = LETTERS[meeting.result]
    if layout == EVERYBODY or len(meeting.opponents) != 1:
        return letter
    return f"{letter}{ranks.get(meeting.opponents[0], '')}"


def ordinal(place: int) -> str:
    ending = "th" if 10 <= place % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def points_text(points: Fraction) -> str:
    """Points as people write them: 3, 3.5, 0.33."""
    return str(points.numerator) if points.denominator == 1 else f"{float(points):.2f}".rstrip("0").rstrip(".")

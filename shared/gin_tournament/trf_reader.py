"""Reads a TRF26 report (`trf`), and the older TRF16 with the usual additions (XXR, XXZ), into a tournament.

Entrants are named by their starting ranks, which are their seeds. Rounds are those in which anybody was paired or
had the bye; the byes in the round after them are wishes for the round to come.

Known gaps: a full-point bye counts as the bye of an odd field, which it equals for who may have a bye again. Team
records, national ratings and penalty points (299 without a type) are refused or passed over, as the docs say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from gin_tournament.acceleration import baku
from gin_tournament.document import TournamentDocument
from gin_tournament.format import NO_CONTEST, Encounter, Fixture, OpenedRound, Result, Rulings, Situation
from gin_tournament.model import STANDARD_SCORING, ByeKind, Entrant, EntrantId, Outcome, Scoring
from gin_tournament.round_robin import RoundRobin
from gin_tournament.settings import DEFAULT_TIE_BREAKS, MOST_ROUNDS, ROUND_ROBIN_TIE_BREAKS
from gin_tournament.swiss_rounds import Swiss
from gin_tournament.trf import CODES, FIRST_ROUND_COLUMN, MOST_ENTRANTS, ROUND_WIDTH, InvalidTrfError

_TEAMS = {"013", "310", "320", "330", "300"}
_PLAYED = {"1": "1", "W": "1", "=": "=", "D": "=", "0": "0", "L": "0", "+": "+", "-": "-"}
_OUTCOMES = {
    ("1", "0"): Outcome.FIRST_WINS,
    ("0", "1"): Outcome.SECOND_WINS,
    ("=", "="): Outcome.DRAW,
    ("+", "-"): Outcome.SECOND_FORFEITS,
    ("-", "+"): Outcome.FIRST_FORFEITS,
    ("-", "-"): Outcome.DOUBLE_FORFEIT,
}
_BYES = {
    "U": ByeKind.PAIRING_ALLOCATED,
    "F": ByeKind.PAIRING_ALLOCATED,
    "+": ByeKind.PAIRING_ALLOCATED,
    "H": ByeKind.REQUESTED_HALF,
    "Z": ByeKind.REQUESTED_ZERO,
}
_NAMES = {code: name for name, code in CODES.items()}


class _Cell(NamedTuple):
    """One round of one entrant and where it stands. `opponent` 0: nobody; `result` "" where it has none."""

    opponent: int
    colour: str
    result: str
    line: int
    column: int


class _Record(NamedTuple):
    line: int
    text: str

    def wrong(self, column: int, problem: str) -> InvalidTrfError:
        return InvalidTrfError(self.line, column, problem)

    def columns(self, first: int, last: int) -> str:
        """What stands there, without the blanks around it."""
        return self.text[first - 1 : last].strip()

    def whole(self, first: int, last: int, most: int = MOST_ENTRANTS) -> int:
        """Raises `InvalidTrfError` unless a number from 0 to `most` stands there."""
        digits = self.columns(first, last)
        if not (digits.isascii() and digits.isdecimal()) or int(digits) > most:
            raise self.wrong(first, f"a number from 0 to {most} must stand there, not {digits!r}")
        return int(digits)

    def points(self, first: int, last: int) -> Fraction:
        digits = self.columns(first, last)
        if not digits.replace(".", "", 1).isascii() or not digits.replace(".", "", 1).isdecimal():
            raise self.wrong(first, f"points such as 1.0 must stand there, not {digits!r}")
        return Fraction(digits)

    def numbers(self, first: int, width: int) -> list[tuple[int, int]]:
        """Numbers in columns of a width with a blank between them, each with its column."""
        starts = range(first, len(self.text) + 1, width + 1)
        return [(self.whole(at, at + width - 1), at) for at in starts if self.columns(at, at + width - 1)]


@dataclass(slots=True)
class _Sheet:
    """What the lines said, before it is put together."""

    name: str = ""
    code: str = ""
    type: str = ""
    rounds: int = 0
    scoring: dict[str, Fraction] = field(default_factory=dict)
    tie_breaks: tuple[str, ...] | None = None
    entrants: dict[int, Entrant] = field(default_factory=dict)
    names: dict[EntrantId, str] = field(default_factory=dict)
    cells: dict[int, list[_Cell]] = field(default_factory=dict)
    byes: list[tuple[int, str, int, _Record, int]] = field(default_factory=list)  # round, letter, rank, where
    forbidden: list[tuple[int, int, list[tuple[int, int]], _Record]] = field(default_factory=list)
    accelerated: list[_Record] = field(default_factory=list)
    absent: list[tuple[int, _Record, int]] = field(default_factory=list)


def read_trf(text: str) -> TournamentDocument:
    """The tournament out of a report. Raises `InvalidTrfError`, which names line and column."""
    sheet = _Sheet()
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("###"):
            _read_record(sheet, _Record(number, line))
    if not sheet.entrants:
        raise InvalidTrfError(1, 1, "no entrant (001) is in it")
    last = _last_round(sheet)
    rounds = tuple(OpenedRound(number, tuple(_encounters(sheet, number))) for number in range(1, last + 1))
    format_ = _format(sheet, last)
    situation = Situation(
        tuple(sheet.entrants.values()),
        rounds,
        sitting_out=frozenset(_resting(sheet, last + 1)),
        rulings=Rulings(forbidden_pairs=tuple(_forbidden(sheet, last + 1))),
    )
    return TournamentDocument(format_, situation, sheet.names, sheet.name)


def _read_record(sheet: _Sheet, record: _Record) -> None:
    tag = record.text[:3]
    rest = record.text[4:].strip()
    if tag in _TEAMS:
        raise record.wrong(1, f"record {tag} is of a tournament of teams")
    match tag:
        case "001":
            _read_entrant(sheet, record)
        case "012":
            sheet.name = rest
        case "092":
            sheet.type = rest.upper()
        case "142" | "XXR":
            sheet.rounds = record.whole(5, len(record.text), MOST_ROUNDS)
        case "162":
            _read_scoring(sheet, record)
        case "192":
            sheet.code = rest.upper()
        case "202" | "212":
            codes = [code.strip() for code in rest.replace(" ", ",").split(",")]
            sheet.tie_breaks = tuple(dict.fromkeys(_NAMES[code] for code in codes if code in _NAMES))
        case "240":
            letter = record.columns(5, 5).upper() or "Z"
            if letter not in ("F", "H", "Z"):
                raise record.wrong(5, f"a bye is F, H or Z, not {letter!r}")
            number = record.whole(7, 9, MOST_ROUNDS)
            sheet.byes += [(number, letter, rank, record, column) for rank, column in record.numbers(11, 4)]
        case "250":
            sheet.accelerated.append(record)
        case "260":
            first, final = record.whole(5, 7, MOST_ROUNDS), record.whole(9, 11, MOST_ROUNDS)
            sheet.forbidden.append((first, final or first, record.numbers(13, 4), record))
        case "XXZ":
            words = record.text[3:].split()
            sheet.absent += [
                (int(word), record, 5) for word in words if word.isascii() and word.isdecimal() and len(word) < 10
            ]


def _read_entrant(sheet: _Sheet, record: _Record) -> None:
    rank = record.whole(5, 8)
    if rank < 1:
        raise record.wrong(5, "starting ranks begin with 1")
    if rank in sheet.entrants:
        raise record.wrong(5, f"starting rank {rank} is there twice")
    entrant = EntrantId(str(rank))
    rating = record.whole(49, 52) if record.columns(49, 52) else 0
    sheet.entrants[rank] = Entrant(entrant, rank, rating or None)
    sheet.names[entrant] = record.columns(15, 47) or entrant
    cells = []
    for column in range(FIRST_ROUND_COLUMN, len(record.text) + 1, ROUND_WIDTH):
        opponent = record.whole(column, column + 3) if record.columns(column, column + 3) else 0
        colour = record.columns(column + 5, column + 5).lower().replace("-", "")
        cells.append(_Cell(opponent, colour, record.columns(column + 7, column + 7).upper(), record.line, column))
    sheet.cells[rank] = cells


def _read_scoring(sheet: _Sheet, record: _Record) -> None:
    for column in range(6, len(record.text) + 1, 9):
        symbol = record.columns(column, column).upper()
        if symbol not in ("W", "D", "L", "A", "P", "X"):
            raise record.wrong(column, f"one of W, D, L, A, P, X must stand there, not {symbol!r}")
        sheet.scoring[symbol] = record.points(column + 1, column + 4)


def _last_round(sheet: _Sheet) -> int:
    """The last round in which anybody was paired or had the bye of an odd field."""
    return max(
        (
            number
            for cells in sheet.cells.values()
            for number, c in enumerate(cells, 1)
            if c.opponent or c.result == "U"
        ),
        default=0,
    )


def _encounters(sheet: _Sheet, number: int) -> Iterator[Encounter]:
    byes: list[tuple[EntrantId, ByeKind]] = []
    table = 0
    for rank, cells in sheet.cells.items():
        cell = cells[number - 1] if number <= len(cells) else None
        if cell is None or not cell.opponent:
            kind = _BYES.get(cell.result) if cell is not None else None
            if kind is not None:
                byes.append((EntrantId(str(rank)), kind))
            elif cell is not None and cell.result not in ("", "-"):
                raise InvalidTrfError(cell.line, cell.column + 7, f"{cell.result!r} is no result without an opponent")
            continue
        other = _mirrored(sheet, rank, cell, number)
        if cell.colour == "w" or (cell.colour != "b" and rank < cell.opponent):
            table += 1
            seats = (EntrantId(str(rank)), EntrantId(str(cell.opponent)))
            yield Encounter(Fixture(f"{number}.{table}", seats), _result(cell, other))
    for at, (entrant, kind) in enumerate(byes, table + 1):
        yield Encounter(Fixture(f"{number}.{at}", (entrant,), bye=kind), NO_CONTEST)


def _mirrored(sheet: _Sheet, rank: int, cell: _Cell, number: int) -> _Cell:
    """The opponent's view of the same pairing, which must agree."""
    theirs = sheet.cells.get(cell.opponent)
    if theirs is None:
        raise InvalidTrfError(cell.line, cell.column, f"there is no entrant {cell.opponent}")
    other = theirs[number - 1] if number <= len(theirs) else None
    if other is None or other.opponent != rank or cell.opponent == rank:
        raise InvalidTrfError(
            cell.line, cell.column, f"{rank} meets {cell.opponent} in round {number}, but not the other way round"
        )
    if cell.colour and cell.colour == other.colour:
        raise InvalidTrfError(cell.line, cell.column + 5, f"{rank} and {cell.opponent} have the same colour")
    return other


def _result(first: _Cell, second: _Cell) -> Result | None:
    if not first.result and not second.result:
        return None
    outcome = _OUTCOMES.get((_PLAYED.get(first.result, ""), _PLAYED.get(second.result, "")))
    if outcome is None:
        problem = f"{first.result or 'no result'!r} here and {second.result or 'no result'!r} there do not fit together"
        raise InvalidTrfError(first.line, first.column + 7, problem)
    return Result(outcome)


def _format(sheet: _Sheet, last: int) -> Swiss | RoundRobin:
    scoring = _scoring(sheet)
    kind = sheet.code or sheet.type
    if any(word in kind for word in ("KNOCKOUT", "SCHEVENINGEN", "SCHILLER", "TEAM_", "DOUBLESWISS")):
        raise InvalidTrfError(1, 1, f"tournaments of the type {kind} cannot be read")
    if "ROBIN" in kind or "BERGER" in kind:
        ties = ROUND_ROBIN_TIE_BREAKS if sheet.tie_breaks is None else sheet.tie_breaks
        return RoundRobin(legs=2 if "DOUBLE" in kind else 1, tie_breaks=ties, scoring=scoring)
    rounds = max(sheet.rounds or last + 1, last, 1)
    swiss = Swiss(
        rounds=rounds,
        accelerated="BAKU" in sheet.code or bool(sheet.accelerated),
        tie_breaks=DEFAULT_TIE_BREAKS if sheet.tie_breaks is None else sheet.tie_breaks,
        scoring=scoring,
    )
    if sheet.accelerated:
        _check_acceleration(sheet, swiss)
    return swiss


def _scoring(sheet: _Sheet) -> Scoring:
    given, usual = sheet.scoring, STANDARD_SCORING
    win, draw = given.get("W", usual.win), given.get("D", usual.draw)
    absent = given.get("A", usual.zero_bye)
    return Scoring(
        win=win,
        draw=draw,
        loss=given.get("L", usual.loss),
        forfeit_win=win,
        forfeit_loss=absent,
        bye=given.get("P", win),
        half_bye=draw,
        zero_bye=absent,
    )


def _check_acceleration(sheet: _Sheet, swiss: Swiss) -> None:
    """Other points than those of the Baku method are refused: they would pair otherwise than the report wants."""
    absent = {rank for number, _, rank, _, _ in sheet.byes if number == 1}
    at_start = [e for rank, e in sheet.entrants.items() if rank not in absent]
    expected = baku(at_start, swiss.rounds)
    for record in sheet.accelerated:
        points = record.points(10, 13)
        first, last = record.whole(15, 17, MOST_ROUNDS), record.whole(19, 21, MOST_ROUNDS)
        low, high = record.whole(23, 26), record.whole(28, 31)
        group = {rank for rank in sheet.entrants if low <= rank <= high}
        fits = group == {int(name) for name in expected.first_group} and all(
            expected.virtual_points(EntrantId(str(low)), number) * swiss.scoring.win == points
            for number in range(first, last + 1)
        )
        if not fits:
            raise record.wrong(10, "only the points of the Baku acceleration can be paired by")


def _resting(sheet: _Sheet, number: int) -> Iterator[EntrantId]:
    for rank, cells in sheet.cells.items():
        if number <= len(cells) and cells[number - 1].result in ("F", "H", "Z"):
            yield EntrantId(str(rank))
    for at, _, rank, record, column in sheet.byes:
        _known(sheet, rank, record, column)
        if at == number:
            yield EntrantId(str(rank))
    for rank, record, column in sheet.absent:
        yield _known(sheet, rank, record, column)


def _forbidden(sheet: _Sheet, number: int) -> Iterator[tuple[EntrantId, EntrantId]]:
    for first, last, group, record in sheet.forbidden:
        names = [_known(sheet, rank, record, column) for rank, column in group]
        if first <= number <= last:
            yield from ((one, other) for at, one in enumerate(names) for other in names[at + 1 :])


def _known(sheet: _Sheet, rank: int, record: _Record, column: int) -> EntrantId:
    if rank not in sheet.entrants:
        raise record.wrong(column, f"there is no entrant {rank}")
    return EntrantId(str(rank))

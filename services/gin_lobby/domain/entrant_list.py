"""A list of entrants as organisers keep it: CSV with a header, read line by line.

Columns are `id` or `name` (or both, then they must agree), and if there are any `rating`, `seed` and `club`. Others
are passed over. Commas, semicolons or tabs separate them.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gin_lobby.domain.problems import ImportRefused

KNOWN = ("id", "name", "rating", "seed", "club")
MOST_LINES = 10_000
MOST_COLUMNS = 100
_LONGEST_NUMBER = 20  # Python refuses to read numbers of thousands of digits
_SAME = {"player_id": "id", "player": "name", "elo": "rating"}


class BadLine(NamedTuple):
    """`line` and `column` (the field's number) count from 1; the header is line 1. Column 0 is the whole line."""

    line: int
    column: int
    problem: str

    @property
    def place(self) -> str:
        return f"line {self.line}, column {self.column}" if self.column else f"line {self.line}"


@dataclass(frozen=True, slots=True)
class Line:
    """What a line says. `columns` tells where each of the known ones stands."""

    number: int
    id: str
    name: str
    rating: int | None
    seed: int | None
    columns: dict[str, int]


@dataclass(frozen=True, slots=True)
class EntrantList:
    lines: Sequence[Line]
    bad: Sequence[BadLine]
    ignored: Sequence[str]


def read_list(text: str) -> EntrantList:
    """The lines that can be read, in the order in which they enter: by seed, else by rating, else as they stand.

    Raises ImportRefused where there is no list at all: no header, no column that says who, too many lines or
    columns, NUL in it.
    """
    if "\x00" in text:
        at = text[: text.index("\x00")].count("\n") + 1
        raise ImportRefused("holds a character that no text has (NUL)", f"line {at}")
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    lines: list[Line] = []
    bad: list[BadLine] = []
    columns: dict[str, int] | None = None
    ignored: list[str] = []
    seen: dict[tuple[str, str], int] = {}
    while True:
        number = rows.line_num + 1
        try:
            row = next(rows, None)
        except csv.Error as wrong:
            bad.append(BadLine(number, 0, f"is no CSV: {wrong}"))
            break
        if row is None:
            break
        if not any(cell.strip() for cell in row):
            continue
        if columns is None:
            columns, ignored = _header(row)
        elif len(lines) + len(bad) >= MOST_LINES:
            raise ImportRefused(f"a list has at most {MOST_LINES} lines", "body")
        else:
            _read_line(row, number, columns, seen, lines, bad)
    if columns is None:
        raise ImportRefused(f"the list is empty: its first line names the columns, {', '.join(KNOWN)}", "line 1")
    last = 10**9
    lines.sort(key=lambda line: (line.seed or last, -(line.rating or 0), line.number))
    return EntrantList(lines, bad, ignored)


def _delimiter(text: str) -> str:
    first = text.split("\n", 1)[0]
    return max(",;\t", key=first.count)


def _header(row: Sequence[str]) -> tuple[dict[str, int], list[str]]:
    if len(row) > MOST_COLUMNS:
        raise ImportRefused(f"a list has at most {MOST_COLUMNS} columns", "line 1")
    columns: dict[str, int] = {}
    ignored = []
    for at, cell in enumerate(row, 1):
        name = cell.strip().casefold().replace(" ", "_")
        name = _SAME.get(name, name)
        if name in columns:
            raise ImportRefused(f"there are two columns {name}", f"line 1, column {at}")
        if name in KNOWN:
            columns[name] = at
        else:
            ignored.append(cell.strip())
    if "id" not in columns and "name" not in columns:
        raise ImportRefused("no column says who: there must be id or name", "line 1")
    return columns, ignored


def _read_line(
    row: Sequence[str],
    number: int,
    columns: dict[str, int],
    seen: dict[tuple[str, str], int],
    lines: list[Line],
    bad: list[BadLine],
) -> None:
    wrong: list[BadLine] = []

    def cell(name: str) -> str:
        at = columns.get(name, 0)
        return row[at - 1].strip() if 0 < at <= len(row) else ""

    def whole(name: str, least: int, most: int) -> int | None:
        text = cell(name)
        if not text:
            return None
        is_number = text.isascii() and text.isdecimal() and len(text) <= _LONGEST_NUMBER
        if not is_number or not least <= int(text) <= most:
            wrong.append(BadLine(number, columns[name], f"{text!r} is no {name}: a number from {least} to {most}"))
            return None
        return int(text)

    line = Line(number, cell("id"), cell("name"), whole("rating", 0, 99_999), whole("seed", 1, 999_999), columns)
    if not line.id and not line.name:
        column = columns.get("id") or columns["name"]
        wrong.append(BadLine(number, column, "does not say who"))
    for name, value in (("id", line.id.casefold()), ("seed", str(line.seed or ""))):
        before = seen.setdefault((name, value), number) if value else number
        if before != number:
            wrong.append(BadLine(number, columns[name], f"{name} {value} is in line {before} already"))
    if wrong:
        bad.extend(wrong)
    else:
        lines.append(line)

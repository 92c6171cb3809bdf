"""Lists of entrants are read line by line; what is wrong is told with its line and column."""

from __future__ import annotations

import pytest

from gin_lobby.domain.entrant_list import read_list
from gin_lobby.domain.problems import ImportRefused


def test_lines_count_where_a_quoted_cell_spans_several() -> None:
    found = read_list('name,club\n"Ada","North\nEnd"\nBob,\n,x\n')
    assert [(line.name, line.number) for line in found.lines] == [("Ada", 2), ("Bob", 4)]
    assert [(bad.line, bad.column) for bad in found.bad] == [(5, 1)]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_commas_semicolons_and_tabs_separate(separator: str) -> None:
    (line,) = read_list(f"id{separator}seed\n7{separator}3\n").lines
    assert (line.id, line.seed, line.columns) == ("7", 3, {"id": 1, "seed": 2})


def test_seeds_come_first_then_ratings_then_the_order_of_the_list() -> None:
    text = "name,rating,seed\na,,\nb,1500,\nc,1600,\nd,,2\ne,,1\n"
    assert "".join(line.name for line in read_list(text).lines) == "edcba"


@pytest.mark.parametrize(
    ("cell", "column"),
    [
        ("x,,", 2),
        ("-1,,", 2),
        ("100000,,", 2),
        ("1.5,,", 2),
        (",0,", 3),
        (",1000000,", 3),
        (",²,", 3),
        (f"{'9' * 5000},,", 2),
    ],
)
def test_numbers_are_whole_and_within_bounds(cell: str, column: int) -> None:
    found = read_list(f"name,rating,seed,club\nAda,{cell}\n")
    assert ([(bad.line, bad.column) for bad in found.bad], found.lines) == ([(2, column)], [])


def test_a_list_is_not_endless() -> None:
    with pytest.raises(ImportRefused, match="at most 10000"):
        read_list("name\n" + "".join(f"n{number}\n" for number in range(10_001)))
    with pytest.raises(ImportRefused, match="at most 100 columns"):
        read_list("name" + "," * 100 + "\n")

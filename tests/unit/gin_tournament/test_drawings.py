"""Brackets and cross tables as drawings: placed without overlap, named, clipped, and free of what could collide."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from gin_tournament.bracket_drawing import draw_bracket
from gin_tournament.bracket_view import bracket_views
from gin_tournament.cross_table import cross_tables
from gin_tournament.cross_table_drawing import draw_cross_tables
from gin_tournament.double_elimination import DoubleElimination
from gin_tournament.format import Format, Open, Result, Situation
from gin_tournament.model import Entrant, EntrantId, Outcome
from gin_tournament.round_robin import RoundRobin
from gin_tournament.single_elimination import SingleElimination
from gin_tournament.spreadsheet import csv_text
from gin_tournament.svg import clip, width
from gin_tournament.swiss_rounds import Swiss

SVG = "{http://www.w3.org/2000/svg}"
OUTCOMES = (Outcome.FIRST_WINS, Outcome.SECOND_WINS, Outcome.FIRST_FORFEITS, Outcome.DOUBLE_FORFEIT, Outcome.DRAW)


def play(format_: Format, size: int, rounds: int, seed: int = 1) -> Situation:
    rng = random.Random(seed)
    situation = Situation(tuple(Entrant(EntrantId(f"e{n}"), n) for n in range(1, size + 1)))
    for _ in range(rounds):
        answer = format_.next_round(situation)
        if not isinstance(answer, Open):
            break
        opened = answer.opened()
        encounters = tuple(
            e if e.is_decided else e._replace(result=Result(rng.choice(OUTCOMES))) for e in opened.encounters
        )
        situation = replace(situation, rounds=(*situation.rounds, opened._replace(encounters=encounters)))
    return situation


def boxes(drawing: str) -> list[tuple[float, float, float, float]]:
    return [
        tuple(float(e.attrib[name]) for name in ("x", "y", "width", "height"))  # type: ignore[misc]
        for e in ET.fromstring(drawing).iter(f"{SVG}rect")
        if e.attrib.get("class", "").startswith("box")
    ]


@pytest.mark.parametrize("rounds", [0, 2, 40])
@pytest.mark.parametrize("size", [2, 3, 5, 8, 13, 33, 64])
@pytest.mark.parametrize("format_", [SingleElimination(third_place=True), DoubleElimination()])
def test_no_two_encounters_overlap_and_all_lie_on_the_drawing(format_: Format, size: int, rounds: int) -> None:
    situation = play(format_, size, rounds)
    views = bracket_views(format_, situation)
    drawing = draw_bracket(views, {}, "x")
    root = ET.fromstring(drawing)
    found = boxes(drawing)
    assert len(found) == len(views[0].matches)
    for at, (x, y, w, h) in enumerate(found):
        assert x >= 0
        assert x + w <= float(root.attrib["width"])
        assert y + h <= float(root.attrib["height"])
        for x2, y2, w2, h2 in found[at + 1 :]:
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y


@pytest.mark.parametrize("size", [2, 3, 6, 8, 21])
def test_a_single_elimination_shows_one_encounter_less_than_entrants(size: int) -> None:
    (view,) = bracket_views(SingleElimination(), play(SingleElimination(), size, 0))
    assert len(view.matches) == size - 1


@pytest.mark.parametrize("size", [3, 4, 7, 8, 21])
def test_a_double_elimination_shows_two_less_in_its_trees_and_two_finals(size: int) -> None:
    (view,) = bracket_views(DoubleElimination(), play(DoubleElimination(), size, 0))
    assert len(view.matches) == 2 * (size - 1) + 1


def test_everybody_who_came_through_stands_where_they_play_next() -> None:
    format_ = DoubleElimination()
    situation = play(format_, 13, 40, seed=3)
    (view,) = bracket_views(format_, situation)
    shown = {match.slot: {side.entrant for side in match.sides} - {None} for match in view.matches}
    for encounter in situation.encounters():
        if len(encounter.fixture.seats) == 2:
            assert shown[encounter.fixture.slot] == set(encounter.fixture.seats)
    assert view.champion == format_.standings(situation)[0].entrant


def test_two_drawings_in_one_page_share_no_class_of_their_own_and_no_id() -> None:
    one = draw_bracket(bracket_views(SingleElimination(), play(SingleElimination(), 4, 1)), {}, "x")
    other = draw_bracket(bracket_views(SingleElimination(), play(SingleElimination(), 4, 2)), {}, "x")
    names = [set(re.findall(r"gin-[0-9a-f]+", text)) for text in (one, other)]
    assert [len(found) for found in names] == [1, 1]
    assert not names[0] & names[1]
    assert " id=" not in one
    rules = one[one.index("<style>") + 7 : one.index("</style>")]
    assert all(rule.lstrip("}").startswith((".gin-", "@media")) for rule in rules.split("}") if "{" in rule)


def test_a_drawing_of_256_stays_legible_at_its_own_size() -> None:
    drawing = draw_bracket(bracket_views(SingleElimination(), play(SingleElimination(), 256, 1)), {}, "x")
    root = ET.fromstring(drawing)
    assert float(root.attrib["height"]) == float(root.attrib["viewBox"].split()[3])
    assert root.attrib["font-size"] == "13"
    assert len(boxes(drawing)) == 255


def test_a_cross_table_shows_the_first_256_and_says_so() -> None:
    format_ = Swiss(rounds=2)
    drawing = draw_cross_tables(cross_tables(format_, play(format_, 300, 2)), {}, "x")
    assert "The first 256 of 300 are shown." in drawing


def test_a_double_round_robin_has_both_results_in_a_cell() -> None:
    format_ = RoundRobin(legs=2)
    (table,) = cross_tables(format_, play(format_, 4, 6))
    assert {len(cell) for at, row in enumerate(table.rows) for to, cell in enumerate(row.cells) if at != to} == {2}


@pytest.mark.parametrize("name", ["Ada", "W" * 80, "i" * 80, "李" * 30, "e\u0301" * 60, ""])
def test_a_name_is_clipped_to_its_room_and_not_before(name: str) -> None:
    shown = clip(name, 150, 13)
    assert width(shown, 13) <= 150
    assert shown == name or shown.endswith("…")
    assert (shown == name) == (width(name, 13) <= 150)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("plain", "plain"),
        ("a,b", '"a,b"'),
        ('say "x"', '"say ""x"""'),
        ("two\nlines", '"two\nlines"'),
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@x", "'@x"),
        ("\tx", "'\tx"),
        ("  =1", "'  =1"),
        ("＝1", "'＝1"),
        ("\u00a0=1", "'\u00a0=1"),
        ("\u200b@x", "'\u200b@x"),
        (-1, "-1"),
        (0.5, "0.5"),
        (True, "true"),
        (None, '""'),
    ],
)
def test_cells_are_quoted_as_rfc_4180_says_and_no_text_is_a_formula(value: str | float | None, written: str) -> None:
    assert csv_text(["x"], [[value]]) == f"x\r\n{written}\r\n"

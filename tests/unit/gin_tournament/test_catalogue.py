"""Formats as JSON and back."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from gin_tournament.catalogue import FORMATS, from_json, tables, to_json
from gin_tournament.duplicate import Duplicate
from gin_tournament.errors import InvalidFormatError
from gin_tournament.format import Format, Situation
from gin_tournament.model import Scoring
from gin_tournament.round_robin import RoundRobin
from gin_tournament.single_elimination import SingleElimination
from gin_tournament.swiss_rounds import Swiss
from tests.property.format_driver import field_of
from tests.property.test_formats_run_to_the_end import FORMATS as EXAMPLES


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_format_comes_back_from_json_as_it_was(name: str) -> None:
    written = json.loads(json.dumps(to_json(EXAMPLES[name])))
    assert from_json(written) == EXAMPLES[name]


def test_settings_left_out_have_their_defaults() -> None:
    assert from_json({"kind": "swiss"}) == Swiss()
    nested = {"kind": "duplicate", "format": {"kind": "round_robin", "legs": 2}}
    assert from_json(nested) == Duplicate(RoundRobin(legs=2))


def test_every_kind_is_in_the_catalogue() -> None:
    assert set(FORMATS) == {
        "swiss",
        "round_robin",
        "single_elimination",
        "double_elimination",
        "arena",
        "ladder",
        "pods",
        "duplicate",
        "stages",
    }


def test_points_are_exact() -> None:
    format_: Format = Swiss(scoring=Scoring(win=Fraction(3), draw=Fraction(4, 3)))
    written = to_json(format_)
    assert written["scoring"]["draw"] == "4/3"
    assert written["scoring"]["win"] == 3
    assert from_json(written) == format_


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({}, "kind"),
        ({"kind": "poker"}, "kind"),
        ({"kind": ["swiss"]}, "kind"),
        ([], ""),
        ({"kind": "swiss", "rounds": 0}, "rounds"),
        ({"kind": "swiss", "rounds": "5"}, "rounds"),
        ({"kind": "swiss", "rounds": True}, "rounds"),
        ({"kind": "swiss", "rounds": 5.0}, "rounds"),
        ({"kind": "swiss", "rounds": None}, "rounds"),
        ({"kind": "swiss", "colour": "red"}, "colour"),
        ({"kind": "swiss", "tie_breaks": "wins"}, "tie_breaks"),
        ({"kind": "swiss", "tie_breaks": ["wins", 3]}, "tie_breaks[1]"),
        ({"kind": "swiss", "scoring": {"win": 0.5}}, "scoring.win"),
        ({"kind": "swiss", "scoring": {"win": "1e9"}}, "scoring.win"),
        ({"kind": "swiss", "scoring": {"win": "1/0"}}, "scoring.win"),
        ({"kind": "swiss", "scoring": {"win": 0}}, "scoring.win"),
        ({"kind": "swiss", "scoring": {"draw": 2}}, "scoring"),
        ({"kind": "duplicate"}, "format"),
        ({"kind": "duplicate", "format": "swiss"}, "format"),
        ({"kind": "duplicate", "format": {"kind": "swiss", "rounds": 0}}, "format.rounds"),
        ({"kind": "stages", "stages": []}, "stages"),
        ({"kind": "stages", "stages": [{"format": {"kind": "swiss"}}, {"groups": 1}]}, "stages[1].format"),
        ({"kind": "stages", "stages": [3, 4]}, "stages[0]"),
    ],
)
def test_refusal_names_the_field(document: Any, field: str) -> None:
    with pytest.raises(InvalidFormatError) as refused:
        from_json(document)
    assert refused.value.field == field


def test_every_format_has_its_standings_as_tables() -> None:
    for format_ in EXAMPLES.values():
        shown = tables(format_, Situation(field_of(8)))
        assert sorted(line.entrant for table in shown for line in table.lines) == [f"e{seed}" for seed in range(1, 9)]


def test_settings_are_frozen_and_hashable() -> None:
    assert len({SingleElimination(), SingleElimination(), Swiss()}) == 2


def test_scoring_that_is_given_in_part_is_else_that_of_its_format() -> None:
    round_robin, swiss = (from_json({"kind": kind, "scoring": {"win": 3}}) for kind in ("round_robin", "swiss"))
    assert isinstance(round_robin, RoundRobin)
    assert isinstance(swiss, Swiss)
    assert (round_robin.scoring.win, round_robin.scoring.bye, swiss.scoring.bye) == (3, 0, 1)

"""`ginhall pair` and `ginhall standings`, the real commands on real files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gin_tournament.swiss_rounds import Swiss
from gin_tournament.trf_writer import write_trf
from tests.support.desk_command import assert_refused, document, run
from tests.support.swiss_play import played_out

FIVE: dict[str, Any] = {
    "format": {"kind": "swiss", "rounds": 3},
    "entrants": [{"id": name, "name": name.upper()} for name in "abcde"],
    "rounds": [
        {
            "pairings": [
                {"first": "a", "second": "c", "result": "first_wins"},
                {"first": "d", "second": "b", "result": "draw"},
            ],
            "byes": [{"entrant": "e"}],
        }
    ],
}


def test_pair_writes_pairings_and_bye_by_id_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "five.json"
    file.write_text(json.dumps(FIVE))
    found = document("pair", str(file))
    assert list(found) == ["pairings", "bye"]
    assert (len(found["pairings"]), found["bye"]) == (2, "c")
    assert run("pair", "-", "--json", told=json.dumps(FIVE)).stdout == run("pair", str(file), "--json").stdout


def test_pair_tells_names_to_people() -> None:
    ended = run("pair", "-", told=json.dumps(FIVE))
    assert ended.stdout.splitlines()[0] == "Round 2"
    assert " bye  C" in ended.stdout.splitlines()


@pytest.mark.parametrize("kind", ["round_robin", "single_elimination", "double_elimination"])
def test_pair_knows_the_other_formats(kind: str) -> None:
    found = json.loads(run("pair", "-", "--json", told=json.dumps(FIVE | {"format": kind, "rounds": []})).stdout)
    assert len(found["pairings"]) == (2 if kind == "round_robin" else 1)


def test_a_report_is_paired_and_ranked_like_the_tournament_that_it_is_of(tmp_path: Path) -> None:
    tournament = played_out(Swiss(rounds=5, tie_breaks=("buchholz", "wins")), 12, 1, absences=False)
    report = write_trf(tournament)
    file = tmp_path / "report.trf"
    file.write_text(report)
    ranking = document("standings", str(file))
    assert ranking["tie_breaks"] == ["buchholz", "wins"]
    lines = tournament.format.standings(tournament.situation)
    assert [(line["rank"], line["id"]) for line in ranking["standings"]] == [(s.rank, s.entrant) for s in lines]
    ended = run("pair", str(file))
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "over" in ended.stderr


def test_standings_take_the_tie_breaks_that_are_asked_for() -> None:
    ended = run("standings", "-", "--tie-breaks", "wins,buchholz", "--json", told=json.dumps(FIVE))
    found = json.loads(ended.stdout)
    assert found["tie_breaks"] == ["wins", "buchholz"]
    assert found["standings"][0]["id"] == "a"
    assert run("standings", "-", told=json.dumps(FIVE)).stdout.splitlines()[0].split()[:3] == ["#", "name", "points"]


def test_where_no_round_can_be_paired_the_line_says_what_would_help() -> None:
    met = {"format": "swiss", "entrants": [{"id": "a"}, {"id": "b"}]}
    met |= {"rounds": [{"pairings": [{"first": "a", "second": "b", "result": "draw"}]}]}
    ended = run("pair", "-", told=json.dumps(met))
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "allow_rematch" in ended.stderr


@pytest.mark.parametrize(
    ("told", "place"),
    [
        ("", "empty"),
        ("{", "line 1, column 2"),
        ('{"a": 1, "a": 2}', "twice"),
        ("[]", "must be an object"),
        ('{"seed": ' + "9" * 5000 + "}", "a number is too long"),
        (json.dumps(FIVE | {"withdrawn": ["z"]}), "withdrawn[0]"),
        (json.dumps(FIVE | {"manual_pairs": [["a", "c"]], "withdrawn": ["a"]}), "a"),
        ("001    x", "line 1, column 5"),
        ("hello", "line 1, column 1"),
    ],
)
def test_bad_input_ends_with_2_and_one_line_that_names_the_place(told: str, place: str) -> None:
    for command in ("pair", "standings"):
        ended = run(command, "-", told=told)
        if command == "standings" and "manual" in told:
            continue
        assert (ended.returncode, ended.stdout) == (2, ""), ended
        assert len(ended.stderr.splitlines()) == 1
        assert place in ended.stderr


def test_a_file_that_is_not_there_and_unknown_tie_breaks_are_refused() -> None:
    assert_refused(run("pair", "/nowhere/x.json"), "/nowhere/x.json")
    assert_refused(run("standings", "-", "--tie-breaks", "beauty", told=json.dumps(FIVE)), "beauty")

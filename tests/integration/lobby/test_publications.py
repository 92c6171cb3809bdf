"""What is published of a tournament: as CSV, HTML, SVG and TRF26, with ETags, for everybody."""

import csv
import io
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from gin_tournament.trf_reader import read_trf
from tests.integration.lobby.conftest import Lobby
from tests.oracles import gacrux_pairing

ALL = (
    "standings",
    "standings.csv",
    "standings.html",
    "pairings",
    "pairings.csv",
    "cross-table",
    "cross-table.csv",
    "cross-table.svg",
)
BRACKETS = ("bracket", "bracket.svg")
SVG = "{http://www.w3.org/2000/svg}"


def played(lobby: Lobby, format_: dict[str, Any], bots: int = 6, rounds: int = 2) -> str:
    tournament_id = lobby.with_bots(bots, format=format_)
    lobby.start(tournament_id)
    for _ in range(rounds):
        lobby.play_matches(tournament_id, lobby.seeds(tournament_id))
    return tournament_id


def published(lobby: Lobby, tournament_id: str, what: str, **options: Any) -> Any:
    return lobby.anonymous.get(f"/api/v1/tournaments/{tournament_id}/{what}", **options)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("kind", ["swiss", "round_robin", "single_elimination", "double_elimination", "pods", "ladder"])
def test_every_publication_of_every_format_has_a_strong_etag_and_answers_304(lobby: Lobby, kind: str) -> None:
    tournament_id = played(lobby, {"kind": kind}, rounds=1)
    for what in ALL + (BRACKETS if "elimination" in kind else ()):
        answer = published(lobby, tournament_id, what)
        assert answer.status_code == 200, (what, answer.text)
        etag = answer.headers["ETag"]
        assert etag.startswith('"')
        assert "no-cache" in answer.headers["Cache-Control"]
        again = published(lobby, tournament_id, what, headers={"If-None-Match": etag})
        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", etag), what


def test_the_etag_of_everything_changes_with_a_result(lobby: Lobby) -> None:
    tournament_id = played(lobby, {"kind": "single_elimination"}, rounds=0)
    before = {what: published(lobby, tournament_id, what).headers["ETag"] for what in ALL + BRACKETS}
    lobby.play_matches(tournament_id, lobby.seeds(tournament_id))
    after = {what: published(lobby, tournament_id, what).headers["ETag"] for what in ALL + BRACKETS}
    assert not set(before.values()) & set(after.values())


def test_standings_as_csv_have_the_figures_of_the_json(lobby: Lobby) -> None:
    tournament_id = played(lobby, {"kind": "swiss", "tie_breaks": ["buchholz", "wins"]}, bots=5)
    answer = published(lobby, tournament_id, "standings.csv")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
    assert answer.text.endswith("\r\n")
    lines = lobby.see(tournament_id, "/standings")["standings"]
    for row, line in zip(rows(answer.text), lines, strict=True):
        assert (int(row["rank"]), row["player_id"], row["name"]) == (line["rank"], line["player_id"], line["name"])
        assert (float(row["points"]), float(row["buchholz"])) == (line["points"], line["tie_breaks"]["buchholz"])
    assert "buchholz,wins,progress" in answer.text.splitlines()[0]


def test_a_name_that_begins_like_a_formula_is_no_formula_in_a_spreadsheet(lobby: Lobby) -> None:
    tournament_id = lobby.tournament()
    for name in ('=1+1,"x"', "@sum(a1)", "-2"):
        lobby.enter(tournament_id, lobby.bot(name))
    lobby.start(tournament_id)
    for what in ("standings.csv", "pairings.csv", "cross-table.csv"):
        text = published(lobby, tournament_id, what).text
        cells = {cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row}
        assert {'\'=1+1,"x"', "'@sum(a1)", "'-2"} <= cells


def test_pairings_as_csv_are_those_of_one_round_or_of_all(lobby: Lobby) -> None:
    tournament_id = played(lobby, {"kind": "swiss"}, bots=5)
    both = rows(published(lobby, tournament_id, "pairings.csv").text)
    second = rows(published(lobby, tournament_id, "pairings.csv?round=2").text)
    assert {row["round"] for row in both} == {"1", "2", "3"}
    assert second == [row for row in both if row["round"] == "2"]
    assert [row["result"] for row in second].count("bye") == 1
    assert {row["seat_1_score"] for row in second if row["result"] != "bye"} <= {"100", "80"}


def test_tables_of_four_have_columns_for_every_seat(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4, format={"kind": "pods"}, rules={"preset": "rotation4"})
    lobby.start(tournament_id)
    lobby.play_matches(tournament_id, lobby.seeds(tournament_id))
    row, *_ = rows(published(lobby, tournament_id, "pairings.csv").text)
    assert [row[f"seat_{at}_place"] for at in range(1, 5)].count("1") == 1


def test_a_round_robin_has_a_square_cross_table(lobby: Lobby) -> None:
    tournament_id = played(lobby, {"kind": "round_robin"}, bots=4, rounds=3)
    (table,) = lobby.see(tournament_id, "/cross-table")["tables"]
    seeds = lobby.seeds(tournament_id)
    assert (table["layout"], table["columns"]) == ("everybody", seeds)
    letters = ["".join(m["text"] for cell in row["cells"] for m in cell) for row in table["rows"]]
    assert letters == ["WWW", "LWW", "LLW", "LLL"]
    assert [row["cells"][at] for at, row in enumerate(table["rows"])] == [[], [], [], []]


def test_a_swiss_has_a_cross_table_by_rounds_now_or_as_of_one(lobby: Lobby) -> None:
    tournament_id = played(lobby, {"kind": "swiss", "rounds": 2}, bots=3)
    (table,) = lobby.see(tournament_id, "/cross-table?round=1")["tables"]
    assert (table["layout"], table["columns"]) == ("rounds", [1])
    assert sorted(m["text"][0] for row in table["rows"] for cell in row["cells"] for m in cell) == ["B", "L", "W"]
    assert lobby.see(tournament_id, "/cross-table")["tables"][0]["columns"] == [1, 2]


def test_each_group_of_each_stage_has_its_own_cross_table(lobby: Lobby) -> None:
    stages = [{"format": {"kind": "round_robin"}, "groups": 2}, {"format": {"kind": "single_elimination"}}]
    tournament_id = played(lobby, {"kind": "stages", "stages": stages}, rounds=4)
    tables = lobby.see(tournament_id, "/cross-table")["tables"]
    assert [(t["stage"], t["group"], t["layout"], len(t["rows"])) for t in tables] == [
        (1, "A", "everybody", 3),
        (1, "B", "everybody", 3),
        (2, "", "rounds", 4),
    ]
    (bracket,) = lobby.see(tournament_id, "/bracket")["brackets"]
    assert (bracket["title"], bracket["field_size"], len(bracket["matches"])) == ("Stage 2", 4, 3)


def test_a_bracket_tells_who_came_through_and_where_the_others_come_from(lobby: Lobby) -> None:
    tournament_id = played(lobby, {"kind": "single_elimination"}, bots=6, rounds=1)
    seeds = lobby.seeds(tournament_id)
    (bracket,) = lobby.see(tournament_id, "/bracket")["brackets"]
    by_slot = {match["slot"]: match for match in bracket["matches"]}
    assert set(by_slot) == {"R1M2", "R1M4", "R2M1", "R2M2", "R3M1"}  # byes are no encounters
    sides = [(s["player_id"], s["seed"]) for s in by_slot["R2M1"]["sides"]]
    assert (sides, by_slot["R2M1"]["state"]) == ([(seeds[0], 1), (seeds[3], 4)], "playing")
    assert by_slot["R2M1"]["feeders"] == ["R1M2"]
    assert [(s["player_id"], s["origin"]) for s in by_slot["R3M1"]["sides"]] == [
        (None, "Winner of R2M1"),
        (None, "Winner of R2M2"),
    ]
    assert {s["score"] for s in by_slot["R1M2"]["sides"]} == {"100", "80"}
    assert bracket["champion_id"] is None
    lobby.play_out(tournament_id, seeds)
    assert lobby.see(tournament_id, "/bracket")["brackets"][0]["champion_id"] == seeds[0]
    assert lobby.see(tournament_id, "/bracket?round=1")["brackets"][0]["champion_id"] is None


def test_a_bracket_of_several_matches_shows_how_many_each_has_won(lobby: Lobby) -> None:
    tournament_id = played(lobby, {"kind": "single_elimination", "best_of": 3}, bots=2, rounds=2)
    (final,) = lobby.see(tournament_id, "/bracket")["brackets"][0]["matches"]
    assert sorted(side["score"] for side in final["sides"]) == ["0", "2"]


def test_a_second_grand_final_is_shown_until_it_is_not_needed(lobby: Lobby) -> None:
    tournament_id = played(lobby, {"kind": "double_elimination"}, bots=4, rounds=1)
    slots = {m["slot"]: m["section"] for m in lobby.see(tournament_id, "/bracket")["brackets"][0]["matches"]}
    assert {slots["W1M1"], slots["L1M1"], slots["GF2"]} == {"Winners' bracket", "Losers' bracket", "Grand final"}
    lobby.play_out(tournament_id, lobby.seeds(tournament_id))
    assert "GF2" not in {m["slot"] for m in lobby.see(tournament_id, "/bracket")["brackets"][0]["matches"]}


@pytest.mark.parametrize("what", ["bracket.svg", "cross-table.svg"])
def test_a_drawing_is_well_formed_named_and_free_of_ids_and_scripts(lobby: Lobby, what: str) -> None:
    tournament_id = lobby.tournament(name='A & B <script>"', format={"kind": "single_elimination"})
    for name in ("<b>Ada</b>", "Bob & Co", "x" * 40):
        lobby.enter(tournament_id, lobby.bot(name))
    lobby.start(tournament_id)
    answer = published(lobby, tournament_id, what)
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    drawing = ET.fromstring(answer.data)
    assert drawing.find(f"{SVG}title") is not None
    assert drawing.find(f"{SVG}desc") is not None
    assert "prefers-color-scheme:dark" in answer.text
    assert not [e for e in drawing.iter() if "id" in e.attrib or e.tag == f"{SVG}script"]
    texts = {"".join(e.itertext()) for e in drawing.iter(f"{SVG}text")}
    assert {"<b>Ada</b>", "Bob & Co"} <= texts
    assert any(text.startswith("x" * 40) and text.endswith("…") for text in texts)  # the whole name as its title


def test_a_tournament_without_a_knockout_has_no_bracket(lobby: Lobby) -> None:
    tournament_id = played(lobby, {"kind": "swiss"})
    for what in BRACKETS:
        assert published(lobby, tournament_id, what).status_code == 404


@pytest.mark.parametrize("what", [*ALL[1:], "standings", "report.trf"])
def test_a_round_that_has_not_come_is_not_found(lobby: Lobby, what: str) -> None:
    tournament_id = played(lobby, {"kind": "swiss"}, rounds=0)
    answer = published(lobby, tournament_id, f"{what}?round=9")
    if what.startswith("pairings"):
        assert answer.status_code in (200, 404)
    else:
        assert answer.status_code == 404
    assert published(lobby, tournament_id, f"{what}?round=x").status_code == 422


def test_standings_for_printing_are_a_plain_page_with_its_own_style_sheet(lobby: Lobby) -> None:
    tournament_id = played(lobby, {"kind": "swiss", "tie_breaks": ["buchholz_cut_1"]})
    answer = published(lobby, tournament_id, "standings.html?paper=letter")
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "style-src 'self'" in answer.headers["Content-Security-Policy"]
    assert '<body class="letter standings">' in answer.text
    assert "/static/print.css" in answer.text
    assert "<style" not in answer.text
    assert all(line["name"] in answer.text for line in lobby.see(tournament_id, "/standings")["standings"])
    assert published(lobby, tournament_id, "standings.html?paper=a3").status_code == 422


def test_gacrux_reads_the_reports_and_pairs_the_first_round_as_we_do(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(9, format={"kind": "swiss", "rounds": 4})
    lobby.start(tournament_id)
    answer = published(lobby, tournament_id, "report.trf?round=0")
    assert answer.headers["Content-Type"] == "text/plain; charset=us-ascii"
    number = {player: at for at, player in enumerate(lobby.seeds(tournament_id), 1)}
    first = lobby.see(tournament_id, "/pairings?round=1")["pairings"]
    assert gacrux_pairing.pair(answer.text) == {(number[p["first_id"]], number.get(p["second_id"], 0)) for p in first}
    lobby.play_matches(tournament_id, lobby.seeds(tournament_id))
    report = published(lobby, tournament_id, "report.trf").text
    assert gacrux_pairing.read(report)["currentRound"] == 1
    assert (read_trf(report).name, len(read_trf(report).situation.rounds)) == ("Friday", 1)


def test_a_report_that_cannot_be_says_why(lobby: Lobby) -> None:
    answer = published(lobby, played(lobby, {"kind": "single_elimination"}), "report.trf")
    assert (answer.status_code, answer.json["type"]) == (409, "urn:ginhall:problem:not-in-report")
    assert "single elimination" in answer.json["detail"]


@pytest.mark.parametrize("query", ["", "?order=name", "?paper=letter", "?round=1"])
def test_pairings_can_be_printed_by_table_and_by_name(lobby: Lobby, query: str) -> None:
    tournament_id = played(lobby, {"kind": "swiss"}, bots=5, rounds=1)
    answer = lobby.anonymous.get(f"/tournaments/{tournament_id}/print/pairings{query}")
    assert answer.status_code == 200
    assert all(f"Bot {number}" in answer.text for number in range(1, 6))
    assert ("where everybody plays" in answer.text) == ("name" in query)


def test_there_is_a_result_slip_for_every_table_and_none_for_a_bye(lobby: Lobby) -> None:
    tournament_id = played(lobby, {"kind": "swiss"}, bots=5, rounds=1)
    answer = lobby.anonymous.get(f"/tournaments/{tournament_id}/print/slips")
    assert answer.text.count('class="slip"') == 2


@pytest.mark.parametrize(
    ("path", "status"), [("pairings?round=7", 404), ("slips?round=0", 404), ("pairings?paper=a3", 422)]
)
def test_what_cannot_be_printed_is_refused(lobby: Lobby, path: str, status: int) -> None:
    tournament_id = played(lobby, {"kind": "swiss"}, rounds=0)
    assert lobby.anonymous.get(f"/tournaments/{tournament_id}/print/{path}").status_code == status


def test_the_print_page_leads_to_everything_that_there_is(lobby: Lobby) -> None:
    tournament_id = played(lobby, {"kind": "single_elimination"}, rounds=0)
    page = lobby.anonymous.get(f"/tournaments/{tournament_id}/print").text
    links = [part.split('"')[0].replace("&amp;", "&") for part in page.split('href="')[1:]]
    ours = [link for link in links if tournament_id in link]
    assert len(ours) > 8
    assert all(lobby.anonymous.get(link).status_code == 200 for link in ours)
    assert not any(link.endswith(".trf") for link in ours)


@pytest.mark.parametrize(
    "format_",
    [
        {"kind": "swiss"},
        {"kind": "round_robin"},
        {"kind": "double_elimination"},
        {"kind": "arena"},
        {"kind": "pods"},
        {"kind": "stages", "stages": [{"format": {"kind": "swiss"}}, {"format": {"kind": "single_elimination"}}]},
    ],
)
def test_before_the_start_there_are_no_standings_and_everything_else_is_empty(
    lobby: Lobby, format_: dict[str, Any]
) -> None:
    tournament_id = lobby.with_bots(3, format=format_)
    for what in ALL + BRACKETS:
        answer = published(lobby, tournament_id, what)
        if what.startswith("standings") or (what in BRACKETS and "elimination" not in str(format_)):
            assert answer.status_code == 404, what
        else:
            assert answer.status_code == 200, (what, answer.text)
    assert lobby.anonymous.get(f"/tournaments/{tournament_id}/print").status_code == 200

"""Entering a whole list at once: all of it, its good lines, or nothing."""

from typing import Any

import pytest

from tests.integration.lobby.conftest import Lobby


def send(lobby: Lobby, tournament_id: str, text: str | bytes, query: str = "", **options: Any) -> Any:
    path = f"/api/v1/tournaments/{tournament_id}/entrants.csv{query}"
    return lobby.organiser.post(path, data=text, content_type="text/csv", **options)


def entered(lobby: Lobby, tournament_id: str) -> list[str]:
    return [entrant["name"] for entrant in lobby.see(tournament_id, "/entrants")["entrants"]]


def test_a_list_enters_everybody_by_name_or_id_in_the_order_of_seeds(lobby: Lobby) -> None:
    tournament_id = lobby.tournament()
    ada, _, cyd = (lobby.bot(name) for name in ("Ada", "Bob", "Cyd"))
    answer = send(
        lobby, tournament_id, f'\ufeffName,ID,Seed,Club\r\n"Cyd",{cyd},3,North\r\nada,,2,\r\nBob,,1,"A, B"\r\n'
    )
    assert answer.status_code == 201, answer.json
    assert [(e["line"], e["entrant"]["name"]) for e in answer.json["entered"]] == [(2, "Cyd"), (3, "Ada"), (4, "Bob")]
    assert entered(lobby, tournament_id) == ["Bob", "Ada", "Cyd"]
    lobby.start(tournament_id)
    assert lobby.seeds(tournament_id)[1] == ada


def test_semicolons_tabs_and_unknown_columns_do(lobby: Lobby) -> None:
    tournament_id = lobby.tournament()
    lobby.bot("Ada")
    lobby.bot("Bob")
    answer = send(lobby, tournament_id, "name;shoe size\nAda;41\n", "?dry_run=true")
    assert (answer.json["ignored"], len(answer.json["entered"])) == (["shoe size"], 1)
    assert send(lobby, tournament_id, "name\trating\nAda\t1500\n\nBob\t1600\n").status_code == 201
    assert entered(lobby, tournament_id) == ["Bob", "Ada"]


def test_a_dry_run_tells_all_and_changes_nothing(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(capacity=2)
    for name in ("Ada", "Bob", "Cyd"):
        lobby.bot(name)
    answer = send(lobby, tournament_id, "name\nAda\nBob\nCyd\nDan\n", "?dry_run=true&skip_bad=true")
    assert answer.status_code == 200
    states = [(e["entrant"]["name"], e["entrant"]["state"]) for e in answer.json["entered"]]
    assert states == [("Ada", "registered"), ("Bob", "registered"), ("Cyd", "waitlisted")]
    assert answer.json["bad"] == [{"line": 5, "column": 1, "problem": "there is no player called Dan"}]
    assert entered(lobby, tournament_id) == []


def test_one_bad_line_refuses_the_list_and_every_bad_one_is_named(lobby: Lobby) -> None:
    tournament_id = lobby.tournament()
    ada = lobby.bot("Ada")
    lobby.bot("Eve")
    lobby.bot("Eve")
    text = f"rating,name,id,seed\n1500,Ada,,1\nhigh,Bob,,1\n,,,\n,,nobody,2\n,Eve,,3\n,Bea,{ada},4\n,,,5\n1600,ada,,6\n"
    answer = send(lobby, tournament_id, text)
    assert (answer.status_code, answer.json["type"]) == (422, "urn:ginhall:problem:import-refused")
    assert [(e["field"], e["detail"].split(":")[0]) for e in answer.json["errors"]] == [
        ("line 3, column 1", "'high' is no rating"),
        ("line 3, column 4", "seed 1 is in line 2 already"),
        ("line 5, column 3", "there is no player nobody"),
        ("line 6, column 2", "2 players are called Eve"),
        ("line 7, column 2", f"player {ada} is called Ada, not Bea"),
        ("line 8, column 3", "does not say who"),
        ("line 9", "is the same player as line 2"),
    ]
    assert entered(lobby, tournament_id) == []


def test_skip_bad_enters_the_good_lines_and_tells_of_the_others(lobby: Lobby) -> None:
    tournament_id = lobby.tournament()
    lobby.enter(tournament_id, lobby.bot("Ada"))
    lobby.bot("Bob")
    answer = send(lobby, tournament_id, "name\nAda\nBob\nCyd\n", "?skip_bad=true")
    assert answer.status_code == 201
    assert [bad["line"] for bad in answer.json["bad"]] == [2, 4]
    assert entered(lobby, tournament_id) == ["Ada", "Bob"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (b"", "line 1"),
        (b"shoe\n41\n", "line 1"),
        (b"name,Name\na,b\n", "line 1, column 2"),
        (b"name\nAda\nB\xff\n", "line 3"),
        (b'name\n"Ada\n', "line 2"),
    ],
)
def test_what_is_no_list_is_refused_with_its_place(lobby: Lobby, text: bytes, place: str) -> None:
    tournament_id = lobby.tournament()
    answer = send(lobby, tournament_id, text)
    assert (answer.status_code, answer.json["errors"][0]["field"]) == (422, place), answer.json


def test_only_the_organiser_may_send_a_list(lobby: Lobby) -> None:
    tournament_id = lobby.tournament()
    somebody, _ = lobby.sign_up("somebody")
    path = f"/api/v1/tournaments/{tournament_id}/entrants.csv"
    answer = somebody.post(path, data="name\nsomebody\n", content_type="text/csv")
    assert (answer.status_code, answer.json["type"]) == (403, "urn:ginhall:problem:not-the-organiser")


def test_a_list_for_a_tournament_that_nobody_can_enter_is_refused_as_a_whole(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2)
    lobby.start(tournament_id)
    lobby.bot("Ada")
    answer = send(lobby, tournament_id, "name\nAda\n", "?skip_bad=true")
    assert (answer.status_code, answer.json["type"]) == (409, "urn:ginhall:problem:wrong-tournament-state")


def test_the_same_key_enters_a_list_once(lobby: Lobby) -> None:
    tournament_id = lobby.tournament()
    lobby.bot("Ada")
    headers = {"Idempotency-Key": "a-list"}
    first = send(lobby, tournament_id, "name\nAda\n", headers=dict(headers))
    second = send(lobby, tournament_id, "name\nAda\n", headers=dict(headers))
    assert (first.status_code, second.status_code, second.json) == (201, 201, first.json)

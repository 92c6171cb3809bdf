"""`ginhall tournament …` against a lobby that listens."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from werkzeug.serving import make_server

from gin_lobby.app import lobby_app
from tests.integration.lobby.conftest import Lobby
from tests.support.desk_command import run


@pytest.fixture
def server(lobby: Lobby) -> Iterator[str]:
    listening = make_server("127.0.0.1", 0, lobby_app(lobby.service), threaded=True)
    thread = threading.Thread(target=listening.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{listening.server_port}"
    listening.shutdown()
    thread.join()
    listening.server_close()


def ask(server: str, *words: str) -> Any:
    ended = run("tournament", *words, "--server", server, "--json")
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def test_a_tournament_is_created_listed_shown_and_ranked(lobby: Lobby, server: str) -> None:
    assert lobby.organiser.token
    words = ("Friday", "--starts-at", "+1h", "--rounds", "3", "--tie-breaks", "wins", "--open")
    made = ask(server, "create", *words, "--token", lobby.organiser.token)
    assert (made["state"], made["rounds"], made["tie_breaks"]) == ("registration", 3, ["wins"])
    tournament_id = made["tournament_id"]
    assert [t["name"] for t in ask(server, "list", "--state", "registration")["tournaments"]] == ["Friday"]
    assert ask(server, "show", tournament_id) == made
    for name in ("Ada", "Bob"):
        lobby.enter(tournament_id, lobby.bot(name))
    lobby.clock.move(minutes=1)
    lobby.start(tournament_id)
    standings = ask(server, "standings", tournament_id, "--round", "0")
    assert standings == lobby.see(tournament_id, "/standings?round=0")
    assert "Ada" in run("tournament", "standings", tournament_id, "--server", server).stdout
    assert "Friday" in run("tournament", "show", tournament_id, "--server", server).stdout
    assert tournament_id in run("tournament", "list", "--server", server).stdout


def test_formats_are_kinds_or_json(lobby: Lobby, server: str) -> None:
    assert lobby.organiser.token
    for format_ in ("double_elimination", '{"kind": "double_elimination", "reset": false}'):
        words = ("create", "Cup", "--starts-at", "+2d", "--format", format_, "--token", lobby.organiser.token)
        assert ask(server, *words)["format"]["kind"] == "double_elimination"


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("show", "nothing"), 2),
        (("create", "x", "--starts-at", "+1h"), 1),  # without a token
        (("create", "x", "--starts-at", "soon"), 1),
        (("create", "x", "--starts-at", "+1y"), 2),
        (("create", "x", "--starts-at", "+1h", "--format", "{"), 2),
        (("list", "--limit", "0"), 2),
    ],
)
def test_what_the_server_refuses_is_told_in_a_line(
    lobby: Lobby, server: str, words: tuple[str, ...], status: int
) -> None:
    ended = run("tournament", *words, "--server", server)
    assert (ended.returncode, ended.stdout) == (status, "")
    assert ended.stderr


def test_a_server_that_is_not_there_is_told() -> None:
    ended = run("tournament", "list", "--server", "http://127.0.0.1:1")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "127.0.0.1:1" in ended.stderr

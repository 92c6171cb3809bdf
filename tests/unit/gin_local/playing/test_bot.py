"""`ginhall bot` while the server is away, and when it refuses."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from click.testing import CliRunner

from gin_bots import bot_named
from gin_local.cli import main
from gin_local.playing.bot_command import _run
from gin_local.playing.events import Events
from gin_local.playing.seats import Entry, Seats, WrongToken, account_of
from gin_local.ports import free_ports
from gin_local.rest import Client


def token_of(account: str) -> str:
    payload = base64.urlsafe_b64encode(json.dumps({"sub": account}).encode()).decode().rstrip("=")
    return f"e30.{payload}.x"


class Answers(BaseHTTPRequestHandler):
    """A server with one tournament, which is over, and no matches; only one token is good."""

    def do_GET(self) -> None:
        if self.headers["Authorization"] != f"Bearer {token_of('p-1')}":
            self._answer(401, {"detail": "the token is not valid"})
        elif self.path.startswith("/api/v1/tournaments/t-1"):
            self._answer(200, {"tournament_id": "t-1", "name": "Friday", "state": "finished"})
        elif self.path.startswith("/api/v1/matches"):
            self._answer(200, {"matches": [], "next_cursor": None})
        else:
            self._answer(404, {"detail": "there is no such page"})

    def _answer(self, status: int, document: dict[str, Any]) -> None:
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def port() -> int:
    return free_ports(1)[0]


@pytest.fixture
def server(port: int) -> Iterator[threading.Event]:
    """A server that begins to answer when the event is set."""
    wanted, ready = threading.Event(), threading.Event()
    started: list[ThreadingHTTPServer] = []

    def serve() -> None:
        wanted.wait()
        started.append(ThreadingHTTPServer(("127.0.0.1", port), Answers))
        ready.set()
        started[0].serve_forever(poll_interval=0.05)

    thread = threading.Thread(target=serve)
    thread.start()
    yield wanted
    wanted.set()
    ready.wait()
    started[0].shutdown()
    thread.join()
    started[0].server_close()


def test_it_tries_again_until_the_server_answers_and_ends_with_the_tournament(
    port: int, server: threading.Event
) -> None:
    told: list[str] = []

    def tell(event: str, **details: Any) -> None:
        told.append(event)
        if event == "away":
            server.set()

    url, token = f"http://127.0.0.1:{port}", token_of("p-1")
    client = Client(url, token)
    with Events(url, token, ["player:p-1"]) as events:
        seats = Seats(client, "p-1", bot_named("simple"), tell)
        _run(Entry(client, "p-1", "t-1", tell), seats, "t-1", False, events, tell)
    assert told == ["away", "tournament", "back"]


def test_a_token_that_the_server_refuses_ends_the_command(port: int, server: threading.Event) -> None:
    server.set()
    url = f"http://127.0.0.1:{port}"
    command = ["bot", "simple", "--server", url, "--tournament", "t-1", "--token"]
    runner = CliRunner()
    # Until it listens, the command waits for the server itself.
    refused = runner.invoke(main, [*command, token_of("p-2")])
    assert refused.exit_code == 1
    assert "the token is not valid" in refused.output
    ended = runner.invoke(main, [*command, token_of("p-1"), "--json"])
    assert ended.exit_code == 0
    events = [json.loads(line)["event"] for line in ended.stdout.splitlines()]
    assert events == ["start", "tournament"]


def test_an_unknown_bot_is_refused_with_the_names_that_there_are() -> None:
    refused = CliRunner().invoke(main, ["bot", "deep", "--token", token_of("p-1")])
    assert refused.exit_code == 2
    assert "expert" in refused.output


def test_what_is_no_token_is_told_so() -> None:
    assert account_of(token_of("p-1")) == "p-1"
    for text in ("", "abc", "a.b.c", "e30.e30.x"):
        with pytest.raises(WrongToken, match="no token"):
            account_of(text)

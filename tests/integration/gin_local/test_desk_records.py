"""`ginhall verify` and `ginhall replay`, through the real command."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from random import Random

import pytest

from gin_bots import bot_named
from gin_rules.game import game_named
from gin_rules.record import MatchRecord, RecordedAction, concealed, record_match, record_to_json, record_to_text
from gin_rules.shuffle import SeededDeals, commitment
from tests.support.desk_command import assert_refused, document, environment, run


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    """A short match that two bots have played."""
    game, bot, rng = game_named("rummy"), bot_named("simple"), Random(4)
    rules = game.rules_from_json({"preset": "short"})
    seed, salt, entropy = bytes(range(32)), bytes(16), (b"a", b"b")
    state = game.new_match(rules, 2, SeededDeals(seed, entropy, "m1"))
    at, actions = datetime(2026, 3, 1, 20, tzinfo=UTC), []
    while (seat := game.to_act(state)) is not None:
        at += timedelta(seconds=1)
        action = bot.choose_action(game.view(state, seat), rng)
        actions.append(RecordedAction(seat, action, at))
        state = game.apply(state, action)
    return record_match(
        game=game,
        rules=rules,
        match_id="m1",
        seats=("Ann", "Bob"),
        commitment=commitment(salt, seed),
        entropy=entropy,
        seed=seed,
        salt=salt,
        actions=actions,
    )


@pytest.fixture
def file(record: MatchRecord, tmp_path: Path) -> Path:
    """The same in a file."""
    path = tmp_path / "m1.json"
    path.write_text(record_to_text(record), encoding="utf-8")
    return path


def test_a_right_record_holds_and_what_was_checked_is_told(record: MatchRecord, file: Path) -> None:
    answer = document("verify", str(file))
    assert answer == {
        "match_id": "m1",
        "game": "rummy",
        "holds": True,
        "recorded": {
            "deals": len(record.decks),
            "actions": len(record.actions),
            "scores": len(record.scores),
            "outcome": True,
        },
        "finding": None,
    }
    told = run("verify", "-", told=record_to_text(record))
    assert told.returncode == 0
    assert f"{len(record.actions)} actions are legal" in told.stdout
    assert told.stdout.endswith("The record holds.\n")


@pytest.mark.parametrize("what", ["action", "deal", "score"])
def test_the_first_thing_that_does_not_follow_is_named(record: MatchRecord, tmp_path: Path, what: str) -> None:
    wrong = record_to_json(record)
    if what == "action":
        wrong["actions"][2]["action"] = "big_gin"
        number = 3
    elif what == "deal":
        wrong["decks"][1] = wrong["decks"][0]
        number = 2
    else:
        wrong["scores"][0]["points"] = [1, 1]
        number = 1
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(wrong), encoding="utf-8")
    ended = run("verify", str(path), "--json")
    assert ended.returncode == 1
    answer = json.loads(ended.stdout)
    assert answer["holds"] is False
    assert (answer["finding"]["what"], answer["finding"]["number"]) == (what, number)
    told = run("verify", str(path))
    assert told.returncode == 1
    assert f"First at {what} {number}: " in told.stdout


def test_what_is_no_record_is_refused(tmp_path: Path, record: MatchRecord) -> None:
    path = tmp_path / "no.json"
    for content in (b"", b"[]", b"{}", b"\xff\xfe", b"[" * 100_000):
        path.write_bytes(content)
        assert_refused(run("verify", str(path)), "cannot be read")
        assert_refused(run("replay", str(path)), "cannot be read")
    assert_refused(run("verify", str(tmp_path / "missing.json")), "No such file")
    path.write_text(record_to_text(concealed(record)), encoding="utf-8")
    assert_refused(run("verify", str(path)), "not revealed")
    assert_refused(run("replay", str(path)), "not revealed")


def test_replay_prints_every_step_where_no_terminal_is(record: MatchRecord, file: Path) -> None:
    told = run("replay", str(file))
    assert told.returncode == 0
    assert told.stdout.count("Step ") == len(record.actions) + 1
    assert "the match is over" in told.stdout
    answer = document("replay", str(file))
    assert [step["action"] for step in answer["steps"]] == [None, *(entry.action for entry in record.actions)]
    assert len([step for step in answer["steps"] if step["ended"]]) == len(record.scores)
    assert answer["steps"][-1]["totals"] == list(record.scores[-1].totals)
    assert {len(hand) for hand in answer["steps"][0]["hands"]} == {10}


def test_replay_shows_how_far_a_broken_record_goes(record: MatchRecord, tmp_path: Path) -> None:
    wrong = record_to_json(record)
    wrong["actions"][4]["action"] = "big_gin"
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(wrong), encoding="utf-8")
    told = run("replay", str(path))
    assert told.returncode == 1
    assert told.stdout.count("Step ") == 5
    assert "action 5: " in told.stderr


def test_replay_in_a_terminal_steps_jumps_and_quits(record: MatchRecord, file: Path) -> None:
    master, slave = os.openpty()
    words = [sys.executable, "-m", "gin_local", "replay", str(file)]
    with subprocess.Popen(words, env=environment(), stdin=slave, stdout=slave, stderr=slave) as desk:
        os.close(slave)
        os.write(master, f"\n7\n{len(record.actions) + 1}\nx\n3\nq\n".encode())
        told = b""
        with contextlib.suppress(OSError):  # the terminal is gone when the command has ended
            while more := os.read(master, 4096):
                told += more
        assert desk.wait(timeout=60) == 0
    os.close(master)
    assert re.findall(r"Step (\d+) of", told.decode()) == ["0", "1", "7", "3"]


@pytest.fixture
def house(record: MatchRecord) -> Iterator[str]:
    """The address of a server that has one record."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = record_to_text(record).encode() if self.path == "/api/v1/matches/m1/record" else b""
            self.send_response(200 if content else 404)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        serving.join()


def test_a_record_is_fetched_from_a_running_house(house: str) -> None:
    for address in (f"{house}/api/v1/matches/m1/record", f"{house}/api/v1/matches/m1"):
        assert document("verify", address)["holds"] is True
    assert_refused(run("verify", f"{house}/api/v1/matches/m2/record"), "404")

"""The referee's desk through the real command: every worked hand, streams of cases, records, and what is refused."""

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
from typing import Any

import pytest

from gin_bots import bot_named
from gin_rules.game import game_named
from gin_rules.record import MatchRecord, RecordedAction, concealed, record_match, record_to_json, record_to_text
from gin_rules.shuffle import SeededDeals, commitment

_ROOT = Path(__file__).resolve().parents[3]
_GOLDEN = json.loads((_ROOT / "tests" / "golden" / "gin_hands.json").read_text(encoding="utf-8"))
_TENS = [case for case in _GOLDEN if "hand" in case]
_ELEVENS = [case for case in _GOLDEN if "hand11" in case]
_ENDED = [case for case in _GOLDEN if "knocker" in case]
_EIGHT = "4c 5c 6c Jd Js Jh 2d 2h 2s 8d"
_DEFENDER = "9c 9d 9h Tc Td Th Kc Kd Kh 8h"


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(_ROOT / "shared"), str(_ROOT / "services")))}


def _run(*words: str, told: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gin_local", *words],
        input=told,
        env=_environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def _document(*words: str) -> Any:
    ended = _run(*words, "--json")
    assert (ended.returncode, ended.stderr) == (0, "")
    return json.loads(ended.stdout)


def _answers(*words: str, told: str) -> list[Any]:
    ended = _run(*words, told=told)
    assert (ended.returncode, ended.stderr) == (0, "")
    return [json.loads(line) for line in ended.stdout.splitlines()]


def _assert_refused(ended: subprocess.CompletedProcess[str], reason: str) -> None:
    assert (ended.returncode, ended.stdout) == (2, "")
    assert reason in ended.stderr
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("case", _TENS, ids=lambda case: case["id"])
def test_every_worked_hand_of_ten_has_its_deadwood(case: dict[str, Any]) -> None:
    answer = _document("deadwood", case["hand"])
    assert list(answer) == ["deadwood", "melds"]
    assert answer["deadwood"] == case["deadwood"]
    melded = [card for meld in answer["melds"] for card in meld]
    assert len(set(melded)) == len(melded)
    unmelded = set(case["hand"].split()) - set(melded)
    assert sum(min("A23456789TJQK".index(card[0]) + 1, 10) for card in unmelded) == case["deadwood"]


@pytest.mark.parametrize("case", _ELEVENS, ids=lambda case: case["id"])
def test_every_worked_hand_of_eleven_has_its_best_discards(case: dict[str, Any]) -> None:
    answer = _document("deadwood", case["hand11"])
    assert list(answer) == ["deadwood", "melds", "best_discards"]
    assert answer["deadwood"] == case["deadwood_after_best_discard"]
    assert sorted(answer["best_discards"]) == sorted(case["best_discards"])
    assert not any(answer["best_discards"][0] in meld for meld in answer["melds"])


@pytest.mark.parametrize("case", _ENDED, ids=lambda case: case["id"])
def test_every_worked_knock_is_settled(case: dict[str, Any]) -> None:
    answer = _document("settle", "--knocker", case["knocker"], "--defender", case["defender"])
    assert list(answer) == [
        "result",
        "points",
        "winner",
        "knocker_deadwood",
        "defender_deadwood",
        "knocker_melds",
        "defender_melds",
        "layoffs",
    ]
    for name in ("result", "points", "knocker_deadwood", "defender_deadwood"):
        assert answer[name] == case[name]
    assert answer["winner"] == ("defender" if case["result"] == "undercut" else "knocker")


def test_a_stream_answers_every_worked_case_in_its_order() -> None:
    hands = [case.get("hand") or case["hand11"] for case in (*_TENS, *_ELEVENS)]
    told = "".join(json.dumps({"hand": hand}) + "\n" for hand in hands)
    expected = [case.get("deadwood", case.get("deadwood_after_best_discard")) for case in (*_TENS, *_ELEVENS)]
    assert [answer["deadwood"] for answer in _answers("deadwood", "-", told=told)] == expected

    told = "".join(json.dumps({"knocker": case["knocker"], "defender": case["defender"]}) + "\n" for case in _ENDED)
    assert [answer["points"] for answer in _answers("settle", "-", told=told)] == [case["points"] for case in _ENDED]


def test_a_bad_line_is_answered_by_an_error_and_the_rest_goes_on() -> None:
    good = json.dumps({"hand": _EIGHT})
    bad = ["{", "", "[]", '{"hand": 5}', '{"cards": "4c"}', json.dumps({"hand": "4c 4c"}), "[" * 100_000, "\xff"]
    answers = _answers("deadwood", "-", told="\n".join([good, *bad, good]) + "\n")
    assert [list(answer) for answer in answers[1:-1]] == [["error"]] * len(bad)
    assert answers[0] == answers[-1] == {"deadwood": 8, "melds": answers[0]["melds"]}


def test_an_answer_comes_before_the_next_case_is_asked() -> None:
    words = [sys.executable, "-m", "gin_local", "deadwood", "-"]
    with subprocess.Popen(words, env=_environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as desk:
        assert desk.stdin is not None
        assert desk.stdout is not None
        for case in _TENS:
            desk.stdin.write(json.dumps({"hand": case["hand"]}) + "\n")
            desk.stdin.flush()
            assert json.loads(desk.stdout.readline())["deadwood"] == case["deadwood"]
        desk.stdin.close()
        assert desk.wait(timeout=30) == 0


def test_lines_may_name_their_own_melds_rules_and_upcard(tmp_path: Path) -> None:
    rules = tmp_path / "rules.json"
    rules.write_text(json.dumps({"preset": "standard", "undercut_bonus": 10}), encoding="utf-8")
    knock = {"knocker": _EIGHT, "defender": _DEFENDER}
    oklahoma = {"preset": "oklahoma", "oklahoma_spades": "all"}
    cases = [
        knock,
        {**knock, "rules": "standard"},
        {**knock, "rules": {"undercut_bonus": 20}, "melds": [["4c", "5c", "6c"], ["Jd", "Js", "Jh"], "2d2h2s"]},
        {**knock, "rules": oklahoma, "upcard": "9s"},
        {**knock, "rules": oklahoma, "upcard": "7s"},
        {**knock, "melds": "4c5c6c/JdJsJh"},
    ]
    told = "".join(json.dumps(case) + "\n" for case in cases)
    answers = _answers("settle", "-", "--rules", str(rules), told=told)
    assert [answer.get("points") for answer in answers] == [10, 25, 20, 50, None, None]
    assert "limit is 7" in answers[4]["error"]
    assert "leave 14 deadwood" in answers[5]["error"]


def test_the_score_is_explained_line_by_line() -> None:
    told = _run("settle", "--knocker", _EIGHT, "--defender", "9c 9d 9h Tc Td Th Kc Kd Kh 5s").stdout
    assert "Knocker's deadwood:   8 (8d)" in told
    assert "Defender's deadwood:  5 (5s)" in told
    assert [line.split() for line in told.splitlines()[-3:]] == [
        ["difference", "of", "deadwood", "8", "-", "5", "3"],
        ["bonus", "for", "undercut", "25"],
        ["Undercut:", "the", "defender", "wins", "28."],
    ]


def test_layoffs_are_explained() -> None:
    case = next(case for case in _ENDED if case["id"] == "L1")
    told = _run("settle", "--knocker", case["knocker"], "--defender", case["defender"]).stdout
    assert "Defender lays off:    4c 5c on 6c 7c 8c" in told


def test_big_gin_is_settled_where_it_is_played() -> None:
    hands = ("--knocker", "4s 5s 6s 7s 9c 9d 9h Jc Qc Kc Tc", "--defender", "Kd Kh Ks 2c 3c 4c 7d 7h 7c Ah")
    answer = _document("settle", *hands, "--preset", "big_gin")
    assert (answer["result"], answer["points"]) == ("big_gin", 32)
    _assert_refused(_run("settle", *hands), "big gin, which is not played")


@pytest.mark.parametrize(
    ("cards", "reason"),
    [
        ("4c 5c 6c 7c 7d 7h 7s Kd Qh 4c", "4c is named twice"),
        ("4c 5c 6c 7c 7d 7h 7s Kd Qh", "these are 9"),
        ("4c 5c 6c 7c 7d 7h 7s Kd Qh 2s 3s Ks", "these are 12"),
        ("4c 5c 6c 7c 7d 7h 7s Kd Qh 1s", "'1s' is not a card"),
        ("", "these are 0"),
    ],
)
def test_a_hand_that_cannot_be_is_refused(cards: str, reason: str) -> None:
    _assert_refused(_run("deadwood", cards), reason)
    _assert_refused(_run("deadwood", "--json", cards), reason)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--defender", _DEFENDER], "the knocker's hand is missing"),
        (["--knocker", _EIGHT], "the defender's hand is missing"),
        (["--knocker", _EIGHT, "--defender", "9c 9d 9h Tc Td Th Kc Kd Kh 8d"], "both hands hold 8d"),
        (["--knocker", _EIGHT.replace("8d", "2d"), "--defender", _DEFENDER], "2d is named twice"),
        (["--knocker", _EIGHT.replace("8d", "8x"), "--defender", _DEFENDER], "knocker: '8x' is not a card"),
        (["--knocker", _EIGHT.replace("8d", ""), "--defender", _DEFENDER], "knocker: 10 cards are kept"),
        (["--knocker", _EIGHT, "--defender", "9c"], "defender: a hand has 10 cards; these are 1"),
        (["--knocker", _EIGHT.replace("6c", "Ks"), "--defender", _DEFENDER], "27 deadwood, the limit is 10"),
        (["--knocker", _EIGHT, "--defender", _DEFENDER, "--preset", "straight"], "the limit is 0"),
        (["--knocker", _EIGHT, "--defender", _DEFENDER, "--melds", "4c5c6c/2d2h8d"], "2d8d2h is not a meld"),
        (["--knocker", _EIGHT, "--defender", _DEFENDER, "--melds", "4c5c6c/KcKdKh"], "not among the kept cards"),
        (["--knocker", _EIGHT, "--defender", _DEFENDER, "--melds", "4c5c6c/4c5c6c"], "named in two melds"),
        (["--knocker", _EIGHT, "--defender", _DEFENDER, "--preset", "stud"], "rules: preset: must be one of"),
        (["--knocker", _EIGHT, "--defender", _DEFENDER, "--rules", "/nowhere"], "/nowhere cannot be read"),
    ],
)
def test_a_knock_that_cannot_be_is_refused(options: list[str], reason: str) -> None:
    _assert_refused(_run("settle", *options), reason)


def test_the_desk_starts_without_the_libraries_of_servers() -> None:
    loaded = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "gin_local", "deadwood", _EIGHT],
        env=_environment(),
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    names = {line.rpartition("|")[2].strip().partition(".")[0] for line in loaded.splitlines()}
    assert "gin_rules" in names
    assert not names & {"flask", "celery", "supervisor", "psycopg", "redis", "rich", "marshmallow", "kombu"}


def test_self_play_is_decided_by_its_seed_whatever_the_processes() -> None:
    words = ("selfplay", "--bots", "simple,random", "--matches", "6", "--preset", "short")
    first, again, other = (
        _document(*words, "--seed", "5"),
        _document(*words, "--seed", "5", "--processes", "2"),
        _document(*words, "--seed", "6"),
    )
    assert first.pop("seconds") > 0
    again.pop("seconds")
    other.pop("seconds")
    assert first == again
    assert first != {**other, "seed": 5}
    assert first["matches"] == 6 == sum(first["wins"]) + first["draws"]
    assert first["wins"][0] == 6  # against an opponent who does not try to win


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--bots", "simple,nobody"], "no bot is called 'nobody'"),
        (["--bots", "simple"], "rummy is played by 2"),
        (["--bots", "simple,simple", "--game", "whist"], "no game is called 'whist'"),
        (["--bots", "simple,simple", "--preset", "stud"], "preset: must be one of"),
    ],
)
def test_self_play_that_cannot_be_is_refused(options: list[str], reason: str) -> None:
    _assert_refused(_run("selfplay", *options), reason)


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
    answer = _document("verify", str(file))
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
    told = _run("verify", "-", told=record_to_text(record))
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
    ended = _run("verify", str(path), "--json")
    assert ended.returncode == 1
    answer = json.loads(ended.stdout)
    assert answer["holds"] is False
    assert (answer["finding"]["what"], answer["finding"]["number"]) == (what, number)
    told = _run("verify", str(path))
    assert told.returncode == 1
    assert f"First at {what} {number}: " in told.stdout


def test_what_is_no_record_is_refused(tmp_path: Path, record: MatchRecord) -> None:
    path = tmp_path / "no.json"
    for content in (b"", b"[]", b"{}", b"\xff\xfe", b"[" * 100_000):
        path.write_bytes(content)
        _assert_refused(_run("verify", str(path)), "cannot be read")
        _assert_refused(_run("replay", str(path)), "cannot be read")
    _assert_refused(_run("verify", str(tmp_path / "missing.json")), "No such file")
    path.write_text(record_to_text(concealed(record)), encoding="utf-8")
    _assert_refused(_run("verify", str(path)), "not revealed")
    _assert_refused(_run("replay", str(path)), "not revealed")


def test_replay_prints_every_step_where_no_terminal_is(record: MatchRecord, file: Path) -> None:
    told = _run("replay", str(file))
    assert told.returncode == 0
    assert told.stdout.count("Step ") == len(record.actions) + 1
    assert "the match is over" in told.stdout
    answer = _document("replay", str(file))
    assert [step["action"] for step in answer["steps"]] == [None, *(entry.action for entry in record.actions)]
    assert len([step for step in answer["steps"] if step["ended"]]) == len(record.scores)
    assert answer["steps"][-1]["totals"] == list(record.scores[-1].totals)
    assert {len(hand) for hand in answer["steps"][0]["hands"]} == {10}


def test_replay_shows_how_far_a_broken_record_goes(record: MatchRecord, tmp_path: Path) -> None:
    wrong = record_to_json(record)
    wrong["actions"][4]["action"] = "big_gin"
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(wrong), encoding="utf-8")
    told = _run("replay", str(path))
    assert told.returncode == 1
    assert told.stdout.count("Step ") == 5
    assert "action 5: " in told.stderr


def test_replay_in_a_terminal_steps_jumps_and_quits(record: MatchRecord, file: Path) -> None:
    master, slave = os.openpty()
    words = [sys.executable, "-m", "gin_local", "replay", str(file)]
    with subprocess.Popen(words, env=_environment(), stdin=slave, stdout=slave, stderr=slave) as desk:
        os.close(slave)
        os.write(master, f"\n7\n{len(record.actions) + 1}\nx\n3\nq\n".encode())
        told = b""
        with contextlib.suppress(OSError):  # the terminal is gone when the command has ended
            while more := os.read(master, 4096):
                told += more
        assert desk.wait(timeout=30) == 0
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
        assert _document("verify", address)["holds"] is True
    _assert_refused(_run("verify", f"{house}/api/v1/matches/m2/record"), "404")


def test_words_are_ruled_on() -> None:
    answer = _document("words", "check", "QUIET", "zzyx", "a")
    assert [ruling["acceptable"] for ruling in answer["words"]] == [True, False, False]
    assert answer["words"][0]["points"] > 0
    told = _run("words", "check", "quiet", "zzyx").stdout.splitlines()
    assert told[0].startswith("quiet  acceptable")
    assert told[1].startswith("zzyx   not acceptable")


def test_the_two_letter_card_is_listed() -> None:
    listed = _document("words", "two-letter")["words"]
    assert "at" in listed
    assert {len(word) for word in listed} == {2}
    assert _run("words", "two-letter").stdout.split() == listed


def test_the_best_words_and_the_gin_of_ten_cards_are_found() -> None:
    answer = _document("words", "best", "Qg Ug Ig1 Eg1 Tg1 Ar1 Tr1 Ib1 Tb1 Sb")
    assert answer["gin"] is not None
    assert answer["unused"] == []
    assert "QUIETg" in answer["words"]
    assert "QUIETg" in _run("words", "best", "Qg Ug Ig1 Eg1 Tg1 Ar1 Tr1 Ib1 Tb1 Sb").stdout
    _assert_refused(_run("words", "best", "Qg Qg"), "names a card twice")
    _assert_refused(_run("words", "best", "Q?"), "Q?")


def test_an_organisers_list_decides_instead(tmp_path: Path) -> None:
    path = tmp_path / "My words.txt"
    path.write_text("zzyx\nqi\n", encoding="utf-8")
    answer = _document("words", "check", "zzyx", "quiet", "--dictionary", str(path))
    assert [ruling["acceptable"] for ruling in answer["words"]] == [True, False]
    assert _document("words", "two-letter", "--dictionary", str(path))["words"] == ["qi"]
    path.write_text("good\nB4d\n", encoding="utf-8")
    _assert_refused(_run("words", "check", "good", "--dictionary", str(path)), "line 2")
    _assert_refused(_run("words", "check", "good", "--dictionary", "no-such"), "neither a file nor a dictionary")


def test_several_bots_play_word_gin_against_one_another() -> None:
    answer = _document("selfplay", "--game", "word", "--bots", "wordsmith,random,wordsmith", "--matches", "1")
    assert answer["matches"] == 1 == sum(answer["wins"]) + answer["draws"]
    assert len(answer["points"]) == 3

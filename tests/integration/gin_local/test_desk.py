"""The referee's desk through the real command: every worked hand, streams of cases, records, and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.desk_command import ROOT, answers_to, assert_refused, document, environment, run

_GOLDEN = json.loads((ROOT / "tests" / "golden" / "gin_hands.json").read_text(encoding="utf-8"))
_TENS = [case for case in _GOLDEN if "hand" in case]
_ELEVENS = [case for case in _GOLDEN if "hand11" in case]
_ENDED = [case for case in _GOLDEN if "knocker" in case]
_EIGHT = "4c 5c 6c Jd Js Jh 2d 2h 2s 8d"
_DEFENDER = "9c 9d 9h Tc Td Th Kc Kd Kh 8h"


@pytest.mark.parametrize("case", _TENS, ids=lambda case: case["id"])
def test_every_worked_hand_of_ten_has_its_deadwood(case: dict[str, Any]) -> None:
    answer = document("deadwood", case["hand"])
    assert list(answer) == ["deadwood", "melds"]
    assert answer["deadwood"] == case["deadwood"]
    melded = [card for meld in answer["melds"] for card in meld]
    assert len(set(melded)) == len(melded)
    unmelded = set(case["hand"].split()) - set(melded)
    assert sum(min("A23456789TJQK".index(card[0]) + 1, 10) for card in unmelded) == case["deadwood"]


@pytest.mark.parametrize("case", _ELEVENS, ids=lambda case: case["id"])
def test_every_worked_hand_of_eleven_has_its_best_discards(case: dict[str, Any]) -> None:
    answer = document("deadwood", case["hand11"])
    assert list(answer) == ["deadwood", "melds", "best_discards"]
    assert answer["deadwood"] == case["deadwood_after_best_discard"]
    assert sorted(answer["best_discards"]) == sorted(case["best_discards"])
    assert not any(answer["best_discards"][0] in meld for meld in answer["melds"])


@pytest.mark.parametrize("case", _ENDED, ids=lambda case: case["id"])
def test_every_worked_knock_is_settled(case: dict[str, Any]) -> None:
    answer = document("settle", "--knocker", case["knocker"], "--defender", case["defender"])
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
    assert [answer["deadwood"] for answer in answers_to("deadwood", "-", told=told)] == expected

    told = "".join(json.dumps({"knocker": case["knocker"], "defender": case["defender"]}) + "\n" for case in _ENDED)
    assert [answer["points"] for answer in answers_to("settle", "-", told=told)] == [case["points"] for case in _ENDED]


def test_a_bad_line_is_answered_by_an_error_and_the_rest_goes_on() -> None:
    good = json.dumps({"hand": _EIGHT})
    bad = ["{", "", "[]", '{"hand": 5}', '{"cards": "4c"}', json.dumps({"hand": "4c 4c"}), "[" * 100_000, "\xff"]
    answers = answers_to("deadwood", "-", told="\n".join([good, *bad, good]) + "\n")
    assert [list(answer) for answer in answers[1:-1]] == [["error"]] * len(bad)
    assert answers[0] == answers[-1] == {"deadwood": 8, "melds": answers[0]["melds"]}


def test_an_answer_comes_before_the_next_case_is_asked() -> None:
    words = [sys.executable, "-m", "gin_local", "deadwood", "-"]
    with subprocess.Popen(words, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as desk:
        assert desk.stdin is not None
        assert desk.stdout is not None
        for case in _TENS:
            desk.stdin.write(json.dumps({"hand": case["hand"]}) + "\n")
            desk.stdin.flush()
            assert json.loads(desk.stdout.readline())["deadwood"] == case["deadwood"]
        desk.stdin.close()
        assert desk.wait(timeout=60) == 0


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
    answers = answers_to("settle", "-", "--rules", str(rules), told=told)
    assert [answer.get("points") for answer in answers] == [10, 25, 20, 50, None, None]
    assert "limit is 7" in answers[4]["error"]
    assert "leave 14 deadwood" in answers[5]["error"]


def test_the_score_is_explained_line_by_line() -> None:
    told = run("settle", "--knocker", _EIGHT, "--defender", "9c 9d 9h Tc Td Th Kc Kd Kh 5s").stdout
    assert "Knocker's deadwood:   8 (8d)" in told
    assert "Defender's deadwood:  5 (5s)" in told
    assert [line.split() for line in told.splitlines()[-3:]] == [
        ["difference", "of", "deadwood", "8", "-", "5", "3"],
        ["bonus", "for", "undercut", "25"],
        ["Undercut:", "the", "defender", "wins", "28."],
    ]


def test_layoffs_are_explained() -> None:
    case = next(case for case in _ENDED if case["id"] == "L1")
    told = run("settle", "--knocker", case["knocker"], "--defender", case["defender"]).stdout
    assert "Defender lays off:    4c 5c on 6c 7c 8c" in told


def test_big_gin_is_settled_where_it_is_played() -> None:
    hands = ("--knocker", "4s 5s 6s 7s 9c 9d 9h Jc Qc Kc Tc", "--defender", "Kd Kh Ks 2c 3c 4c 7d 7h 7c Ah")
    answer = document("settle", *hands, "--preset", "big_gin")
    assert (answer["result"], answer["points"]) == ("big_gin", 32)
    assert_refused(run("settle", *hands), "big gin, which is not played")


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
    assert_refused(run("deadwood", cards), reason)
    assert_refused(run("deadwood", "--json", cards), reason)


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
    assert_refused(run("settle", *options), reason)


def test_the_desk_starts_without_the_libraries_of_servers() -> None:
    loaded = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "gin_local", "deadwood", _EIGHT],
        env=environment(),
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
        document(*words, "--seed", "5"),
        document(*words, "--seed", "5", "--processes", "2"),
        document(*words, "--seed", "6"),
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
    assert_refused(run("selfplay", *options), reason)


def test_words_are_ruled_on() -> None:
    answer = document("words", "check", "QUIET", "zzyx", "a")
    assert [ruling["acceptable"] for ruling in answer["words"]] == [True, False, False]
    assert answer["words"][0]["points"] > 0
    told = run("words", "check", "quiet", "zzyx").stdout.splitlines()
    assert told[0].startswith("quiet  acceptable")
    assert told[1].startswith("zzyx   not acceptable")


def test_the_two_letter_card_is_listed() -> None:
    listed = document("words", "two-letter")["words"]
    assert "at" in listed
    assert {len(word) for word in listed} == {2}
    assert run("words", "two-letter").stdout.split() == listed


def test_the_best_words_and_the_gin_of_ten_cards_are_found() -> None:
    answer = document("words", "best", "Qg Ug Ig1 Eg1 Tg1 Ar1 Tr1 Ib1 Tb1 Sb")
    assert answer["gin"] is not None
    assert answer["unused"] == []
    assert "QUIETg" in answer["words"]
    assert "QUIETg" in run("words", "best", "Qg Ug Ig1 Eg1 Tg1 Ar1 Tr1 Ib1 Tb1 Sb").stdout
    assert_refused(run("words", "best", "Qg Qg"), "names a card twice")
    assert_refused(run("words", "best", "Q?"), "Q?")


def test_an_organisers_list_decides_instead(tmp_path: Path) -> None:
    path = tmp_path / "My words.txt"
    path.write_text("zzyx\nqi\n", encoding="utf-8")
    answer = document("words", "check", "zzyx", "quiet", "--dictionary", str(path))
    assert [ruling["acceptable"] for ruling in answer["words"]] == [True, False]
    assert document("words", "two-letter", "--dictionary", str(path))["words"] == ["qi"]
    path.write_text("good\nB4d\n", encoding="utf-8")
    assert_refused(run("words", "check", "good", "--dictionary", str(path)), "line 2")
    assert_refused(run("words", "check", "good", "--dictionary", "no-such"), "neither a file nor a dictionary")


def test_several_bots_play_word_gin_against_one_another() -> None:
    answer = document("selfplay", "--game", "word", "--bots", "wordsmith,random,wordsmith", "--matches", "1")
    assert answer["matches"] == 1 == sum(answer["wins"]) + answer["draws"]
    assert len(answer["points"]) == 3

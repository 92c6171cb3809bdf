"""Organisers bring word lists: every process of the engine plays with them, and records are checked with them."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from werkzeug.test import TestResponse

from gin_engine.store import states
from gin_engine.use_cases import word_lists
from gin_rules.record import record_from_json
from gin_rules.verify import verify
from gin_rules.word import dictionary
from tests.integration.engine.house import House, bot

WORDS = b"gnu\nyak\nox\nantelope\n"
CANONICAL = b"antelope\ngnu\nox\nyak\n"
SHA256 = hashlib.sha256(CANONICAL).hexdigest()


def bring(house: House, name: str, words: bytes, account_id: str = "olga", **token: Any) -> TestResponse:
    headers = house.token(account_id, token.pop("scopes", ("tournament:write",)), **token)
    return house.client.post(
        "/api/v1/word-lists", query_string={"name": name}, data=words, headers=headers, content_type="text/plain"
    )


def listed(house: House) -> list[str]:
    answer = house.client.get("/api/v1/word-lists")
    assert answer.status_code == 200, answer.text
    return [each["name"] for each in answer.json["word_lists"]]


@pytest.fixture
def other_process(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Forgets what this process has learnt, as one that has just started."""

    def forget() -> None:
        monkeypatch.setattr(dictionary, "_by_hash", {})
        monkeypatch.setattr(dictionary, "_hash_of", {})
        monkeypatch.setattr(states, "_kept", states.KeptStates(8))

    forget()
    return forget


def test_a_list_is_stored_by_its_hash_and_served_to_everybody(house: House) -> None:
    answer = bring(house, "zoo", WORDS)
    assert answer.status_code == 201, answer.text
    told = dict(answer.json)
    assert (told["name"], told["sha256"], told["count"], told["longest"]) == ("zoo", SHA256, 4, 8)
    assert listed(house) == ["zoo"]
    words = house.client.get(f"/api/v1/word-lists/{SHA256}")
    assert (words.status_code, words.data, words.mimetype) == (200, CANONICAL, "text/plain")
    assert bring(house, "zoo", CANONICAL).json == told
    with house.service.transaction() as tx:
        bodies = tx.scalars("SELECT payload->'body' FROM outbox WHERE name = 'word_list_added'")
    assert [(body["list_name"], body["sha256"], body["words"]) for body in bodies] == [
        ("zoo", SHA256, CANONICAL.decode())
    ]


def test_the_words_that_come_with_the_game_are_served_too(house: House) -> None:
    sha256 = dictionary.BUILT_IN["scowl-60"]
    words = house.client.get(f"/api/v1/word-lists/{sha256}").data
    assert hashlib.sha256(words).hexdigest() == sha256
    for unknown in ("0" * 64, "zoo", "%00"):
        assert house.client.get(f"/api/v1/word-lists/{unknown}").status_code == 404


@pytest.mark.parametrize(
    ("name", "words", "field"),
    [
        ("zoo", b"gnu\nGnu\n", "line 2"),
        ("zoo", b"gnu\n\nyak\n", "line 2"),
        ("zoo", b"gnu\nyak\ngnu\n", "line 3"),
        ("zoo", b"g\n", "line 1"),
        ("zoo", b"gnu\n\xff\n", "line 2"),
        ("zoo", b"x" * 16, "line 1"),
        ("zoo", b"", "words"),
        ("zoo", b"ab\n" * 340_000, "words"),
        ("Zoo!", WORDS, "name"),
        ("", WORDS, "name"),
    ],
)
def test_a_bad_list_is_refused_with_the_line_at_fault(house: House, name: str, words: bytes, field: str) -> None:
    answer = bring(house, name, words)
    assert (answer.status_code, answer.json["errors"][0]["field"]) == (422, field), answer.text
    assert listed(house) == []


def test_a_name_means_one_list_and_a_list_has_one_name(house: House) -> None:
    assert bring(house, "zoo", WORDS).status_code == 201
    assert bring(house, "zoo", b"gnu\n", "paul").status_code == 409
    assert bring(house, "ark", WORDS, "paul").status_code == 409
    assert bring(house, "scowl-60", WORDS).status_code == 409
    assert listed(house) == ["zoo"]


def test_guests_and_tokens_for_play_bring_nothing(house: House) -> None:
    assert bring(house, "zoo", WORDS, guest=True).status_code == 403
    assert bring(house, "zoo", WORDS, scopes=("play",)).status_code == 403
    assert listed(house) == []


def test_one_account_brings_a_few_lists_at_most(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_lists, "MOST_LISTS", 2)
    assert [bring(house, f"zoo-{n}", b"gnu\n" + b"a" * (n + 2)).status_code for n in range(3)] == [201, 201, 409]
    assert bring(house, "zoo-0", b"gnu\naa\n").status_code == 201, "one that is there already is no other"
    assert bring(house, "zoo-3", WORDS, "paul").status_code == 201


def test_a_table_plays_with_the_list_in_every_process(house: House, other_process: Any) -> None:
    bring(house, "zoo", WORDS)
    other_process()
    table = house.open_table("ann", game="word", rules={"dictionary": "zoo", "fixed_hands": 1})
    assert table["rules"]["dictionary_sha256"] == SHA256
    other_process()
    assert house.join(table["table_id"], "bob").status_code == 200
    other_process()
    assert house.seat(table["table_id"], "ann")["view"]["two_letter_words"] == ["ox"]


def test_a_match_of_bots_with_the_list_leaves_a_record_that_holds(house: House, other_process: Any) -> None:
    bring(house, "zoo", WORDS)
    other_process()
    rules = {"dictionary": "zoo", "dictionary_sha256": SHA256, "fixed_hands": 1, "hand_turn_cap": 3}
    match_id = house.open(bot("ada", "wordsmith"), bot("bob", "random"), game="word", rules=rules)
    other_process()
    house.play()
    assert house.stored(match_id)["ending"] == "played"
    other_process()
    answer = house.get(f"/{match_id}/record")
    assert answer.status_code == 200, answer.text
    assert verify(record_from_json(answer.json)) is None


def test_rules_that_name_no_list_are_refused_with_the_field(house: House) -> None:
    for rules, field in (
        ({"dictionary": "ark"}, "rules.dictionary"),
        ({"dictionary": "ark", "dictionary_sha256": "1" * 64}, "rules.dictionary_sha256"),
        ({"dictionary": "ark", "dictionary_sha256": "abc"}, "rules.dictionary_sha256"),
        ({"dictionary": 7}, "rules.dictionary"),
    ):
        body = {"game": "word", "rules": rules, "opponent": "open"}
        answer = house.ask("POST", "/tables", "ann", body)
        assert (answer.status_code, answer.json["errors"][0]["field"]) == (422, field), answer.text

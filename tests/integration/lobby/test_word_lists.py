"""Tournaments of Word Gin are played with the lists that organisers brought to the engine."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any

import pytest
from uuid_utils.compat import uuid7

from gin_lobby.tasks import on_word_list_added
from gin_messages.envelope import Envelope, MessageId, encode
from gin_messages.word_lists import WordListAdded
from gin_rules.word import dictionary
from gin_servicekit import inbox
from tests.integration.lobby.conftest import Lobby

WORDS = "antelope\ngnu\nox\nyak\n"
SHA256 = hashlib.sha256(WORDS.encode()).hexdigest()


@pytest.fixture(autouse=True)
def _in_a_process_that_knows_no_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dictionary, "_by_hash", {})
    monkeypatch.setattr(dictionary, "_hash_of", {})


def hear(lobby: Lobby, words: str = WORDS, sha256: str = SHA256) -> None:
    message = WordListAdded("zoo", sha256, words, "olga")
    envelope = encode(Envelope(MessageId(uuid7()), lobby.clock(), "test", message))
    inbox.receive(lobby.service, on_word_list_added, WordListAdded, "engine", [envelope])


def wish(lobby: Lobby, **rules: Any) -> dict[str, Any]:
    starts_at = (lobby.clock() + timedelta(hours=1)).isoformat()
    plan = {"name": "Zoo cup", "game": "word", "rules": rules, "starts_at": starts_at, "format": "swiss", "rounds": 2}
    return dict(plan)


def test_a_tournament_pins_the_words_that_its_dictionary_names(lobby: Lobby) -> None:
    refused = lobby.organiser.post("/api/v1/tournaments", wish(lobby, dictionary="zoo"))
    assert (refused.status_code, refused.json["errors"][0]["field"]) == (422, "rules.dictionary")
    hear(lobby)
    hear(lobby)
    answer = lobby.organiser.post("/api/v1/tournaments", wish(lobby, dictionary="zoo"))
    assert answer.status_code == 201, answer.json
    assert answer.json["rules"]["dictionary_sha256"] == SHA256


def test_a_tournament_with_a_list_is_edited_in_another_process(lobby: Lobby, monkeypatch: pytest.MonkeyPatch) -> None:
    hear(lobby)
    made = lobby.organiser.post("/api/v1/tournaments", wish(lobby, dictionary="zoo"))
    monkeypatch.setattr(dictionary, "_by_hash", {})
    monkeypatch.setattr(dictionary, "_hash_of", {})
    path = f"/api/v1/tournaments/{made.json['tournament_id']}"
    edited = lobby.organiser.patch(path, {"name": "Zoo cup II"}, headers={"If-Match": "*"})
    assert edited.status_code == 200, edited.json
    assert edited.json["rules"]["dictionary_sha256"] == SHA256


def test_a_list_with_other_words_than_its_hash_tells_is_not_kept(lobby: Lobby) -> None:
    hear(lobby, words="gnu\n")
    assert lobby.organiser.post("/api/v1/tournaments", wish(lobby, dictionary="zoo")).status_code == 422

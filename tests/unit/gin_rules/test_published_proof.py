"""What docs/rules publishes for those who check matches themselves: test vectors, schema, text form."""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from gin_rules.record import (
    BrokenReplay,
    InvalidRecord,
    MatchRecord,
    concealed,
    record_from_json,
    record_from_text,
    record_to_json,
    record_to_text,
    seal_of,
)
from gin_rules.rummy.cards import cards_text, full_deck, parse_cards
from gin_rules.rummy.rules import PRESETS
from gin_rules.rummy.seating import SEATS_AT
from gin_rules.shuffle import ALGORITHM, SeededDeals, commitment
from gin_rules.transcript import read_transcript, transcript
from gin_rules.verify import verify
from tests.unit.gin_rules.playing import recorded
from tests.unit.gin_rules.test_rulings import ruled

DOCS = Path(__file__).parents[3] / "docs" / "rules"
GOLDEN = Path(__file__).parents[2] / "golden" / "records"
SCHEMA = json.loads((DOCS / "record.schema.json").read_text(encoding="utf-8"))


def vectors() -> dict[str, Any]:
    text = (DOCS / "deals.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    found: dict[str, Any] = json.loads(block)
    return found


def byte_stream(seed: bytes, message: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.new(seed, message + block.to_bytes(4, "big"), "sha256").digest()
        block += 1


def shuffled_as_documented(vector: dict[str, Any], cards: list[int]) -> list[int]:
    """The documented algorithm in its plainest form."""
    parts = [
        ALGORITHM.encode(),
        vector["deal_id"].encode(),
        *map(bytes.fromhex, vector["entropy"]),
        vector["purpose"].encode(),
    ]
    stream = byte_stream(bytes.fromhex(vector["seed"]), b"".join(len(part).to_bytes(4, "big") + part for part in parts))
    for places in range(len(cards), 1, -1):
        byte = next(byte for byte in stream if byte < 256 // places * places)
        at = byte % places
        cards[places - 1], cards[at] = cards[at], cards[places - 1]
    return cards


def test_published_commitments_are_sha256_of_salt_and_seed() -> None:
    assert vectors()["algorithm"] == ALGORITHM
    assert len(vectors()["commitments"]) == 3
    for vector in vectors()["commitments"]:
        salt, seed = bytes.fromhex(vector["salt"]), bytes.fromhex(vector["seed"])
        assert commitment(salt, seed) == vector["commitment"] == sha256(salt + seed).hexdigest()


@pytest.mark.parametrize("vector", vectors()["deals"], ids=lambda vector: f"{vector['deal_id']} {vector['purpose']}")
def test_published_deals_are_dealt_so_by_two_dealers(vector: dict[str, Any]) -> None:
    deals = SeededDeals(bytes.fromhex(vector["seed"]), tuple(map(bytes.fromhex, vector["entropy"])), vector["deal_id"])
    what, *numbers = vector["purpose"].split("/")
    counts = [int(number) for number in numbers]
    published = parse_cards(vector["cards"])
    if what == "deck":
        assert deals.deck(*counts) == published
        assert shuffled_as_documented(vector, list(range(52))) == list(published)
    elif what == "cut":
        assert deals.cut(*counts, vector["seats"]) == published
        assert shuffled_as_documented(vector, list(range(52)))[: vector["seats"]] == list(published)
    else:
        assert deals.reshuffle(*counts, full_deck()[:20]) == published
        assert shuffled_as_documented(vector, list(range(20))) == list(published)


STRANGE_NAMES = ("Ann\n  Score: {}", 'B"ob, entropy none', "null", "12", "Zoë · 7", "")
KINDS = (*PRESETS, "with rulings", "not played out", "secret", *STRANGE_NAMES)


@lru_cache(maxsize=len(KINDS))
def record_of(kind: str) -> MatchRecord:
    """A match of a preset, in some special case, or with a player of a strange name."""
    if kind in PRESETS:
        return recorded({"preset": kind, "match_hand_cap": 4}, seats=SEATS_AT[PRESETS[kind].seating])
    if kind == "not played out":
        return recorded({}, first_dealer=1, most_actions=50)
    if kind in STRANGE_NAMES:
        return replace(ruled(), seats=(kind, "Bob"))
    return concealed(ruled()) if kind == "secret" else ruled()


@pytest.mark.parametrize("kind", KINDS)
def test_records_follow_the_published_schema(kind: str) -> None:
    record = record_of(kind)
    jsonschema_rs.Draft202012Validator(SCHEMA, validate_formats=True).validate(record_to_json(record))


@pytest.mark.parametrize("field", SCHEMA["required"])
def test_published_schema_asks_for_every_field_of_a_record(field: str) -> None:
    data = record_to_json(ruled())
    assert set(data) == set(SCHEMA["properties"]) == set(SCHEMA["required"])
    validator = jsonschema_rs.Draft202012Validator(SCHEMA, validate_formats=True)
    assert not validator.is_valid({name: value for name, value in data.items() if name != field})
    assert not validator.is_valid({**data, field: {"a": []} if field != "rules" else 7})
    assert not validator.is_valid({**data, f"{field}_": 1})


@pytest.mark.parametrize("kind", KINDS)
def test_text_for_people_is_read_back_exactly(kind: str) -> None:
    record = record_of(kind)
    text = transcript(record)
    assert read_transcript(text) == record
    assert transcript(read_transcript(text)) == text


def test_text_of_a_record_that_is_wrong_is_read_back_as_wrong_as_it_is() -> None:
    record = ruled()
    wrong = replace(record, scores=record.scores[1:], decks=(*record.decks, "a\nb"), outcome=None)
    secret = concealed(wrong)
    for other in (wrong, secret, replace(secret, entropy=()), replace(secret, entropy=(b"a", b"", b"c"), seal="12")):
        assert read_transcript(transcript(other)) == other


def test_revealed_record_that_does_not_follow_has_no_transcript() -> None:
    with pytest.raises(BrokenReplay):
        transcript(replace(ruled(), entropy=(b"another", b"")))


@pytest.mark.parametrize(
    "text",
    ["", "Match: m", "ginhall-record/1\n", "ginhall-record/1\nColour: red\n", "ginhall-record/1\nnothing here\n"],
)
def test_other_texts_are_no_transcripts(text: str) -> None:
    with pytest.raises(InvalidRecord):
        read_transcript(text)


def test_unknown_fields_and_other_spellings_are_no_records() -> None:
    data = record_to_json(ruled())
    for wrong in (
        {**data, "colour": "red"},
        {**data, "commitment": data["commitment"], "seed": data["seed"].upper()},
        {**data, "scores": [{**data["scores"][0], "colour": "red"}, *data["scores"][1:]]},
    ):
        with pytest.raises(InvalidRecord):
            record_from_json(wrong)


def test_seal_is_the_same_before_and_after_the_reveal_and_covers_names_and_times() -> None:
    record = ruled()
    assert seal_of(concealed(record)) == record.seal == concealed(record).seal
    assert seal_of(replace(record, seats=("Ann", "Bob?"))) != record.seal
    later = replace(record.actions[-1], at=record.actions[-1].at + timedelta(seconds=1))
    assert seal_of(replace(record, actions=(*record.actions[:-1], later))) != record.seal


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*.json")), ids=lambda file: file.stem)
def test_record_that_was_published_once_holds_for_ever(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    record = record_from_text(text)
    assert record_to_text(record) == text
    assert verify(record) is None
    assert record.outcome is not None


def test_vectors_name_every_card_once() -> None:
    deck = next(vector for vector in vectors()["deals"] if vector["purpose"] == "deck/1")
    assert sorted(parse_cards(deck["cards"])) == sorted(full_deck())
    assert cards_text(parse_cards(deck["cards"])) == deck["cards"]

"""Deals that anyone can check, records, replay and verification."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gin_bots import bot_named
from gin_rules.__main__ import main
from gin_rules.game import Action, Card
from gin_rules.record import (
    BrokenReplay,
    InvalidRecord,
    MatchRecord,
    NotRevealed,
    RecordedAction,
    concealed,
    record_from_text,
    record_match,
    record_to_json,
    record_to_text,
    replay,
)
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.shuffle import SeededDeals, commitment
from gin_rules.transcript import transcript
from gin_rules.verify import Finding, verify

SEED, SALT = bytes(range(32)), bytes(range(16))
ENTROPY = (b"ann", b"")
START = datetime(2026, 1, 1, 12, tzinfo=UTC)


@lru_cache(maxsize=4)
def played(first_dealer: int | None = None) -> MatchRecord:
    """A whole match of two simple bots."""
    rules = GIN_RUMMY.rules_from_json({})
    bot, rng = bot_named("simple"), Random(7)
    state = GIN_RUMMY.new_match(rules, 2, SeededDeals(SEED, ENTROPY, "m-1"), first_dealer=first_dealer)
    actions: list[RecordedAction] = []
    while (seat := GIN_RUMMY.to_act(state)) is not None:
        action = bot.choose_action(GIN_RUMMY.view(state, seat), rng)
        actions.append(RecordedAction(seat, action, START + timedelta(seconds=len(actions))))
        state = GIN_RUMMY.apply(state, action)
    return record_match(
        game=GIN_RUMMY,
        rules=rules,
        match_id="m-1",
        seats=("Ann", "Bob"),
        commitment=commitment(SALT, SEED),
        entropy=ENTROPY,
        seed=SEED,
        salt=SALT,
        actions=actions,
        first_dealer=first_dealer,
    )


def finding(**changes: Any) -> Finding:
    found = verify(replace(played(), **changes))
    assert found is not None
    return found


def independent_deck(seed: bytes, entropy: tuple[bytes, ...], match_id: str, hand: int) -> list[int]:
    """The documented algorithm written a second time: one endless stream, one byte a number."""
    parts = [b"hmac-sha256-fisher-yates/1", match_id.encode(), *entropy, f"deck/{hand}".encode()]
    message = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    stream = iter(
        byte for block in range(9) for byte in hmac.new(seed, message + block.to_bytes(4, "big"), "sha256").digest()
    )
    deck = list(range(52))
    for places in range(52, 1, -1):
        byte = next(stream)
        while byte >= 256 // places * places:
            byte = next(stream)
        place = byte % places
        deck[places - 1], deck[place] = deck[place], deck[places - 1]
    return deck


@pytest.mark.parametrize("hand", range(1, 30))
def test_deck_follows_the_documented_algorithm(hand: int) -> None:
    assert list(SeededDeals(SEED, ENTROPY, "m-1").deck(hand)) == independent_deck(SEED, ENTROPY, "m-1", hand)


@pytest.mark.parametrize("size", [0, 63, 64, 65, 200])
def test_deck_follows_the_documented_algorithm_with_a_key_of_any_size(size: int) -> None:
    seed = bytes(range(size))
    assert list(SeededDeals(seed, ENTROPY, "m-1").deck(1)) == independent_deck(seed, ENTROPY, "m-1", 1)


def test_deck_of_version_one_never_changes() -> None:
    text = " ".join(GIN_RUMMY.card_text(card) for card in SeededDeals(SEED, ENTROPY, "m-1").deck(1))
    assert hashlib.sha256(text.encode()).hexdigest() == GOLDEN_DECK


GOLDEN_DECK = "6205b46122caf8fb7e3795a62d60c21b42dd9a165ffad8262ad60e575ccc5e4a"


def test_each_part_of_the_chance_changes_the_deck() -> None:
    decks = {
        SeededDeals(*parts).deck(hand)
        for parts, hand in [
            ((SEED, ENTROPY, "m-1"), 1),
            ((SEED, ENTROPY, "m-1"), 2),
            ((SEED, ENTROPY, "m-2"), 1),
            ((SALT, ENTROPY, "m-1"), 1),
            ((SEED, (b"", b"ann"), "m-1"), 1),
            ((SEED, (b"an", b"n"), "m-1"), 1),
        ]
    }
    assert len(decks) == 6


def test_cut_gives_each_seat_another_card_and_reshuffle_keeps_the_cards() -> None:
    deals = SeededDeals(SEED, ENTROPY, "m-1")
    assert len({*deals.cut(1, 4)}) == 4
    cards = [Card(card) for card in range(20)]
    assert sorted(deals.reshuffle(1, 1, cards)) == cards
    assert deals.reshuffle(1, 1, cards) != deals.reshuffle(1, 2, cards)
    with pytest.raises(ValueError, match="256"):
        deals.reshuffle(1, 1, [Card(card) for card in range(257)])


def test_every_place_of_the_deck_is_equally_likely() -> None:
    deals = SeededDeals(SEED, ENTROPY, "fair")
    count = 5_200
    decks = [deals.deck(number) for number in range(count)]
    for place in (0, 1, 20, 51):
        seen = Counter(deck[place] for deck in decks)
        chi_square = sum((seen[Card(card)] - count / 52) ** 2 / (count / 52) for card in range(52))
        assert 20 < chi_square < 100  # 51 degrees of freedom: 1 in 10,000 beyond either end; the seed is fixed


def test_commitment_is_sha256_of_salt_and_seed() -> None:
    assert commitment(SALT, SEED) == hashlib.sha256(SALT + SEED).hexdigest()
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(SALT + SEED[:1], SEED[1:])


def test_record_round_trips_exactly() -> None:
    text = record_to_text(played())
    assert record_from_text(text) == played()
    assert record_to_text(record_from_text(text)) == text


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "other/1"}'])
def test_other_texts_are_no_records(text: str) -> None:
    with pytest.raises(InvalidRecord):
        record_from_text(text)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("entropy", ["zz"]),
        ("seats", [1, 2]),
        ("seats", ["Ann", "\ud800"]),
        ("match_id", "\udfff"),
        ("actions", [{"seat": 0, "action": "pass", "at": "2026-01-01T00:00:00"}]),
        ("actions", [{"seat": True, "action": "pass", "at": "2026-01-01T00:00:00+00:00"}]),
        ("outcome", {"winner": 0}),
        ("scores", 5),
    ],
)
def test_record_with_a_wrong_field_is_refused(field: str, value: object) -> None:
    with pytest.raises(InvalidRecord):
        record_from_text(json.dumps({**record_to_json(played()), field: value}))


def test_replay_ends_with_the_recorded_scores() -> None:
    states = list(replay(played()))
    assert len(states) == len(played().actions) + 1
    assert GIN_RUMMY.outcome(states[-1]) == played().outcome
    assert [result.totals for result in GIN_RUMMY.hand_results(states[-1])] == [
        score.totals for score in played().scores
    ]


def test_true_record_holds() -> None:
    assert verify(played()) is None


def test_record_of_an_unfinished_match_holds() -> None:
    record = played()
    part = record_match(
        game=GIN_RUMMY,
        rules=GIN_RUMMY.rules_from_json(record.rules),
        match_id=record.match_id,
        seats=record.seats,
        commitment=record.commitment,
        entropy=record.entropy,
        seed=SEED,
        salt=SALT,
        actions=record.actions[: len(record.actions) // 2],
    )
    assert part.outcome is None
    assert verify(part) is None


def test_tables_that_share_a_deal_id_play_the_same_cards() -> None:
    record = played()
    same = record_match(
        game=GIN_RUMMY,
        rules=GIN_RUMMY.rules_from_json(record.rules),
        match_id="m-2",
        deal_id=record.deal_id,
        seats=("Bob", "Ann"),
        commitment=record.commitment,
        entropy=record.entropy,
        seed=SEED,
        salt=SALT,
        actions=record.actions,
    )
    assert same.decks == record.decks
    assert verify(same) is None
    assert finding(deal_id="m-2").what == "deal"


@pytest.mark.parametrize("dealer", [0, 1])
def test_record_keeps_who_was_agreed_to_deal_first(dealer: int) -> None:
    record = played(dealer)
    assert record_from_text(record_to_text(record)) == record
    assert next(replay(record)).table.dealer == dealer
    assert verify(record) is None
    assert f"First dealer: {dealer}\n" in transcript(record)
    for other in (1 - dealer, 2, -1):
        assert verify(replace(record, first_dealer=other)) is not None


def test_other_seed_is_found() -> None:
    assert finding(seed=SALT * 2).what == "commitment"
    assert finding(seed=SEED[1:], salt=SALT + SEED[:1]).what == "commitment", "the same bytes, split elsewhere"
    assert finding(commitment="0" * 64).what == "commitment"


def test_first_exchanged_deck_is_found() -> None:
    decks = played().decks
    changed = (decks[0], " ".join(reversed(decks[1].split())), *decks[2:])
    assert finding(decks=changed)[:2] == ("deal", 2)
    assert finding(decks=decks[:-1])[:2] == ("deal", len(decks))
    assert finding(entropy=(b"ann", b"bob"))[:2] == ("deal", 1)
    assert finding(entropy=(b"ann",))[:2] == ("deal", 1)


def test_first_action_that_does_not_follow_is_found() -> None:
    actions = list(played().actions)
    actions[2] = replace(actions[2], action=Action("big_gin"))
    assert finding(actions=tuple(actions))[:2] == ("action", 3)
    actions = list(played().actions)
    actions[4] = replace(actions[4], seat=1 - actions[4].seat)
    assert finding(actions=tuple(actions))[:2] == ("action", 5)
    extra = (*played().actions, replace(played().actions[-1], action=Action("draw")))
    assert finding(actions=extra) == Finding("action", len(extra), "the match was already over")


def test_time_that_runs_backwards_is_found() -> None:
    actions = list(played().actions)
    actions[7] = replace(actions[7], at=START)
    assert finding(actions=tuple(actions))[:2] == ("time", 8)


def test_first_wrong_score_is_found() -> None:
    scores = list(played().scores)
    scores[1] = replace(scores[1], points=(99, 0))
    assert finding(scores=tuple(scores))[:2] == ("score", 2)
    assert finding(scores=played().scores[:-1])[:2] == ("score", len(scores))


def test_wrong_outcome_is_found() -> None:
    assert finding(outcome=None).what == "outcome"


def test_rules_that_cannot_be_played_are_found() -> None:
    assert finding(rules={**played().rules, "target": 0}).what == "rules"


def test_record_that_keeps_its_secrets_cannot_be_verified_or_replayed() -> None:
    secret = concealed(played())
    assert (secret.seed, secret.salt, secret.decks) == (None, None, ())
    assert record_from_text(record_to_text(secret)) == secret
    with pytest.raises(NotRevealed):
        verify(secret)
    with pytest.raises(NotRevealed):
        next(replay(secret))


def test_record_of_an_unknown_shuffle_is_refused() -> None:
    with pytest.raises(InvalidRecord, match="rot13"):
        verify(replace(played(), algorithm="rot13/1"))


def test_broken_action_cannot_be_recorded() -> None:
    record = played()
    with pytest.raises(BrokenReplay) as broken:
        record_match(
            game=GIN_RUMMY,
            rules=GIN_RUMMY.rules_from_json({}),
            match_id="m-1",
            seats=record.seats,
            commitment=record.commitment,
            entropy=ENTROPY,
            seed=SEED,
            salt=SALT,
            actions=[replace(record.actions[0], action=Action("draw"))],
        )
    assert broken.value.index == 0


def test_transcript_tells_every_action_and_score() -> None:
    text = transcript(played())
    lines = text.splitlines()
    assert sum(line.startswith("Deck: ") for line in lines) == len(played().scores)
    assert all(
        f"{entry.action}  · {played().seats[entry.seat]}\n" in text and entry.at.isoformat() in text
        for entry in played().actions
    )
    assert lines[-1].endswith(" wins, target")


def test_command_verifies_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad, other = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "other.json"
    good.write_text(record_to_text(played()), encoding="utf-8")
    bad.write_text(record_to_text(replace(played(), commitment="0" * 64)), encoding="utf-8")
    other.write_text("{}", encoding="utf-8")
    read = tmp_path / "transcript.txt"
    read.write_text(transcript(played()), encoding="utf-8")
    assert main([str(good)]) == 0
    assert main([str(good), str(bad), str(other), str(tmp_path / "none.json")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == lines[1] == f"{good}: holds"
    assert "commitment" in lines[2]
    assert all("cannot be checked" in line for line in lines[3:])
    assert main([]) == 2
    assert main([str(read)]) == 0

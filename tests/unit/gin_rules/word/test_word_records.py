"""Records of Word Gin: replay, verification and the readable text are those of every game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random

import pytest

from gin_bots import bot_named
from gin_rules.game import Action
from gin_rules.record import (
    MatchRecord,
    RecordedAction,
    concealed,
    record_from_text,
    record_match,
    record_to_text,
    replay,
)
from gin_rules.shuffle import SeededDeals, commitment
from gin_rules.transcript import transcript
from gin_rules.verify import verify
from gin_rules.word.game import WORD_GIN

SEED, SALT = bytes(range(32)), b"salt"
START = datetime(2026, 1, 1, tzinfo=UTC)


@cache
def played(seats: int = 3) -> MatchRecord:
    """A match of bots, one of which plays any legal action: there are bluffs, challenges and failed Gins in it."""
    rules = WORD_GIN.rules_from_json({"fixed_hands": 3})
    names = ("wordsmith", "random", "wordsmith-50", "wordsmith")[:seats]
    rng = Random(seats)
    state = WORD_GIN.new_match(rules, seats, SeededDeals(SEED, (b"",) * seats, "m", WORD_GIN.deck_size(rules)))
    actions: list[RecordedAction] = []
    while (seat := WORD_GIN.to_act(state)) is not None:
        action = bot_named(names[seat]).choose_action(WORD_GIN.view(state, seat), rng)
        actions.append(RecordedAction(seat, action, START + timedelta(seconds=len(actions))))
        state = WORD_GIN.apply(state, action)
    return record_match(
        game=WORD_GIN,
        rules=rules,
        match_id="m",
        seats=names,
        commitment=commitment(SALT, SEED),
        entropy=(b"",) * seats,
        seed=SEED,
        salt=SALT,
        actions=actions,
    )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_record_holds_and_round_trips(seats: int) -> None:
    record = played(seats)
    assert verify(record) is None
    assert record_from_text(record_to_text(record)) == record
    assert verify(record_from_text(record_to_text(record))) is None
    assert record.outcome is not None
    assert record.outcome.hands_played == 3


def test_record_pins_the_dictionary() -> None:
    assert len(played().rules["dictionary_sha256"]) == 64
    other = replace(played(), rules={**played().rules, "dictionary_sha256": "0" * 64})
    assert str(verify(other)).startswith("rules: dictionary_sha256")


def test_recorded_decks_are_the_124_cards_in_the_order_of_each_hand() -> None:
    for number, deck in enumerate(played().decks, 1):
        dealt = SeededDeals(SEED, (b"",) * 3, "m", 124).deck(number)
        rules = WORD_GIN.rules_from_json({})
        assert deck.split() == [WORD_GIN.card_text(card, rules) for card in dealt]
        assert len(set(deck.split())) == 124


def test_replay_gives_every_state() -> None:
    states = list(replay(played()))
    assert len(states) == len(played().actions) + 1
    assert WORD_GIN.outcome(states[-1]) == played().outcome


def changed_score(record: MatchRecord) -> MatchRecord:
    first, *rest = record.scores
    return replace(record, scores=(replace(first, points=(first.points[0] + 1, *first.points[1:])), *rest))


def changed_action(record: MatchRecord) -> MatchRecord:
    first, *rest = record.actions
    return replace(record, actions=(replace(first, action=Action("reveal")), *rest))


def changed_deck(record: MatchRecord) -> MatchRecord:
    return replace(record, decks=(record.decks[0].replace("Qg", "Jr"), *record.decks[1:]))


@pytest.mark.parametrize(
    ("change", "finding"), [(changed_score, "score 1"), (changed_action, "action 1"), (changed_deck, "deal 1")]
)
def test_changed_record_does_not_hold(change: Callable[[MatchRecord], MatchRecord], finding: str) -> None:
    assert str(verify(change(played()))).startswith(finding)


def test_concealed_record_shows_no_card_that_was_not_played() -> None:
    assert concealed(played()).decks == ()


def test_transcript_tells_the_match() -> None:
    text = transcript(played())
    assert "word, wordsmith against random against wordsmith-50" in text
    assert "Ended by gin; totals:" in text
    assert text.count("Hand ") == 3

"""The contract between services: what lies in an outbox or a queue today must be readable tomorrow.

The files in tests/golden/messages are messages as they were written. A change that cannot read one of them needs a
new version of the message, with a file of its own.
"""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from gin_messages.envelope import Envelope, Message, MessageId, UnreadableMessage, decode, encode
from gin_messages.match import (
    ArbitersNamed,
    CancelMatch,
    ClockPlan,
    CorrectedSeat,
    DeadlineMoved,
    MatchFinished,
    OpenMatch,
    ResultCorrected,
    SeatPlan,
    SeatResult,
)
from gin_messages.players import PlayerChanged, PlayerLeft
from gin_messages.ratings import EarlierRatingChange, EarlierRatingsUpdated, RatingChange, RatingsUpdated
from gin_messages.routes import CONSUMERS, SERVICES, delivery_task
from gin_messages.word_lists import WordListAdded

GOLDEN = Path(__file__).parents[1] / "golden" / "messages"
NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ADA, BOB = "01990000-0000-7000-8000-00000000000a", "01990000-0000-7000-8000-00000000000b"
MATCH, TOURNAMENT = "01990000-0000-7000-8000-000000000001", "01990000-0000-7000-8000-000000000002"

SAMPLES: list[Message] = [
    OpenMatch(
        match_id=MATCH,
        tournament_id=TOURNAMENT,
        round_number=3,
        game="rummy",
        rules={"target": 100},
        seats=[SeatPlan(ADA, "Ada", None), SeatPlan(BOB, "Bob", "simple")],
        first_dealer=0,
        rating_pool="rummy/open",
        deadline_at=NOON,
    ),
    CancelMatch(match_id=MATCH, reason="Power cut"),
    MatchFinished(
        match_id=MATCH,
        tournament_id=TOURNAMENT,
        round_number=3,
        game="rummy",
        rating_pool="rummy/open",
        target=100,
        ending="played",
        seats=[SeatResult(ADA, 1, 104, 4, 1), SeatResult(BOB, 2, 31, 2, 0)],
        hands_played=7,
        finished_at=NOON,
    ),
    ResultCorrected(
        match_id=MATCH,
        revision=2,
        tournament_id=TOURNAMENT,
        ending="played",
        seats=[CorrectedSeat(ADA, 2), CorrectedSeat(BOB, 1)],
        reason="The slip had the names exchanged",
        corrected_at=NOON,
    ),
    DeadlineMoved(match_id=MATCH, deadline_at=NOON, moved_at=NOON),
    ArbitersNamed(tournament_id=TOURNAMENT, arbiters=[ADA, BOB], named_at=NOON),
    RatingsUpdated(changes=[RatingChange(MATCH, ADA, "rummy/open", 1500.0, 1520.25, 1, 2.5, 7)]),
    EarlierRatingsUpdated(changes=[EarlierRatingChange(MATCH, ADA, "rummy/open", 1500.0, 1520.25, 1)]),
    PlayerChanged(player_id=ADA, player_name="Ada", kind="human", revision=1),
    PlayerLeft(player_id=ADA, shown_name="Deleted player 1001", left_at=NOON),
    WordListAdded(list_name="zoo", sha256="ab" * 32, words="gnu\nyak\n", added_by=ADA),
]
# The same with every optional field, in a file of its own.
COMPLETE: list[Message] = [
    OpenMatch(
        match_id=MATCH,
        tournament_id=TOURNAMENT,
        round_number=3,
        game="rummy",
        rules={"fixed_hands": 4},
        seats=[SeatPlan(ADA, "Ada", None), SeatPlan(BOB, "Bob", "simple", ADA)],
        first_dealer=0,
        rating_pool="rummy/open",
        deadline_at=NOON,
        clock=ClockPlan(move_seconds=30, bank_seconds=180),
        arbiters=[ADA],
        deal_id="round 3",
        deal_tables=8,
        spectator_delay_seconds=60,
    ),
]


def golden(message: Message) -> Any:
    variant = ".complete" if message in COMPLETE else ""
    return json.loads((GOLDEN / f"{message.name}.v{message.version}{variant}.json").read_text("utf-8"))


def required(message: Message) -> set[str]:
    return {name for name, field in message.schema.fields.items() if field.required}


def test_every_message_of_the_routes_has_a_sample() -> None:
    assert {type(sample) for sample in SAMPLES} == set(CONSUMERS)


@pytest.mark.parametrize("sample", [*SAMPLES, *COMPLETE], ids=lambda sample: f"{sample.name}.v{sample.version}")
def test_a_message_is_written_as_it_always_was(sample: Message) -> None:
    envelope = Envelope(MessageId(UUID(MATCH)), NOON, "c0ffee", sample)
    assert json.loads(json.dumps(encode(envelope))) == golden(sample)


@pytest.mark.parametrize("sample", [*SAMPLES, *COMPLETE], ids=lambda sample: f"{sample.name}.v{sample.version}")
def test_a_message_written_before_is_read_as_what_it_was(sample: Message) -> None:
    assert decode(type(sample), golden(sample)) == Envelope(MessageId(UUID(MATCH)), NOON, "c0ffee", sample)


@pytest.mark.parametrize("sample", COMPLETE, ids=lambda sample: sample.name)
def test_every_optional_field_is_in_the_complete_sample(sample: Message) -> None:
    assert set(golden(sample)["body"]) == set(sample.schema.fields)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.name}.v{sample.version}")
def test_a_message_with_a_missing_or_unknown_field_is_refused_by_name(sample: Message) -> None:
    document = golden(sample)
    for name in required(sample):
        broken = document | {"body": {key: value for key, value in document["body"].items() if key != name}}
        with pytest.raises(UnreadableMessage, match=name):
            decode(type(sample), broken)
    with pytest.raises(UnreadableMessage, match="surprise"):
        decode(type(sample), document | {"body": document["body"] | {"surprise": 1}})
    for part in document:
        with pytest.raises(UnreadableMessage, match=part):
            decode(type(sample), {key: value for key, value in document.items() if key != part})


def test_every_consumer_is_a_service_and_every_delivery_has_its_own_task() -> None:
    tasks = [
        delivery_task(consumer, message.name, message.version)
        for message, consumers in CONSUMERS.items()
        for consumer in consumers
    ]
    assert {consumer for consumers in CONSUMERS.values() for consumer in consumers} <= set(SERVICES)
    assert len(tasks) == len(set(tasks))

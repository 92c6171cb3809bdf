"""Outbox, inbox, receipt and sweeper: a message arrives whatever happens, and has its effect once."""

import base64
import dataclasses
import json
from collections.abc import Sequence
from typing import Any

import pytest
import redis

from gin_messages.envelope import Envelope
from gin_messages.players import PlayerChanged
from gin_messages.routes import RATINGS
from gin_servicekit import inbox, outbox
from gin_servicekit.broker import Broker
from gin_servicekit.database import Transaction
from tests.integration.gin_servicekit.conftest import Pair


class Lost(Exception):
    """What a test raises where a process would die."""


def changed(name: str) -> PlayerChanged:
    return PlayerChanged(f"id of {name}", name, "human", 1)


def emit(pair: Pair, *names: str) -> None:
    with pair.producer.transaction() as tx:
        for name in names:
            tx.emit(changed(name))


def queued(pair: Pair, queue: str) -> list[Any]:
    """The arguments of the tasks in a queue, oldest first; takes them out."""
    with redis.Redis.from_url(pair.producer.settings.redis_url) as client:
        raw: Any = client.lrange(queue, 0, -1)
        client.delete(queue)
    bodies = [json.loads(message) for message in reversed(raw)]
    return [json.loads(base64.b64decode(body["body"]))[0] for body in bodies]


class Names:
    """A handler that writes the names that it was told into the consumer's database."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        with pair.consumer.transaction() as tx:
            tx.execute("CREATE TABLE names (name text)")

    def __call__(self, tx: Transaction, envelopes: Sequence[Envelope]) -> None:
        for envelope in envelopes:
            assert isinstance(envelope.body, PlayerChanged)
            tx.execute("INSERT INTO names VALUES (%s)", (envelope.body.player_name,))
            if envelope.body.player_name == "Poison":
                raise Lost

    def written(self) -> list[str]:
        with self.pair.consumer.transaction() as tx:
            return sorted(tx.scalars("SELECT name FROM names"))

    def receive(self, payloads: Sequence[dict[str, Any]]) -> None:
        inbox.receive(self.pair.consumer, self, PlayerChanged, "lobby", payloads)


def confirm(pair: Pair) -> None:
    """What the producer's worker does with the receipts in its queue."""
    for consumer, message_ids in queued(pair, "lobby"):
        with pair.producer.transaction() as tx:
            outbox.confirmed(tx, consumer, message_ids)


def sweep(pair: Pair) -> int:
    with pair.producer.transaction() as tx:
        due = outbox.sweep(tx, 30)
    pair.producer.broker.deliver(due)
    return sum(delivery.consumer == RATINGS for delivery in due)


def test_a_message_is_sent_after_the_commit_and_forgotten_after_its_receipt(pair: Pair) -> None:
    names = Names(pair)
    emit(pair, "Ada", "Bob")
    ((producer, payloads),) = queued(pair, RATINGS)
    assert (producer, len(payloads), pair.waiting()) == ("lobby", 2, 2)
    names.receive(payloads)
    assert (names.written(), pair.waiting()) == (["Ada", "Bob"], 2)
    confirm(pair)
    assert pair.waiting() == 0


def test_what_is_rolled_back_is_neither_stored_nor_sent(pair: Pair) -> None:
    def die_before_the_commit() -> None:
        with pair.producer.transaction() as tx:
            tx.emit(changed("Ada"))
            raise Lost

    with pytest.raises(Lost):
        die_before_the_commit()
    assert (queued(pair, RATINGS), pair.waiting()) == ([], 0)


def test_a_message_that_redis_lost_is_sent_again_when_its_time_has_come(pair: Pair) -> None:
    names = Names(pair)
    emit(pair, "Ada")
    queued(pair, RATINGS)
    assert sweep(pair) == 0
    pair.clock.move(seconds=30)
    assert sweep(pair) == 1
    ((_, payloads),) = queued(pair, RATINGS)
    names.receive(payloads)
    assert names.written() == ["Ada"]


def test_each_time_it_is_sent_again_a_little_later(pair: Pair) -> None:
    emit(pair, "Ada")
    waits = []
    for _ in range(4):
        seconds = 0
        while not sweep(pair):
            pair.clock.move(seconds=10)
            seconds += 10
        waits.append(seconds)
    assert waits == [30, 30, 60, 120]


def test_a_message_that_comes_twice_has_its_effect_once_and_is_confirmed_twice(pair: Pair) -> None:
    names = Names(pair)
    emit(pair, "Ada")
    ((_, payloads),) = queued(pair, RATINGS)
    names.receive(payloads)
    names.receive(payloads)
    names.receive([*payloads, *payloads])
    assert names.written() == ["Ada"]
    assert len(queued(pair, "lobby")) == 3


def test_one_bad_message_does_not_hold_up_the_others_and_stays_in_the_outbox(pair: Pair) -> None:
    names = Names(pair)
    emit(pair, "Ada", "Poison", "Bob")
    ((_, payloads),) = queued(pair, RATINGS)
    names.receive(payloads)
    assert names.written() == ["Ada", "Bob"]
    confirm(pair)
    assert pair.waiting() == 1


def test_an_unreadable_message_is_passed_over_and_not_confirmed(pair: Pair) -> None:
    names = Names(pair)
    emit(pair, "Ada", "Bob")
    ((_, (ada, bob)),) = queued(pair, RATINGS)
    names.receive([{**ada, "body": {"player_name": "Ada"}}, bob])
    assert names.written() == ["Bob"]
    confirm(pair)
    assert pair.waiting() == 1


def test_with_redis_away_nothing_fails_and_nothing_is_lost(pair: Pair) -> None:
    cut_off = dataclasses.replace(pair.producer, broker=Broker("lobby", "redis://127.0.0.1:1/0"))
    with cut_off.transaction() as tx:
        tx.emit(changed("Ada"))
        tx.kick("lobby.advance")
    pair.clock.move(seconds=30)
    assert sweep(pair) == 1


def test_many_messages_travel_in_few_tasks(pair: Pair) -> None:
    emit(pair, *(f"Player {number}" for number in range(120)))
    assert [len(payloads) for _, payloads in queued(pair, RATINGS)] == [50, 50, 20]

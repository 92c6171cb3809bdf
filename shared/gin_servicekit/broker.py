"""Sending Celery tasks by name. Nothing here waits for a result, and a failure to send is never an error:

what must arrive lies in the outbox until its consumer has confirmed it, and a kick only saves waiting for the tick.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import structlog
from celery import Celery
from kombu.exceptions import KombuError
from redis.exceptions import RedisError

from gin_messages.routes import delivery_task, receipt_task
from gin_servicekit.celery_app import new_celery

log = structlog.get_logger()

MESSAGES_PER_TASK = 50
KICK_EXPIRES_SECONDS = 60
QUIET_SECONDS = 2.0
_SENDING_FAILS = (KombuError, RedisError, OSError)


@dataclass(frozen=True, slots=True)
class Delivery:
    """One message for one consumer, ready to travel. `payload` is what `envelope.encode` gives."""

    consumer: str
    name: str
    version: int
    payload: dict[str, Any]


class Broker:
    """The sending side of the task queue, for the service `producer`."""

    def __init__(self, producer: str, redis_url: str) -> None:
        self.producer = producer
        self.celery: Celery = new_celery(producer, redis_url)
        self._quiet_until = float("-inf")

    def deliver(self, deliveries: Iterable[Delivery]) -> None:
        """Sends messages of one kind to one consumer together, at most MESSAGES_PER_TASK a task."""
        tasks: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
        for delivery in deliveries:
            task = delivery_task(delivery.consumer, delivery.name, delivery.version)
            tasks[delivery.consumer, task].append(delivery.payload)
        for (consumer, task), payloads in tasks.items():
            for start in range(0, len(payloads), MESSAGES_PER_TASK):
                self._send(task, consumer, [self.producer, payloads[start : start + MESSAGES_PER_TASK]])

    def confirm(self, producer: str, message_ids: Sequence[str]) -> None:
        """Tells `producer` that its messages are safe in this service's database."""
        self._send(receipt_task(producer), producer, [self.producer, list(message_ids)])

    def kick(self, tasks: Iterable[str]) -> None:
        """Asks this service's own worker to run tasks now."""
        for task in tasks:
            self._send(task, self.producer, [], expires=KICK_EXPIRES_SECONDS)

    def _send(self, task: str, queue: str, arguments: list[Any], **options: Any) -> None:
        if time.monotonic() < self._quiet_until:
            return
        try:
            self.celery.send_task(task, args=arguments, queue=queue, ignore_result=True, **options)
        except _SENDING_FAILS as problem:
            # Each failure may take seconds, and somebody waits for an answer: the next ones are not tried at once.
            self._quiet_until = time.monotonic() + QUIET_SECONDS
            log.warning("task_not_sent", task=task, problem=str(problem))

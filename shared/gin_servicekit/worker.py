"""The receiving side: the Celery tasks of a service, made from its handlers, tasks and duties."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import structlog
from celery import Celery
from celery.signals import worker_process_init

from gin_messages.envelope import Message
from gin_messages.routes import CONSUMERS, delivery_task, receipt_task, tick_task
from gin_servicekit import idempotency, inbox, liveness, outbox
from gin_servicekit.inbox import Handler
from gin_servicekit.service import Service

log = structlog.get_logger()

# A task or duty of a service opens its own transactions, as many as its work needs.
Work = Callable[[Service], None]


def new_worker(
    service: Service,
    handlers: Mapping[type[Message], Handler],
    tasks: Mapping[str, Work],
    duties: Sequence[Work],
) -> Celery:
    """The Celery application that a worker of `service` runs.

    `handlers` has one entry for each message that routes.py sends here, `tasks` what the service kicks off itself,
    and each of `duties` runs at every tick: it must find its work in the database, and do nothing when there is none.
    """
    expected = {kind for kind, consumers in CONSUMERS.items() if service.name in consumers}
    if expected != set(handlers):
        raise ValueError(f"{service.name} must handle {expected}, but handles {set(handlers)}")
    celery = service.broker.celery
    lived = _Consumption(service)

    def register(name: str, body: Callable[..., None]) -> None:
        def run(*arguments: Any) -> None:
            structlog.contextvars.clear_contextvars()
            body(*arguments)
            lived.note()

        celery.task(name=name)(run)

    def receiver(kind: type[Message], handler: Handler) -> Callable[[str, list[dict[str, Any]]], None]:
        return lambda producer, payloads: inbox.receive(service, handler, kind, producer, payloads)

    def on_receipt(consumer: str, message_ids: list[str]) -> None:
        with service.transaction() as tx:
            outbox.confirmed(tx, consumer, message_ids)

    def tick() -> None:
        for duty in (sweep_outbox, prune, *duties):
            try:
                duty(service)
            except Exception:  # one duty that fails must not keep the others from their work
                log.exception("duty_failed", duty=duty.__name__)

    for kind, handler in handlers.items():
        register(delivery_task(service.name, kind.name, kind.version), receiver(kind, handler))
    for name, work in tasks.items():
        register(name, lambda work=work: work(service))
    register(receipt_task(service.name), on_receipt)
    register(tick_task(service.name), tick)
    return celery


@worker_process_init.connect
def spare_the_collector(**_: Any) -> None:
    """What was imported before the fork is never garbage: the cycle collector need not walk it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def sweep_outbox(service: Service) -> None:
    """Sends again what no consumer has confirmed in time."""
    with service.transaction() as tx:
        due = outbox.sweep(tx, service.settings.outbox_resend_seconds)
    if due:
        log.info("outbox_resent", messages=len(due))
        service.broker.deliver(due)


def prune(service: Service) -> None:
    """Drops records that have outlived every possible repetition."""
    with service.transaction() as tx:
        inbox.prune(tx)
        idempotency.prune(tx)


class _Consumption:
    """Writes down, every few seconds, that this process finishes tasks."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._noted = float("-inf")

    def note(self) -> None:
        if time.monotonic() - self._noted >= liveness.RECORD_EVERY_SECONDS:
            with self._service.transaction() as tx:
                liveness.record_consumption(tx)
            self._noted = time.monotonic()

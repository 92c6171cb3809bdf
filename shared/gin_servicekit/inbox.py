"""The inbox: a message id is stored in the transaction of its effect, so a second delivery changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

import structlog

from gin_messages.envelope import Envelope, Message, UnreadableMessage, decode
from gin_servicekit.database import Transaction
from gin_servicekit.service import Service

log = structlog.get_logger()

# A handler gets messages of one type that were never handled before, in the order in which they were sent.
Handler = Callable[[Transaction, Sequence[Envelope]], None]
KEEP = timedelta(days=30)


def receive(
    service: Service,
    handler: Handler,
    kind: type[Message],
    producer: str,
    payloads: Sequence[Mapping[str, Any]],
) -> None:
    """Handles each message once and confirms it to its producer.

    The batch runs in one transaction; if that fails, each message gets its own, so that one bad message does not
    hold up the others. What fails is logged, stays unconfirmed, and so comes again later.
    """
    envelopes = []
    for payload in payloads:
        try:
            envelopes.append(decode(kind, payload))
        except UnreadableMessage as problem:
            log.error("message_unreadable", producer=producer, problem=str(problem))
    if not envelopes:
        return
    try:
        _handle(service, handler, envelopes)
        done = envelopes
    except Exception:
        if len(envelopes) == 1:
            raise
        log.exception("batch_failed", kind=kind.name, messages=len(envelopes))
        done = [envelope for envelope in envelopes if _handle_alone(service, handler, envelope)]
    if done:
        service.broker.confirm(producer, [str(envelope.id) for envelope in done])


def _handle(service: Service, handler: Handler, envelopes: Sequence[Envelope]) -> None:
    with service.transaction(correlation_id=envelopes[0].correlation_id) as tx:
        new_ids = set(
            tx.scalars(
                """
                INSERT INTO inbox (message_id, received_at)
                SELECT id, %s FROM unnest(%s::uuid[]) AS id
                ON CONFLICT DO NOTHING RETURNING message_id
                """,
                (tx.now, [envelope.id for envelope in envelopes]),
            )
        )
        new = [envelope for envelope in envelopes if envelope.id in new_ids]
        if new:
            handler(tx, new)


def _handle_alone(service: Service, handler: Handler, envelope: Envelope) -> bool:
    try:
        _handle(service, handler, [envelope])
    except Exception:
        log.exception("message_failed", kind=envelope.body.name, message_id=str(envelope.id))
        return False
    return True


def prune(tx: Transaction) -> int:
    """Forgets message ids that no producer can still be sending."""
    return tx.execute("DELETE FROM inbox WHERE received_at < %s", (tx.now - KEEP,))

"""The outbox: messages are stored with the change that caused them and kept until their consumer confirms them.

Sending once is not enough: Redis may lose what it was given. A row leaves this table only when the consumer says
that the message is in its inbox (docs/adr/0002). Until then the sweeper sends it again, each time a little later.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from psycopg.types.json import Jsonb
from uuid_utils.compat import uuid7

from gin_messages.envelope import Envelope, MessageId, encode
from gin_messages.routes import CONSUMERS
from gin_servicekit.broker import Delivery
from gin_servicekit.database import Transaction

SWEEP_LIMIT = 500
LONGEST_RESEND_SECONDS = 3600


def store(tx: Transaction, resend_seconds: float) -> list[Delivery]:
    """Writes what the transaction emitted to the outbox and returns it, to be sent after the commit."""
    deliveries = []
    for message in tx.emitted:
        payload = encode(Envelope(MessageId(uuid7()), tx.now, tx.correlation_id, message))
        deliveries += [
            Delivery(consumer, message.name, message.version, payload) for consumer in CONSUMERS[type(message)]
        ]
    if deliveries:
        due_at = tx.now + timedelta(seconds=resend_seconds)
        copy_into = "COPY outbox (message_id, consumer, name, version, payload, created_at, due_at) FROM STDIN"
        with tx.connection.cursor() as cursor, cursor.copy(copy_into) as copy:
            for d in deliveries:
                copy.write_row((d.payload["id"], d.consumer, d.name, d.version, Jsonb(d.payload), tx.now, due_at))
    return deliveries


def sweep(tx: Transaction, resend_seconds: float) -> list[Delivery]:
    """Takes what is due for sending again, and puts its next turn off twice as long as the last one."""
    return tx.rows(
        Delivery,
        """
        UPDATE outbox
           SET attempts = attempts + 1,
               due_at = %(now)s + least(%(resend)s * 2 ^ least(attempts, 20), %(longest)s) * interval '1 second'
         WHERE (message_id, consumer) IN (
                 SELECT message_id, consumer FROM outbox
                  WHERE due_at <= %(now)s ORDER BY due_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED)
        RETURNING consumer, name, version, payload
        """,
        {"now": tx.now, "resend": resend_seconds, "longest": LONGEST_RESEND_SECONDS, "limit": SWEEP_LIMIT},
    )


def confirmed(tx: Transaction, consumer: str, message_ids: Sequence[str]) -> None:
    """Forgets messages that `consumer` has safe. Confirming twice changes nothing."""
    tx.execute(
        "DELETE FROM outbox WHERE consumer = %s AND message_id = ANY(%s::uuid[])",
        (consumer, list(message_ids)),
    )

"""Deliveries of events to webhooks in Postgres: claimed with a lease, settled, looked at."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import LiteralString
from uuid import UUID

from gin_lobby.domain.webhooks import Delivery, DeliveryState, EventId, WebhookId
from gin_servicekit.database import Transaction

MOST_FOR_ONE_OWNER = 3  # attempts at a time, about, for all webhooks of an account together

_SELECT: LiteralString = """
    SELECT d.webhook_id, d.event_id, e.type, e.data, e.occurred_at, d.state, d.attempts, d.next_at, d.attempted_at,
           d.status, d.problem
      FROM webhook_deliveries d JOIN webhook_events e USING (event_id)
"""


@dataclass(frozen=True, slots=True)
class Claim:
    """An attempt that whoever claimed it is to make now: the `attempts`-th in all; the schedule of retries began after
    `schedule_from` of them."""

    webhook_id: WebhookId
    event_id: EventId
    type: str
    data: dict[str, object]
    occurred_at: datetime
    attempts: int
    schedule_from: int


def claim(tx: Transaction, lease: timedelta) -> Claim | None:
    """Takes a delivery that is due, of the webhook that has waited longest for its turn; None: there is nothing.

    Nobody else gets it for as long as the lease. Who dies with it gave it back by then, under the same event id.
    """
    while True:
        webhook_id = tx.scalar(
            """
            UPDATE webhooks SET claimed_at = %(now)s
             WHERE webhook_id = (
                SELECT webhook_id FROM webhooks w
                 WHERE state = 'active' AND (held_until IS NULL OR held_until <= %(now)s)
                   AND EXISTS (SELECT FROM webhook_deliveries d
                                WHERE d.webhook_id = w.webhook_id AND d.state = 'waiting' AND d.next_at <= %(now)s
                                  AND (d.leased_until IS NULL OR d.leased_until <= %(now)s))
                   AND (SELECT count(*) FROM webhook_deliveries d JOIN webhooks o USING (webhook_id)
                         WHERE o.owner_id = w.owner_id AND d.leased_until > %(now)s) < %(most)s
                 ORDER BY claimed_at NULLS FIRST, webhook_id LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING webhook_id
            """,
            {"now": tx.now, "most": MOST_FOR_ONE_OWNER},
        )
        if webhook_id is None:
            return None
        # A statement of its own: it sees what whoever held the lock before has taken.
        taken = tx.row(
            Claim,
            """
            UPDATE webhook_deliveries AS taken
               SET attempts = attempts + 1, leased_until = %(until)s, attempted_at = %(now)s
              FROM webhook_events e
             WHERE e.event_id = taken.event_id AND taken.webhook_id = %(webhook)s
               AND taken.event_id = (
                    SELECT event_id FROM webhook_deliveries d
                     WHERE d.webhook_id = %(webhook)s AND d.state = 'waiting' AND d.next_at <= %(now)s
                       AND (d.leased_until IS NULL OR d.leased_until <= %(now)s)
                     ORDER BY next_at, event_id LIMIT 1)
            RETURNING taken.webhook_id, taken.event_id, e.type, e.data, e.occurred_at, taken.attempts,
                      taken.schedule_from
            """,
            {"now": tx.now, "until": tx.now + lease, "webhook": webhook_id},
        )
        if taken is not None:
            return taken


def count_due(tx: Transaction, most: int) -> int:
    """How many attempts may be made now, counted as far as `most`; of one webhook a few at the most."""
    due = tx.scalar(
        """
        SELECT count(*) FROM (
            SELECT FROM webhooks w CROSS JOIN LATERAL (
                SELECT FROM webhook_deliveries d
                 WHERE d.webhook_id = w.webhook_id AND d.state = 'waiting' AND d.next_at <= %(now)s
                   AND (d.leased_until IS NULL OR d.leased_until <= %(now)s) LIMIT %(few)s) AS due
             WHERE state = 'active' AND (held_until IS NULL OR held_until <= %(now)s) LIMIT %(most)s) AS found
        """,
        {"now": tx.now, "few": MOST_FOR_ONE_OWNER, "most": most},
    )
    return int(due)


def settle(tx: Transaction, claim: Claim, state: DeliveryState, status: int | None, problem: str | None) -> None:
    """Writes down how an attempt ended the delivery for good. That it arrived is true whoever else tries by now."""
    tx.execute(
        """
        UPDATE webhook_deliveries
           SET state = %(state)s, next_at = NULL, leased_until = NULL, status = %(status)s, problem = %(problem)s
         WHERE webhook_id = %(webhook)s AND event_id = %(event)s AND state = 'waiting'
           AND (attempts = %(attempt)s OR %(state)s = 'delivered')
        """,
        {
            "state": state,
            "status": status,
            "problem": problem,
            "webhook": claim.webhook_id,
            "event": claim.event_id,
            "attempt": claim.attempts,
        },
    )


def try_again(tx: Transaction, claim: Claim, next_at: datetime, status: int | None, problem: str) -> None:
    """Gives the lease back after an attempt that failed, unless somebody else has it by now."""
    tx.execute(
        """
        UPDATE webhook_deliveries SET next_at = %s, leased_until = NULL, status = %s, problem = %s
         WHERE webhook_id = %s AND event_id = %s AND state = 'waiting' AND attempts = %s
        """,
        (next_at, status, problem, claim.webhook_id, claim.event_id, claim.attempts),
    )


def start_over(tx: Transaction, webhook_id: UUID, event_id: UUID) -> bool:
    """Sends what was delivered or given up once more, with a whole schedule of retries. False where it waits."""
    return bool(
        tx.execute(
            "UPDATE webhook_deliveries SET state = 'waiting', next_at = %s, schedule_from = attempts"
            " WHERE webhook_id = %s AND event_id = %s AND state <> 'waiting'",
            (tx.now, webhook_id, event_id),
        )
    )


def give_up_old(tx: Transaction, webhook_id: UUID, older_than: datetime) -> int:
    """Gives up what has waited for too long to be of use."""
    return tx.execute(
        """
        UPDATE webhook_deliveries d
           SET state = 'failed', next_at = NULL, leased_until = NULL,
               problem = 'it was days old when the webhook went on'
          FROM webhook_events e
         WHERE e.event_id = d.event_id AND d.webhook_id = %s AND d.state = 'waiting' AND e.occurred_at < %s
        """,
        (webhook_id, older_than),
    )


def overfull(tx: Transaction, most: int) -> list[UUID]:
    """Active webhooks for which more than so many deliveries wait."""
    return tx.scalars(
        """
        SELECT webhook_id FROM webhooks w
         WHERE state = 'active' AND (
            SELECT count(*) FROM webhook_deliveries d WHERE d.webhook_id = w.webhook_id AND d.state = 'waiting') > %s
         ORDER BY webhook_id
        """,
        (most,),
    )


def is_waiting(tx: Transaction, webhook_id: UUID, event_type: str) -> bool:
    """Whether an event of that type still waits to be delivered."""
    return bool(
        tx.scalar(
            "SELECT EXISTS (SELECT FROM webhook_deliveries d JOIN webhook_events e USING (event_id)"
            " WHERE d.webhook_id = %s AND d.state = 'waiting' AND e.type = %s)",
            (webhook_id, event_type),
        )
    )


def find(tx: Transaction, webhook_id: UUID, event_id: UUID) -> Delivery | None:
    return tx.row(Delivery, _SELECT + " WHERE d.webhook_id = %s AND d.event_id = %s", (webhook_id, event_id))


def page(tx: Transaction, webhook_id: UUID, state: str | None, before: UUID | None, limit: int) -> list[Delivery]:
    """Newest event first; `before` is the last event id of the page before."""
    return tx.rows(
        Delivery,
        _SELECT
        + """
         WHERE d.webhook_id = %(webhook)s AND (%(before)s::uuid IS NULL OR d.event_id < %(before)s)
           AND (%(state)s::text IS NULL OR d.state = %(state)s)
         ORDER BY d.event_id DESC LIMIT %(limit)s
        """,
        {"webhook": webhook_id, "state": state, "before": before, "limit": limit},
    )


@dataclass(frozen=True, slots=True)
class Backlog:
    """What waits in all: events to be spread, deliveries to be made, and how long the oldest one is overdue."""

    events: int
    deliveries: int
    oldest_seconds: float


def backlog(tx: Transaction) -> Backlog:
    """Of webhooks that are active; what waits for its next try is not overdue."""
    found = tx.row(
        Backlog,
        """
        SELECT (SELECT count(*) FROM webhook_events WHERE spread_after IS NOT NULL) AS events,
               count(*) AS deliveries,
               coalesce(greatest(extract(epoch FROM %s - min(d.next_at)), 0), 0)::float AS oldest_seconds
          FROM webhook_deliveries d JOIN webhooks w USING (webhook_id)
         WHERE d.state = 'waiting' AND w.state = 'active'
        """,
        (tx.now,),
    )
    assert found is not None
    return found

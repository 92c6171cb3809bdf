"""Telling webhooks what happened: events spread to those that want them, attempts claimed, sent and settled.

What is sent stands in Postgres before, and what came of it afterwards. Between the two nothing is locked: whoever dies
there leaves a lease that ends, and the event is sent again under the same id. So each arrives at least once.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

import structlog

from gin_lobby.domain.webhooks import (
    GONE,
    DeliveryState,
    Webhook,
    WebhookState,
    encoded,
    hold_after,
    is_given_up,
    message,
    next_attempt,
    signed_headers,
)
from gin_lobby.store import webhook_deliveries as deliveries
from gin_lobby.store import webhook_events, webhooks
from gin_lobby.store.webhook_deliveries import Claim
from gin_servicekit.database import Transaction
from gin_servicekit.outgoing import Outcome

log = structlog.get_logger()

LEASE = timedelta(minutes=2)  # longer than any attempt takes, the system's resolver included
KEPT = timedelta(days=30)
FORGOTTEN_AT_ONCE = 5_000
MOST_WAITING = 20_000  # for one webhook; who falls further behind is not catching up
AGENT = "Ginhall-Webhooks/1"

Send = Callable[[str, bytes, Mapping[str, str]], Outcome]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A request to be made now."""

    claim: Claim
    url: str
    body: bytes
    headers: Mapping[str, str]


def claim_attempt(tx: Transaction, public_url: str) -> Attempt | None:
    """The next attempt that is due, leased to whoever asks; None when there is nothing to send."""
    while (claim := deliveries.claim(tx, LEASE)) is not None:
        if not webhook_events.may_see(tx, claim.webhook_id, claim.event_id):
            deliveries.settle(tx, claim, DeliveryState.WITHHELD, None, "you may not see this tournament")
            continue
        webhook = webhooks.find(tx, claim.webhook_id)
        assert webhook is not None  # its row is locked
        try:
            body = encoded(message(claim.type, claim.occurred_at, claim.data, public_url))
        except (KeyError, ValueError):  # of another version of this program: it must not hold up all others for ever
            log.exception("webhook_event_unreadable", event_id=str(claim.event_id), type=claim.type)
            deliveries.settle(tx, claim, DeliveryState.FAILED, None, "the house could not write it down")
            continue
        headers = signed_headers(claim.event_id, tx.now, body, webhook.signing_secrets(tx.now))
        headers |= {"Content-Type": "application/json", "User-Agent": AGENT}
        return Attempt(claim, webhook.url, body.encode(), headers)
    return None


def settle_attempt(tx: Transaction, claim: Claim, outcome: Outcome, chance: float) -> None:
    """Writes down what came of an attempt, and when to try again or that no more is sent. `chance` is from 0 to 1."""
    webhook = webhooks.lock(tx, claim.webhook_id)
    if webhook is None:
        return  # its owner has removed it meanwhile
    status = outcome.status
    if status is not None and 200 <= status < 300:
        deliveries.settle(tx, claim, DeliveryState.DELIVERED, status, None)
        if webhook.failures:
            webhooks.rewrite(tx, replace(webhook, failures=0, failing_since=None))
            webhooks.hold(tx, webhook.webhook_id, None)
        return
    since = webhook.failing_since or tx.now
    failed = replace(webhook, failures=webhook.failures + 1, failing_since=since)
    problem = outcome.problem or _said(status)
    next_at = next_attempt(claim.attempts - claim.schedule_from, tx.now, chance, outcome.retry_after)
    if status == GONE or next_at is None:
        deliveries.settle(tx, claim, DeliveryState.FAILED, status, problem)
    else:
        deliveries.try_again(tx, claim, next_at, status, problem)
    if status == GONE:
        failed = disabled(tx, failed, "the receiver answered 410 Gone: it wants no more")
    elif is_given_up(failed.failures, since, tx.now):
        days = (tx.now - since).days
        failed = disabled(
            tx, failed, f"{failed.failures} attempts in a row failed within {days} days, at last: {problem}"
        )
    webhooks.rewrite(tx, failed)
    hold = hold_after(failed.failures, status, outcome.retry_after)
    webhooks.hold(tx, failed.webhook_id, tx.now + hold if hold else None)


def disabled(tx: Transaction, webhook: Webhook, because: str) -> Webhook:
    """The webhook as it is once nothing is sent to it any more; its owner finds it among their notices."""
    if webhook.state != WebhookState.ACTIVE:
        return webhook
    log.info("webhook_disabled", webhook_id=str(webhook.webhook_id), because=because)
    tx.announce(
        f"player:{webhook.owner_id}", "noticed", {"webhook_id": str(webhook.webhook_id), "what": "webhook_disabled"}
    )
    return replace(
        webhook,
        state=WebhookState.DISABLED,
        disabled_because=because,
        disabled_at=tx.now,
        revision=webhook.revision + 1,
    )


def tidy(tx: Transaction) -> None:
    """Forgets what is old, and disables webhooks that fall behind without end."""
    webhook_events.forget_old(tx, KEPT, FORGOTTEN_AT_ONCE)
    for webhook_id in deliveries.overfull(tx, MOST_WAITING):
        webhook = webhooks.lock(tx, webhook_id)
        if webhook is not None:
            webhooks.rewrite(tx, disabled(tx, webhook, f"more than {MOST_WAITING} events wait to be sent to it"))


def any_chance() -> float:
    """From 0 to 1, whatever others draw at the same time."""
    return secrets.randbelow(1_000_001) / 1_000_000


def _said(status: int | None) -> str:
    if status is not None and 300 <= status < 400:
        return f"it answered {status}, and redirects are not followed"
    return f"it answered {status}"

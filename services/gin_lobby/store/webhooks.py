"""Webhooks in Postgres, and what is known of their receivers."""

from __future__ import annotations

from datetime import datetime
from typing import LiteralString
from uuid import UUID

from psycopg.types.json import Jsonb

from gin_lobby.domain.webhooks import Webhook, WebhookState
from gin_servicekit.database import Transaction

_SELECT: LiteralString = """
    SELECT webhook_id, owner_id, url, description, events, tournament_id, series_id, mine, secret, former_secrets,
           state, disabled_because, disabled_at, revision, failures, failing_since, created_at
      FROM webhooks
"""


def lock_owner(tx: Transaction, owner_id: UUID) -> None:
    """Whoever makes webhooks of an account does so one after another."""
    tx.execute("SELECT FROM accounts WHERE account_id = %s FOR NO KEY UPDATE", (owner_id,))


def insert(tx: Transaction, w: Webhook) -> None:
    tx.execute(
        """
        INSERT INTO webhooks (webhook_id, owner_id, url, description, events, tournament_id, series_id, mine, secret,
                              state, revision, created_at)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        """,
        (
            w.webhook_id,
            w.owner_id,
            w.url,
            w.description,
            w.events,
            w.tournament_id,
            w.series_id,
            w.mine,
            w.secret,
            w.state,
            w.revision,
            w.created_at,
        ),
    )


def rewrite(tx: Transaction, w: Webhook) -> None:
    """Everything that may change about it. It must be locked."""
    tx.execute(
        """
        UPDATE webhooks
           SET url = %s, description = %s, events = %s, tournament_id = %s, series_id = %s, mine = %s, secret = %s,
               former_secrets = %s, state = %s, disabled_because = %s, disabled_at = %s, revision = %s, failures = %s,
               failing_since = %s
         WHERE webhook_id = %s
        """,
        (
            w.url,
            w.description,
            w.events,
            w.tournament_id,
            w.series_id,
            w.mine,
            w.secret,
            Jsonb(w.former_secrets),
            w.state,
            w.disabled_because,
            w.disabled_at,
            w.revision,
            w.failures,
            w.failing_since,
            w.webhook_id,
        ),
    )


def hold(tx: Transaction, webhook_id: UUID, until: datetime | None) -> None:
    """Nothing is sent to it before; None: it may be sent to at once."""
    tx.execute("UPDATE webhooks SET held_until = %s WHERE webhook_id = %s", (until, webhook_id))


def find(tx: Transaction, webhook_id: UUID) -> Webhook | None:
    return tx.row(Webhook, _SELECT + " WHERE webhook_id = %s", (webhook_id,))


def lock(tx: Transaction, webhook_id: UUID) -> Webhook | None:
    """Whatever changes a webhook or takes a delivery of it takes this lock first."""
    tx.execute("SELECT FROM webhooks WHERE webhook_id = %s FOR UPDATE", (webhook_id,))
    return find(tx, webhook_id)


def count(tx: Transaction, owner_id: UUID) -> int:
    return int(tx.scalar("SELECT count(*) FROM webhooks WHERE owner_id = %s", (owner_id,)))


def page(tx: Transaction, owner_id: UUID, before: UUID | None, limit: int) -> list[Webhook]:
    """Of one account, newest first; `before` is the last id of the page before."""
    return tx.rows(
        Webhook,
        _SELECT
        + """
         WHERE owner_id = %(owner)s AND (%(before)s::uuid IS NULL OR webhook_id < %(before)s)
         ORDER BY webhook_id DESC LIMIT %(limit)s
        """,
        {"owner": owner_id, "before": before, "limit": limit},
    )


def disabled(tx: Transaction, owner_id: UUID) -> list[Webhook]:
    """Those of an account that the house has disabled, the latest first."""
    return tx.rows(
        Webhook,
        _SELECT + " WHERE owner_id = %s AND state = %s ORDER BY disabled_at DESC",
        (owner_id, WebhookState.DISABLED),
    )


def delete(tx: Transaction, webhook_id: UUID) -> None:
    """With all its deliveries, also those that wait."""
    tx.execute("DELETE FROM webhooks WHERE webhook_id = %s", (webhook_id,))


def delete_all(tx: Transaction, owner_id: UUID) -> None:
    """The same for all of an account."""
    tx.execute("DELETE FROM webhooks WHERE owner_id = %s", (owner_id,))

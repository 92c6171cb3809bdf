"""What happened, for webhooks: written with the fact, then spread to the webhooks that want to be told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from uuid_utils.compat import uuid7

from gin_lobby.domain.webhooks import COALESCED_FOR, Event, EventId
from gin_servicekit.database import Transaction

SPREAD_AT_ONCE = 500


def record(tx: Transaction, events: Sequence[Event]) -> None:
    """Keeps those that any webhook may want, to be told if and only if this transaction commits.

    Of an event that is coalesced, a later one takes the place of the one that has not been spread yet. At most one of
    its kind for each tournament may stand in `events`.
    """
    if not events:
        return
    pauses = [COALESCED_FOR.get(event.type) for event in events]
    tx.execute(
        """
        INSERT INTO webhook_events
               (event_id, type, tournament_id, player_id, data, occurred_at, coalesced, spread_after)
        SELECT event_id, type, tournament_id, player_id, data::jsonb, %(now)s, pause IS NOT NULL,
               %(now)s + coalesce(pause, interval '0')
          FROM unnest(%(ids)s::uuid[], %(types)s::text[], %(tournaments)s::uuid[], %(players)s::uuid[],
                      %(data)s::text[], %(pauses)s::interval[])
               AS e (event_id, type, tournament_id, player_id, data, pause)
         WHERE type IN (SELECT unnest(events) FROM webhooks WHERE state = 'active')
        ON CONFLICT (tournament_id, type) WHERE coalesced AND spread_after IS NOT NULL
        DO UPDATE SET data = excluded.data, occurred_at = excluded.occurred_at
        """,
        {
            "now": tx.now,
            "ids": [uuid7() for _ in events],
            "types": [event.type.value for event in events],
            "tournaments": [event.tournament_id for event in events],
            "players": [event.player_id for event in events],
            "data": [json.dumps(dict(event.data)) for event in events],
            "pauses": pauses,
        },
    )


def insert_for(tx: Transaction, webhook_id: UUID, event: Event) -> EventId:
    """An event for one webhook alone, whatever it has chosen; to be delivered at once."""
    event_id = EventId(uuid7())
    tx.execute(
        "INSERT INTO webhook_events (event_id, type, data, occurred_at, coalesced) VALUES (%s, %s, %s, %s, false)",
        (event_id, event.type.value, json.dumps(dict(event.data)), tx.now),
    )
    tx.execute(
        "INSERT INTO webhook_deliveries (webhook_id, event_id, state, next_at) VALUES (%s, %s, 'waiting', %s)",
        (webhook_id, event_id, tx.now),
    )
    return event_id


def spread(tx: Transaction) -> bool:
    """Makes a delivery of each event that is due for each webhook that wants it and may see it.

    What nobody wants is forgotten. Tells whether there may be more.
    """
    claimed = tx.scalars(
        "SELECT event_id FROM webhook_events WHERE spread_after <= %s"
        " ORDER BY spread_after, event_id LIMIT %s FOR UPDATE SKIP LOCKED",
        (tx.now, SPREAD_AT_ONCE),
    )
    if not claimed:
        return False
    tx.execute(
        """
        INSERT INTO webhook_deliveries (webhook_id, event_id, state, next_at)
        SELECT w.webhook_id, e.event_id, 'waiting', %s
          FROM webhook_events e
          JOIN webhooks w ON w.state = 'active' AND e.type = ANY(w.events) AND w.created_at <= e.occurred_at
         WHERE e.event_id = ANY(%s) AND webhook_may_see(w.owner_id, e.tournament_id)
           AND (w.tournament_id IS NULL OR w.tournament_id = e.tournament_id)
           AND (w.series_id IS NULL OR EXISTS (
                  SELECT FROM occurrences o WHERE o.series_id = w.series_id AND o.tournament_id = e.tournament_id))
           AND (e.player_id IS NULL OR EXISTS (
                  SELECT FROM players p WHERE p.player_id = e.player_id AND w.owner_id IN (p.player_id, p.owner_id)))
           AND (NOT w.mine OR e.player_id IS NOT NULL
                OR EXISTS (SELECT FROM tournaments t
                            WHERE t.tournament_id = e.tournament_id AND t.organiser_id = w.owner_id)
                OR EXISTS (SELECT FROM arbiters a
                            WHERE a.tournament_id = e.tournament_id AND a.account_id = w.owner_id)
                OR EXISTS (SELECT FROM entrants n JOIN players p USING (player_id)
                            WHERE n.tournament_id = e.tournament_id AND w.owner_id IN (p.player_id, p.owner_id)))
           FOR KEY SHARE OF w  -- one that is being removed is gone when this goes on
        """,
        (tx.now, claimed),
    )
    tx.execute(
        "DELETE FROM webhook_events e WHERE event_id = ANY(%s)"
        " AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_id = e.event_id)",
        (claimed,),
    )
    tx.execute("UPDATE webhook_events SET spread_after = NULL WHERE event_id = ANY(%s)", (claimed,))
    return len(claimed) == SPREAD_AT_ONCE


def may_see(tx: Transaction, webhook_id: UUID, event_id: UUID) -> bool:
    """Whether the owner of the webhook may see, now, what the event is about."""
    return bool(
        tx.scalar(
            "SELECT webhook_may_see(w.owner_id, e.tournament_id) FROM webhooks w, webhook_events e"
            " WHERE w.webhook_id = %s AND e.event_id = %s",
            (webhook_id, event_id),
        )
    )


def forget_old(tx: Transaction, kept: timedelta, most: int) -> int:
    """Drops events that are older, at most so many, with their deliveries and any that nobody ever had."""
    return tx.execute(
        "DELETE FROM webhook_events WHERE event_id IN"
        " (SELECT event_id FROM webhook_events WHERE occurred_at < %s ORDER BY occurred_at LIMIT %s)",
        (tx.now - kept, most),
    )

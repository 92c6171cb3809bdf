"""Whether the machine was off, and what is made up for then: whoever could not check in still can."""

from __future__ import annotations

from datetime import datetime, timedelta

from gin_lobby.domain.tournament import Tournament
from gin_lobby.domain.webhooks import EventType
from gin_lobby.store import presence, tournaments
from gin_lobby.use_cases import webhook_events
from gin_lobby.use_cases.log import everybody, note
from gin_servicekit.database import Transaction

LOOK_EVERY = timedelta(seconds=10)
ABSENT_AFTER = timedelta(seconds=60)  # a shorter gap is a restart that hardly anybody notices


def is_absence_pending(tx: Transaction) -> bool:
    """True where the machine was off and `look_around` has not made up for it yet."""
    seen = presence.seen_at(tx)
    return seen is not None and tx.now - seen >= ABSENT_AFTER


def look_around(tx: Transaction) -> None:
    """Notes that the machine is on; where it was off, check-ins of which a part was missed are made that much longer.

    Nothing is prolonged that is too late to start in any case.
    """
    seen = presence.hold(tx)
    if seen is not None and tx.now - seen >= ABSENT_AFTER:
        for tournament in tournaments.checking_in(tx):
            if not tournament.paused and tx.now <= tournament.latest_start:
                _prolong(tx, tournament, seen)
    presence.here(tx)


def _prolong(tx: Transaction, tournament: Tournament, seen: datetime) -> None:
    missed = min(tx.now, tournament.starts_at) - max(seen, tournament.check_in_at)
    if missed < ABSENT_AFTER:
        return
    starts_at = max(tx.now, tournament.starts_at) + missed
    tournaments.reschedule(tx, tournament.tournament_id, starts_at, starts_at)
    webhook_events.tournament_moved(tx, EventType.TOURNAMENT_CHANGED, tournament)
    note(
        tx,
        tournament,
        None,
        "check_in_prolonged",
        reason="the machine was off",
        details={"missed_seconds": int(missed.total_seconds()), "starts_at": starts_at.isoformat()},
        touched=everybody(tx, tournament),
    )

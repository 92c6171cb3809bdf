"""What the lobby's worker does: receive messages, and move due tournaments on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

import structlog
from celery import Celery

from gin_lobby.store import accounts, tournaments
from gin_lobby.use_cases import advance, results
from gin_messages.envelope import Envelope, Message
from gin_messages.match import MatchFinished
from gin_messages.ratings import RatingsUpdated
from gin_servicekit.auth import publish_revocations
from gin_servicekit.database import UNAVAILABLE, Transaction
from gin_servicekit.inbox import Handler
from gin_servicekit.service import Service
from gin_servicekit.worker import new_worker

log = structlog.get_logger()
TRY_AGAIN = timedelta(seconds=15)


def lobby_worker(service: Service) -> Celery:
    handlers: Mapping[type[Message], Handler] = {MatchFinished: on_match_finished, RatingsUpdated: on_ratings_updated}
    return new_worker(
        service,
        handlers,
        tasks={results.ADVANCE: advance_due},
        duties=[advance_due, republish_revocations],
    )


def on_match_finished(tx: Transaction, envelopes: Sequence[Envelope]) -> None:
    results.record_results(tx, [e.body for e in envelopes if isinstance(e.body, MatchFinished)])


def on_ratings_updated(tx: Transaction, envelopes: Sequence[Envelope]) -> None:
    results.copy_ratings(tx, [e.body for e in envelopes if isinstance(e.body, RatingsUpdated)])


def advance_due(service: Service) -> None:
    """Takes steps until no tournament is due. One that fails is put off, and holds up no other."""
    while True:
        due = None
        try:
            with service.transaction() as tx:
                due = tournaments.claim_due(tx)
                if due is None:
                    return
                advance.step(tx, due)
        except UNAVAILABLE:
            raise
        except Exception:
            if due is None:
                raise
            log.exception("step_failed", tournament_id=str(due.tournament_id), state=due.state)
            with service.transaction() as tx:
                tournaments.look_at(tx, due.tournament_id, tx.now + TRY_AGAIN)


def republish_revocations(service: Service) -> None:
    """Redis may have been emptied: what was revoked must not come back."""
    with service.transaction() as tx:
        revoked = accounts.revoked_tokens(tx)
    publish_revocations(service.settings.redis_url, revoked, service.clock())

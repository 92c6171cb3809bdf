"""What the engine's worker does: decode, call, encode."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import structlog
from gin_messages.envelope import Envelope, Message
from gin_messages.match import CancelMatch, OpenMatch
from gin_servicekit.database import Transaction
from gin_servicekit.inbox import Handler
from gin_servicekit.service import Service
from gin_servicekit.worker import Work

from gin_engine.domain.tasks import PLAY
from gin_engine.use_cases.cancel_matches import cancel_matches
from gin_engine.use_cases.expire_matches import expire_matches
from gin_engine.use_cases.open_matches import open_matches
from gin_engine.use_cases.play_due import play_due

log = structlog.get_logger()

# A transaction holds locks that a cancellation or a deadline may wait for; a task holds a worker that others need.
TRANSACTION_SECONDS = 1.0
TASK_SECONDS = 4.0


def on_open_match(tx: Transaction, envelopes: Sequence[Envelope]) -> None:
    open_matches(tx, [envelope.body for envelope in envelopes if isinstance(envelope.body, OpenMatch)])


def on_cancel_match(tx: Transaction, envelopes: Sequence[Envelope]) -> None:
    cancel_matches(tx, [envelope.body for envelope in envelopes if isinstance(envelope.body, CancelMatch)])


def play(service: Service) -> None:
    """Plays while bots are due, for a few seconds; then asks to be run again, so that other work gets its turn."""
    stop_at = time.monotonic() + TASK_SECONDS
    while time.monotonic() < stop_at:
        with service.transaction() as tx:
            taken = play_due(tx, _time_is_up_after(TRANSACTION_SECONDS))
        if not taken:
            return
    service.broker.kick([PLAY])


def expire(service: Service) -> None:
    """Ends what is past its deadline."""
    ended = 1
    while ended:
        with service.transaction() as tx:
            ended = expire_matches(tx)
        if ended:
            log.info("matches_expired", matches=ended)


def _time_is_up_after(seconds: float) -> Callable[[], bool]:
    stop_at = time.monotonic() + seconds
    return lambda: time.monotonic() >= stop_at


HANDLERS: Mapping[type[Message], Handler] = {OpenMatch: on_open_match, CancelMatch: on_cancel_match}
TASKS: Mapping[str, Work] = {PLAY: play}
# `play` is a duty as well: a kick may get lost, and so may the worker that answered it.
DUTIES: Sequence[Work] = (play, expire)

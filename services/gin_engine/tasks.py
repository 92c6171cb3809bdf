"""What the engine's worker does: decode, call, encode."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import structlog

from gin_engine.domain.tasks import PLAY, REPLY
from gin_engine.store import arbiters
from gin_engine.use_cases.cancel_matches import cancel_matches
from gin_engine.use_cases.expire_clocks import expire_clocks
from gin_engine.use_cases.expire_matches import expire_matches
from gin_engine.use_cases.move_deadlines import move_deadlines
from gin_engine.use_cases.open_matches import open_matches
from gin_engine.use_cases.play_due import MATCHES_PER_TRANSACTION, ask_for_more, begin_turn, play_due
from gin_engine.use_cases.players import rename_players, take_leave
from gin_engine.use_cases.tables import expire_tables
from gin_messages.envelope import Envelope, Message
from gin_messages.match import ArbitersNamed, CancelMatch, DeadlineMoved, OpenMatch
from gin_messages.players import PlayerChanged, PlayerLeft
from gin_servicekit.database import Transaction
from gin_servicekit.inbox import Handler
from gin_servicekit.service import Service
from gin_servicekit.worker import Work

log = structlog.get_logger()

# A transaction holds locks that a cancellation or a deadline may wait for; a task holds a worker that others need.
TRANSACTION_SECONDS = 0.5
TASK_SECONDS = 1.0


def on_open_match(tx: Transaction, envelopes: Sequence[Envelope]) -> None:
    open_matches(tx, [envelope.body for envelope in envelopes if isinstance(envelope.body, OpenMatch)])


def on_cancel_match(tx: Transaction, envelopes: Sequence[Envelope]) -> None:
    cancel_matches(tx, [envelope.body for envelope in envelopes if isinstance(envelope.body, CancelMatch)])


def on_deadline_moved(tx: Transaction, envelopes: Sequence[Envelope]) -> None:
    move_deadlines(tx, [envelope.body for envelope in envelopes if isinstance(envelope.body, DeadlineMoved)])


def on_arbiters_named(tx: Transaction, envelopes: Sequence[Envelope]) -> None:
    arbiters.keep(tx, [envelope.body for envelope in envelopes if isinstance(envelope.body, ArbitersNamed)])


def on_player_changed(tx: Transaction, envelopes: Sequence[Envelope]) -> None:
    rename_players(tx, [envelope.body for envelope in envelopes if isinstance(envelope.body, PlayerChanged)])


def on_player_left(tx: Transaction, envelopes: Sequence[Envelope]) -> None:
    take_leave(tx, [envelope.body for envelope in envelopes if isinstance(envelope.body, PlayerLeft)])


def play(service: Service) -> None:
    """Matches of bots alone go on, for a moment: then other work gets its turn.

    Whoever finds more than one transaction can play asks for one more worker, so that as many play as there are,
    and at most one such task waits in the queue.
    """
    with service.transaction() as tx:
        begin_turn(tx)
    stop_at = time.monotonic() + TASK_SECONDS
    while time.monotonic() < stop_at:
        with service.transaction() as tx:
            taken = play_due(tx, _time_is_up_after(TRANSACTION_SECONDS), only_bots=True)
        if not taken:
            return
        if taken == MATCHES_PER_TRANSACTION:
            _ask_for_more(service)
    _ask_for_more(service)


def reply(service: Service) -> None:
    """Bots act wherever a client waits for them."""
    taken = 1
    while taken:
        with service.transaction() as tx:
            taken = play_due(tx, _time_is_up_after(TRANSACTION_SECONDS), only_bots=False)


def _ask_for_more(service: Service) -> None:
    with service.transaction() as tx:
        ask_for_more(tx)


def expire(service: Service) -> None:
    """Ends what is past its deadline."""
    ended = 1
    while ended:
        with service.transaction() as tx:
            ended = expire_matches(tx)
        if ended:
            log.info("matches_expired", matches=ended)


def watch_clocks(service: Service) -> None:
    """Whoever has used their clock up loses."""
    used_up = 1
    while used_up:
        with service.transaction() as tx:
            used_up = expire_clocks(tx)
        if used_up:
            log.info("clocks_used_up", matches=used_up)


def close_tables(service: Service) -> None:
    """Closes casual tables at which nobody sat down in time."""
    with service.transaction() as tx:
        expire_tables(tx)


def _time_is_up_after(seconds: float) -> Callable[[], bool]:
    stop_at = time.monotonic() + seconds
    return lambda: time.monotonic() >= stop_at


HANDLERS: Mapping[type[Message], Handler] = {
    OpenMatch: on_open_match,
    CancelMatch: on_cancel_match,
    DeadlineMoved: on_deadline_moved,
    ArbitersNamed: on_arbiters_named,
    PlayerChanged: on_player_changed,
    PlayerLeft: on_player_left,
}
TASKS: Mapping[str, Work] = {PLAY: play, REPLY: reply}
# What is kicked is a duty as well: a kick may get lost, and so may the worker that answered it.
DUTIES: Sequence[Work] = (watch_clocks, reply, expire, close_tables, play)

"""Sending webhooks from the lobby's worker, beside its other work: a few threads that wait for receivers.

The tick starts them when something is due, and each ends when it finds nothing more. A receiver that is slow holds one
of them up for a moment and neither the tick nor, as turns are taken by webhook and account, the others for long. Any
number of workers may do this at a time.
"""

from __future__ import annotations

import functools
import threading

import structlog

from gin_lobby.store import webhook_deliveries, webhook_events
from gin_lobby.use_cases import webhook_delivery
from gin_lobby.use_cases.webhook_delivery import Send
from gin_servicekit import outgoing
from gin_servicekit.service import Service

log = structlog.get_logger()
MOST_AT_ONCE = 8  # requests of one process


class WebhookRunners:
    """The threads of one process. Nothing runs before the first tick, so that a forked worker has its own."""

    def __init__(self, send: Send | None = None) -> None:
        self._send = send
        self._running = 0
        self._counting = threading.Lock()

    def tick(self, service: Service) -> None:
        """A duty of the worker: spreads what happened, and sees to it that what is due is being sent."""
        more = True
        while more:
            with service.transaction() as tx:
                more = webhook_events.spread(tx)
        with service.transaction() as tx:
            due = webhook_deliveries.count_due(tx, MOST_AT_ONCE)
        if due:
            self._start(service, due)

    def _start(self, service: Service, wanted: int) -> None:
        send = self._send or sender(service)
        with self._counting:
            new = min(wanted, MOST_AT_ONCE - self._running)
            self._running += new
        for _ in range(new):
            threading.Thread(target=self._run, args=[service, send], name="webhooks", daemon=True).start()

    def _run(self, service: Service, send: Send) -> None:
        try:
            while send_one(service, send):
                pass
        except Exception:  # the next tick starts another; what was claimed comes again when its lease ends
            log.exception("webhook_runner_failed")
        finally:
            with self._counting:
                self._running -= 1


def sender(service: Service, timeouts: outgoing.Timeouts = outgoing.Timeouts()) -> Send:  # noqa: B008  # a constant
    """What sends for this house, to the addresses that its settings admit."""
    return functools.partial(outgoing.post, local=service.settings.webhooks_local, timeouts=timeouts)


def send_one(service: Service, send: Send) -> bool:
    """Makes one attempt that is due; False when there is none."""
    with service.transaction() as tx:
        attempt = webhook_delivery.claim_attempt(tx, service.settings.public_url)
    if attempt is None:
        return False
    outcome = send(attempt.url, attempt.body, attempt.headers)
    with service.transaction() as tx:
        webhook_delivery.settle_attempt(tx, attempt.claim, outcome, webhook_delivery.any_chance())
    return True


def tidy_webhooks(service: Service) -> None:
    """A duty of now and then."""
    with service.transaction() as tx:
        webhook_delivery.tidy(tx)

"""What operators see of webhooks among the lobby's metrics."""

from __future__ import annotations

from collections.abc import Iterable

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from gin_lobby.store import webhook_deliveries
from gin_servicekit.service import Service


class WebhookMetrics(Collector):
    """Asks the database whenever metrics are asked for."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def describe(self) -> Iterable[Metric]:
        """Nothing: registering this must not need a database."""
        return ()

    def collect(self) -> Iterable[Metric]:
        with self._service.transaction() as tx:
            waits = webhook_deliveries.backlog(tx)
        yield GaugeMetricFamily("webhook_events_waiting", "Events not spread to webhooks yet", value=waits.events)
        yield GaugeMetricFamily("webhook_deliveries_waiting", "Deliveries to be made", value=waits.deliveries)
        yield GaugeMetricFamily("webhook_oldest_seconds", "How long the oldest is overdue", value=waits.oldest_seconds)

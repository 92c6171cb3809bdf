"""What the process tells Prometheus about itself."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram


class Measures:
    """The measures of one process, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.watchers = Gauge("live_watchers", "Connections that listen now", registry=registry)
        self.topics = Gauge("live_topics", "Topics that somebody listens to", registry=registry)
        self.held_back = Gauge("live_held_back", "Hints that are not due yet", registry=registry)
        self.reading = Gauge("live_reading", "1 while the streams of Redis are read", registry=registry)
        self.events = Counter("live_events", "Hints read that somebody listens to", registry=registry)
        self.sent = Counter("live_sent", "Hints given to connections", registry=registry)
        self.resumed = Counter("live_resumed", "Connections that went on where they had stopped", registry=registry)
        self.resets = Counter("live_resets", "Times that somebody was told to fetch anew", registry=registry)
        self.dropped = Counter("live_dropped", "Connections ended from here", ["reason"], registry=registry)
        self.refused = Counter("live_refused", "Connections for which there was no room", registry=registry)
        self.lag = Histogram(
            "live_lag_seconds",
            "From when a hint was stored or due until it was given to its connections",
            buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
            registry=registry,
        )

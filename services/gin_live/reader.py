"""The greenlets of the process: one reads all streams, the others wake it, give signs of life, look after rights."""

from __future__ import annotations

import time
from collections.abc import Callable

import gevent
import redis
import structlog

from gin_live.hub import Hub
from gin_live.measures import Measures
from gin_live.streams import Streams
from gin_servicekit.auth import TokenVerifier

log = structlog.get_logger()

EPOCH_SECONDS = 1.0  # how often it is asked whether Redis was emptied; also the longest wait of one reading
AWAY_SECONDS = 0.5
WAKE_SECONDS = 0.02  # new topics within that are begun together
RIGHTS_SECONDS = 1.0
READY_SECONDS = 10.0


class Reader:
    """Keeps a hub supplied. `start` once, in the process that serves."""

    def __init__(
        self, hub: Hub, streams: Streams, measures: Measures, verifier: TokenVerifier, heartbeat_seconds: float
    ) -> None:
        self._hub = hub
        self._streams = streams
        self._measures = measures
        self._verifier = verifier
        self._heartbeat_seconds = heartbeat_seconds
        self._read_at = float("-inf")
        self._asked_at = float("-inf")
        self._was_away = False
        self._seen = 0  # the generation of topics that is being read

    @property
    def is_ready(self) -> bool:
        """Whether the streams are being read and somebody may still join."""
        return not self._hub.closed and time.monotonic() - self._read_at < READY_SECONDS and not self._was_away

    def start(self) -> None:
        for task in (self._read, self._wake, self._beat, self._look_after_rights):
            gevent.spawn(self._forever, task)

    def serve_while(self, alive: Callable[[], bool]) -> None:
        """Ends all connections as soon as the server no longer wants to live: they would keep it from ending."""

        def watch() -> None:
            while alive():
                gevent.sleep(0.1)
            log.info("closing", watchers=len(self._hub.members()))
            self._hub.close()

        gevent.spawn(watch)

    def _forever(self, task: Callable[[], None]) -> None:
        while True:
            try:
                task()
            except (redis.RedisError, OSError) as problem:
                if task == self._read:
                    self._lost(problem)
                gevent.sleep(AWAY_SECONDS)
            except Exception:
                log.exception("greenlet_failed", task=task.__name__)
                gevent.sleep(AWAY_SECONDS)

    def _lost(self, problem: Exception) -> None:
        if not self._was_away:
            log.warning("streams_lost", problem=str(problem))
        self._was_away = True
        self._asked_at = float("-inf")
        self._measures.reading.set(0)
        self._streams.reconnected()

    def _read(self) -> None:
        if time.monotonic() - self._asked_at >= EPOCH_SECONDS:
            self._ask_epoch()
        next_ms = self._hub.tell_due(time.time() * 1000)
        wait = EPOCH_SECONDS if next_ms is None else min(EPOCH_SECONDS, max(0.0, next_ms / 1000 - time.time()))
        places = {name: topic.read for name, topic in self._hub.topics.items()}
        self._seen = self._hub.generation
        if places:
            self._hub.take(self._streams.read(places, wait), time.time() * 1000)
        else:
            self._hub.changed.wait(EPOCH_SECONDS)
        self._read_at = time.monotonic()

    def _ask_epoch(self) -> None:
        epoch = self._streams.epoch()
        self._asked_at = time.monotonic()
        if epoch != self._hub.epoch or self._was_away:
            log.info("streams_read", again=self._was_away, emptied=self._hub.epoch not in (None, epoch))
            self._was_away = False
            self._measures.reading.set(1)
            self._hub.begin_epoch(epoch)

    def _wake(self) -> None:
        self._hub.changed.wait()
        self._hub.changed.clear()
        while self._seen < self._hub.generation:
            gevent.sleep(WAKE_SECONDS)
            self._streams.wake()

    def _beat(self) -> None:
        gevent.sleep(self._heartbeat_seconds)
        for _ in self._hub.beat():
            gevent.sleep(0)

    def _look_after_rights(self) -> None:
        gevent.sleep(RIGHTS_SECONDS)
        now = time.monotonic()
        personal = [watcher for watcher in self._hub.members() if watcher.token_id is not None]
        self._hub.end((w for w in personal if w.until <= now and not w.ended), "must come back")
        revoked = [w for w in personal if w.token_id is not None and self._verifier.is_revoked(w.token_id)]
        self._hub.end((w for w in revoked if not w.ended), "revoked")

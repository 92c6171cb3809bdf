"""The Redis streams: what stands in them, and whether all of it still does."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import redis
import structlog
from redis.backoff import NoBackoff
from redis.retry import Retry

from gin_live.places import BEGINNING, Place
from gin_servicekit.announcements import DATA, DUE, EVENT, STREAM_PREFIX

log = structlog.get_logger()

EPOCH_KEY = "ginhall:live-epoch:"
EPOCH_BYTES = 4
_EPOCH_SECONDS = 7 * 86_400
_CONNECTIONS = 16
_TIMEOUT_SECONDS = 5.0
_ONE_OBJECT = re.compile(r"\{[^\r\n]*\}")  # a line break would end the line of an event
_CROWDED_SECONDS = 30.0  # when all come back at once, each waits for its turn to ask


@dataclass(frozen=True, slots=True)
class Entry:
    """One event. `data` is a JSON object, as text of one line: who passes it on need not read it.

    `due_ms` (Unix) is when it may be told, 0 where it may be at once.
    """

    place: Place
    event: str
    data: str
    due_ms: int


class Streams:
    """What the service asks of Redis. Every call raises redis.RedisError while Redis is away.

    `read` and `epoch` use a connection of their own, so that `wake` can end the waiting of `read`; they belong to one
    greenlet.
    """

    def __init__(self, redis_url: str) -> None:
        options: dict[str, Any] = {
            "protocol": 2,
            "socket_timeout": _TIMEOUT_SECONDS,
            "socket_connect_timeout": 1,
            "retry": Retry(NoBackoff(), 0),
        }
        self._reading = redis.Redis.from_url(redis_url, max_connections=1, **options)
        pool = redis.BlockingConnectionPool.from_url(
            redis_url, max_connections=_CONNECTIONS, timeout=_CROWDED_SECONDS, **options
        )
        self._asking = redis.Redis(connection_pool=pool)
        self._reading_id = 0
        self._run_id = b""

    def reconnected(self) -> None:
        """To be called when reading failed: the next `epoch` asks anew which Redis this is."""
        self._run_id = b""

    def epoch(self) -> bytes:
        """EPOCH_BYTES that stay the same as long as Redis neither starts anew nor is emptied."""
        if not self._run_id:
            about: Any = self._reading.info("server")
            self._run_id = str(about["run_id"]).encode()
        key = EPOCH_KEY + self._run_id.decode()[:16]
        with self._reading.pipeline(transaction=False) as pipeline:
            pipeline.set(key, secrets.token_hex(EPOCH_BYTES), nx=True)
            pipeline.getex(key, ex=_EPOCH_SECONDS)
            pipeline.client_id()
            _, kept, self._reading_id = pipeline.execute()
        return bytes.fromhex(kept.decode())

    def read(self, places: Mapping[str, Place], wait_seconds: float) -> dict[str, list[Entry]]:
        """What was added behind `places`, by topic; waits for the first of it, for a while."""
        wanted: Any = {STREAM_PREFIX + topic: str(place) for topic, place in places.items()}
        answer: Any = self._reading.xread(wanted, block=max(1, int(wait_seconds * 1000)))
        return {key.decode().removeprefix(STREAM_PREFIX): _entries(raw) for key, raw in answer}

    def wake(self) -> None:
        """Ends the waiting of `read`, if it waits."""
        self._asking.client_unblock(self._reading_id)

    def told_so_far(self, topics: Sequence[str], now_ms: int) -> dict[str, Place]:
        """The place of the last entry of each topic that may be told already; BEGINNING where there is none."""
        with self._asking.pipeline(transaction=False) as pipeline:
            for topic in topics:
                pipeline.xrevrange(STREAM_PREFIX + topic, count=1)
            newest = pipeline.execute()
        told = {}
        for topic, raw in zip(topics, newest, strict=True):
            entries = _entries(raw)
            if entries and entries[0].due_ms > now_ms:  # some behind it may be held back as well
                stored: Any = self._asking.xrange(STREAM_PREFIX + topic)
                entries = [entry for entry in _entries(stored) if entry.due_ms <= now_ms]
            told[topic] = entries[-1].place if entries else BEGINNING
        return told

    def since(self, stretches: Mapping[str, tuple[Place, Place]]) -> dict[str, list[Entry]] | None:
        """The entries of each topic behind the first place up to the second; None where some may be gone."""
        with self._asking.pipeline(transaction=False) as pipeline:
            for topic, (known, last) in stretches.items():
                key = STREAM_PREFIX + topic
                pipeline.xinfo_stream(key)
                pipeline.xrange(key, f"({known}", str(last))
            answers = pipeline.execute(raise_on_error=False)
        found: dict[str, list[Entry]] = {}
        for number, (topic, (known, _)) in enumerate(stretches.items()):
            about, raw = answers[2 * number : 2 * number + 2]
            if isinstance(raw, Exception):
                raise raw
            if isinstance(about, redis.ResponseError):  # no such stream: nothing came for a long time
                found[topic] = []
            elif isinstance(about, Exception):
                raise about
            elif _was_trimmed(about) and _first_place(about) > known:
                return None
            else:
                found[topic] = _entries(raw)
        return found


def _was_trimmed(about: Mapping[str, Any]) -> bool:
    return bool(about["entries-added"] > about["length"])


def _first_place(about: Mapping[str, Any]) -> Place:
    first = about["first-entry"]
    return Place.of(first[0]) if first else Place.of(about["last-generated-id"])


def _entries(raw: Sequence[tuple[bytes, Mapping[bytes, bytes]]]) -> list[Entry]:
    entries = []
    for entry_id, fields in raw:
        try:
            data = fields[DATA].decode()
            event, due_ms = fields[EVENT].decode("ascii"), int(fields.get(DUE, 0))
            if not _ONE_OBJECT.fullmatch(data) or not event.isidentifier():
                raise ValueError(event)
        except (KeyError, ValueError):
            log.warning("entry_unreadable", entry=entry_id.decode())
            continue
        entries.append(Entry(Place.of(entry_id), event, data, due_ms))
    return entries

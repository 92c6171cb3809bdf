"""Live events: hints that something changed, sent after the commit as entries of Redis streams (docs/adr/0006).

A hint is never needed for anything to be right: whoever gets it fetches the truth, and whoever misses it fetches it
a little later. It holds public facts alone, such as a match's id and its number of actions, and never a card. Only
the topic of somebody's seats (docs/adr/0010) carries what these see: it is as good as fetched.
"""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import redis
import structlog
from redis.backoff import NoBackoff
from redis.retry import Retry

log = structlog.get_logger()

STREAM_PREFIX = "live:"
LONGEST_DELAY_SECONDS = 3600
SEAT_PREFIX = "seat:"  # of the topics that carry what somebody's seats see
KEPT_EVENTS = 1000  # of a topic, about; who comes back later than that is told that it missed some
KEPT_VIEWS = 50  # of a topic of seats, whose events are a hundred times as long as others
KEPT_SECONDS = 900  # after the last event of a topic was due
EVENT, DATA, DUE = b"e", b"d", b"t"  # the fields of a stream entry; without DUE it may be told at once

# ARGV: as JSON for the hint of each key how many events its topic keeps, its lifetime in seconds, event, data, and when
# it is due or "": one text costs the sender a fraction of what so many arguments do.
_ADD_ALL = """
local hints = cjson.decode(ARGV[1])
for number, topic in ipairs(KEYS) do
  local kept, lifetime, event, data, due = unpack(hints[number])
  if due == '' then
    redis.call('XADD', topic, 'MAXLEN', '~', kept, '*', 'e', event, 'd', data)
  else
    redis.call('XADD', topic, 'MAXLEN', '~', kept, '*', 'e', event, 'd', data, 't', due)
  end
  redis.call('EXPIRE', topic, lifetime)
end
"""
_AT_ONCE = 500  # hints; Redis does nothing else while it adds them

TIMEOUT_SECONDS = 0.3
_QUIET_SECONDS = 2.0

GATHER_SECONDS = 0.005  # what is announced within this time travels together
PACE_SECONDS = 0.05  # and while much is announced, what comes within this time since the last call
LONGEST_QUEUE = 10_000  # hints that wait in a process; it has no room for more while Redis does not keep up


@dataclass(frozen=True, slots=True)
class Announcement:
    """One hint. It is told to nobody before `due_at`, where that is set (aware UTC)."""

    topic: str
    event: str
    data: dict[str, Any]
    due_at: datetime | None


class Announcements:
    """What one transaction announces. Of the same event about the same match only the last is kept."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, Any], Announcement] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, topic: str, event: str, data: dict[str, Any], now: datetime, delay_seconds: float) -> None:
        due_at = now + timedelta(seconds=min(delay_seconds, LONGEST_DELAY_SECONDS)) if delay_seconds > 0 else None
        key = (topic, event, data.get("match_id"))
        self._kept.pop(key, None)  # the last one takes its place at the end
        self._kept[key] = Announcement(topic, event, data, due_at)

    def __iter__(self) -> Iterator[Announcement]:
        return iter(self._kept.values())


class Announcer:
    """The sending side, one for each process. It never raises, and gives up after a moment."""

    def __init__(self, redis_url: str, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        self._redis = redis.Redis.from_url(
            redis_url,
            socket_timeout=timeout_seconds,
            socket_connect_timeout=timeout_seconds,
            # Once more at once where the connection turns out to be dead, as after a restart of Redis.
            retry=Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
        )
        self._quiet_until = float("-inf")

    def send(self, announcements: Announcements) -> None:
        """Adds each to the stream of its topic, in one round trip for hundreds. While Redis is away they are lost."""
        if len(announcements):
            self._add(list(announcements))

    def _add(self, hints: Sequence[Announcement]) -> None:
        if time.monotonic() < self._quiet_until:
            return
        try:
            for first in range(0, len(hints), _AT_ONCE):
                some = hints[first : first + _AT_ONCE]
                keys = [STREAM_PREFIX + hint.topic for hint in some]
                self._redis.eval(_ADD_ALL, len(keys), *keys, _as_json(some))
        except (redis.RedisError, OSError) as problem:
            # Somebody waits for an answer: the next hints are not even tried for a moment.
            self._quiet_until = time.monotonic() + _QUIET_SECONDS
            log.warning("announcements_lost", announcements=len(hints), problem=str(problem))


class QueuedAnnouncer(Announcer):
    """One whose hints wait for a thread of this process, so that nobody who announces waits for Redis.

    They leave in the order in which they came, many transactions' in one round trip, which costs several times as much
    as a hint in it. Those that wait when the process ends are lost, as are those for which there is no room.
    """

    def __init__(self, redis_url: str, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        super().__init__(redis_url, timeout_seconds)
        self._waiting: deque[Announcement] = deque()
        self._news = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def send(self, announcements: Announcements) -> None:
        if not len(announcements):
            return
        if len(self._waiting) >= LONGEST_QUEUE:
            log.warning("announcements_lost", announcements=len(announcements), problem="too many wait")
            return
        self._waiting.extend(announcements)
        self._news.set()
        if self._thread is None or not self._thread.is_alive():
            self._start()

    def _start(self) -> None:
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._send_on, name="announcer", daemon=True)
                self._thread.start()

    def _send_on(self) -> None:
        next_at = time.monotonic()
        while self._news.wait():
            time.sleep(max(GATHER_SECONDS, next_at - time.monotonic()))
            self._news.clear()
            self._add([self._waiting.popleft() for _ in range(len(self._waiting))])
            next_at = time.monotonic() + PACE_SECONDS


def _as_json(hints: Sequence[Announcement]) -> str:
    """What _ADD_ALL reads of each."""
    lifetimes: dict[str, int] = {}
    for hint in hints:
        lifetime = KEPT_SECONDS + (LONGEST_DELAY_SECONDS if hint.due_at is not None else 0)
        lifetimes[hint.topic] = max(lifetime, lifetimes.get(hint.topic, 0))
    return json.dumps(
        [
            (
                str(KEPT_VIEWS if hint.topic.startswith(SEAT_PREFIX) else KEPT_EVENTS),
                str(lifetimes[hint.topic]),
                hint.event,
                json.dumps(hint.data, separators=(",", ":")),
                "" if hint.due_at is None else str(int(hint.due_at.timestamp() * 1000)),
            )
            for hint in hints
        ]
    )

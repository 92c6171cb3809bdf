"""Live events: hints that something changed, sent after the commit as entries of Redis streams (docs/adr/0006).

A hint is never needed for anything to be right: whoever gets it fetches the truth, and whoever misses it fetches it
a little later. It holds public facts alone, such as a match's id and its number of actions, and never a card.
"""

from __future__ import annotations

import json
import time
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
KEPT_EVENTS = 1000  # of a topic, about; who comes back later than that is told that it missed some
KEPT_SECONDS = 900  # after the last event of a topic was due
EVENT, DATA, DUE = b"e", b"d", b"t"  # the fields of a stream entry; without DUE it may be told at once

# ARGV: how many events a topic keeps, then for the hint of each key its lifetime in seconds, event, data, due or "".
_ADD_ALL = """
for number, topic in ipairs(KEYS) do
  local at = 4 * number - 2
  if ARGV[at + 3] == '' then
    redis.call('XADD', topic, 'MAXLEN', '~', ARGV[1], '*', 'e', ARGV[at + 1], 'd', ARGV[at + 2])
  else
    redis.call('XADD', topic, 'MAXLEN', '~', ARGV[1], '*', 'e', ARGV[at + 1], 'd', ARGV[at + 2], 't', ARGV[at + 3])
  end
  redis.call('EXPIRE', topic, ARGV[at])
end
"""
_AT_ONCE = 500  # hints; Redis does nothing else while it adds them

_TIMEOUT_SECONDS = 0.3
_QUIET_SECONDS = 2.0


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

    def __init__(self, redis_url: str) -> None:
        self._redis = redis.Redis.from_url(
            redis_url,
            socket_timeout=_TIMEOUT_SECONDS,
            socket_connect_timeout=_TIMEOUT_SECONDS,
            # Once more at once where the connection turns out to be dead, as after a restart of Redis.
            retry=Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
        )
        self._quiet_until = float("-inf")

    def send(self, announcements: Announcements) -> None:
        """Adds each to the stream of its topic, in one round trip for hundreds. While Redis is away they are lost."""
        if not len(announcements) or time.monotonic() < self._quiet_until:
            return
        try:
            hints = list(announcements)
            for first in range(0, len(hints), _AT_ONCE):
                some = hints[first : first + _AT_ONCE]
                self._redis.eval(_ADD_ALL, len(some), *_arguments(some))
        except (redis.RedisError, OSError) as problem:
            # Somebody waits for an answer: the next hints are not even tried for a moment.
            self._quiet_until = time.monotonic() + _QUIET_SECONDS
            log.warning("announcements_lost", announcements=len(announcements), problem=str(problem))


def _arguments(hints: Sequence[Announcement]) -> list[str | int]:
    lifetimes: dict[str, int] = {}
    for hint in hints:
        lifetime = KEPT_SECONDS + (LONGEST_DELAY_SECONDS if hint.due_at is not None else 0)
        lifetimes[hint.topic] = max(lifetime, lifetimes.get(hint.topic, 0))
    arguments: list[str | int] = [STREAM_PREFIX + hint.topic for hint in hints]
    arguments.append(KEPT_EVENTS)
    for hint in hints:
        due = "" if hint.due_at is None else int(hint.due_at.timestamp() * 1000)
        arguments += (lifetimes[hint.topic], hint.event, json.dumps(hint.data, separators=(",", ":")), due)
    return arguments

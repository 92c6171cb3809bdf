"""Emptying Redis before a restore: what waits there is of the house as it was, and would reach the one from the backup.

Nothing in it must be kept: queues are filled again from the outboxes, revocations are told anew, and live events are
only hints.
"""

from __future__ import annotations

import redis

from gin_local.errors import HouseError


def empty_redis(url: str) -> None:
    """Drops everything in the numbered database that `url` names. Raises HouseError when it cannot be reached."""
    try:
        with redis.Redis.from_url(url, socket_timeout=30, socket_connect_timeout=5) as client:
            client.flushdb()
    except redis.RedisError as error:
        raise HouseError(f"Redis cannot be emptied: {error}") from error

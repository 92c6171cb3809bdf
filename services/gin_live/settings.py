"""Settings of the live service, read from the environment once, when the process starts."""

from __future__ import annotations

import resource
from collections.abc import Mapping
from dataclasses import dataclass

from gin_servicekit.settings import positive, read_key, required

SPARE_FILES = 200  # for Redis, logs, and clients that are told that there is no room


@dataclass(frozen=True, slots=True)
class LiveSettings:
    """What the environment says. At most `most_watchers` listen at a time, and of one address, which may be that of a
    whole club, `most_of_one_address`; a sign of life every `heartbeat_seconds`.
    """

    redis_url: str
    token_public_key: bytes
    public_url: str
    most_watchers: int
    most_of_one_address: int
    heartbeat_seconds: float

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> LiveSettings:
        """Raises SettingsError naming the variable that is missing or wrong."""
        open_files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = int(positive(environment, "GINHALL_LIVE_WATCHERS", 12_000))
        return cls(
            redis_url=required(environment, "REDIS_URL"),
            token_public_key=read_key(environment, "GINHALL_TOKEN_PUBLIC_KEY"),
            public_url=environment.get("GINHALL_PUBLIC_URL", "").rstrip("/"),
            most_watchers=max(1, min(wanted, open_files - SPARE_FILES)),
            most_of_one_address=max(1, int(positive(environment, "GINHALL_LIVE_WATCHERS_PER_ADDRESS", 1_000))),
            heartbeat_seconds=positive(environment, "GINHALL_LIVE_HEARTBEAT_SECONDS", 15),
        )

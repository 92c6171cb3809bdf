"""Settings of a service, read from the environment once, when a process starts."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class SettingsError(Exception):
    """A setting is missing or unusable; the text names it."""


class Budget(NamedTuple):
    """So many requests within so many seconds."""

    amount: int
    seconds: int


class Limits(NamedTuple):
    """What one address may do without an account, and what one account may write in all.

    A bot is an account of its own. The organiser who enters a thousand of them one after another is one account.
    """

    sign_ins: Budget = Budget(100, 300)
    sign_ups: Budget = Budget(200, 3600)
    guests: Budget = Budget(200, 3600)
    writes: Budget = Budget(20_000, 60)


USUAL_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Settings:
    """What the environment says. Keys are raw Ed25519 keys of 32 bytes; only the lobby has the private one."""

    database_url: str
    redis_url: str
    token_public_key: bytes
    token_private_key: bytes | None
    public_url: str
    database_pool_size: int
    outbox_resend_seconds: float
    tick_seconds: float
    limits: Limits = USUAL_LIMITS
    log_requests: bool = False  # every one, and not only those that failed or took long
    webhooks_local: bool = False  # webhooks may be plain HTTP, and lead to this machine and its network

    @property
    def signing_key(self) -> bytes:
        """The private key. Raises SettingsError where this process must not sign tokens."""
        if self.token_private_key is None:
            raise SettingsError("GINHALL_TOKEN_PRIVATE_KEY is not set")
        return self.token_private_key

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Settings:
        """Raises SettingsError naming the variable that is missing or wrong."""
        private = environment.get("GINHALL_TOKEN_PRIVATE_KEY", "")
        return cls(
            database_url=required(environment, "DATABASE_URL"),
            redis_url=required(environment, "REDIS_URL"),
            token_public_key=read_key(environment, "GINHALL_TOKEN_PUBLIC_KEY"),
            token_private_key=read_key(environment, "GINHALL_TOKEN_PRIVATE_KEY") if private else None,
            public_url=environment.get("GINHALL_PUBLIC_URL", "").rstrip("/"),
            database_pool_size=int(positive(environment, "GINHALL_DATABASE_POOL_SIZE", 8)),
            outbox_resend_seconds=positive(environment, "GINHALL_OUTBOX_RESEND_SECONDS", 30),
            tick_seconds=positive(environment, "GINHALL_TICK_SECONDS", 1),
            limits=Limits(
                sign_ins=_budget(environment, "GINHALL_LIMIT_SIGN_INS", USUAL_LIMITS.sign_ins),
                sign_ups=_budget(environment, "GINHALL_LIMIT_SIGN_UPS", USUAL_LIMITS.sign_ups),
                guests=_budget(environment, "GINHALL_LIMIT_GUESTS", USUAL_LIMITS.guests),
                writes=_budget(environment, "GINHALL_LIMIT_WRITES", USUAL_LIMITS.writes),
            ),
            log_requests=_switch(environment, "GINHALL_LOG_REQUESTS"),
            webhooks_local=_switch(environment, "GINHALL_WEBHOOKS_LOCAL"),
        )


def required(environment: Mapping[str, str], name: str) -> str:
    value = environment.get(name, "")
    if not value:
        raise SettingsError(f"{name} is not set")
    return value


def positive(environment: Mapping[str, str], name: str, default: float) -> float:
    text = environment.get(name, "")
    try:
        value = float(text) if text else default
    except ValueError:
        raise SettingsError(f"{name} must be a number, not {text!r}") from None
    if value <= 0:
        raise SettingsError(f"{name} must be greater than zero, not {text!r}")
    return value


def _switch(environment: Mapping[str, str], name: str) -> bool:
    text = environment.get(name, "").lower()
    if text not in ("", "0", "false", "no", "1", "true", "yes"):
        raise SettingsError(f"{name} must be 1 or 0, not {text!r}")
    return text in ("1", "true", "yes")


def _budget(environment: Mapping[str, str], name: str, default: Budget) -> Budget:
    """Of a text such as 100/300: a hundred within five minutes."""
    text = environment.get(name, "")
    if not text:
        return default
    amount, _, seconds = text.partition("/")
    if not (amount.isdecimal() and seconds.isdecimal() and int(amount) > 0 and int(seconds) > 0):
        raise SettingsError(f"{name} must be REQUESTS/SECONDS, such as 100/300, not {text!r}")
    return Budget(int(amount), int(seconds))


def read_key(environment: Mapping[str, str], name: str) -> bytes:
    text = required(environment, name)
    try:
        key = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        raise SettingsError(f"{name} must be base64url") from None
    if len(key) != 32:
        raise SettingsError(f"{name} must hold 32 bytes, not {len(key)}")
    return key

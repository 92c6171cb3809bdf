"""Settings of a service, read from the environment once, when a process starts."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass


class SettingsError(Exception):
    """A setting is missing or unusable; the text names it."""


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


def read_key(environment: Mapping[str, str], name: str) -> bytes:
    text = required(environment, name)
    try:
        key = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        raise SettingsError(f"{name} must be base64url") from None
    if len(key) != 32:
        raise SettingsError(f"{name} must hold 32 bytes, not {len(key)}")
    return key

"""Services on the database and Redis of one test, with a clock that the test moves."""

import base64
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask.testing import FlaskClient

from gin_servicekit.announcements import Announcer
from gin_servicekit.auth import Scope, sign_token
from gin_servicekit.service import Service
from gin_servicekit.settings import Settings

PRIVATE_KEY = bytes(range(32))
PUBLIC_KEY = Ed25519PrivateKey.from_private_bytes(PRIVATE_KEY).public_key().public_bytes_raw()


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    now: datetime = field(default_factory=lambda: datetime.now(UTC).replace(microsecond=0))

    def __call__(self) -> datetime:
        return self.now

    def move(self, **duration: float) -> None:
        self.now += timedelta(**duration)


def start_service(name: str, database_url: Callable[[str], str], redis_url: str, clock: Clock) -> Service:
    """The service `name`; `database_url` is that of a migrated database."""
    settings = Settings(
        database_url=database_url(f"gin_{name}"),
        redis_url=redis_url,
        token_public_key=PUBLIC_KEY,
        token_private_key=PRIVATE_KEY if name == "lobby" else None,
        public_url="http://localhost",
        database_pool_size=8,
        outbox_resend_seconds=30,
        tick_seconds=1,
    )
    # Tests read what was announced: a machine under load must not lose it, as it may where somebody waits.
    return replace(Service.start(name, settings), clock=clock, announcer=Announcer(redis_url, timeout_seconds=30))


def environment_of(name: str, database_url: Callable[[str], str], redis_url: str) -> dict[str, str]:
    """The environment in which a process of the service `name` starts."""
    environment = {
        "DATABASE_URL": database_url(f"gin_{name}"),
        "REDIS_URL": redis_url,
        "GINHALL_TOKEN_PUBLIC_KEY": base64.urlsafe_b64encode(PUBLIC_KEY).decode(),
    }
    if name == "lobby":
        environment["GINHALL_TOKEN_PRIVATE_KEY"] = base64.urlsafe_b64encode(PRIVATE_KEY).decode()
    return environment


def token_for(
    account_id: str,
    *scopes: Scope,
    administrator: bool = False,
    now: datetime | None = None,
    name: str = "",
    guest: bool = False,
) -> str:
    """A good token of any account, without asking the lobby."""
    token, _, _ = sign_token(
        PRIVATE_KEY,
        account_id,
        frozenset(scopes or Scope),
        administrator=administrator,
        now=now or datetime.now(UTC),
        lifetime=timedelta(hours=1),
        name=name,
        guest=guest,
    )
    return token


@dataclass
class Api:
    """A client of one service's API that sends a token with every request."""

    client: FlaskClient
    token: str | None = None

    def as_(self, token: str | None) -> "Api":
        return Api(self.client, token)

    def get(self, path: str, **options: Any) -> Any:
        return self.client.get(path, headers=self._headers(options), **options)

    def post(self, path: str, body: Any = None, **options: Any) -> Any:
        if body is not None:
            options["json"] = body
        return self.client.post(path, headers=self._headers(options), **options)

    def put(self, path: str, body: Any = None, **options: Any) -> Any:
        if body is not None:
            options["json"] = body
        return self.client.put(path, headers=self._headers(options), **options)

    def patch(self, path: str, body: Any = None, **options: Any) -> Any:
        if body is not None:
            options["json"] = body
        return self.client.patch(path, headers=self._headers(options), **options)

    def delete(self, path: str, **options: Any) -> Any:
        return self.client.delete(path, headers=self._headers(options), **options)

    def _headers(self, options: dict[str, Any]) -> dict[str, str]:
        headers: dict[str, str] = options.pop("headers", {})
        return headers | ({"Authorization": f"Bearer {self.token}"} if self.token else {})

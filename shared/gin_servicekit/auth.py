"""Bearer tokens: the lobby signs them, every service checks them by itself.

A token is a JWT signed with Ed25519. It carries the account, its scopes and an expiry. Revocation travels through
Redis: the lobby writes the ids of revoked tokens there, again and again, so that emptying Redis revokes nothing back
for longer than a tick; each process looks at most every REVOCATION_SECONDS.
"""

from __future__ import annotations

import enum
import functools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ParamSpec, TypeVar

import jwt
import redis
import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from flask import current_app, g, request
from redis.backoff import NoBackoff
from redis.retry import Retry
from uuid_utils.compat import uuid7

from gin_servicekit.problems import Forbidden, Unauthenticated

log = structlog.get_logger()
P = ParamSpec("P")
R = TypeVar("R")

ISSUER = "ginhall"
REVOKED_KEY = "ginhall:revoked-tokens"
REVOCATION_SECONDS = 2


class Scope(enum.StrEnum):
    """What a token may be used for."""

    TOURNAMENT_READ = "tournament:read"
    TOURNAMENT_WRITE = "tournament:write"
    PLAY = "play"
    ACCOUNT = "account"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sent the request, as the token says."""

    account_id: str
    scopes: frozenset[str]
    administrator: bool
    token_id: str
    name: str = ""
    guest: bool = False


def sign_token(
    private_key: bytes,
    account_id: str,
    scopes: frozenset[str],
    *,
    administrator: bool,
    now: datetime,
    lifetime: timedelta,
) -> tuple[str, str, datetime]:
    """A new token, its id and when it expires."""
    token_id, expires_at = uuid7().hex, now + lifetime
    claims = {
        "iss": ISSUER,
        "sub": account_id,
        "scope": " ".join(sorted(scopes)),
        "adm": administrator,
        "jti": token_id,
        "iat": now,
        "exp": expires_at,
    }
    key = Ed25519PrivateKey.from_private_bytes(private_key)
    return jwt.encode(claims, key, algorithm="EdDSA"), token_id, expires_at


class TokenVerifier:
    """Checks tokens for one process."""

    def __init__(self, public_key: bytes, redis_url: str) -> None:
        self._key = Ed25519PublicKey.from_public_bytes(public_key)
        self._redis = _client(redis_url)
        self._revoked: frozenset[str] = frozenset()
        self._looked_at = float("-inf")
        self._looking = threading.Lock()

    def verify(self, token: str) -> Caller:
        """Raises Unauthenticated, saying why, when the token is not good."""
        try:
            claims: dict[str, Any] = jwt.decode(
                token,
                self._key,
                algorithms=["EdDSA"],
                issuer=ISSUER,
                options={"require": ["exp", "sub", "jti"]},
            )
        except jwt.ExpiredSignatureError:
            raise Unauthenticated("the token has expired") from None
        except jwt.InvalidTokenError:
            raise Unauthenticated("the token is not one of ours") from None
        if claims["jti"] in self._revocations():
            raise Unauthenticated("the token was revoked")
        return Caller(
            account_id=claims["sub"],
            scopes=frozenset(str(claims.get("scope", "")).split()),
            administrator=bool(claims.get("adm", False)),
            token_id=claims["jti"],
            name=str(claims.get("name", "")),
            guest=bool(claims.get("guest", False)),
        )

    def _revocations(self) -> frozenset[str]:
        if time.monotonic() - self._looked_at < REVOCATION_SECONDS:
            return self._revoked
        with self._looking:
            if time.monotonic() - self._looked_at >= REVOCATION_SECONDS:
                try:
                    members: Any = self._redis.zrange(REVOKED_KEY, 0, -1)
                    self._revoked = self._revoked | {member.decode() for member in members}
                except redis.RedisError as problem:
                    log.warning("revocations_unread", problem=str(problem))
                self._looked_at = time.monotonic()
        return self._revoked


def publish_revocations(redis_url: str, revoked: dict[str, datetime], now: datetime) -> None:
    """Makes revoked token ids, with their expiry, known to every service; expired ones are dropped.

    While Redis is away nothing happens: the lobby does this again at every tick.
    """
    try:
        with _client(redis_url) as client, client.pipeline() as pipeline:
            if revoked:
                pipeline.zadd(REVOKED_KEY, {token_id: expiry.timestamp() for token_id, expiry in revoked.items()})
            pipeline.zremrangebyscore(REVOKED_KEY, "-inf", now.timestamp())
            pipeline.execute()
    except redis.RedisError as problem:
        log.warning("revocations_unpublished", problem=str(problem))


def _client(redis_url: str) -> redis.Redis:
    """One that gives up at once: a request waits for it."""
    return redis.Redis.from_url(redis_url, socket_timeout=1, socket_connect_timeout=1, retry=Retry(NoBackoff(), 0))


def caller() -> Caller:
    """Whoever sent the current request. Raises Unauthenticated without a good bearer token."""
    if "caller" not in g:
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        if kind.lower() != "bearer" or not token:
            raise Unauthenticated("this needs a bearer token in the Authorization header")
        verifier: TokenVerifier = current_app.extensions["ginhall-tokens"]
        g.caller = verifier.verify(token.strip())
    found: Caller = g.caller
    return found


def visitor() -> Caller | None:
    """Whoever sent the current request, or None where nobody signed in. Raises Unauthenticated for a bad token."""
    return caller() if "Authorization" in request.headers else None


def requires(scope: Scope) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A view that only a token with this scope may call.

    Stands right below the route, above all that reads the request: a stranger is refused before the body is read.
    """

    def decorate(view: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(view)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
            if scope not in caller().scopes:
                raise Forbidden(f"the token lacks the scope {scope.value!r}")
            return view(*args, **kwargs)

        guarded.__dict__["required_scope"] = scope
        return guarded

    return decorate

"""Who sent a request: tokens are signed by the lobby, and every service checks them by itself.

A token is a JWT signed with Ed25519. It carries the account, its name, its scopes and an expiry. Programs send it as a
bearer token; a browser keeps it in the cookie SESSION_COOKIE, which scripts cannot read. What a browser sends with the
cookie may be another site's doing, so that whatever changes something must come from a page of this house.

Revocation travels through Redis: the lobby writes the ids of revoked tokens there, again and again, so that emptying
Redis revokes nothing back for longer than a tick; each process looks at most every REVOCATION_SECONDS.
"""

from __future__ import annotations

import enum
import functools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, ParamSpec, TypeVar
from urllib.parse import urlsplit

import jwt
import redis
import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from flask import Request, Response, current_app, g, request
from redis.backoff import NoBackoff
from redis.retry import Retry
from uuid_utils.compat import uuid7

from gin_servicekit import rate_limits
from gin_servicekit.problems import CrossSite, Forbidden, Problem, Unauthenticated

log = structlog.get_logger()
P = ParamSpec("P")
R = TypeVar("R")

ISSUER = "ginhall"
REVOKED_KEY = "ginhall:revoked-tokens"
REVOCATION_SECONDS = 2
SESSION_COOKIE = "ginhall_session"
SESSION_LIFETIME = timedelta(days=30)
RENEW_AFTER = timedelta(days=1)
KEPT_TOKENS = 4096  # that a process has checked and need not check again; of about a kilobyte each
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class Scope(enum.StrEnum):
    """What a token may be used for."""

    TOURNAMENT_READ = "tournament:read"
    TOURNAMENT_WRITE = "tournament:write"
    PLAY = "play"
    ACCOUNT = "account"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sent the request, as the token says.

    `name` is the account's when the token was signed, "" in tokens that are older than names in tokens. A `guest` has
    no password yet. `session` tells that a browser sent it in its cookie.
    """

    account_id: str
    scopes: frozenset[str]
    administrator: bool
    token_id: str
    name: str = ""
    guest: bool = False
    session: bool = False
    issued_at: datetime | None = None
    expires_at: datetime | None = None


def sign_token(
    private_key: bytes,
    account_id: str,
    scopes: frozenset[str],
    *,
    administrator: bool,
    now: datetime,
    lifetime: timedelta,
    name: str = "",
    guest: bool = False,
    token_id: str | None = None,
) -> tuple[str, str, datetime]:
    """A token, its id and when it expires. With `token_id` that token signed anew: revoking it revokes both."""
    token_id, expires_at = token_id or uuid7().hex, now + lifetime
    claims = {
        "iss": ISSUER,
        "sub": account_id,
        "name": name,
        "guest": guest,
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
        self._read_once = functools.lru_cache(maxsize=KEPT_TOKENS)(self._read)

    def verify(self, token: str) -> Caller:
        """Raises Unauthenticated, saying why, when the token is not good.

        A signature is checked once, as it stays good; expiry and revocation are looked at every time.
        """
        found, expires_at = self._read_once(token)
        if expires_at <= time.time():
            raise Unauthenticated("the token has expired")
        if found.token_id in self._revocations():
            raise Unauthenticated("the token was revoked")
        return found

    def _read(self, token: str) -> tuple[Caller, float]:
        """What the token says and when it expires, in seconds since the epoch."""
        try:
            claims: dict[str, Any] = jwt.decode(
                token,
                self._key,
                algorithms=["EdDSA"],
                issuer=ISSUER,
                # The clock of the machine that signed it may be ahead of ours.
                options={"require": ["exp", "sub", "jti"], "verify_iat": False},
            )
        except jwt.ExpiredSignatureError:
            raise Unauthenticated("the token has expired") from None
        except jwt.InvalidTokenError:
            raise Unauthenticated("the token is not one of ours") from None
        found = Caller(
            account_id=claims["sub"],
            scopes=frozenset(str(claims.get("scope", "")).split()),
            administrator=bool(claims.get("adm", False)),
            token_id=claims["jti"],
            name=str(claims.get("name", "")),
            guest=bool(claims.get("guest", False)),
            issued_at=datetime.fromtimestamp(claims["iat"], UTC) if "iat" in claims else None,
            expires_at=datetime.fromtimestamp(claims["exp"], UTC),
        )
        return found, float(claims["exp"])

    def is_revoked(self, token_id: str) -> bool:
        """Whether the token was revoked, for whoever keeps a connection open that began with it."""
        return token_id in self._revocations()

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
    """Whoever sent the current request, by bearer token or by the session of the page.

    Raises Unauthenticated without a good token, CrossSite where a session would change something for a page that is
    not of this house, and TooManyRequests when the account has spent its budget of writing requests.
    """
    known: Caller | None = g.get("caller")
    if known is None:
        known = g.caller = _who_asks(request._get_current_object())  # type: ignore[attr-defined]  # not by the proxy
        if request.method not in SAFE_METHODS:
            rate_limits.spend(rate_limits.WRITES, known.account_id)
    return known


def _who_asks(asked: Request) -> Caller:
    verifier: TokenVerifier = current_app.extensions["ginhall-tokens"]
    authorization = asked.environ.get("HTTP_AUTHORIZATION")
    if authorization is not None:
        kind, _, token = authorization.partition(" ")
        if kind.lower() != "bearer" or not token:
            raise Unauthenticated("this needs a bearer token in the Authorization header")
        return verifier.verify(token.strip())
    session = asked.cookies.get(SESSION_COOKIE)
    if session is None:
        raise Unauthenticated("sign in, or send a bearer token in the Authorization header")
    found = verifier.verify(session)
    if asked.method not in SAFE_METHODS:
        require_same_origin()
    return replace(found, session=True)


def visitor() -> Caller | None:
    """Whoever sent the current request where signing in is optional: None for a stranger, or when a session is over.

    Raises Unauthenticated for a bearer token that is not good, else what `caller` raises.
    """
    if "Authorization" not in request.headers:
        if SESSION_COOKIE not in request.cookies:
            return None
        try:
            return caller()
        except Unauthenticated:
            return None
    return caller()


def shown_visitor() -> Caller | None:
    """The visitor for the head of a page, also of a page that tells an error: never raises."""
    try:
        return visitor()
    except Problem:
        return None


def require_same_origin() -> None:
    """Raises CrossSite unless the browser says that a page of this house sent the current request.

    Browsers say so in Sec-Fetch-Site, older ones in Origin; no page can forge either.
    """
    refuse_other_sites()
    if "Sec-Fetch-Site" not in request.headers and "Origin" not in request.headers:
        raise CrossSite("this needs to come from a page of this site: Origin or Sec-Fetch-Site must say so")


def refuse_other_sites() -> None:
    """Raises CrossSite when the browser says that a page of another site sent the current request.

    For what anybody may do without a session: a program, which says nothing, passes.
    """
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    # Our own address is what the browser asked for, the Host: it need not be configured.
    same = site == "same-origin" if site is not None else origin is None or urlsplit(origin).netloc == request.host
    if not same:
        raise CrossSite("this was sent from a page of another site")


def set_session(response: Response, token: str) -> None:
    """Lets the browser keep `token` as its session for SESSION_LIFETIME."""
    response.set_cookie(
        SESSION_COOKIE, token, max_age=SESSION_LIFETIME, httponly=True, samesite="Lax", secure=_is_https()
    )


def end_session(response: Response) -> None:
    """Lets the browser forget its session."""
    response.delete_cookie(SESSION_COOKIE, httponly=True, samesite="Lax", secure=_is_https())


def _is_https() -> bool:
    public_url: str = current_app.extensions["ginhall-service"].settings.public_url
    return public_url.startswith("https://")


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

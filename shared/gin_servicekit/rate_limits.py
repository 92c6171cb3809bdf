"""Budgets for requests: so many of a kind in a window of time, kept in Redis for all processes together.

The window slides: of the window before this one counts the share that still lies within the last `seconds`. Answers
carry what is left in the fields RateLimit and RateLimit-Policy (IETF draft "RateLimit header fields for HTTP"). A
refused request costs nothing. While Redis is away nobody is refused.

Of a large budget each process counts some requests by itself before it tells Redis: at most one in UNTOLD_SHARE of the
budget, and only while less than half of it is spent. The first one in UNASKED_SHARE of a budget passes in each window
without any question, so that whoever acts at the pace of people never waits for Redis. All processes together thus let
at most so many more pass. Small budgets, such as those for signing in, are counted one by one.
"""

from __future__ import annotations

import functools
import ipaddress
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, ParamSpec, TypeVar

import redis
import structlog
from flask import Flask, Response, current_app, g, request
from redis.backoff import NoBackoff
from redis.retry import Retry

from gin_servicekit.problems import TooManyRequests
from gin_servicekit.service import Service
from gin_servicekit.settings import Limits

log = structlog.get_logger()
P = ParamSpec("P")
R = TypeVar("R")

SIGN_INS, SIGN_UPS, GUESTS, WRITES = "sign-ins", "sign-ups", "guests", "writes"
QUIET_SECONDS = 2.0
UNTOLD_SHARE = 200
UNASKED_SHARE = 1000
KEPT_ACCOUNTS = 4096


class Spent(NamedTuple):
    """How a budget stands: requests that are left of it, and in how many seconds it is better.

    `refused` tells that nothing was left; then the seconds are those until one request is possible.
    """

    name: str
    amount: int
    seconds: int
    left: int
    better_in: int
    refused: bool = False


class RateLimiter:
    """Counts for one process. `clock` gives seconds since the epoch, the same on all machines but for a little."""

    def __init__(self, redis_url: str, limits: Limits, clock: Callable[[], float]) -> None:
        self._redis = redis.Redis.from_url(
            redis_url, socket_timeout=1, socket_connect_timeout=1, retry=Retry(NoBackoff(), 0)
        )
        self._budgets = {
            SIGN_INS: limits.sign_ins,
            SIGN_UPS: limits.sign_ups,
            GUESTS: limits.guests,
            WRITES: limits.writes,
        }
        self._clock = clock
        self._counts: OrderedDict[tuple[str, str], _Count] = OrderedDict()
        self._counting = threading.Lock()
        self._quiet_until = float("-inf")

    def spend(self, name: str, subject: str) -> Spent | None:
        """Takes one request out of the budget `name` of `subject` if there is one left. None while Redis is away."""
        untold = self._count_here(name, subject)
        if untold is not None:
            return untold
        if time.monotonic() < self._quiet_until:
            return None
        try:
            return self._spend(name, subject)
        except redis.RedisError as problem:
            # A request waits for each attempt: the next ones are not tried at once.
            self._quiet_until = time.monotonic() + QUIET_SECONDS
            log.warning("rate_limits_uncounted", problem=str(problem))
            return None

    def _spend(self, name: str, subject: str) -> Spent:
        amount, seconds = self._budgets[name]
        window, elapsed = divmod(self._clock(), seconds)
        this, before = (_key(name, subject, int(number)) for number in (window, window - 1))
        untold = self._take_untold(name, subject)
        with self._redis.pipeline(transaction=False) as pipeline:
            for key, of_seconds, number in untold:
                pipeline.incrby(key, number)
                pipeline.expire(key, 2 * of_seconds)
            pipeline.incr(this)
            pipeline.expire(this, 2 * seconds)
            pipeline.get(before)
            count, _, earlier = pipeline.execute()[-3:]
        spent = weigh(name, amount, seconds, count, int(earlier or 0), elapsed)
        if spent.refused:
            self._redis.decr(this)
        if amount >= UNTOLD_SHARE:
            with self._counting:
                meanwhile = self._in_window(name, subject, int(window))
                self._counts[name, subject] = _Count(
                    int(window),
                    count - spent.refused,
                    int(earlier or 0),
                    room=amount // UNTOLD_SHARE,
                    untold=meanwhile.untold if meanwhile is not None else 0,
                )
        return spent

    def _count_here(self, name: str, subject: str) -> Spent | None:
        """Takes the request out of the budget without asking Redis, where that does no harm."""
        amount, seconds = self._budgets[name]
        if amount < UNTOLD_SHARE:
            return None
        with self._counting:
            window, elapsed = divmod(self._clock(), seconds)
            known = self._in_window(name, subject, int(window))
            if known is None or known.untold >= known.room:
                return None
            spent = weigh(name, amount, seconds, known.told + known.untold + 1, known.earlier, elapsed)
            if spent.left < amount / 2:
                return None
            known.untold += 1
            self._counts.move_to_end((name, subject))
            return spent

    def _in_window(self, name: str, subject: str, window: int) -> _Count | None:
        """What is known of a budget in this window, if only from the window before; None without room for more."""
        known = self._counts.get((name, subject))
        if known is None and len(self._counts) >= KEPT_ACCOUNTS:
            return None
        if known is None or known.window < window:
            adjacent = known if known is not None and known.window == window - 1 else _Count(window, 0, 0, 0)
            known = self._counts[name, subject] = _Count(
                window,
                told=0,
                earlier=adjacent.told + adjacent.untold,
                room=self._budgets[name].amount // UNASKED_SHARE,
                late=adjacent.untold,
            )
        return known if known.window == window else None

    def _take_untold(self, name: str, subject: str) -> list[tuple[str, int, int]]:
        """What Redis must be told: of this subject, and of those for whom there is no more room here."""
        with self._counting:
            known = self._counts.get((name, subject))
            taken = [] if known is None else [((name, subject), replace(known))]
            if known is not None:  # until Redis has answered, nobody counts on by what was known before
                known.told, known.untold, known.late, known.room = known.told + known.untold, 0, 0, 0
                self._counts.move_to_end((name, subject))
            while len(self._counts) >= KEPT_ACCOUNTS + (known is not None):
                taken.append(self._counts.popitem(last=False))
        return [
            (_key(*whose, window), self._budgets[whose[0]].seconds, number)
            for whose, count in taken
            for window, number in ((count.window - 1, count.late), (count.window, count.untold))
            if number
        ]


@dataclass(slots=True)
class _Count:
    """Of one budget of one subject in one window: what Redis said last, and what it does not know yet, of this window
    (at most `room`) and of the one before (`late`).
    """

    window: int
    told: int
    earlier: int
    room: int
    untold: int = 0
    late: int = 0


def _key(name: str, subject: str, window: int) -> str:
    return f"ginhall:spent:{name}:{subject}:{window}"


def weigh(name: str, amount: int, seconds: int, count: int, earlier: int, elapsed: float) -> Spent:
    """How it stands after the request that made this window's count `count`, `elapsed` seconds into the window."""
    used = count + earlier * (1 - elapsed / seconds)
    if used <= amount:
        return Spent(name, amount, seconds, math.floor(amount - used), math.ceil(seconds - elapsed))
    if count <= amount:  # then the window before fades out enough within this one
        wait = seconds * (1 - (amount - count) / earlier) - elapsed
    else:  # then this one has to fade out, as the window before the next
        wait = seconds - elapsed + seconds * (1 - (amount - 1) / (count - 1))
    return Spent(name, amount, seconds, 0, max(1, math.ceil(wait)), refused=True)


def add_rate_limits(app: Flask, service: Service) -> None:
    """Makes `spend` and `limited` work in this application, whose answers must pass through `tell`."""
    app.extensions["ginhall-limits"] = RateLimiter(
        service.settings.redis_url, service.settings.limits, lambda: service.clock().timestamp()
    )


def spend(name: str, subject: str) -> None:
    """Takes the current request out of a budget. Raises TooManyRequests when nothing is left of it."""
    limiter: RateLimiter = current_app.extensions["ginhall-limits"]
    spent = limiter.spend(name, subject)
    if spent is None:
        return
    g.setdefault("spent", []).append(spent)
    if spent.refused:
        kind = name.replace("-", " ")
        raise TooManyRequests(f"too many {kind} at once; try again in {_in_words(spent.better_in)}")


def limited(name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A view that one address may ask for only so often: for what needs no account.

    Stands above all that reads the request, like `requires`.
    """

    def decorate(view: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(view)
        def counted(*args: P.args, **kwargs: P.kwargs) -> R:
            spend(name, client_address())
            return view(*args, **kwargs)

        return counted

    return decorate


def client_address() -> str:
    """The address that asked, as our gateway tells it; of IPv6 the network, as one client has many in it."""
    told = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip() or request.remote_addr or ""
    try:
        address = ipaddress.ip_address(told)
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        return str(address.ipv4_mapped or ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def tell(response: Response) -> None:
    """Tells in the answer to the current request what is left of the budgets that it was taken from."""
    spent: list[Spent] = g.get("spent", [])
    if spent:
        response.headers.add("RateLimit-Policy", ", ".join(f'"{s.name}";q={s.amount};w={s.seconds}' for s in spent))
        response.headers.add("RateLimit", ", ".join(f'"{s.name}";r={s.left};t={s.better_in}' for s in spent))
        if any(s.refused for s in spent):
            response.headers["Retry-After"] = str(max(s.better_in for s in spent if s.refused))


def _in_words(seconds: int) -> str:
    return f"{seconds} s" if seconds < 120 else f"{math.ceil(seconds / 60)} min"

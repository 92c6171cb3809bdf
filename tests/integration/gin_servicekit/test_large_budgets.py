"""Of a large budget a process counts a few requests by itself, and is never far from the truth."""

from collections.abc import Iterator

import pytest
import redis

from gin_servicekit.rate_limits import SIGN_INS, UNASKED_SHARE, UNTOLD_SHARE, WRITES, RateLimiter
from gin_servicekit.settings import USUAL_LIMITS, Budget

AMOUNT = 1000
UNTOLD = AMOUNT // UNTOLD_SHARE
UNASKED = AMOUNT // UNASKED_SHARE
LIMITS = USUAL_LIMITS._replace(writes=Budget(AMOUNT, 60), sign_ins=Budget(100, 60))


@pytest.fixture
def server(redis_url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(redis_url) as client:
        yield client


def limiter(redis_url: str, now: float = 600.0) -> RateLimiter:
    return RateLimiter(redis_url, LIMITS, lambda: now)


def told(server: redis.Redis, name: str = WRITES, window: int = 10) -> int:
    return int(server.get(f"ginhall:spent:{name}:ada:{window}") or 0)  # type: ignore[arg-type]


def test_every_request_counts_at_once_for_the_process_that_answers_it(redis_url: str) -> None:
    limits = limiter(redis_url)
    spent = [limits.spend(WRITES, "ada") for _ in range(AMOUNT + 1)]
    assert [found.left for found in spent if found] == [*range(AMOUNT - 1, -1, -1), 0]
    assert [found.refused for found in spent if found] == [False] * AMOUNT + [True]


def test_redis_never_lacks_more_than_a_small_share_of_the_budget(redis_url: str, server: redis.Redis) -> None:
    limits = limiter(redis_url)
    for number in range(1, AMOUNT // 2):
        limits.spend(WRITES, "ada")
        assert number - UNTOLD <= told(server) <= number


def test_from_half_of_the_budget_on_redis_knows_every_request(redis_url: str, server: redis.Redis) -> None:
    limits = limiter(redis_url)
    for number in range(1, AMOUNT + 1):
        limits.spend(WRITES, "ada")
        assert number <= AMOUNT // 2 or told(server) == number


def test_all_processes_together_let_hardly_more_pass_than_one(redis_url: str) -> None:
    processes = [limiter(redis_url) for _ in range(4)]
    passed = 0
    for turn in range(2 * AMOUNT):
        found = processes[turn % 4].spend(WRITES, "ada")
        passed += found is not None and not found.refused
    assert AMOUNT <= passed <= AMOUNT + 4 * UNTOLD


def test_a_small_budget_is_counted_one_by_one(redis_url: str, server: redis.Redis) -> None:
    limits = limiter(redis_url)
    for number in range(1, 11):
        limits.spend(SIGN_INS, "ada")
        assert told(server, SIGN_INS) == number


def test_the_first_requests_of_a_window_ask_nobody(redis_url: str, server: redis.Redis) -> None:
    limits = limiter(redis_url)
    found = limits.spend(WRITES, "ada")
    assert found is not None
    assert found.left == AMOUNT - 1
    assert told(server) == 0
    for _ in range(UNASKED):
        limits.spend(WRITES, "ada")
    assert told(server) == UNASKED + 1


def test_what_was_not_told_in_one_window_counts_in_the_next_and_is_told_there(
    redis_url: str, server: redis.Redis
) -> None:
    now = [600.0]
    limits = RateLimiter(redis_url, LIMITS, lambda: now[0])
    for _ in range(UNTOLD + 1):
        limits.spend(WRITES, "ada")
    assert told(server) <= UNTOLD
    now[0] = 660.0
    left = [found.left for found in (limits.spend(WRITES, "ada") for _ in range(UNASKED + 1)) if found]
    assert left == [AMOUNT - UNTOLD - 2 - number for number in range(UNASKED + 1)]
    assert told(server) == UNTOLD + 1
    assert told(server, window=11) == UNASKED + 1


def test_who_is_forgotten_to_make_room_is_told_of_first(
    redis_url: str, server: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gin_servicekit.rate_limits.KEPT_ACCOUNTS", 2)
    limits = limiter(redis_url)
    for account in ("ada", "ada", "ada", "bob", "eve"):
        limits.spend(WRITES, account)
    assert told(server) == 3

"""Budgets of requests: per address for strangers, per account for all that writes."""

import dataclasses
from typing import Any

import pytest
import redis

from gin_lobby.app import lobby_app
from gin_servicekit.rate_limits import WRITES, RateLimiter
from gin_servicekit.settings import USUAL_LIMITS, Budget
from tests.integration.lobby.browsing import SAME, send
from tests.integration.lobby.conftest import Lobby
from tests.support.services import Api, token_for

TWO = Budget(2, 60)
PERSON = {"name": "Ada", "password": "a long password"}


def limited_to(lobby: Lobby, redis_url: str | None = None, **limits: Budget) -> Api:
    settings = dataclasses.replace(
        lobby.service.settings,
        limits=USUAL_LIMITS._replace(**limits),
        redis_url=redis_url or lobby.service.settings.redis_url,
    )
    return Api(lobby_app(dataclasses.replace(lobby.service, settings=settings)).test_client(use_cookies=False))


@pytest.mark.parametrize(
    ("limit", "path", "body"),
    [
        ("sign_ins", "/api/v1/tokens", {"name": "Nobody", "password": "a guess"}),
        ("sign_ups", "/api/v1/accounts", {"name": "Organiser", "password": "long enough"}),
        ("guests", "/api/v1/guests", None),
    ],
)
def test_one_address_asks_so_often_and_no_oftener(lobby: Lobby, limit: str, path: str, body: Any) -> None:
    api = limited_to(lobby, **{limit: TWO})
    first, second, third = (api.post(path, body) for _ in range(3))
    name = limit.replace("_", "-")
    assert first.headers["RateLimit-Policy"] == f'"{name}";q=2;w=60'
    assert [a.headers["RateLimit"].partition(";t=")[0] for a in (first, second, third)] == [
        f'"{name}";r={left}' for left in (1, 0, 0)
    ]
    assert (second.status_code == 429, third.status_code) == (False, 429)
    assert third.json["type"] == "urn:ginhall:problem:too-many-requests"
    assert third.content_type == "application/problem+json"
    other = api.post(path, body, headers={"X-Forwarded-For": "192.0.2.7"})
    assert other.status_code == first.status_code
    lobby.clock.move(seconds=int(third.headers["Retry-After"]))
    assert api.post(path, body).status_code == first.status_code


def test_what_a_client_claims_of_its_address_does_not_count(lobby: Lobby) -> None:
    """The gateway appends the address that it saw: only that one counts."""
    api = limited_to(lobby, guests=TWO)
    claims = [{"X-Forwarded-For": f"10.0.0.{number}, 192.0.2.7"} for number in range(3)]
    assert [api.post("/api/v1/guests", headers=claim).status_code for claim in claims] == [201, 201, 429]
    networks = [{"X-Forwarded-For": f"2001:db8::{number}"} for number in range(3)]
    assert [api.post("/api/v1/guests", headers=claim).status_code for claim in networks] == [201, 201, 429]


def test_what_an_account_writes_is_counted_for_the_account_and_reading_is_free(lobby: Lobby) -> None:
    api = limited_to(lobby, writes=TWO)
    bot = {"name": "Robbie", "kind": "bot", "bot": "simple"}
    one, other = (api.as_(token_for(lobby.organiser_id)), api.as_(token_for(lobby.sign_up("Ada")[1])))
    assert [one.post("/api/v1/players", bot).status_code for _ in range(3)] == [201, 201, 429]
    assert one.get("/api/v1/accounts/me").status_code == 200
    assert "RateLimit" not in one.get("/api/v1/accounts/me").headers
    assert other.post("/api/v1/players", bot).status_code == 201


def test_an_organiser_makes_and_enters_a_thousand_bots_in_a_minute(lobby: Lobby) -> None:
    limiter = RateLimiter(lobby.service.settings.redis_url, USUAL_LIMITS, lambda: 60.0)
    spent = [limiter.spend(WRITES, lobby.organiser_id) for _ in range(2 * 1000)]
    assert not any(found is None or found.refused for found in spent)


def test_while_redis_is_away_nobody_is_locked_out(lobby: Lobby) -> None:
    api = limited_to(lobby, redis_url="redis://127.0.0.1:1/0", sign_ins=TWO, sign_ups=TWO, guests=TWO, writes=TWO)
    assert api.post("/api/v1/accounts", PERSON).status_code == 201
    for _ in range(4):
        assert api.post("/api/v1/tokens", PERSON).status_code == 201
        assert api.post("/api/v1/guests").status_code == 201


def test_counts_do_not_stay_in_redis_for_ever(lobby: Lobby) -> None:
    limited_to(lobby, guests=TWO).post("/api/v1/guests")
    with redis.Redis.from_url(lobby.service.settings.redis_url) as client:
        (key,) = client.keys("ginhall:spent:*")
        assert 0 < client.ttl(key) <= 120


def test_a_page_tells_when_to_try_again(lobby: Lobby) -> None:
    api = limited_to(lobby, sign_ins=Budget(1, 600))
    page = api.client
    send(page, "/sign-in", name="Organiser", password="a guess")
    refused = send(page, "/sign-in", SAME, name="Organiser", password="the organiser's password")
    assert (refused.status_code, refused.mimetype) == (429, "text/html")
    assert " min" in refused.text
    assert "Retry-After" in refused.headers

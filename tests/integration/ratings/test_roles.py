"""Every route of ratings, for everybody who might call it: all may read all of it, and nobody writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from gin_ratings.app import app_of
from gin_servicekit.auth import SESSION_COOKIE
from gin_servicekit.service import Service
from tests.integration.ratings.deliveries import deliver, finished, renamed
from tests.support.roles import ANN, BOB, ROLES
from tests.support.services import Clock, start_service

# Every route and a path that fits it, about Ann and Bob. A route that is not here fails the first test.
ROUTES: dict[str, str] = {
    "/api/v1/leaderboards/<game>/<population>": "/api/v1/leaderboards/rummy/open",
    "/api/v1/openapi/ratings.json": "/api/v1/openapi/ratings.json",
    "/api/v1/pools": "/api/v1/pools",
    "/api/v1/pools/<game>/<population>/ledger": "/api/v1/pools/rummy/open/ledger",
    "/api/v1/ratings": "/api/v1/ratings",
    "/api/v1/ratings/<player_id>": f"/api/v1/ratings/{ANN}",
    "/api/v1/ratings/<player_id>/history": f"/api/v1/ratings/{ANN}/history?pool=rummy/open",
    "/api/v1/ratings/<player_id>/matches": f"/api/v1/ratings/{ANN}/matches",
    "/api/v1/ratings/<player_id>/opponents": f"/api/v1/ratings/{ANN}/opponents",
    "/api/v1/ratings/<player_id>/opponents/<opponent_id>": f"/api/v1/ratings/{ANN}/opponents/{BOB}",
    "/api/v1/ratings/<player_id>/shadow": f"/api/v1/ratings/{ANN}/shadow",
    "/api/v1/ratings/what-if": f"/api/v1/ratings/what-if?pool=rummy/open&a={ANN}&b={BOB}",
    "/leaderboards": "/leaderboards",
    "/leaderboards/<string:game>/<string:population>": "/leaderboards/rummy/open",
    "/players/<string:player_id>": f"/players/{ANN}",
    "/players/<string:player_id>/<string:game>/<string:population>/curve.svg": f"/players/{ANN}/rummy/open/curve.svg",
    "/static/<path:filename>": "/static/ginhall.css",
    "/healthz": "/healthz",
    "/readyz": "/readyz",
    "/metrics": "/metrics",
}


@pytest.fixture
def service(database_url: Callable[[str], str], redis_url: str) -> Iterator[Service]:
    """With the key that tokens of tests are signed with, and a rated match of Ann and Bob."""
    started = start_service("ratings", database_url, redis_url, Clock())
    deliver(started, renamed(ANN, "Ann", 1), renamed(BOB, "Bob", 1))
    deliver(started, finished("m1", (ANN, 1), (BOB, 2)))
    yield started
    started.database.close()


@pytest.fixture
def client(service: Service) -> FlaskClient:
    return app_of(service).test_client(use_cookies=False)


def test_every_route_is_in_the_table_and_is_there_to_be_read(client: FlaskClient) -> None:
    rules = list(client.application.url_map.iter_rules())
    assert {rule.rule for rule in rules} == set(ROUTES)
    assert {method for rule in rules for method in rule.methods or ()} == {"GET", "HEAD", "OPTIONS"}


@pytest.mark.parametrize("rule", ROUTES)
def test_everybody_reads_the_same(client: FlaskClient, rule: str) -> None:
    answers: dict[str, Any] = {}
    for role, signed in ROLES.items():
        token = signed()
        ways = (
            [{}] if token is None else [{"Authorization": f"Bearer {token}"}, {"Cookie": f"{SESSION_COOKIE}={token}"}]
        )
        for headers in ways:
            answer = client.get(ROUTES[rule], headers=headers)
            assert answer.status_code == 200, (rule, role, answer.text)
            answers[role] = answer.data
    if rule.startswith("/api/"):  # pages greet who has signed in
        assert len(set(answers.values())) == 1


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_nobody_writes(client: FlaskClient, method: str) -> None:
    for rule, path in ROUTES.items():
        for role, signed in ROLES.items():
            token = signed()
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            answer = client.open(path, method=method, headers=headers, json={})
            assert answer.status_code == 405, (method, rule, role)

"""Every route of every API: who may call it."""

from collections.abc import Iterator

import pytest
from flask import Flask

from gin_servicekit.auth import Scope
from tests.support.services import token_for

ID = "01990000-0000-7000-8000-000000000001"
# What needs no token: reading what is public, signing up, being a guest, and getting a token for a password.
OPEN_WRITES = {("POST", "/api/v1/accounts"), ("POST", "/api/v1/guests"), ("POST", "/api/v1/tokens")}
PRIVATE_READS = {
    "/api/v1/accounts/me",
    "/api/v1/tokens",
    "/api/v1/matches/<string:match_id>/seat",
    "/api/v1/matches/<string:match_id>/advice",
}


def routes(app: Flask) -> Iterator[tuple[str, str, str]]:
    """Method, rule, and a path that fits it."""
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith("/api/v1/") and "openapi" not in rule.rule:
            path = rule.rule
            for argument in rule.arguments:
                path = path.replace(f"<string:{argument}>", ID).replace(f"<{argument}>", ID)
                path = path.replace(f"<int:{argument}>", "1")
            for method in sorted((rule.methods or set()) & {"GET", "POST", "PUT", "PATCH", "DELETE"}):
                yield method, rule.rule, path


def is_public(method: str, rule: str) -> bool:
    if method == "GET":
        return rule.replace("<match_id>", "<string:match_id>") not in PRIVATE_READS
    return (method, rule) in OPEN_WRITES


@pytest.mark.parametrize("name", ["lobby", "engine", "ratings"])
def test_nothing_is_written_and_nothing_private_read_without_a_token(apps: dict[str, Flask], name: str) -> None:
    client = apps[name].test_client(use_cookies=False)
    walked = 0
    for method, rule, path in routes(apps[name]):
        answer = client.open(path, method=method, json={} if method != "GET" else None)
        walked += 1
        assert (answer.status_code == 401) == (not is_public(method, rule)), (method, rule, answer.status_code)
    assert walked >= 5


@pytest.mark.parametrize("name", ["lobby", "engine", "ratings"])
def test_a_token_without_any_useful_scope_opens_nothing_private(apps: dict[str, Flask], name: str) -> None:
    client = apps[name].test_client(use_cookies=False)
    token = token_for(ID, Scope.TOURNAMENT_READ)
    for method, rule, path in routes(apps[name]):
        if not is_public(method, rule):
            headers = {"Authorization": f"Bearer {token}"}
            answer = client.open(path, method=method, headers=headers, json={} if method != "GET" else None)
            assert answer.status_code == 403, (method, rule, answer.status_code)


@pytest.mark.parametrize("name", ["lobby", "engine", "ratings"])
@pytest.mark.parametrize("token", ["", "x.y.z", token_for(ID) + "x", token_for(ID)[:-20] + "AAAAAAAAAAAAAAAAAAAA"])
def test_a_token_that_is_not_ours_is_refused(apps: dict[str, Flask], name: str, token: str) -> None:
    client = apps[name].test_client(use_cookies=False)
    for method, rule, path in routes(apps[name]):
        if not is_public(method, rule):
            headers = {"Authorization": f"Bearer {token}"}
            answer = client.open(path, method=method, headers=headers, json={} if method != "GET" else None)
            assert answer.status_code == 401, (method, rule)

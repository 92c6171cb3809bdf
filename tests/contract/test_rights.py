"""Every route of every API: who may call it."""

from collections.abc import Iterator

import pytest
from flask import Flask

from gin_servicekit.auth import SESSION_COOKIE, Scope
from tests.support.services import token_for

ID = "01990000-0000-7000-8000-000000000001"
# What needs no token: reading what is public, signing up, being a guest, getting a token for a password,
# and a password for a recovery code.
OPEN_WRITES = {
    ("POST", "/api/v1/accounts"),
    ("POST", "/api/v1/guests"),
    ("POST", "/api/v1/tokens"),
    ("POST", "/api/v1/password-resets"),
}
PRIVATE_READS = {
    "/api/v1/accounts/me",
    "/api/v1/accounts/me/recovery-codes",
    "/api/v1/notices",
    "/api/v1/tokens",
    "/api/v1/webhooks",
    "/api/v1/webhooks/<string:webhook_id>",
    "/api/v1/webhooks/<string:webhook_id>/deliveries",
    "/api/v1/webhooks/<string:webhook_id>/deliveries/<string:event_id>",
    "/api/v1/matches/<string:match_id>/seat",
    "/api/v1/matches/<string:match_id>/advice",
}

# What a browser says when a page of another site sends the request; nothing at all is no better.
ELSEWHERE = [{}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://elsewhere.example"}]


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


@pytest.mark.parametrize("name", ["lobby", "engine", "ratings"])
@pytest.mark.parametrize(
    "headers", [{}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://elsewhere.example"}], ids=str
)
def test_a_session_writes_nothing_for_a_page_of_another_site(
    apps: dict[str, Flask], name: str, headers: dict[str, str]
) -> None:
    client = apps[name].test_client(use_cookies=False)
    session = {"Cookie": f"{SESSION_COOKIE}={token_for(ID)}"}
    for method, rule, path in routes(apps[name]):
        if method != "GET" and not is_public(method, rule):
            answer = client.open(path, method=method, headers=headers | session, json={})
            assert (answer.status_code, answer.json["type"]) == (403, "urn:ginhall:problem:cross-site"), (method, rule)


@pytest.mark.parametrize("name", ["lobby", "engine", "ratings"])
def test_a_session_opens_what_a_token_with_every_scope_opens(apps: dict[str, Flask], name: str) -> None:
    client = apps[name].test_client(use_cookies=False)
    token = token_for(ID)
    ways = (
        {"Authorization": f"Bearer {token}"},
        {"Cookie": f"{SESSION_COOKIE}={token}", "Sec-Fetch-Site": "same-origin"},
    )
    for method, rule, path in routes(apps[name]):
        if not is_public(method, rule):
            body = {} if method != "GET" else None
            answers = [client.open(path, method=method, headers=way, json=body).status_code for way in ways]
            assert answers[0] == answers[1] not in (401, 415), (method, rule, answers)


@pytest.mark.parametrize("name", ["lobby", "engine", "ratings"])
def test_no_form_of_a_page_does_anything_for_a_stranger_from_another_site(apps: dict[str, Flask], name: str) -> None:
    client = apps[name].test_client(use_cookies=False)
    for rule in apps[name].url_map.iter_rules():
        if "POST" in (rule.methods or set()) and not rule.rule.startswith("/api/"):
            path = rule.rule
            for argument in rule.arguments:
                path = path.replace(f"<string:{argument}>", ID).replace(f"<{argument}>", ID)
            headers = {"Accept": "text/html", "Origin": "https://elsewhere.example"}
            answer = client.post(path, data={}, headers=headers)
            led_to_sign_in = answer.status_code == 303 and answer.location.startswith("/sign-in")
            signed_out = rule.rule == "/sign-out" and answer.status_code == 303
            assert led_to_sign_in or signed_out or answer.status_code in (401, 403), (rule.rule, answer.status_code)
            assert "Set-Cookie" not in answer.headers or signed_out

"""What the lines about requests tell, and what they never do."""

from dataclasses import replace
from typing import NoReturn

import pytest
from flask.testing import FlaskClient
from structlog.testing import capture_logs

from gin_lobby.app import lobby_app
from gin_lobby.use_cases import recovery
from gin_servicekit import http_app
from tests.integration.lobby.conftest import Lobby

SECRET = "a-secret-that-stands-in-an-address"  # of this test alone


def client(lobby: Lobby, *, log_requests: bool) -> FlaskClient:
    settings = replace(lobby.service.settings, log_requests=log_requests)
    return lobby_app(replace(lobby.service, settings=settings)).test_client()


def test_a_request_that_went_well_is_told_only_where_all_are(lobby: Lobby) -> None:
    token = {"Authorization": f"Bearer {lobby.organiser.token}"}
    with capture_logs() as told:
        client(lobby, log_requests=False).get("/api/v1/accounts/me", headers=token)
    assert [line for line in told if line["event"] == "request"] == []
    with capture_logs() as told:
        client(lobby, log_requests=True).get("/api/v1/accounts/me", headers=token)
    (line,) = [line for line in told if line["event"] == "request"]
    assert line.pop("milliseconds") >= 0
    assert line == {
        "event": "request",
        "log_level": "info",
        "method": "GET",
        "route": "/api/v1/accounts/me",
        "status": 200,
        "account_id": lobby.organiser_id,
    }


def test_what_took_long_is_told(lobby: Lobby, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_app, "SLOW_SECONDS", 0.0)
    with capture_logs() as told:
        client(lobby, log_requests=False).get("/api/v1/tournaments")
    assert [line["route"] for line in told if line["event"] == "request"] == ["/api/v1/tournaments"]


def test_a_failure_is_told_by_its_route_and_the_secret_of_an_address_never(
    lobby: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> NoReturn:
        raise RuntimeError("on purpose")

    monkeypatch.setattr(recovery, "owner_of_link", fail)
    with capture_logs() as told:
        answer = client(lobby, log_requests=False).get(f"/reset/{SECRET}?invitation={SECRET}")
    assert answer.status_code == 500
    assert {(line["event"], line["route"]) for line in told} == {
        (event, "/reset/<string:secret>") for event in ("request", "request_failed")
    }
    assert SECRET not in str(told)

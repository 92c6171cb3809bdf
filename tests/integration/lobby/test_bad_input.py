"""Bad input gets a problem that names what is wrong, and changes nothing."""

import io
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.integration.lobby.conftest import Lobby

GOOD: dict[str, Any] = {"name": "Friday", "rounds": 3, "starts_at": (datetime.now(UTC) + timedelta(days=1)).isoformat()}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "a" * 81}, "name"),
        ({"name": "tab\tinside"}, "name"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": "many"}, "rounds"),
        ({"rounds": 2**70}, "rounds"),
        ({"starts_at": "2999-01-01T10:00:00"}, "starts_at"),
        ({"starts_at": "1999-01-01T10:00:00Z"}, "starts_at"),
        ({"starts_at": "9999-12-31T23:59:59-12:00"}, "starts_at"),
        ({"starts_at": "2999-01-01T10:00:00Z"}, "starts_at"),
        ({"format": "roulette"}, "format"),
        ({"game": "poker"}, "game"),
        ({"rules": {"preset": "nobody knows"}}, "rules.preset"),
        ({"rules": {"target": 0}}, "rules.target"),
        ({"rules": {"tragte": 100}}, "rules.tragte"),
        ({"rules": {"preset": "rotation4"}}, "rules.seats"),
        ({"game": "word", "rules": {"dictionary": "nobody's"}}, "rules.dictionary"),
        ({"capacity": 1}, "capacity"),
        ({"capacity": 4, "minimum_entrants": 5}, "capacity"),
        ({"tie_breaks": ["beauty"]}, "tie_breaks"),
        ({"color": "red"}, "color"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_with_its_field(lobby: Lobby, change: dict[str, Any], field: str) -> None:
    answer = lobby.organiser.post("/api/v1/tournaments", GOOD | change)
    assert answer.status_code == 422
    assert answer.content_type == "application/problem+json"
    assert [error["field"] for error in answer.json["errors"]] == [field]
    assert lobby.anonymous.get("/api/v1/tournaments").json["tournaments"] == []


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff\xfe",
        b"[1, 2",
        b'{"name": "\\u0000", "rounds": 3, "starts_at": "2999-01-01T10:00:00Z"}',
        b'{"name": "\\ud800", "rounds": 3, "starts_at": "2999-01-01T10:00:00Z"}',
        b'{"name": "A", "name": "B", "rounds": 3, "starts_at": "2999-01-01T10:00:00Z"}',
        b'{"rounds": NaN}',
        b'{"rounds": ' + b"9" * 5000 + b"}",
        b"[" * 100_000 + b"]" * 100_000,
    ],
)
def test_what_is_no_clean_json_is_refused(lobby: Lobby, body: bytes) -> None:
    answer = lobby.organiser.post("/api/v1/tournaments", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.content_type == "application/problem+json"


def test_an_id_that_is_none_of_ours_is_not_found(lobby: Lobby) -> None:
    for path in ("tournaments/x", "tournaments/01990000-0000-7000-8000-000000000000", "players/%00", "nothing"):
        answer = lobby.organiser.get(f"/api/v1/{path}")
        assert (answer.status_code, answer.json["type"]) == (404, "urn:ginhall:problem:not-found")


def test_a_wrong_method_says_which_are_allowed(lobby: Lobby) -> None:
    answer = lobby.organiser.delete("/api/v1/tournaments")
    assert answer.status_code == 405
    assert "GET" in answer.headers["Allow"]


def test_without_a_token_nothing_is_written(lobby: Lobby) -> None:
    answer = lobby.anonymous.post("/api/v1/tournaments", GOOD)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_no_address_holds_nul(lobby: Lobby) -> None:
    for path in ("/api/v1/tokens/%00", "/account/tokens/a%00/revocation", "/api/v1/tournaments/%00/entrants"):
        for method in (lobby.organiser.get, lobby.organiser.post, lobby.organiser.delete):
            assert method(path).status_code in (404, 405)
    assert lobby.organiser.delete("/api/v1/tokens/%00").status_code == 404


def test_a_refused_body_is_read_to_its_end(lobby: Lobby) -> None:
    """Else the connection on which it came closes, and the next request that the gateway sends there is lost."""
    body = io.BytesIO(b"x" * 300_000)
    answer = lobby.anonymous.post("/api/v1/tournaments", input_stream=body, content_length=300_000)
    assert answer.status_code == 401
    assert body.tell() == 300_000


def test_of_very_many_faults_the_first_are_told(lobby: Lobby) -> None:
    answer = lobby.organiser.post("/api/v1/tournaments", GOOD | {"tie_breaks": [7] * 50_000})
    assert answer.status_code == 422
    assert len(answer.json["errors"]) == 50
    assert answer.json["errors"][0]["field"] == "tie_breaks.0"

"""A browser's part in a test without one: it keeps cookies, and sends forms as a page of this house does."""

from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from gin_lobby.app import lobby_app
from tests.integration.lobby.conftest import Lobby

PASSWORD = "correct horse battery"
SAME = {"Sec-Fetch-Site": "same-origin", "Accept": "text/html"}


def browser(lobby: Lobby) -> FlaskClient:
    """A browser of its own."""
    return lobby_app(lobby.service).test_client()


def send(page: FlaskClient, path: str, headers: dict[str, str] | None = None, **form: str) -> TestResponse:
    return page.post(path, data=form, headers=SAME if headers is None else headers)


def signed_up(lobby: Lobby, name: str) -> tuple[FlaskClient, str]:
    """The browser of a new person, and their player id."""
    page = browser(lobby)
    assert send(page, "/sign-up", name=name, password=PASSWORD).status_code == 303
    return page, me(page)["player_id"]


def me(page: FlaskClient) -> Any:
    return page.get("/api/v1/accounts/me").json

"""A client in another program: made of the documents alone, it signs up, gets a token, sits down and plays."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pytest
from flask import Flask

from gin_engine import tasks
from tests.contract.conftest import APPS

PATIENCE_SECONDS = 60
PASSWORD = "nine lives and a half"


def make_client(document: dict[str, Any], folder: Path) -> None:
    """Lets openapi-python-client write a package into the folder."""
    path, settings = folder.with_suffix(".json"), folder.with_suffix(".settings.json")
    path.write_text(json.dumps(document))
    settings.write_text(json.dumps({"post_hooks": []}))  # what it writes need not be formatted
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]
    command += ["--path", str(path), "--config", str(settings), "--output-path", str(folder)]
    made = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS)
    assert made.returncode == 0, made.stdout + made.stderr


def takes_json(operation: dict[str, Any]) -> bool:
    """The generator knows no other bodies."""
    return set(operation.get("requestBody", {}).get("content", {})) <= {"application/json"}


class Api:
    """The made client of one service, talking to its application."""

    def __init__(self, name: str, app: Flask, token: str | None = None) -> None:
        self.name = name
        client = import_module(f"made_{name}.client")
        arguments = {"transport": httpx.WSGITransport(app=app)}
        if token is None:
            self._client = client.Client(base_url="http://ginhall.test", httpx_args=arguments)
        else:
            self._client = client.AuthenticatedClient(base_url="http://ginhall.test", token=token, httpx_args=arguments)

    def model(self, name: str, /, **values: Any) -> Any:
        return getattr(import_module(f"made_{self.name}.models"), name).from_dict(values)

    def ask(self, operation: str, *arguments: Any, **options: Any) -> Any:
        """The status and the answer of `tag.operation`."""
        module = import_module(f"made_{self.name}.api.{operation}")
        answer = module.sync_detailed(*arguments, client=self._client, **options)
        return answer.status_code, answer.parsed


def test_client_made_of_the_documents_signs_up_sits_down_and_plays(
    apps: dict[str, Flask], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in APPS:
        document: Any = apps[name].test_client().get(f"/api/v1/openapi/{name}.json").json
        make_client(document, tmp_path / f"made_{name}")
        operations = [o for item in document["paths"].values() for method, o in item.items() if method != "parameters"]
        written = [path for path in tmp_path.glob(f"made_{name}/api/*/*.py") if path.name != "__init__.py"]
        assert len(written) == sum(map(takes_json, operations)) > 8
    monkeypatch.syspath_prepend(tmp_path)

    lobby = Api("lobby", apps["lobby"])
    status, account = lobby.ask(
        "accounts.post_accounts", body=lobby.model("AccountRequest", name="Ada", password=PASSWORD)
    )
    assert (status, account.name) == (201, "Ada")
    status, token = lobby.ask("tokens.post_tokens", body=lobby.model("TokenRequest", name="Ada", password=PASSWORD))
    assert status == 201
    status, me = Api("lobby", apps["lobby"], token.token).ask("accounts.get_me")
    assert (status, me.player_id) == (200, account.player_id)

    engine = Api("engine", apps["engine"], token.token)
    wish = engine.model("TableWish", game="rummy", opponent={"bot": "simple"})
    status, table = engine.ask("tables.post_tables", body=wish, idempotency_key="once")
    assert (status, table.state) == (201, "playing")
    seat = own_turn(engine, apps["engine"], table.match_id)
    move = engine.model("Action", action=seat.legal_actions[0], action_count=seat.action_count)
    status, after = engine.ask("matches.post_actions", table.match_id, body=move)
    assert (status, after.action_count) == (200, seat.action_count + 1)
    assert after.view["history"][-1]["text"] == seat.legal_actions[0]
    status, _ = engine.ask("matches.post_actions", table.match_id, body=move)
    assert status == 409
    senseless = engine.model("Action", action="", action_count=0)
    status, problem = engine.ask("matches.post_actions", table.match_id, body=senseless)
    assert (status, problem.status, problem.errors[0].field) == (422, 422, "action")
    status, shown = Api("engine", apps["engine"]).ask("matches.get_one_match", table.match_id)
    assert (status, shown.seats[0].name, shown.seats[1].bot) == (200, "Ada", "simple")

    status, ratings = Api("ratings", apps["ratings"]).ask("ratings.get_list_ratings")
    assert (status, ratings.ratings) == (200, [])


def own_turn(engine: Api, app: Flask, match_id: str) -> Any:
    """What the player sees when it is their turn; the bot acts as the worker lets it."""
    service, deadline = app.extensions["ginhall-service"], time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        status, seat = engine.ask("matches.get_own_seat", match_id)
        assert status == 200
        if seat.to_act == seat.seat:
            return seat
        tasks.play(service)
        tasks.reply(service)
    raise AssertionError("it is never the player's turn")

"""Every route of live events, for everybody who might call it: one player alone hears what is personal."""

from __future__ import annotations

import base64
import http.client
import json
import os
import subprocess
import sys

import pytest

from gin_local.ports import HOST
from gin_servicekit.auth import SESSION_COOKIE
from tests.integration.live.conftest import Live
from tests.support.live import PATIENCE_SECONDS, ROOT, Listener
from tests.support.roles import ANN, ROLES
from tests.support.services import PUBLIC_KEY

EVENTS = "/live/v1/events"
# A route that is not here fails the first test; the events have their topics below.
OPEN_ROUTES = {"/live/v1/openapi.json", "/healthz", "/readyz", "/metrics"}
PUBLIC_TOPICS = ("tables", "tournaments", "table:1", "tournament:1")

LIST_ROUTES = """
from gevent import monkey
monkey.patch_all()
import json, os, sys
from gin_live.app import create_app
found = {rule.rule: sorted(rule.methods) for rule in create_app().url_map.iter_rules()}
print(json.dumps(found), file=sys.stderr, flush=True)
os._exit(0)
"""


def test_every_route_is_in_the_table_and_is_there_to_be_read(live: Live) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join([str(ROOT / "shared"), str(ROOT / "services")]),
        "REDIS_URL": live.redis_url,
        "GINHALL_TOKEN_PUBLIC_KEY": base64.urlsafe_b64encode(PUBLIC_KEY).decode(),
    }
    told = subprocess.run(
        [sys.executable, "-c", LIST_ROUTES], env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    routes = json.loads(told.stderr.splitlines()[-1])
    assert set(routes) == {EVENTS, *OPEN_ROUTES}
    assert {method for methods in routes.values() for method in methods} == {"GET", "HEAD", "OPTIONS"}


@pytest.mark.parametrize("role", ROLES)
def test_everybody_reads_what_is_open(live: Live, role: str) -> None:
    token = ROLES[role]()
    for path in sorted(OPEN_ROUTES):
        connection = http.client.HTTPConnection(HOST, live.process.port, timeout=PATIENCE_SECONDS)
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
        answer = connection.getresponse()
        assert (answer.status, len(answer.read()) > 0) == (200, True), (path, role)
        connection.close()


@pytest.mark.parametrize("role", ROLES)
def test_everybody_hears_of_tables_and_tournaments_and_the_player_alone_what_is_theirs(live: Live, role: str) -> None:
    token = ROLES[role]()
    for topic in PUBLIC_TOPICS:
        assert live.listen(topic, token=token).status == 200, (topic, role)
    personal = {"stranger": 401, "player": 200}.get(role, 403)
    ways = [{}] if token is None else [{"Authorization": f"Bearer {token}"}, {"Cookie": f"{SESSION_COOKIE}={token}"}]
    for headers in ways:
        for topics in ((f"player:{ANN}",), ("tables", f"player:{ANN}")):
            listener = Listener(live.process.port, topics, headers=headers)
            live.listeners.append(listener)
            assert listener.status == personal, (topics, role)
    assert live.listen("secrets", token=token).status == 422

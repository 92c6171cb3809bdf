"""Production's gateway in front of services that are down."""

import http.client
import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gin_local.plan import executable
from gin_local.ports import free_ports, listens

_ROOT = Path(__file__).resolve().parents[3]
_PATIENCE_SECONDS = 30.0


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a gateway behind which nobody listens."""
    port, *nobody = free_ports(5)
    data = str(tmp_path_factory.mktemp("gateway"))
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": data,
        "XDG_DATA_HOME": data,
        "XDG_CONFIG_HOME": data,
        "GATEWAY_SITE": f"http://:{port}",
        "GATEWAY_LISTEN": "127.0.0.1",
        **{f"{name}_API": f"127.0.0.1:{nobody.pop()}" for name in ("LOBBY", "ENGINE", "RATINGS", "LIVE")},
    }
    command = [executable("caddy"), "run", "--config", "deploy/Caddyfile", "--adapter", "caddyfile"]
    with subprocess.Popen(command, cwd=_ROOT, env=environment, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while not listens(port):
            assert process.poll() is None, "the gateway ended at its start"
            assert time.monotonic() < deadline, "the gateway does not answer"
            time.sleep(0.02)
        yield port
        process.terminate()


def _ask(port: int, method: str, path: str, body: bytes | None = None) -> tuple[int, Any, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE_SECONDS)
    try:
        connection.request(method, path, body)
        response = connection.getresponse()
        return response.status, json.loads(response.read()), response.headers
    finally:
        connection.close()


@pytest.mark.parametrize("path", ["/", "/api/v1/matches/7", "/api/v1/leaderboards", "/live/v1/events"])
def test_service_that_is_down_is_told_as_a_problem_that_passes(gateway: int, path: str) -> None:
    status, problem, headers = _ask(gateway, "GET", path)
    assert (status, problem["status"]) == (503, 503)
    assert headers["Content-Type"] == "application/problem+json"
    assert int(headers["Retry-After"]) > 0


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_what_operators_see_does_not_pass_the_gateway(gateway: int, path: str) -> None:
    status, problem, headers = _ask(gateway, "GET", path)
    assert (status, problem["title"]) == (404, "Not found")
    assert headers["Content-Type"] == "application/problem+json"

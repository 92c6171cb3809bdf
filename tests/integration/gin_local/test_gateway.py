"""Production's gateway in front of services that are down."""

import http.client
import json
import os
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gin_local.plan import executable
from gin_local.ports import free_ports, listens

_ROOT = Path(__file__).resolve().parents[3]
_PATIENCE_SECONDS = 60.0


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


def test_each_service_that_is_down_is_told_as_a_problem_that_passes(gateway: int) -> None:
    paths = ("/", "/api/v1/matches/7", "/api/v1/leaderboards", "/live/v1/events")
    with ThreadPoolExecutor(len(paths)) as pool:  # each is tried for some seconds before it is given up
        answers = dict(zip(paths, pool.map(lambda path: _ask(gateway, "GET", path), paths), strict=True))
    for path, (status, problem, headers) in answers.items():
        assert (status, problem["status"]) == (503, 503), path
        assert headers["Content-Type"] == "application/problem+json", path
        assert int(headers["Retry-After"]) > 0, path


def test_whoever_reads_pages_is_told_by_a_page_that_a_service_is_down(gateway: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", gateway, timeout=_PATIENCE_SECONDS)
    connection.request("GET", "/play", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    response = connection.getresponse()
    assert (response.status, response.headers["Content-Type"]) == (503, "text/html; charset=utf-8")
    assert "<h1>Back in a moment</h1>" in response.read().decode()
    assert int(response.headers["Retry-After"]) > 0
    connection.request("GET", "/api/v1/matches/7", headers={"Accept": "text/html"})
    assert connection.getresponse().headers["Content-Type"] == "application/problem+json"
    connection.close()


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_what_operators_see_does_not_pass_the_gateway(gateway: int, path: str) -> None:
    status, problem, headers = _ask(gateway, "GET", path)
    assert (status, problem["title"]) == (404, "Not found")
    assert headers["Content-Type"] == "application/problem+json"

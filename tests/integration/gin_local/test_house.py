"""The whole house on one machine: the real processes, gateway and servers, with tiny services in it."""

import fcntl
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import psutil
import psycopg
import pytest

from gin_local import postgres
from gin_local.ports import RANGE_VARIABLE, claim_port, free_ports, listens
from gin_local.roles import PASSWORD_VARIABLES
from tests.support.folders import passable_folder
from tests.support.servers import ROLE_PASSWORDS, Addresses

_ROOT = Path(__file__).resolve().parents[3]
_PATIENCE_SECONDS = 90.0
_NO_VARIABLES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Command:
    """The `ginhall` command on a house of this test alone."""

    root: Path
    port: int

    def __call__(self, *words: str, status: int = 0, variables: Mapping[str, str] = _NO_VARIABLES) -> str:
        """What the command prints; it must end with `status`."""
        ended = subprocess.run(
            self.words(*words),
            cwd=self.root,
            env={**self.environment(), **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == status, f"{words}: {ended.returncode}\n{ended.stdout}\n{ended.stderr}"
        return ended.stdout + ended.stderr

    def words(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "gin_local", *words]

    def environment(self) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("GINHALL_", "COV_")) or name == RANGE_VARIABLE
        }
        kept.pop("DATABASE_URL", None)
        kept.pop("REDIS_URL", None)
        folders = (_ROOT / "tests/support/tiny_services", _ROOT / "shared", _ROOT / "services")
        return {**kept, "PYTHONPATH": os.pathsep.join(map(str, folders))}

    def up(self) -> None:
        self("up", "--detach", "--port", str(self.port))

    def get(self, path: str) -> tuple[int, dict[str, Any], Any]:
        """Status, document and headers of the gateway's answer."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=20) as response:
                return response.status, json.load(response), response.headers
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error), error.headers

    def processes(self) -> dict[str, dict[str, Any]]:
        """Every process by name, whether all are well or not."""
        ended = subprocess.run(
            self.words("status", "--json"),
            cwd=self.root,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        return {entry["name"]: entry for entry in json.loads(ended.stdout)["processes"]}


@pytest.fixture
def ginhall() -> Iterator[Command]:
    with passable_folder() as root:
        (root / "services").mkdir()
        for part in ("docker-compose.yml", "deploy"):
            (root / part).symlink_to(_ROOT / part)
        (port,) = free_ports(1)
        command = Command(root, port)
        yield command
        command("stop")


def _lives(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


def _wait(happened: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not happened():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def test_house_starts_answers_stops_and_starts_again_without_loss(ginhall: Command) -> None:
    ginhall.up()
    for path, service in (
        ("/", "gin_lobby"),
        ("/api/v1/tournaments", "gin_lobby"),
        ("/api/v1/matches/7/actions", "gin_engine"),
        ("/api/v1/openapi/engine.json", "gin_engine"),
        ("/api/v1/ratings", "gin_ratings"),
        ("/api/v1/leaderboards/rummy", "gin_ratings"),
        ("/api/v1/pools", "gin_ratings"),
        ("/api/v1/openapi/ratings.json", "gin_ratings"),
        ("/live/v1/events", "gin_live"),
    ):
        status, document, _ = ginhall.get(path)
        assert (status, document["service"]) == (200, service), path
    for path in ("/healthz", "/readyz", "/metrics"):
        assert ginhall.get(path)[0] == 404
    assert "already runs" in ginhall("up", "--detach", "--port", str(ginhall.port))
    assert {entry["state"] for entry in ginhall.processes().values()} == {"RUNNING"}
    secrets = (ginhall.root / ".ginhall" / "secrets.env").read_text()

    assert "has stopped" in ginhall("stop")
    assert not listens(ginhall.port)
    ginhall("status", status=3)
    assert "not running" in ginhall("stop")

    ginhall.up()
    assert (ginhall.root / ".ginhall" / "secrets.env").read_text() == secrets
    assert "gin_lobby as gin_lobby, start 2" in ginhall("logs", "lobby-migrate")


def test_killed_process_comes_back_by_itself(ginhall: Command) -> None:
    ginhall.up()
    before = ginhall.processes()["ratings-api"]["pid"]
    os.kill(before, signal.SIGKILL)
    _wait(lambda: ginhall.processes()["ratings-api"]["pid"] not in (before, None), "ratings-api stays away")
    _wait(lambda: ginhall.get("/api/v1/ratings")[0] == 200, "ratings-api does not answer again")


def test_house_whose_supervisor_was_killed_is_cleared_and_started_anew(ginhall: Command) -> None:
    ginhall.up()
    supervisor = int((ginhall.root / ".ginhall/run/supervisord.pid").read_text())
    orphans = psutil.Process(supervisor).children(recursive=True)
    os.kill(supervisor, signal.SIGKILL)
    _wait(lambda: "does not run" in ginhall("status", status=3), "the house still answers")
    # The gateway was left behind and holds the port: `stop` ends it, and a start finds everything free.
    ginhall("stop")
    assert not [process for process in orphans if _lives(process)]
    ginhall.up()
    assert "start 2" in ginhall("logs", "engine-migrate")


def test_taken_port_is_refused_before_anything_starts(ginhall: Command) -> None:
    with socket.create_server(("127.0.0.1", ginhall.port)):
        said = ginhall("up", "--detach", "--port", str(ginhall.port), status=1)
    assert f"port {ginhall.port} cannot be used" in said
    assert not (ginhall.root / ".ginhall/run/supervisord.pid").exists()
    assert not (ginhall.root / ".ginhall/postgres").exists()


def test_two_starts_at_once_do_not_meet(ginhall: Command) -> None:
    run = ginhall.root / ".ginhall/run"
    run.mkdir(parents=True)
    with (run / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert "another ginhall command" in ginhall("up", "--port", str(ginhall.port), status=1)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_data_folder_that_cannot_be_written_is_named(ginhall: Command) -> None:
    closed = ginhall.root / "closed"
    closed.mkdir(mode=0o500)
    assert "cannot be written" in ginhall("up", "--data", str(closed / "data"), status=1)


def test_migrate_makes_the_tables_of_a_house_that_does_not_run(ginhall: Command) -> None:
    assert "up to date" in ginhall("migrate")
    assert "gin_ratings as gin_ratings, start 1" in ginhall("logs", "ratings-migrate")
    ginhall("status", status=3)


def test_existing_servers_stand_in_for_the_embedded_ones(ginhall: Command, servers: Addresses, redis_url: str) -> None:
    database = f"house_{secrets.token_hex(4)}"
    postgres.create_database(servers.postgres, database)
    # The roles belong to the whole server and to its other tests: they keep the passwords that these know.
    passwords = {PASSWORD_VARIABLES[role]: password for role, password in ROLE_PASSWORDS.items()}
    given = {**passwords, "DATABASE_URL": conninfo_of(servers, database), "REDIS_URL": redis_url}
    ginhall("up", "--detach", "--port", str(ginhall.port), variables=given)
    try:
        assert not {"postgres", "redis"} & ginhall.processes().keys()
        assert ginhall.get("/api/v1/ratings")[1]["service"] == "gin_ratings"
        assert "gin_lobby as gin_lobby, start 1" in ginhall("logs", "lobby-migrate")
    finally:
        ginhall("stop")
        with psycopg.connect(servers.postgres, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {database} WITH (FORCE)")


def conninfo_of(servers: Addresses, database: str) -> str:
    """The administrator's address of `database`."""
    return f"{servers.postgres.rpartition('/')[0]}/{database}"


def test_failing_migration_stops_the_start_and_shows_its_log(ginhall: Command) -> None:
    (ginhall.root / "docker-compose.yml").unlink()
    text = (_ROOT / "docker-compose.yml").read_text().replace("migrate gin_engine", "migrate")
    (ginhall.root / "docker-compose.yml").write_text(text)
    said = ginhall("up", "--detach", "--port", str(ginhall.port), status=1)
    assert "engine-migrate failed" in said
    assert "IndexError" in said
    ginhall("status", status=3)
    claim_port(ginhall.port)


def test_foreground_house_stops_at_ctrl_c(ginhall: Command) -> None:
    with subprocess.Popen(
        ginhall.words("up", "--port", str(ginhall.port)),
        cwd=ginhall.root,
        env=ginhall.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"Ginhall runs at http://127.0.0.1:{ginhall.port}\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=_PATIENCE_SECONDS) == 0
    assert not listens(ginhall.port)

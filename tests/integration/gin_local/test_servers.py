"""Postgres and Redis from wheels, as real processes."""

import os
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from gin_local import postgres, valkey
from gin_local.accounts import shelter
from gin_local.errors import HouseError, ProgramMissingError
from gin_local.ports import free_ports
from tests.support.servers import ROLES, Database

_PATIENCE_SECONDS = 60.0


@pytest.fixture
def closed_folder() -> Iterator[Path]:
    """A folder that its owner alone may enter."""
    folder = Path(tempfile.mkdtemp(prefix="ginhall-closed-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter."""
    folder = Path(tempfile.mkdtemp(prefix="ginhall-open-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def _wait(ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not ready():
        assert time.monotonic() < deadline, "the server does not answer"
        time.sleep(0.02)


@contextmanager
def _served_postgres(cluster: postgres.Cluster) -> Iterator[str]:
    process = subprocess.Popen(
        postgres.command(cluster),
        cwd="/",
        env={"PATH": os.defpath},
        user=cluster.account.uid if cluster.account else None,
        group=cluster.account.gid if cluster.account else None,
        extra_groups=[] if cluster.account else None,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _wait(lambda: postgres.is_ready(cluster.url()))
        yield cluster.url()
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=_PATIENCE_SECONDS) == 0


def test_postgres_keeps_its_data_over_a_stop_in_a_folder_that_nobody_else_may_enter(
    closed_folder: Path, open_folder: Path
) -> None:
    data = closed_folder / "deep" / ".ginhall"
    for text in ("first", "second"):
        (port,) = free_ports(1)
        cluster = postgres.arrange(data, port, "a secret", shelters=[open_folder], environment={})
        postgres.create(cluster)
        with _served_postgres(cluster) as url, psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS kept (text text)")
            connection.execute("INSERT INTO kept VALUES (%s)", [text])
            kept = connection.execute("SELECT text FROM kept").fetchall()
    assert kept == [("first",), ("second",)]
    assert stat.S_IMODE(closed_folder.stat().st_mode) == 0o700
    assert cluster.folder.is_relative_to(open_folder if os.geteuid() == 0 else data)
    assert stat.S_IMODE(cluster.folder.stat().st_mode) == 0o700


@pytest.mark.skipif(os.geteuid() != 0, reason="only root drops to an account that may be kept out")
def test_programs_in_a_closed_folder_are_copied_to_where_they_may_be_run(
    closed_folder: Path, open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = postgres.installed_programs().parents[1]
    hidden = closed_folder / "site-packages" / package.name
    shutil.copytree(package, hidden, ignore=shutil.ignore_patterns("include"))
    shutil.copytree(f"{package}.libs", f"{hidden}.libs")
    monkeypatch.setattr(postgres, "installed_programs", lambda: hidden / "pginstall" / "bin")
    (port,) = free_ports(1)
    cluster = postgres.arrange(closed_folder / "data", port, "a secret", shelters=[open_folder], environment={})
    assert cluster.programs.is_relative_to(open_folder)
    postgres.create(cluster, durable=False)
    with _served_postgres(cluster) as url, psycopg.connect(url) as connection:
        assert connection.execute("SHOW lc_messages").fetchone() == ("C",)


def test_postgres_refuses_a_wrong_password(servers: object, admin_database: Database) -> None:
    wrong = admin_database.url("gin_lobby").replace("gin_lobby-password", "guess")
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(wrong)


def test_data_of_another_major_version_is_refused(open_folder: Path) -> None:
    (open_folder / "postgres").mkdir()
    (open_folder / "postgres" / "PG_VERSION").write_text("9\n")
    cluster = postgres.arrange(open_folder, 1, "a secret", environment={})
    with pytest.raises(HouseError, match="made by Postgres 9"):
        postgres.create(cluster)


def test_folder_without_programs_is_named(open_folder: Path) -> None:
    with pytest.raises(ProgramMissingError, match="PG_BIN"):
        postgres.arrange(open_folder, 1, "a secret", environment={"PG_BIN": str(open_folder)})


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_shelter_that_somebody_else_made_is_refused(open_folder: Path) -> None:
    folder = shelter(Path("/a/house"), [open_folder])
    os.chown(folder, 65534, 65534)
    with pytest.raises(HouseError, match="somebody else"):
        shelter(Path("/a/house"), [open_folder])


def test_redis_keeps_its_data_over_a_stop_and_wants_its_password(open_folder: Path) -> None:
    for count in (1, 2):
        (port,) = free_ports(1)
        configuration = valkey.configure(open_folder / "valkey", port, "secret")
        process = subprocess.Popen(
            valkey.command(configuration, ["--appendonly", "yes"]),
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            _wait(lambda port=port: valkey.is_ready(valkey.url(port, "secret")))  # type: ignore[misc]
            with redis.Redis.from_url(valkey.url(port, "secret")) as client:
                assert client.incr("starts") == count
            with (
                redis.Redis(host="127.0.0.1", port=port, retry=Retry(NoBackoff(), 0)) as stranger,
                pytest.raises(redis.exceptions.AuthenticationError),
            ):
                stranger.get("starts")
        finally:
            process.terminate()
            assert process.wait(timeout=_PATIENCE_SECONDS) == 0


@pytest.mark.parametrize("owner", ROLES)
def test_role_works_in_its_own_schema_and_sees_no_other(database_url: Callable[[str], str], owner: str) -> None:
    with psycopg.connect(database_url(owner)) as connection:
        connection.execute("CREATE TABLE secret (text text)")
        schema = connection.execute("SELECT schemaname FROM pg_tables WHERE tablename = 'secret'").fetchone()
        assert schema == (owner,)
    for other in set(ROLES) - {owner}:
        with (
            psycopg.connect(database_url(other)) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute(f"SELECT * FROM {owner}.secret")


def test_role_makes_nothing_outside_its_schema(database_url: Callable[[str], str]) -> None:
    for statement in ("CREATE TABLE public.loose (x int)", "CREATE SCHEMA loose", "CREATE ROLE loose"):
        with (
            psycopg.connect(database_url("gin_engine")) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute(statement)


def test_each_test_finds_its_redis_empty(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        assert client.dbsize() == 0
        client.set("left", "behind")

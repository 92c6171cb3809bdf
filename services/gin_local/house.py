"""Start everything in its order, and stop it again."""

import contextlib
import fcntl
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

from gin_local import postgres, valkey
from gin_local.compose import Service
from gin_local.errors import ComposeError, HouseError, ProcessFailedError
from gin_local.folders import Folders
from gin_local.leftovers import end_leftovers, find_leftovers
from gin_local.plan import (
    GATEWAY,
    POSTGRES,
    REDIS,
    WATCHDOG,
    Plan,
    inherited_environment,
    local_command,
    make_plan,
    programs,
    provided_elsewhere,
)
from gin_local.ports import DEFAULT_PORT, claim_port
from gin_local.readiness import Answer, ask
from gin_local.supervision import ALIVE, ProcessInfo, Supervisor, configuration

_READY_SECONDS = 90.0
_ONE_SHOT_SECONDS = 600.0
_LOG_LINES = 15

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Status:
    """How the house fares: where it answers (None: it does not run), every process, and every API's
    readiness by process name.
    """

    url: str | None
    processes: list[ProcessInfo]
    readiness: Mapping[str, Answer]


class House:
    """The house whose data lies in `folders.data`. Two objects for the same folders are the same house."""

    def __init__(self, folders: Folders, tell: Tell = lambda line: None) -> None:
        self.folders = folders
        self._tell = tell

    @property
    def supervisor(self) -> Supervisor:
        """The supervisor that keeps its processes alive, whether it runs or not."""
        return Supervisor(self.folders.socket())

    def running_url(self) -> str | None:
        """Where the house answers, or None when it does not run."""
        if not self.folders.run.exists() or not self.supervisor.answers():
            return None
        return str(self._state().get("url", ""))

    def _state(self) -> dict[str, Any]:
        try:
            value = json.loads(self.folders.state.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return value if isinstance(value, dict) else {}

    def up(self, port: int = DEFAULT_PORT, environment: Mapping[str, str] | None = None) -> str:
        """Start everything and return its address once every API is ready; where it already runs, only
        return its address.

        When a step fails, all that was started is stopped again.

        Raises:
            HouseError: one of its kinds; the text says what failed and holds the end of the log.
        """
        self.folders.make()
        with self._alone():
            if url := self.running_url():
                return url
            claim_port(port)
            kept = tuple(self._state().get("ports", ()))
            plan = make_plan(self.folders, port, kept, os.environ if environment is None else environment)
            self._clear_leftovers(plan)
            if plan.cluster:
                postgres.create(plan.cluster)
            self._launch_supervisor(plan)
            try:
                self._start_in_order(plan, lasting=True)
                self._wait_for_doors(plan)
            except BaseException:
                with contextlib.suppress(HouseError):  # what went wrong first is what the reader needs
                    self._end()
                raise
        return plan.url

    def migrate(self, environment: Mapping[str, str] | None = None) -> None:
        """Run the one-shot processes (roles, migrations) alone; starts the database for it where the house
        does not run.
        """
        self.folders.make()
        with self._alone():
            running = self.running_url() is not None
            plan = self._plan(environment, running=running)
            if running:
                self._start_in_order(plan, lasting=False)
                return
            self._clear_leftovers(plan)
            if plan.cluster:
                postgres.create(plan.cluster)
            self._launch_supervisor(plan)
            try:
                self._start_in_order(plan, lasting=False, servers=True)
            finally:
                self._end()

    def running_plan(self, environment: Mapping[str, str] | None = None) -> Plan:
        """What runs now, with every address and secret.

        Raises:
            HouseError: the house does not run.
        """
        if self.running_url() is None:
            raise HouseError("the house does not run: start it with `ginhall up`")
        return self._plan(environment, running=True)

    @contextlib.contextmanager
    def database(self, environment: Mapping[str, str] | None = None, *, at_rest: bool = False) -> Iterator[Plan]:
        """The database of the house, which is started for as long as this is open where the house does not run.

        Raises:
            HouseError: it cannot be started; or the house runs, where it must be `at_rest`.
        """
        if not at_rest and self.running_url() is not None:
            yield self.running_plan(environment)
            return
        self.folders.make()
        with self._alone():
            if self.running_url() is not None:
                raise HouseError("the house runs: stop it first")
            plan = self._plan(environment, running=False)
            if plan.cluster is None:
                yield plan
                return
            self._clear_leftovers(plan)
            postgres.create(plan.cluster)
            self._launch_supervisor(plan)
            try:
                self.supervisor.start(POSTGRES)
                self._wait(lambda: postgres.is_ready(plan.server_url), POSTGRES)
                yield plan
            finally:
                self._end()

    def _plan(self, environment: Mapping[str, str] | None, *, running: bool) -> Plan:
        """Keeps the addresses of the last start."""
        state = self._state()
        given = os.environ if environment is None else environment
        port, kept = int(state.get("port", DEFAULT_PORT)), tuple(state.get("ports", ()))
        return make_plan(self.folders, port, kept, given, running=running)

    def stop(self) -> bool:
        """Stop everything in order and return when all is gone; False when nothing ran."""
        if not self.folders.run.exists():
            return False
        with self._alone():
            if self.supervisor.answers():
                self._end()
                return True
            leftovers = find_leftovers(self.folders.data, postgres.kept_folder(self.folders.data))
            end_leftovers(leftovers)
            return bool(leftovers)

    def status(self) -> Status:
        """What runs now, and whether it is ready."""
        url = self.running_url()
        if url is None:
            return Status(None, [], {})
        ready = {name: ask(address) for name, address in dict(self._state().get("ready", {})).items()}
        return Status(url, self.supervisor.processes(), ready)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        with (self.folders.run / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise HouseError("another ginhall command starts or stops this house right now") from None
            yield

    def _clear_leftovers(self, plan: Plan) -> None:
        folder = plan.cluster.folder if plan.cluster else None
        leftovers = find_leftovers(self.folders.data, folder)
        if leftovers:
            self._tell(f"ending {len(leftovers)} processes that a dead supervisor left behind")
            end_leftovers(leftovers)

    def _launch_supervisor(self, plan: Plan) -> None:
        socket_path = self.folders.socket()
        socket_path.unlink(missing_ok=True)  # of a supervisor that died; nobody answered on it
        text = configuration(
            programs(plan, socket_path),
            socket_path=socket_path,
            run=self.folders.run,
            logs=self.folders.logs,
            directory=self.folders.root,
            user="root" if os.geteuid() == 0 else None,
        )
        path = self.folders.run / "supervisord.conf"
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(text)
        state = {
            "url": plan.url,
            "port": plan.port,
            "ports": plan.ports,
            "ready": plan.ready_urls,
            "started_at": datetime.now(UTC).isoformat(),
        }
        self.folders.state.write_text(json.dumps(state), encoding="utf-8")
        output = self.folders.logs / "supervisord.out"
        with output.open("wb") as log:
            process = subprocess.Popen(  # noqa: S603 - our own words
                [sys.executable, "-m", "supervisor.supervisord", "-n", "-c", str(path)],
                cwd=self.folders.root,
                env=inherited_environment(self.folders),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # a Ctrl-C in the terminal must reach the house alone
            )
        supervisor = self.supervisor
        self._until(supervisor.answers, "supervisord", lambda: process.poll() is not None, output)
        # It outlives this command; that it is not waited for here is meant.
        process.returncode = 0 if process.returncode is None else process.returncode

    def _start_in_order(self, plan: Plan, *, lasting: bool, servers: bool = False) -> None:
        elsewhere = provided_elsewhere(plan)
        for wave in _waves(plan.services):
            one_shots = [service for service in wave if service.one_shot]
            for service in wave:
                starts = lasting or (servers and service.name in (POSTGRES, REDIS))
                if not service.one_shot and starts and service.name not in elsewhere:
                    self._tell(f"starting {service.name}")
                    self.supervisor.start(service.name)
            if any(service.name == POSTGRES for service in wave):
                self._wait_for_database(plan)
            if any(service.name == REDIS for service in wave):
                self._wait(lambda: valkey.is_ready(plan.redis_url), REDIS, watched=REDIS not in elsewhere)
            self._run(plan, one_shots)
        if lasting and plan.worker_urls:
            self.supervisor.start(WATCHDOG)

    def _wait_for_database(self, plan: Plan) -> None:
        self._wait(lambda: postgres.is_ready(plan.server_url), POSTGRES, watched=plan.cluster is not None)
        postgres.create_database(plan.server_url, plan.database)

    def _run(self, plan: Plan, one_shots: Iterable[Service]) -> None:
        """Run one-shot processes side by side to their end."""
        started = []
        try:
            for service in one_shots:
                self._tell(f"running {service.name}")
                with (self.folders.logs / f"{service.name}.log").open("wb") as log:
                    process = subprocess.Popen(  # noqa: S603 - the words of the list of processes
                        local_command(plan, service),
                        cwd=self.folders.root,
                        env={**inherited_environment(self.folders), **service.environment},
                        stdin=subprocess.DEVNULL,
                        stdout=log,
                        stderr=subprocess.STDOUT,
                    )
                started.append((service.name, process))
            for name, process in started:
                if process.wait(timeout=_ONE_SHOT_SECONDS):
                    raise ProcessFailedError(f"{name} failed:\n{self.log_tail(name)}")
        except subprocess.TimeoutExpired as error:
            raise ProcessFailedError(f"a one-shot process did not end in {_ONE_SHOT_SECONDS:.0f} s") from error
        finally:
            for _, process in started:
                if process.poll() is None:
                    process.terminate()
                    process.wait()

    def _wait_for_doors(self, plan: Plan) -> None:
        for name, url in plan.ready_urls.items():
            self._wait(lambda url=url: ask(url).is_ready, name)  # type: ignore[misc]  # bound now, not late
        if GATEWAY in plan.services:
            self._wait(lambda: (ask(plan.url + "/").status or 503) < 502, GATEWAY)

    def _wait(self, ready: Callable[[], bool], name: str, *, watched: bool = True) -> None:
        def failed() -> bool:
            return watched and any(
                info.name == name and info.state in ("BACKOFF", "EXITED", "FATAL")
                for info in self.supervisor.processes()
            )

        self._until(ready, name, failed, self.folders.logs / f"{name}.log")

    def _until(self, ready: Callable[[], bool], name: str, failed: Callable[[], bool], log: Path) -> None:
        deadline = time.monotonic() + _READY_SECONDS
        while not ready():
            if failed():
                raise ProcessFailedError(f"{name} ended at its start:\n{_tail(log)}")
            if time.monotonic() > deadline:
                raise ProcessFailedError(f"{name} was not ready within {_READY_SECONDS:.0f} s:\n{_tail(log)}")
            time.sleep(0.05)

    def log_tail(self, name: str, lines: int = _LOG_LINES) -> str:
        """The last `lines` lines that the process `name` wrote."""
        return _tail(self.folders.logs / f"{name}.log", lines)

    def _end(self) -> None:
        """Stop the processes, then the two servers that they need, then supervisord."""
        supervisor = self.supervisor
        pid = self._supervisor_pid()
        for names in (self._alive(lambda name: name not in (POSTGRES, REDIS)), {POSTGRES, REDIS}):
            for name in names & self._alive(lambda name: True):
                with contextlib.suppress(HouseError):  # it ended by itself in between
                    supervisor.ask_to_stop(name)
            while names & self._alive(lambda name: True):  # ends: supervisord kills whoever overstays
                time.sleep(0.05)
        supervisor.shut_down()
        while supervisor.answers() or (pid is not None and _runs(pid)):
            time.sleep(0.05)

    def _alive(self, wanted: Callable[[str], bool]) -> set[str]:
        return {info.name for info in self.supervisor.processes() if info.state in ALIVE and wanted(info.name)}

    def _supervisor_pid(self) -> int | None:
        try:
            return int((self.folders.run / "supervisord.pid").read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None


def _runs(pid: int) -> bool:
    """Whether the process `pid` still runs; one that this process started is also collected when it has
    ended.
    """
    try:
        if os.waitpid(pid, os.WNOHANG)[0] == pid:
            return False
    except ChildProcessError:  # another command started it
        pass
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _tail(path: Path, lines: int = _LOG_LINES) -> str:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "(it wrote nothing)"
    return "\n".join(text.splitlines()[-lines:]) or "(it wrote nothing)"


def _waves(services: Mapping[str, Service]) -> Iterator[list[Service]]:
    """The services in groups, each after all that its members wait for."""
    sorter = TopologicalSorter({name: set(service.after) for name, service in services.items()})
    try:
        sorter.prepare()
    except CycleError as error:
        raise ComposeError(f"services wait for each other in a circle: {error.args[1]}") from error
    while sorter.is_active():
        ready = sorter.get_ready()
        yield [services[name] for name in ready]
        sorter.done(*ready)

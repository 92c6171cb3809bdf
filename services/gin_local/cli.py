"""The `ginhall` command.

What a command alone needs is imported when it is asked for: the referee's desk must not wait for servers' libraries.
"""

from __future__ import annotations

import importlib
import json
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from gin_local.errors import HouseError
from gin_local.ports import DEFAULT_PORT

if TYPE_CHECKING:
    from rich.table import Table

    from gin_local.house import House, Status

_F = TypeVar("_F", bound=Callable[..., Any])
_WATCH_SECONDS = 1.0


class _Failure(click.ClickException):
    exit_code = 1


_DESK: Final[Mapping[str, str]] = {
    "account": "gin_local.account_command",
    "backup": "gin_local.backups.commands",
    "bench": "gin_local.bench_command",
    "bot": "gin_local.playing.bot_command",
    "deadwood": "gin_local.desk.referee",
    "pair": "gin_local.offline.pairing_commands",
    "play": "gin_local.playing.play_command",
    "ratings": "gin_local.desk.ledger_commands",
    "replay": "gin_local.desk.record_commands",
    "restore": "gin_local.backups.commands",
    "selfplay": "gin_local.desk.play_commands",
    "settle": "gin_local.desk.referee",
    "standings": "gin_local.offline.pairing_commands",
    "tournament": "gin_local.offline.tournament_commands",
    "verify": "gin_local.desk.record_commands",
    "words": "gin_local.desk.words",
}
"""The module of each command with much of its own; the command is the attribute of its own name."""


class _Group(click.Group):
    """Tells what the outside got wrong in a line, and leaves tracebacks to our own mistakes."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *_DESK])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _DESK:
            return super().get_command(ctx, cmd_name)
        command = getattr(importlib.import_module(_DESK[cmd_name]), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except HouseError as error:
            raise _Failure(str(error)) from error


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ginhall")
def main() -> None:
    """Ginhall: scheduled gin tournaments, refereed hands, ratings and standings."""


def _data_option(command: _F) -> _F:
    return click.option(
        "--data",
        type=click.Path(file_okay=False, path_type=Path),
        envvar="GINHALL_DATA",
        help="Where everything is kept.  [default: .ginhall in the checkout]",
    )(command)


def _port_option(command: _F) -> _F:
    return click.option(
        "--port",
        type=click.IntRange(1, 65535),
        default=DEFAULT_PORT,
        show_default=True,
        help="The gateway's port.",
    )(command)


def _house(data: Path | None) -> House:
    from gin_local.folders import Folders, find_root
    from gin_local.house import House

    root = find_root()
    return House(Folders(root, (data or root / ".ginhall").resolve()), lambda line: click.echo(line, err=True))


@main.command()
@click.option("--detach", is_flag=True, help="Return once everything is ready, and leave it running.")
@_port_option
@_data_option
def up(detach: bool, port: int, data: Path | None) -> None:
    """Start everything; stop it again with Ctrl-C."""
    house = _house(data)
    if url := house.running_url():
        click.echo(f"Ginhall already runs at {url}")
        return
    with _Interrupts():
        try:
            click.echo(f"Ginhall runs at {house.up(port)}")
            if detach:
                return
            click.echo("Ctrl-C stops it.", err=True)
            _wait_until_stopped(house)
        except KeyboardInterrupt:
            click.echo("Stopping …", err=True)
            house.stop()
        click.echo("Ginhall has stopped.", err=True)


@main.command()
@_data_option
def stop(data: Path | None) -> None:
    """Stop everything; nothing is lost."""
    click.echo("Ginhall has stopped." if _house(data).stop() else "Ginhall was not running.")


@main.command()
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@_data_option
def status(as_json: bool, data: Path | None) -> None:
    """Tell how every process fares. Exit status 0 when all run and are ready, 3 when nothing runs, else 1."""
    found = _house(data).status()
    if as_json:
        click.echo(json.dumps(_status_document(found), indent=2))
    elif found.url is None:
        click.echo("Ginhall does not run.")
    else:
        from rich.console import Console

        Console().print(_status_table(found))
        click.echo(found.url)
    sys.exit(3 if found.url is None else 0 if _is_well(found) else 1)


@main.command()
@_data_option
def migrate(data: Path | None) -> None:
    """Bring every service's tables up to date."""
    _house(data).migrate()
    click.echo("Every table is up to date.")


@main.command()
@click.argument("process", required=False)
@click.option("-n", "--lines", type=click.IntRange(1), default=40, show_default=True, help="How many lines.")
@_data_option
def logs(process: str | None, lines: int, data: Path | None) -> None:
    """Show the end of the log of PROCESS, or tell which logs there are."""
    house = _house(data)
    names = sorted(path.stem for path in house.folders.logs.glob("*.log"))
    if process is None:
        click.echo("\n".join(names) or "Nothing has run here yet.")
        return
    if process not in names:
        raise HouseError(f"no process {process} has run here; there are: {', '.join(names) or 'none'}")
    click.echo(house.log_tail(process, lines))


@main.command()
@click.option("--once", is_flag=True, help="Stop and exit when the tournament is over.")
@click.option("--players", type=click.IntRange(2, 512), default=32, show_default=True, help="How many bots.")
@_port_option
@_data_option
def demo(once: bool, players: int, port: int, data: Path | None) -> None:
    """Start everything and let bots play a Swiss tournament of five rounds."""
    from rich.console import Console

    from gin_local.demo import play_demo

    house = _house(data)
    url = house.running_url()
    ours = url is None
    serving = False
    with _Interrupts():
        try:
            url = url or house.up(port)
            click.echo(f"Ginhall runs at {url}", err=True)
            play_demo(url, players, Console())
            if not once and ours:
                serving = True
                click.echo(f"Look around at {url} - Ctrl-C stops it.", err=True)
                _wait_until_stopped(house)
        except KeyboardInterrupt:
            if not serving:
                raise
        finally:
            if ours:
                click.echo("Stopping …", err=True)
                house.stop()


class _Interrupts:
    """While open, Ctrl-C and TERM interrupt the work at hand, as KeyboardInterrupt, once; a second one
    while stopping is ignored.
    """

    def __init__(self) -> None:
        self._before: dict[signal.Signals, Any] = {}
        self._came = False

    def __enter__(self) -> _Interrupts:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._on_signal)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if not self._came:
            self._came = True
            raise KeyboardInterrupt


def _wait_until_stopped(house: House) -> None:
    """Stay in the foreground while the house runs: until Ctrl-C, or until somebody else has stopped it."""
    forever = threading.Event()
    while house.running_url() is not None:
        forever.wait(_WATCH_SECONDS)


def _is_well(found: Status) -> bool:
    return all(info.state == "RUNNING" for info in found.processes) and all(
        answer.is_ready for answer in found.readiness.values()
    )


def _status_document(found: Status) -> dict[str, Any]:
    return {
        "running": found.url is not None,
        "well": found.url is not None and _is_well(found),
        "url": found.url,
        "processes": [asdict(info) for info in found.processes],
        "readiness": {
            name: {"ready": answer.is_ready, "status": answer.status, "told": answer.told}
            for name, answer in found.readiness.items()
        },
    }


def _status_table(found: Status) -> Table:
    from rich.table import Table

    table = Table("process", "state", "pid", "up for", "ready")
    for info in found.processes:
        answer = found.readiness.get(info.name)
        ready = "" if answer is None else "yes" if answer.is_ready else "no"
        table.add_row(info.name, info.state.lower(), str(info.pid or ""), _duration(info.uptime_seconds), ready)
    return table


def _duration(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}"

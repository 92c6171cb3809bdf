"""`ginhall account`: what whoever runs the server does with people's accounts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
import psycopg

from gin_lobby.administration import Administration
from gin_local.errors import HouseError
from gin_local.folders import Folders, find_root
from gin_local.house import House
from gin_servicekit.problems import Problem
from gin_servicekit.service import Service
from gin_servicekit.settings import Settings

_F = TypeVar("_F", bound=Callable[..., Any])
_LOBBY = "lobby-api"


def _options(command: _F) -> _F:
    data = click.option(
        "--data",
        type=click.Path(file_okay=False, path_type=Path),
        envvar="GINHALL_DATA",
        help="Where everything is kept.  [default: .ginhall in the checkout]",
    )
    return data(click.option("--json", "as_json", is_flag=True, help="For programs.")(command))


@click.group()
def account() -> None:
    """People's accounts on the house that runs here."""


@account.command("reset-link")
@click.argument("name")
@_options
def reset_link(name: str, as_json: bool, data: Path | None) -> None:
    """Make a link with which NAME sets a new password: good once, for 24 hours. Whoever has it gets in."""
    with _administration(data) as administration:
        link = administration.reset_link(name)
    click.echo(json.dumps({"name": name, "link": link}) if as_json else link)


@account.command()
@click.argument("name")
@click.argument("wish", type=click.Choice(["on", "off"]), default="on")
@_options
def administrator(name: str, wish: str, as_json: bool, data: Path | None) -> None:
    """Make NAME an administrator, or end that: with `off` all their sessions and tokens end at once."""
    with _administration(data) as administration:
        found = administration.administrator(name, on=wish == "on")
    if as_json:
        click.echo(json.dumps({"name": found, "administrator": wish == "on"}))
    elif wish == "on":
        click.echo(f"{found} is an administrator, from the next sign-in on.")
    else:
        click.echo(f"{found} is no administrator any more.")


@contextmanager
def _administration(data: Path | None) -> Iterator[Administration]:
    root = find_root()
    house = House(Folders(root, (data or root / ".ginhall").resolve()), lambda line: click.echo(line, err=True))
    service = Service.start("lobby", Settings.from_environment(house.running_plan().services[_LOBBY].environment))
    try:
        yield Administration(service)
    except Problem as problem:
        raise HouseError(problem.detail) from problem
    except psycopg.Error as problem:
        raise HouseError(f"the database cannot be reached: {problem}") from problem
    finally:
        service.database.close()

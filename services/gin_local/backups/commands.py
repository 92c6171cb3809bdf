"""`ginhall backup` and `ginhall restore`."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click
import psycopg

from gin_local.backups.archive import TOKEN_KEYS, Backup, Manifest, Tell
from gin_local.backups.emptying import empty_redis
from gin_local.backups.loading import Loaded, Place, check_migrations, check_place, load
from gin_local.backups.snapshot import save, size_of
from gin_local.errors import HouseError
from gin_local.folders import Folders, find_root
from gin_local.house import House
from gin_local.keys import keep_secrets, replace_secrets
from gin_local.plan import Plan
from gin_local.roles import PASSWORD_VARIABLES

_F = TypeVar("_F", bound=Callable[..., Any])


def _options(command: _F) -> _F:
    data = click.option(
        "--data",
        type=click.Path(file_okay=False, path_type=Path),
        envvar="GINHALL_DATA",
        help="Where everything is kept.  [default: .ginhall in the checkout]",
    )
    return data(click.option("--json", "as_json", is_flag=True, help="For programs.")(command))


@click.command()
@click.argument("target", type=click.Path(path_type=Path))
@_options
def backup(target: Path, as_json: bool, data: Path | None) -> None:
    """Save everything that must not be lost into the file TARGET, or into a new file in the folder TARGET.

    The house may run meanwhile. The file holds secrets: keep it as you keep passwords.
    """
    house = _house(data)
    file = target / f"ginhall-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.backup" if target.is_dir() else target
    if file.exists():
        raise HouseError(f"{file} is there already")
    with _told(), house.database() as plan:
        manifest = _save(plan, file)
    if as_json:
        click.echo(json.dumps({"file": str(file), "bytes": file.stat().st_size, **_summary(manifest)}))
    else:
        click.echo(f"Saved {manifest.rows:,} rows in {file} ({file.stat().st_size:,} bytes).")


@click.command()
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Also in the place of a house that is there.")
@click.option("--keep-old", is_flag=True, help="Keep the database of that house beside, under another name.")
@click.option("--trial", is_flag=True, help="Pause its webhooks: it plays on, and tells nobody.")
@_options
def restore(source: Path, force: bool, keep_old: bool, trial: bool, as_json: bool, data: Path | None) -> None:
    """Put the backup SOURCE in the place of a house that does not run, or make a new one of it.

    Everything is checked before anything changes, and what is there stays until the new is whole.
    """
    house = _house(data)
    with source.open("rb") as file:
        found = Backup(file)
        with _progress(found.manifest.size) as tell:
            found.check(tell)
        check_migrations(found.manifest)
        with _told(), house.database(at_rest=True) as plan:
            loaded = _restore(house.folders, plan, found, force=force, keep_old=keep_old, trial=trial)
    if as_json:
        kept = {"settled_messages": loaded.settled, "kept_database": loaded.kept}
        click.echo(json.dumps({"file": str(source), **_summary(found.manifest), **kept}))
        return
    click.echo(f"Restored {loaded.rows:,} rows of {found.manifest.made_at}. Start it with `ginhall up`.")
    if loaded.kept:
        click.echo(f"The database from before is kept as {loaded.kept}.")


def _save(plan: Plan, file: Path) -> Manifest:
    """Written beside and renamed: a file of this name is always whole. Mode 600, as it holds secrets."""
    draft = file.with_name(file.name + ".part")
    draft.unlink(missing_ok=True)
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise HouseError(f"the backup cannot be written: {error}") from error
    admin_url = _admin_url(plan)
    try:
        with os.fdopen(descriptor, "wb") as out, _progress(size_of(admin_url)) as tell:
            manifest = save(admin_url, _keys(plan), out, tell)
            out.flush()
            os.fsync(out.fileno())
        draft.rename(file)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    return manifest


def _restore(folders: Folders, plan: Plan, found: Backup, *, force: bool, keep_old: bool, trial: bool) -> Loaded:
    passwords = _passwords(plan)
    place = Place(plan.server_url, plan.database, folders.root / "deploy" / "roles.sql", passwords)
    check_place(place, force=force)
    _empty_queues(folders, plan)
    with _progress(found.manifest.size) as tell:
        loaded = load(found, place, tell, keep_old=keep_old, trial=trial)
    if found.keys():
        replace_secrets(folders.secrets, found.keys())
    return loaded


def _empty_queues(folders: Folders, plan: Plan) -> None:
    if plan.valkey_configuration is None:
        empty_redis(plan.redis_url)
    else:
        shutil.rmtree(folders.data / "valkey" / "appendonlydir", ignore_errors=True)


def _admin_url(plan: Plan) -> str:
    return str(plan.services["roles"].environment["ADMIN_DATABASE_URL"])


def _passwords(plan: Plan) -> Mapping[str, str]:
    given = plan.services["roles"].environment
    return {role: given[variable] for role, variable in PASSWORD_VARIABLES.items()}


def _keys(plan: Plan) -> dict[str, str]:
    """The signing keys as this house has them."""
    kept = {
        **keep_secrets(plan.folders.secrets),
        **{name: os.environ[name] for name in TOKEN_KEYS if os.environ.get(name)},
    }
    return {name: kept[name] for name in TOKEN_KEYS}


def _house(data: Path | None) -> House:
    root = find_root()
    return House(Folders(root, (data or root / ".ginhall").resolve()), lambda line: click.echo(line, err=True))


def _summary(manifest: Manifest) -> dict[str, Any]:
    return {
        "made_at": manifest.made_at,
        "version": manifest.version,
        "tables": sum(len(schema.tables) for schema in manifest.schemas.values()),
        "rows": manifest.rows,
    }


@contextmanager
def _told() -> Iterator[None]:
    """What the database refuses is told in a line."""
    try:
        yield
    except psycopg.Error as error:
        raise HouseError(f"the database refused: {error}") from error


@contextmanager
def _progress(size: int) -> Iterator[Tell]:
    """A bar on standard error, where somebody looks at it."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=max(size, 1))

        def tell(what: str, done: int) -> None:
            bar.update(task, description=what, advance=done)

        yield tell

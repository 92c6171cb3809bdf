"""Putting a backup into a database: everything is made whole beside what is there, and takes its place at once."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import psycopg
from psycopg import conninfo, sql

from gin_local.backups.archive import SCHEMAS, Backup, BackupError, Manifest, SchemaPart, Tell
from gin_local.backups.connection import connected
from gin_local.errors import HouseError
from gin_local.postgres import create_database
from gin_local.roles import create_roles
from gin_servicekit.migrate import migrate, migrations_of


@dataclass(frozen=True, slots=True)
class Loaded:
    """What came of a restore. `kept` is the name under which the database from before is kept, if it is; `settled`
    are messages that had arrived already and so are not sent again.
    """

    rows: int
    settled: int
    kept: str | None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a backup goes: the database `name` of the server whose administrator is `server_url`; the services' roles
    get these passwords by `roles_script`.
    """

    server_url: str
    name: str
    roles_script: Path
    passwords: Mapping[str, str]

    def url(self, database: str) -> str:
        return conninfo.make_conninfo(self.server_url, dbname=database)


def check_migrations(manifest: Manifest) -> None:
    """Raises BackupError unless this program knows every migration that had run, as it was then."""
    for schema, part in manifest.schemas.items():
        known = {(one.package, one.name): one.digest for one in migrations_of(schema)}
        for package, name, digest in part.migrations:
            if known.get((package, name)) is None:
                raise BackupError(f"a later version of ginhall made this backup: {package}/{name} is not known here")
            if known[package, name] != digest:
                raise BackupError(f"the backup was made with another {package}/{name}: it does not fit this version")


def check_place(place: Place, *, force: bool) -> None:
    """Raises HouseError where a house runs on the database, or (unless `force`) where something is in it."""
    with connected(place.url("postgres")) as connection:
        there = connection.execute("SELECT FROM pg_database WHERE datname = %s", [place.name]).rowcount
        working = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND usename = ANY(%s)",
            [place.name, list(SCHEMAS)],
        ).fetchone()
    if working and working[0]:
        raise HouseError("a house runs on this database: stop it first")
    if there and not force and _holds_something(place):
        raise HouseError("there is a house already: --force puts the backup in its place")


def load(backup: Backup, place: Place, tell: Tell, *, keep_old: bool, trial: bool = False) -> Loaded:
    """Puts a checked backup in the place of the database. Until everything is there, nothing of the old is touched.

    Tables are made by the migrations that had run when it was saved; later ones run at the next start. In a `trial` all
    webhooks are paused: the copy plays on, and must tell nobody.
    """
    draft = f"{place.name}_restored_{secrets.token_hex(4)}"
    create_database(place.url("postgres"), draft)
    try:
        create_roles(place.url(draft), place.roles_script, place.passwords)
        for schema, part in backup.manifest.schemas.items():
            migrate(_as_service(place.url(draft), schema), schema, _among(part))
        with connected(place.url(draft)) as connection, connection.transaction():
            for schema, part in backup.manifest.schemas.items():
                _load_schema(connection, backup, schema, part, tell)
            settled = _settle_messages(connection)
            if trial:
                _pause_webhooks(connection)
        _analyze(place.url(draft), tell)
        kept = _swap(place, draft)
    except BaseException:
        with suppress(psycopg.Error), connected(place.url("postgres")) as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(draft)))
        raise
    if kept is not None and not keep_old:
        with connected(place.url("postgres")) as connection:
            connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(kept)))
        kept = None
    return Loaded(backup.manifest.rows, settled, kept)


def _among(part: SchemaPart) -> Collection[tuple[str, str]]:
    return {(package, name) for package, name, _ in part.migrations}


def _as_service(url: str, role: str) -> str:
    """The administrator's address, acting as a service, so that what is made is the service's own."""
    return conninfo.make_conninfo(url, options=f"-c role={role} -c search_path={role}")


def _holds_something(place: Place) -> bool:
    with connected(place.url(place.name)) as connection:
        return any(
            connection.execute("SELECT to_regclass(%s)", [f"{schema}.schema_migrations"]).fetchone() != (None,)
            for schema in SCHEMAS
        )


def _load_schema(
    connection: psycopg.Connection[Any], backup: Backup, schema: str, part: SchemaPart, tell: Tell
) -> None:
    for table in _parents_first(connection, schema, part):
        expected, where = part.tables[table], sql.Identifier(schema, table)
        if connection.execute(sql.SQL("SELECT FROM {} LIMIT 1").format(where)).rowcount:
            connection.execute(sql.SQL("DELETE FROM {}").format(where))  # what a migration put there
        copy_in = sql.SQL("COPY {} ({}) FROM STDIN").format(
            where, sql.SQL(", ").join(map(sql.Identifier, expected.columns))
        )
        with connection.cursor() as cursor:
            with cursor.copy(copy_in) as copy:
                for block in backup.blocks(schema, table):
                    copy.write(block)
                    tell(f"restoring {schema}.{table}", len(block))
            if cursor.rowcount != expected.rows:
                raise BackupError(f"of {expected.rows} rows of {schema}.{table} only {cursor.rowcount} were restored")
    for sequence, (last, called) in part.sequences.items():
        name = sql.Identifier(schema, sequence).as_string(connection)
        connection.execute("SELECT setval(%s::regclass, %s, %s)", [name, last, called])


def _parents_first(connection: psycopg.Connection[Any], schema: str, part: SchemaPart) -> list[str]:
    """The tables of the backup, each after those that it refers to."""
    rows = connection.execute(
        "SELECT r.relname, p.relname FROM pg_constraint c"
        " JOIN pg_class r ON r.oid = c.conrelid JOIN pg_class p ON p.oid = c.confrelid"
        " WHERE c.contype = 'f' AND c.connamespace = %s::regnamespace AND c.conrelid <> c.confrelid",
        [schema],
    ).fetchall()
    needs: dict[str, set[str]] = {table: set() for table in part.tables}
    for table, parent in rows:
        needs[table].add(parent)
    return list(TopologicalSorter(needs).static_order())


def _settle_messages(connection: psycopg.Connection[Any]) -> int:
    """Lets outboxes forget what has arrived, and send the rest at once; tells how many had arrived.

    A message may be in its consumer's inbox although its producer did not know that yet. Inboxes forget after a month:
    from an old backup such a message, sent again, would have its effect twice.
    """
    settled = 0
    for producer in SCHEMAS:
        outbox = sql.Identifier(producer, "outbox")
        for consumer in SCHEMAS:
            settled += connection.execute(
                sql.SQL("DELETE FROM {} WHERE consumer = %s AND message_id IN (SELECT message_id FROM {})").format(
                    outbox, sql.Identifier(consumer, "inbox")
                ),
                [consumer.removeprefix("gin_")],
            ).rowcount
        connection.execute(sql.SQL("UPDATE {} SET due_at = %s, attempts = 0").format(outbox), [datetime.now(UTC)])
    return settled


def _pause_webhooks(connection: psycopg.Connection[Any]) -> None:
    if connection.execute("SELECT to_regclass('gin_lobby.webhooks')").fetchone() != (None,):
        connection.execute(
            "UPDATE gin_lobby.webhooks SET state = 'paused', revision = revision + 1 WHERE state = 'active'"
        )


def _analyze(url: str, tell: Tell) -> None:
    """Without figures about its tables Postgres would plan badly for a while."""
    tell("reading figures", 0)
    with connected(url) as connection:
        connection.execute("ANALYZE")


def _swap(place: Place, draft: str) -> str | None:
    """The draft takes the place in one transaction; the name of the database that was there, if there was one."""
    with connected(place.url("postgres")) as connection:
        there = connection.execute("SELECT FROM pg_database WHERE datname = %s", [place.name]).rowcount
        kept = f"{place.name}_before_{datetime.now(UTC):%Y%m%dT%H%M%S%f}" if there else None
        rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
        try:
            with connection.transaction():
                if kept is not None:
                    connection.execute(rename.format(sql.Identifier(place.name), sql.Identifier(kept)))
                connection.execute(rename.format(sql.Identifier(draft), sql.Identifier(place.name)))
        except psycopg.errors.ObjectInUse as error:
            raise HouseError(
                f"somebody is connected to the database {place.name}: {error.diag.message_detail}"
            ) from error
    return kept

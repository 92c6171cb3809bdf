"""What a database holds at one moment, all services together.

The services share one database, so one REPEATABLE READ transaction sees them all as of the same moment, while they go
on working. That is what keeps messages whole: whoever takes one service after another would find a message that left
the one's outbox after it was read, and reached the other's inbox before, or the other way round, and since messages go
both ways no order of services would do. In one moment every message is in its producer's outbox, or in its consumer's
inbox together with its effect, or in both.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import IO, Any

import psycopg
from psycopg import sql

from gin_local.backups.archive import SCHEMAS, BackupWriter, Manifest, SchemaPart, TablePart, Tell, member, version
from gin_local.backups.connection import connected
from gin_local.errors import HouseError

_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


def save(admin_url: str, keys: Mapping[str, str], target: IO[bytes], tell: Tell) -> Manifest:
    """Writes a backup of the database at `admin_url` into `target`, with the signing keys where some are given.

    Raises HouseError when the database is away or holds no house.
    """
    writer = BackupWriter(target)
    with connected(admin_url) as connection:
        connection.execute(_SNAPSHOT)
        made_at = datetime.now(UTC)
        schemas = {schema: _save_schema(connection, schema, writer, tell) for schema in SCHEMAS}
        server = str(connection.info.parameter_status("server_version"))
        connection.execute("COMMIT")
    digest = writer.keys(keys) if keys else None
    manifest = Manifest(version(), made_at.isoformat(timespec="seconds"), server, schemas, digest)
    writer.finish(manifest)
    return manifest


def size_of(admin_url: str) -> int:
    """About how many bytes `save` will read, for telling how far it is."""
    with connected(admin_url) as connection:
        row = connection.execute(
            "SELECT coalesce(sum(pg_table_size(c.oid)), 0)::bigint FROM pg_class c"
            " WHERE c.relkind = 'r' AND c.relnamespace::regnamespace::text = ANY(%s)",
            [list(SCHEMAS)],
        ).fetchone()
    return int(row[0]) if row else 0


def _save_schema(connection: psycopg.Connection[Any], schema: str, writer: BackupWriter, tell: Tell) -> SchemaPart:
    if connection.execute("SELECT to_regclass(%s)", [f"{schema}.schema_migrations"]).fetchone() == (None,):
        raise HouseError(f"the database holds no house: {schema} has never been migrated")
    migrations = connection.execute(
        sql.SQL("SELECT package, name, digest FROM {} ORDER BY package, name").format(
            sql.Identifier(schema, "schema_migrations")
        )
    ).fetchall()
    part = SchemaPart([tuple(row) for row in migrations])
    for table, columns in _tables(connection, schema).items():
        part.tables[table] = _save_table(connection, schema, table, columns, writer, tell)
    for (sequence,) in connection.execute(
        "SELECT sequencename FROM pg_sequences WHERE schemaname = %s ORDER BY 1", [schema]
    ).fetchall():
        found = connection.execute(
            sql.SQL("SELECT last_value, is_called FROM {}").format(sql.Identifier(schema, sequence))
        ).fetchone()
        assert found is not None  # a sequence has one row
        part.sequences[sequence] = (found[0], found[1])
    return part


def _tables(connection: psycopg.Connection[Any], schema: str) -> dict[str, list[str]]:
    """The columns of every table but that of the migrations, which run anew."""
    rows = connection.execute(
        """
        SELECT c.relname, array_agg(a.attname::text ORDER BY a.attnum)
          FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
         WHERE c.relnamespace = %s::regnamespace AND c.relkind = 'r' AND c.relname <> 'schema_migrations'
           AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
         GROUP BY c.relname ORDER BY c.relname
        """,
        [schema],
    ).fetchall()
    return dict(rows)


def _save_table(
    connection: psycopg.Connection[Any], schema: str, table: str, columns: list[str], writer: BackupWriter, tell: Tell
) -> TablePart:
    copy_out = sql.SQL("COPY {} ({}) TO STDOUT").format(
        sql.Identifier(schema, table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with connection.cursor() as cursor:
        with cursor.copy(copy_out) as copy:
            size, digest = writer.table(
                member(schema, table), copy, lambda done: tell(f"saving {schema}.{table}", done)
            )
        rows = cursor.rowcount
    return TablePart(columns, rows, size, digest)

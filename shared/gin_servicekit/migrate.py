"""Forward-only SQL migrations: `python -m gin_servicekit.migrate gin_lobby`, with that service's DATABASE_URL.

Files are `NNNN_name.sql`, first those of the servicekit, then those of the service. Each runs once, in its own
transaction, under an advisory lock, so any number of processes may migrate at once. A migration must be safe while
the version before it is still running: add first, remove a release later.
"""

from __future__ import annotations

import hashlib
import importlib.resources
import os
import sys
from collections.abc import Collection
from dataclasses import dataclass

import psycopg

LOCK = 7_204_418_553  # any constant: the key of the advisory lock, one per database


class MigrationChanged(Exception):
    """A migration that has run was edited afterwards; the text names it."""


@dataclass(frozen=True, slots=True)
class Migration:
    package: str
    name: str
    sql: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()


def migrations_of(package: str) -> list[Migration]:
    """The servicekit's migrations and those of `package`, in the order in which they run."""
    found = []
    for owner in ("gin_servicekit", package):
        folder = importlib.resources.files(owner) / "migrations"
        files = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
        found += [Migration(owner, file.name, file.read_text("utf-8")) for file in files]
    return found


def migrate(database_url: str, package: str, among: Collection[tuple[str, str]] | None = None) -> list[str]:
    """Brings the schema of one service up to date; returns the names of the migrations that ran now.

    With `among`, (package, name) of migrations, only those run: the schema is then as it was when no other had run.

    Raises MigrationChanged, and runs nothing, when a migration differs from what ran under its name.
    """
    ran = []
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
        connection.execute(
            """
            CREATE TABLE IF NOT EXISTS schema_migrations (
                package text, name text, digest text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(),
                PRIMARY KEY (package, name))
            """
        )
        rows = connection.execute("SELECT package, name, digest FROM schema_migrations").fetchall()
        applied = {(package_, name): digest for package_, name, digest in rows}
        waiting = []
        for migration in migrations_of(package):
            digest = applied.get((migration.package, migration.name))
            if among is not None and (migration.package, migration.name) not in among:
                continue
            if digest is None:
                waiting.append(migration)
            elif digest != migration.digest:
                raise MigrationChanged(f"{migration.package}/{migration.name} was edited after it had run")
        for migration in waiting:
            with connection.transaction():
                connection.execute(migration.sql.encode())
                connection.execute(
                    "INSERT INTO schema_migrations (package, name, digest) VALUES (%s, %s, %s)",
                    (migration.package, migration.name, migration.digest),
                )
            ran.append(f"{migration.package}/{migration.name}")
    return ran


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        sys.stderr.write("usage: DATABASE_URL=… python -m gin_servicekit.migrate PACKAGE\n")
        return 2
    ran = migrate(os.environ["DATABASE_URL"], arguments[0])
    sys.stdout.write("".join(f"{name}\n" for name in ran) or "up to date\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

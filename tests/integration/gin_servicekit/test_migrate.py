"""Migrations: forward only, once each, whoever else migrates at the same time."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from gin_messages.routes import SERVICES
from gin_servicekit.migrate import LOCK, MigrationChanged, migrate, migrations_of
from tests.support.servers import Database


@pytest.mark.parametrize("service", SERVICES)
def test_each_service_migrates_an_empty_schema_once(unmigrated_database: Database, service: str) -> None:
    package = f"gin_{service}"
    first = migrate(unmigrated_database.url(package), package)
    assert first == [f"{migration.package}/{migration.name}" for migration in migrations_of(package)]
    assert migrate(unmigrated_database.url(package), package) == []


def test_eight_that_migrate_at_once_run_each_migration_once(unmigrated_database: Database) -> None:
    with ThreadPoolExecutor(8) as pool:
        ran = list(pool.map(lambda _: migrate(unmigrated_database.url("gin_lobby"), "gin_lobby"), range(8)))
    assert sorted(map(len, ran)) == [0] * 7 + [len(migrations_of("gin_lobby"))]


def test_who_comes_second_waits_until_the_first_has_migrated(unmigrated_database: Database) -> None:
    url = unmigrated_database.url("gin_lobby")
    with psycopg.connect(url, autocommit=True) as first, ThreadPoolExecutor(1) as pool:
        first.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
        second = pool.submit(migrate, url, "gin_lobby")
        with pytest.raises(TimeoutError):
            second.result(timeout=1)
        first.execute("SELECT pg_advisory_unlock(%s)", (LOCK,))
        assert second.result(timeout=60)


def test_a_migration_that_was_edited_after_it_ran_is_refused_by_name(unmigrated_database: Database) -> None:
    url = unmigrated_database.url("gin_lobby")
    migrate(url, "gin_lobby")
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE schema_migrations SET digest = 'other' WHERE name = '0001_lobby.sql'")
    with pytest.raises(MigrationChanged, match="gin_lobby/0001_lobby"):
        migrate(url, "gin_lobby")


def test_no_service_can_read_what_belongs_to_another(unmigrated_database: Database) -> None:
    for service in SERVICES:
        migrate(unmigrated_database.url(f"gin_{service}"), f"gin_{service}")
    for reader in SERVICES:
        with psycopg.connect(unmigrated_database.url(f"gin_{reader}"), autocommit=True) as connection:
            for owner in SERVICES:
                if owner != reader:
                    with pytest.raises(psycopg.errors.InsufficientPrivilege):
                        connection.execute(f"SELECT * FROM gin_{owner}.outbox")

"""Backups of a database: whole, checked before they are used, and put in place at once or not at all."""

import dataclasses
import fcntl
import io
import os
import secrets
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import conninfo, sql

from gin_lobby.use_cases import accounts
from gin_local.backups.archive import SCHEMAS, Backup, BackupError
from gin_local.backups.loading import Loaded, Place, check_migrations, check_place, load
from gin_local.backups.snapshot import save
from gin_local.errors import HouseError
from gin_local.roles import PASSWORD_VARIABLES
from gin_servicekit.migrate import migrate, migrations_of
from tests.support.servers import ROLE_PASSWORDS, ROLES_SCRIPT, Addresses, Database
from tests.support.services import Clock, start_service

ROOT = Path(__file__).resolve().parents[3]
KEYS = {"GINHALL_TOKEN_PRIVATE_KEY": "private", "GINHALL_TOKEN_PUBLIC_KEY": "public"}
Rows = dict[str, list[tuple[Any, ...]]]


def quietly(_what: str, _done: int) -> None:
    pass


@pytest.fixture
def settled_in(admin_database: Database, database_url: Callable[[str], str], redis_url: str) -> Database:
    """A database in which the lobby has made accounts, with messages on their way; nobody is connected any more."""
    for name in ("engine", "ratings", "lobby"):
        service = start_service(name, database_url, redis_url, Clock())
        if name == "lobby":
            with service.transaction() as tx:
                ada = accounts.sign_up(tx, "Ada\tLovelace \\ Ünï", "correct horse battery")
                accounts.create_bot(tx, ada.player_id, "Robbie", "simple")
                accounts.create_guest(tx)
        service.database.close()
    return admin_database


@pytest.fixture
def place(servers: Addresses) -> Iterator[Place]:
    """Where nothing is yet."""
    name = f"restored_{secrets.token_hex(4)}"
    with (servers.folder / "roles.lock").open("w") as lock:
        # Each restore sets the roles' passwords (to what they are), and Postgres refuses two at once.
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield Place(servers.postgres, name, ROLES_SCRIPT, ROLE_PASSWORDS)
    with psycopg.connect(servers.postgres, autocommit=True) as connection:
        for (found,) in connection.execute(
            "SELECT datname FROM pg_database WHERE datname LIKE %s", [f"{name}%"]
        ).fetchall():
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(found)))


def saved(database: Database) -> bytes:
    file = io.BytesIO()
    save(database.admin_url, KEYS, file, quietly)
    return file.getvalue()


def restored(
    content: bytes, place: Place, *, force: bool = False, keep_old: bool = False, trial: bool = False
) -> Loaded:
    backup = Backup(io.BytesIO(content))
    backup.check(quietly)
    check_migrations(backup.manifest)
    check_place(place, force=force)
    return load(backup, place, quietly, keep_old=keep_old, trial=trial)


def everything(url: str) -> Rows:
    """Every row of every table and every sequence; of outboxes not when they are due, which a restore changes."""
    found: Rows = {}
    with psycopg.connect(url) as connection:
        for schema, table in connection.execute(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname = ANY(%s)", [list(SCHEMAS)]
        ).fetchall():
            columns = sql.SQL("message_id, consumer, payload::text" if table == "outbox" else "t::text")
            if table != "schema_migrations":
                query = sql.SQL(
                    "SELECT {} FROM {} t ORDER BY 1, 2" if table == "outbox" else "SELECT {} FROM {} t ORDER BY 1"
                )
                found[f"{schema}.{table}"] = connection.execute(
                    query.format(columns, sql.Identifier(schema, table))
                ).fetchall()
        found["sequences"] = connection.execute(
            "SELECT schemaname, sequencename, last_value FROM pg_sequences ORDER BY 1, 2"
        ).fetchall()
    return found


def databases(place: Place) -> set[str]:
    with psycopg.connect(place.server_url) as connection:
        found = connection.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [f"{place.name}%"])
        return {name for (name,) in found}


def test_what_is_restored_is_what_was_saved_and_belongs_to_the_services(settled_in: Database, place: Place) -> None:
    content = saved(settled_in)
    restored(content, place)
    assert everything(place.url(place.name)) == everything(settled_in.admin_url)
    assert len(everything(place.url(place.name))["gin_lobby.accounts"]) == 2
    assert databases(place) == {place.name}
    parts = conninfo.conninfo_to_dict(place.server_url)
    address = f"{parts['host']}:{parts['port']}/{place.name}"
    with psycopg.connect(f"postgresql://gin_lobby:{ROLE_PASSWORDS['gin_lobby']}@{address}") as lobby:
        lobby.execute("UPDATE players SET name = 'Renamed' WHERE kind = 'bot'")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            lobby.execute("SELECT FROM gin_engine.matches")
    assert Backup(io.BytesIO(content)).keys() == KEYS


def test_what_has_arrived_is_not_sent_again_and_the_rest_is_sent_at_once(settled_in: Database, place: Place) -> None:
    with psycopg.connect(settled_in.admin_url) as connection:
        connection.execute("UPDATE gin_lobby.outbox SET due_at = now() + interval '1 hour', attempts = 7")
        arrived = connection.execute(
            "INSERT INTO gin_ratings.inbox SELECT message_id, now() - interval '40 days' FROM gin_lobby.outbox"
            " WHERE consumer = 'ratings' ORDER BY message_id LIMIT 1 RETURNING message_id"
        ).fetchall()
        before = connection.execute("SELECT count(*) FROM gin_lobby.outbox").fetchone()
    assert restored(saved(settled_in), place).settled == 1
    with psycopg.connect(place.url(place.name)) as connection:
        waiting = connection.execute("SELECT message_id, consumer, attempts FROM gin_lobby.outbox").fetchall()
        due = connection.execute("SELECT count(*) FROM gin_lobby.outbox WHERE due_at <= now()").fetchone()
    assert before is not None
    assert len(waiting) == before[0] - 1
    assert due == (len(waiting),)
    assert (arrived[0][0], "ratings") not in {(message, consumer) for message, consumer, _ in waiting}
    assert (arrived[0][0], "engine") in {(message, consumer) for message, consumer, _ in waiting}
    assert {attempts for *_, attempts in waiting} == {0}


def test_a_house_that_is_there_gives_way_only_by_force_and_can_be_kept(settled_in: Database, place: Place) -> None:
    content = saved(settled_in)
    restored(content, place)
    with psycopg.connect(place.url(place.name)) as connection:
        connection.execute("UPDATE gin_lobby.players SET name = 'Later' WHERE kind = 'bot'")
    with pytest.raises(HouseError, match="--force"):
        restored(content, place)
    kept = restored(content, place, force=True, keep_old=True).kept
    assert kept is not None
    assert databases(place) == {place.name, kept}
    assert "Later" in str(everything(place.url(kept))["gin_lobby.players"])
    assert everything(place.url(place.name)) == everything(settled_in.admin_url)
    restored(content, place, force=True)
    assert databases(place) == {place.name, kept}


def test_a_trial_tells_no_webhook_and_any_other_restore_goes_on_with_them(settled_in: Database, place: Place) -> None:
    with psycopg.connect(settled_in.admin_url) as connection:
        connection.execute(
            "INSERT INTO gin_lobby.webhooks"
            " (webhook_id, owner_id, url, description, events, mine, secret, state, revision, created_at)"
            " SELECT account_id, account_id, 'https://club.example/', '', '{ping}', false, 'whsec_', 'active', 1, now()"
            " FROM gin_lobby.accounts LIMIT 1"
        )
    content = saved(settled_in)
    for trial, state in ((True, "paused"), (False, "active")):
        restored(content, place, force=True, trial=trial)
        with psycopg.connect(place.url(place.name)) as connection:
            assert connection.execute("SELECT state FROM gin_lobby.webhooks").fetchall() == [(state,)]


def test_a_house_that_runs_is_left_alone_even_by_force(settled_in: Database, place: Place) -> None:
    content = saved(settled_in)
    restored(content, place)
    parts = conninfo.conninfo_to_dict(place.server_url)
    url = f"postgresql://gin_engine:{ROLE_PASSWORDS['gin_engine']}@{parts['host']}:{parts['port']}/{place.name}"
    with psycopg.connect(url), pytest.raises(HouseError, match="stop it first"):
        restored(content, place, force=True)


def damaged(content: bytes, change: Callable[[str, bytes], bytes | None]) -> bytes:
    """The same file with other members; None leaves one out."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            changed = change(name, source.read(name))
            if changed is not None:
                target.writestr(name, changed)
    return out.getvalue()


def test_a_damaged_backup_is_refused_by_the_part_that_is_and_changes_nothing(
    settled_in: Database, place: Place
) -> None:
    content = saved(settled_in)
    players = "gin_lobby/players.copy"
    bad = {
        "no backup": content[: len(content) // 2],
        "gin_lobby.players is not": damaged(
            content, lambda n, c: c.replace(b"Robbie", b"Bobbie") if n == players else c
        ),
        "gin_lobby.players cannot": damaged(content, lambda n, c: None if n == players else c),
        "keys are not": damaged(content, lambda n, c: c.replace(b"private", b"forgery") if n == "keys.json" else c),
        "not a whole one": damaged(content, lambda n, c: None if n == "manifest.json" else c),
        "a later version": damaged(content, lambda n, c: c.replace(b'"format": 1', b'"format": 2')),
        "does not hold all": damaged(content, lambda n, c: c.replace(b'"gin_ratings": {', b'"gin_other": {')),
    }
    for reason, broken in bad.items():
        with pytest.raises(BackupError, match=reason):
            restored(broken, place)
    assert databases(place) == set()


def test_a_backup_of_a_later_or_another_version_is_refused_and_of_an_earlier_one_not(settled_in: Database) -> None:
    manifest = Backup(io.BytesIO(saved(settled_in))).manifest
    check_migrations(manifest)
    lobby = manifest.schemas["gin_lobby"]

    def with_migrations(*migrations: tuple[str, str, str]) -> Any:
        changed = dataclasses.replace(lobby, migrations=list(migrations))
        return dataclasses.replace(manifest, schemas={**manifest.schemas, "gin_lobby": changed})

    check_migrations(with_migrations(*lobby.migrations[:-1]))
    with pytest.raises(BackupError, match="9999_later"):
        check_migrations(with_migrations(*lobby.migrations, ("gin_lobby", "9999_later.sql", "00")))
    package, name, _ = lobby.migrations[0]
    with pytest.raises(BackupError, match="another"):
        check_migrations(with_migrations((package, name, "00"), *lobby.migrations[1:]))


def test_a_backup_of_an_earlier_version_is_restored_as_it_was_and_brought_up_to_date(
    unmigrated_database: Database, place: Place
) -> None:
    for schema in SCHEMAS:
        *earlier, _last = ((one.package, one.name) for one in migrations_of(schema))
        migrate(unmigrated_database.url(schema), schema, earlier)
    restored(saved(unmigrated_database), place)
    assert everything(place.url(place.name)) == everything(unmigrated_database.admin_url)
    parts = conninfo.conninfo_to_dict(place.server_url)
    for schema in SCHEMAS:
        url = f"postgresql://{schema}:{ROLE_PASSWORDS[schema]}@{parts['host']}:{parts['port']}/{place.name}"
        assert len(migrate(url, schema)) == 1


def test_a_restore_that_fails_on_its_way_leaves_what_was_there(settled_in: Database, place: Place) -> None:
    content = saved(settled_in)
    restored(content, place)

    def fail(what: str, _done: int) -> None:
        if "gin_ratings" in what:
            raise HouseError("power cut")

    with pytest.raises(HouseError, match="power cut"):
        load(Backup(io.BytesIO(content)), place, fail, keep_old=False)
    assert databases(place) == {place.name}
    assert everything(place.url(place.name)) == everything(settled_in.admin_url)


def test_a_database_without_a_house_cannot_be_saved(unmigrated_database: Database) -> None:
    with pytest.raises(HouseError, match="holds no house"):
        saved(unmigrated_database)


def test_the_image_saves_and_loads_through_pipes(settled_in: Database, place: Place) -> None:
    """As `docker compose run` does: no command, no file, and everything from the environment."""
    passwords = {PASSWORD_VARIABLES[role]: password for role, password in ROLE_PASSWORDS.items()}
    path = os.pathsep.join((str(ROOT / "shared"), str(ROOT / "services")))

    def run(url: str, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "gin_local.backups", *words],
            cwd=ROOT,
            env={**os.environ, **passwords, "PYTHONPATH": path, "ADMIN_DATABASE_URL": url},
            input=given,
            capture_output=True,
            check=False,
        )

    content = run(settled_in.admin_url, "save").stdout
    there = place.url(place.name)
    for words, status in ((["load"], 0), (["load"], 1), (["load", "--force"], 0), (["load", "--farce"], 2)):
        ended = run(there, *words, given=content)
        assert ended.returncode == status, ended.stderr
    assert everything(there) == everything(settled_in.admin_url)

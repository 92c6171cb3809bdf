"""Backup and restore where there is no `ginhall` command, as in the image: `python -m gin_local.backups save > FILE`,
and `python -m gin_local.backups load [--force] [--keep-old] [--trial] < FILE`.

Reads ADMIN_DATABASE_URL and the three passwords from the environment, as `gin_local.roles` does, and the signing keys
and REDIS_URL where they are given. Needs nothing that the image lacks.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import psycopg
from psycopg import conninfo

from gin_local.backups.archive import TOKEN_KEYS, Backup
from gin_local.backups.emptying import empty_redis
from gin_local.backups.loading import Place, check_migrations, check_place, load
from gin_local.backups.snapshot import save
from gin_local.errors import HouseError
from gin_local.roles import PASSWORD_VARIABLES

USAGE = "usage: python -m gin_local.backups save > FILE | load [--force] [--keep-old] [--trial] < FILE"
_SCRIPT = Path("deploy/roles.sql")


def main(arguments: Sequence[str]) -> int:
    """Run as a program. Returns the exit status: 2 for a wrong command, 1 when it could not be done."""
    try:
        match list(arguments):
            case ["save"]:
                _save()
            case ["load", *options] if set(options) <= {"--force", "--keep-old", "--trial"}:
                _load(force="--force" in options, keep_old="--keep-old" in options, trial="--trial" in options)
            case _:
                sys.stderr.write(USAGE + "\n")
                return 2
    except KeyError as error:
        sys.stderr.write(f"{error.args[0]} must be set\n")
        return 1
    except (HouseError, OSError, psycopg.Error) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _save() -> None:
    if sys.stdout.isatty():
        raise HouseError("a backup is no text: send it into a file")
    keys = {name: os.environ[name] for name in TOKEN_KEYS if os.environ.get(name)}
    manifest = save(os.environ["ADMIN_DATABASE_URL"], keys, sys.stdout.buffer, _quietly)
    sys.stderr.write(f"saved {manifest.rows} rows\n")


def _load(*, force: bool, keep_old: bool, trial: bool) -> None:
    admin_url = os.environ["ADMIN_DATABASE_URL"]
    passwords = {role: os.environ[variable] for role, variable in PASSWORD_VARIABLES.items()}
    name = str(conninfo.conninfo_to_dict(admin_url)["dbname"])
    place = Place(admin_url, name, _SCRIPT, passwords)
    with tempfile.TemporaryFile() as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
        backup = Backup(file)
        backup.check(_quietly)
        check_migrations(backup.manifest)
        check_place(place, force=force)
        if os.environ.get("REDIS_URL"):
            empty_redis(os.environ["REDIS_URL"])
        loaded = load(backup, place, _quietly, keep_old=keep_old, trial=trial)
    sys.stderr.write(f"restored {loaded.rows} rows of {backup.manifest.made_at}\n")
    if loaded.kept:
        sys.stderr.write(f"the database from before is kept as {loaded.kept}\n")
    if backup.manifest.keys:
        sys.stderr.write("the backup holds signing keys: they belong in the environment, compare them with yours\n")


def _quietly(_what: str, _done: int) -> None:
    pass


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

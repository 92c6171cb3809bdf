"""Make the services' roles and schemas: `python -m gin_local.roles deploy/roles.sql`.

Reads ADMIN_DATABASE_URL and the three passwords from the environment. Needs nothing but psycopg, so that it
runs in the image too.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import psycopg

from gin_local.errors import HouseError

PASSWORD_VARIABLES = {
    "gin_lobby": "LOBBY_DB_PASSWORD",
    "gin_engine": "ENGINE_DB_PASSWORD",
    "gin_ratings": "RATINGS_DB_PASSWORD",
}


def create_roles(admin_url: str, script: Path, passwords: Mapping[str, str]) -> None:
    """Run `script` as the administrator `admin_url`; `passwords` by role. May be repeated: it sets the
    passwords anew.

    Only verifiers travel to the server, so that no log of statements ever holds a password.
    """
    with psycopg.connect(admin_url) as connection:
        for role, password in passwords.items():
            verifier = connection.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256").decode()
            connection.execute("SELECT set_config(%s, %s, true)", [f"ginhall.{role}_password", verifier])
        connection.execute(script.read_bytes())


def main() -> None:
    """Run as a program; exits with 1 and a line on stderr when something is missing or refused."""
    try:
        passwords = {role: os.environ[variable] for role, variable in PASSWORD_VARIABLES.items()}
        create_roles(os.environ["ADMIN_DATABASE_URL"], Path(sys.argv[1]), passwords)
    except KeyError as error:
        sys.exit(f"{error.args[0]} must be set")
    except IndexError:
        sys.exit("usage: python -m gin_local.roles SCRIPT")
    except (OSError, psycopg.Error, HouseError) as error:
        sys.exit(f"the roles could not be made: {error}")


if __name__ == "__main__":
    main()

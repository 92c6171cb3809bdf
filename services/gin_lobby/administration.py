"""What whoever runs the server does with accounts: `python -m gin_lobby.administration reset-link NAME`, or
`administrator NAME on|off`. Reads the lobby's environment, as its API does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import psycopg

from gin_lobby.domain.names import skeleton
from gin_lobby.store import accounts
from gin_lobby.use_cases import recovery
from gin_servicekit.auth import publish_revocations
from gin_servicekit.problems import NotFound, Problem
from gin_servicekit.service import Service
from gin_servicekit.settings import Settings, SettingsError

USAGE = "usage: python -m gin_lobby.administration reset-link NAME | administrator NAME on|off"


class Administration:
    """Of the accounts of one lobby."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def reset_link(self, name: str) -> str:
        """The address of a page that sets a new password, good once, for a day. Raises NotFound."""
        with self._service.transaction() as tx:
            secret = recovery.make_link(tx, name)
        return f"{self._service.settings.public_url.rstrip('/')}/reset/{secret}"

    def administrator(self, name: str, *, on: bool) -> str:
        """Makes the account an administrator, or ends that with all its sessions and tokens; its name.

        A session that is there becomes an administrator's when it is renewed, within a day, or by signing in anew.
        Raises NotFound.
        """
        with self._service.transaction() as tx:
            account = accounts.account_named(tx, name, skeleton(name))
            if account is None or account.guest or not accounts.account_exists(tx, account.account_id):
                raise NotFound(f"no account is called {name}", "name")
            accounts.set_administrator(tx, account.account_id, on)
            if not on:
                accounts.revoke_all(tx, account.account_id)
            revoked = accounts.revoked_tokens(tx)
        publish_revocations(self._service.settings.redis_url, revoked, self._service.clock())
        return account.name


def run(administration: Administration, arguments: Sequence[str]) -> str:
    """What the command tells. Raises ValueError for arguments that make no command, or NotFound."""
    match list(arguments):
        case ["reset-link", name]:
            return administration.reset_link(name)
        case ["administrator", name, "on" | "off" as wish]:
            found = administration.administrator(name, on=wish == "on")
            return f"{found} is {'an administrator: sign in anew' if wish == 'on' else 'no administrator any more'}"
    raise ValueError(USAGE)


def main(arguments: Sequence[str]) -> int:
    """Run as a program. Returns the exit status: 2 for a wrong command, 1 when it could not be done."""
    try:
        service = Service.start("lobby", Settings.from_environment(os.environ))
        try:
            sys.stdout.write(run(Administration(service), arguments) + "\n")
        finally:
            service.database.close()
    except ValueError as problem:
        sys.stderr.write(f"{problem}\n")
        return 2
    except (SettingsError, Problem, psycopg.Error) as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

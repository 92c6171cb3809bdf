"""Getting back into an account without its password: by a recovery code, or by a link of whoever runs the server."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from uuid import UUID

from gin_lobby.domain.names import skeleton
from gin_lobby.domain.problems import LinkOver, WrongRecoveryCode
from gin_lobby.domain.recovery_codes import CODES, fingerprint, new_code
from gin_lobby.store import accounts
from gin_lobby.store import recovery as store
from gin_lobby.use_cases.accounts import hashed, require_own_password
from gin_servicekit.database import Transaction
from gin_servicekit.problems import NotFound

LINK_LIFETIME = timedelta(hours=24)
_NOBODY = UUID(int=0)


def make_codes(tx: Transaction, account_id: UUID, password: str) -> list[str]:
    """New recovery codes, told this once; the ones before are void. Raises NoAccount, or WrongPassword."""
    require_own_password(tx, account_id, password, "password")
    return first_codes(tx, account_id)


def first_codes(tx: Transaction, account_id: UUID) -> list[str]:
    """The same for whoever has just chosen the password."""
    codes = [new_code(secrets.randbelow) for _ in range(CODES)]
    store.replace_codes(tx, account_id, [fingerprint(account_id, code) for code in codes])
    return codes


def reset_by_code(tx: Transaction, name: str, code: str, new_password: str) -> UUID:
    """Uses a recovery code up and sets a new password; every token of the account is revoked, those of its bots stay.

    Returns the account. Raises WrongRecoveryCode: whether the name or the code is wrong is not told.
    """
    found = accounts.account_named(tx, name, skeleton(name))
    account_id = found.account_id if found is not None and not found.guest else _NOBODY
    if not store.use_code(tx, account_id, fingerprint(account_id, code)):
        raise WrongRecoveryCode("no account has this name and recovery code")
    _set_password(tx, account_id, new_password)
    return account_id


def make_link(tx: Transaction, name: str) -> str:
    """The secret of a link with which a new password is set, good once, for LINK_LIFETIME. Raises NotFound."""
    account = accounts.account_named(tx, name, skeleton(name))
    if account is None or account.guest or not accounts.account_exists(tx, account.account_id):
        raise NotFound(f"no account is called {name}", "name")
    secret = secrets.token_urlsafe(32)
    store.keep_link(tx, account.account_id, _of_link(secret), tx.now + LINK_LIFETIME)
    return secret


def owner_of_link(tx: Transaction, secret: str) -> str:
    """The name of the account that a link is for. Raises LinkOver."""
    account_id = store.link_owner(tx, _of_link(secret))
    account = None if account_id is None else accounts.account(tx, account_id)
    if account is None:
        raise LinkOver("this link is not good, or no more")
    return account.name


def reset_by_link(tx: Transaction, secret: str, new_password: str) -> UUID:
    """As `reset_by_code`. Raises LinkOver."""
    account_id = store.use_link(tx, _of_link(secret))
    if account_id is None:
        raise LinkOver("this link is not good, or no more")
    _set_password(tx, account_id, new_password)
    return account_id


def _set_password(tx: Transaction, account_id: UUID, new_password: str) -> None:
    accounts.set_password(tx, account_id, hashed(new_password))
    accounts.revoke_all(tx, account_id)


def _of_link(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()

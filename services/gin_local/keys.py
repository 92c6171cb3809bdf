"""The secrets of a house on one machine: made once, kept in one file that only its owner may read.

A file of `NAME=value` lines. Production takes the same names from its own environment; nothing here has a
default there.
"""

import base64
import os
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from gin_local.errors import HouseError

PASSWORDS = (
    "POSTGRES_PASSWORD",
    "LOBBY_DB_PASSWORD",
    "ENGINE_DB_PASSWORD",
    "RATINGS_DB_PASSWORD",
    "REDIS_PASSWORD",
)


def token_key_pair() -> tuple[str, str]:
    """A new Ed25519 pair (private, public), each as base64url of its raw 32 bytes, without padding."""
    private = Ed25519PrivateKey.generate()
    return _base64url(private.private_bytes_raw()), _base64url(private.public_key().public_bytes_raw())


def _base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def new_secrets(password: Callable[[], str] = lambda: secrets.token_urlsafe(24)) -> dict[str, str]:
    """Every secret that the house needs, by the name of its variable, freshly drawn."""
    private, public = token_key_pair()
    return {
        **{name: password() for name in PASSWORDS},
        "GINHALL_TOKEN_PRIVATE_KEY": private,
        "GINHALL_TOKEN_PUBLIC_KEY": public,
    }


def keep_secrets(path: Path) -> Mapping[str, str]:
    """The secrets kept at `path`; makes and writes (mode 600) on the first call, and adds only what a newer
    version needs.

    Raises:
        HouseError: the file holds something else, or cannot be written.
    """
    try:
        kept = _read(path)
        missing = {name: value for name, value in new_secrets().items() if name not in kept}
        pair = {"GINHALL_TOKEN_PRIVATE_KEY", "GINHALL_TOKEN_PUBLIC_KEY"}
        if missing.keys() & pair and not pair <= missing.keys():
            raise HouseError(f"{path} holds only one half of the token keys: restore the other, or remove both lines")
        if missing:
            kept |= missing
            _write(path, kept)
    except OSError as error:
        raise HouseError(f"the secrets of the house cannot be kept: {error}") from error
    return kept


def replace_secrets(path: Path, given: Mapping[str, str]) -> None:
    """Puts `given` in the place of what is kept under the same names, all or nothing.

    Raises:
        HouseError: the file holds something else, or cannot be written.
    """
    try:
        _write(path, {**_read(path), **given})
    except OSError as error:
        raise HouseError(f"the secrets of the house cannot be kept: {error}") from error


def _read(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    kept = {}
    for line in path.read_text(encoding="ascii").splitlines():
        name, equals, value = line.partition("=")
        if not equals or not value:
            raise HouseError(f"{path} has a line that is not NAME=value")
        kept[name] = value
    return kept


def _write(path: Path, kept: Mapping[str, str]) -> None:
    # Written beside and renamed: a crash leaves the old file or the new one, never half of one.
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.writelines(f"{name}={value}\n" for name, value in sorted(kept.items()))
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)

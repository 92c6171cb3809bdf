"""Addresses on this machine: free ports, and whether somebody listens."""

import contextlib
import itertools
import os
import secrets
import socket
from collections.abc import Iterator, Sequence

from gin_local.errors import PortTakenError

HOST = "127.0.0.1"
DEFAULT_PORT = 8080
"""Of the gateway."""


# Below the range from which systems lend ports to outgoing connections: one that is free now is not lent to a
# client before its server comes to bind it.
DRAWN_PORTS = 10_240, 32_767
_DRAWS = 1_000
RANGE_VARIABLE = "GINHALL_PORT_RANGE"
"""Environment variable such as "20000-20999": draw from these ports alone, as whoever shares a machine may have to."""


def free_ports(count: int, preferred: Sequence[int] = (), *, without: Sequence[int] = ()) -> list[int]:
    """`count` different ports that nobody listens on now, the `preferred` ones where they are still free.

    Those `without` which it must do are somebody's already, though nobody listens on them yet.

    Raises:
        PortTakenError: nearly every port of this machine (or of the range in the environment) is in use, or that
            range is none.
    """
    wishes = itertools.chain(preferred[:count], _draws())
    with contextlib.ExitStack() as held:
        ports: list[int] = []
        for wish in wishes:
            # A port that is only bound may be bound once more: what was drawn twice must be seen here.
            if wish in without or wish in ports:
                continue
            listener = held.enter_context(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                listener.bind((HOST, wish))
                ports.append(wish)
            if len(ports) == count:
                return ports
    raise PortTakenError("this machine has no free ports left to draw")


def _draws() -> Iterator[int]:
    first, last = _range()
    return (first + secrets.randbelow(last - first + 1) for _ in range(_DRAWS))


def _range() -> tuple[int, int]:
    given = os.environ.get(RANGE_VARIABLE, "")
    if not given:
        return DRAWN_PORTS
    first, dash, last = given.partition("-")
    if not (dash and first.isascii() and first.isdigit() and last.isascii() and last.isdigit()):
        raise PortTakenError(f"{RANGE_VARIABLE} is {given!r}; it must be two ports, such as 20000-20999")
    low, high = int(first), int(last)
    if not 1 <= low <= high <= 65_535:
        raise PortTakenError(f"{RANGE_VARIABLE} is {given!r}; the ports must lie between 1 and 65535 and go up")
    return low, high


def claim_port(port: int) -> None:
    """Make sure that a server may listen on `port` of this machine.

    Raises:
        PortTakenError: somebody else does, or this account may not.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
        except OSError as error:
            raise PortTakenError(
                f"port {port} cannot be used ({error.strerror}): choose another with --port"
            ) from error


def listens(port: int, timeout_seconds: float = 0.5) -> bool:
    """Whether a server takes connections on `port` of this machine."""
    try:
        with socket.create_connection((HOST, port), timeout=timeout_seconds):
            return True
    except OSError:
        return False

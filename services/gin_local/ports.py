"""Addresses on this machine: free ports, and whether somebody listens."""

import contextlib
import itertools
import secrets
import socket
from collections.abc import Iterator, Sequence

from gin_local.errors import PortTakenError

HOST = "127.0.0.1"
DEFAULT_PORT = 8080
"""Of the gateway."""


# Below the range from which systems lend ports to outgoing connections: one that is free now is not lent to a
# client before its server comes to bind it.
_FIRST, _LAST = 10_240, 32_767
_DRAWS = 1_000


def free_ports(count: int, preferred: Sequence[int] = ()) -> list[int]:
    """`count` different ports that nobody listens on now, the `preferred` ones where they are still free.

    Raises:
        PortTakenError: nearly every port of this machine is in use.
    """
    wishes = itertools.chain(preferred[:count], _draws())
    with contextlib.ExitStack() as held:
        ports: list[int] = []
        for wish in wishes:
            listener = held.enter_context(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                listener.bind((HOST, wish))
                ports.append(wish)
            if len(ports) == count:
                return ports
    raise PortTakenError("this machine has no free ports")


def _draws() -> Iterator[int]:
    return (_FIRST + secrets.randbelow(_LAST - _FIRST + 1) for _ in range(_DRAWS))


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

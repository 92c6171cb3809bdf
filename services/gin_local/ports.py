"""Addresses on this machine: free ports, and whether somebody listens."""

import contextlib
import socket
from collections.abc import Sequence

from gin_local.errors import PortTakenError

HOST = "127.0.0.1"


def free_ports(count: int, preferred: Sequence[int] = ()) -> list[int]:
    """`count` different ports that nobody listens on now, the `preferred` ones where they are still free."""
    with contextlib.ExitStack() as held:
        ports = []
        wishes = [*preferred[:count], *[0] * (count - len(preferred[:count]))]
        for wish in wishes:
            listener = held.enter_context(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listener.bind((HOST, wish))
            except OSError:
                listener.bind((HOST, 0))
            ports.append(int(listener.getsockname()[1]))
        return ports


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

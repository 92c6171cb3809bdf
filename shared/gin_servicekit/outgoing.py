"""HTTP to addresses that somebody else chose, without becoming their way into this network.

Only what the whole internet could reach is reached: the name is resolved here, every address that it has is checked,
and the connection goes to one that was checked, so that a name that means something else a moment later gains nothing.
Redirects are answers like any other, no proxy of the environment is used, and no part of an answer's body is kept.
"""

from __future__ import annotations

import contextlib
import ipaddress
import re
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError

LONGEST_URL = 2000
MOST_BODY_BYTES = 4096  # of an answer that are read, so that its sender can finish; they are thrown away
MOST_ADDRESSES = 3  # of one name that are tried
USUAL_PORTS = (80, 443)
LOWEST_OTHER_PORT = 1024
LOCAL_SUFFIXES = (".localhost", ".local", ".internal", ".home.arpa")

# Of IPv6 all that was ever given out to the internet. Beside it lie networks of the inside, some of them forgotten
# (fec0::/10), and IPv4 in IPv6 in most of its clothes.
_GIVEN_OUT = ipaddress.ip_network("2000::/3")
# What is public by itself and leads to an address within: the other clothes.
_WRAPPED = tuple(ipaddress.ip_network(text) for text in ("2001::/32", "2002::/16"))
_UNUSABLE = re.compile(r"[^\x21-\x7e]|[\\\"<>^`{|}]")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], Sequence[str]]


class UnusableUrl(Exception):
    """The text says why nothing is sent there."""


class Timeouts(NamedTuple):
    """Seconds until a connection stands, and until the whole answer is there."""

    connect: float = 5.0
    whole: float = 15.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """`status` is what was answered; without one, `problem` says why there was no answer. `retry_after` is the pause
    that the answer asked for."""

    status: int | None = None
    problem: str | None = None
    retry_after: timedelta | None = None


def check_url(url: str, *, local: bool) -> SplitResult:
    """The parts of a URL to which something may be sent, as far as that can be told without resolving its name.

    With `local` also plain HTTP, any port, and addresses of this machine and its network. Raises UnusableUrl.
    """
    if len(url) > LONGEST_URL:
        raise UnusableUrl(f"at most {LONGEST_URL} characters")
    if _UNUSABLE.search(url):
        raise UnusableUrl("only ASCII without blanks: other signs must be percent-encoded, names in Punycode")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise UnusableUrl("this is no URL") from None
    if parts.scheme not in ("https", "http"):
        raise UnusableUrl("it must begin with https://")
    if parts.scheme == "http" and not local:
        raise UnusableUrl("it must begin with https://: plain http is not sent to")
    if not parts.hostname:
        raise UnusableUrl("it names no host")
    if "@" in parts.netloc:
        raise UnusableUrl("it must hold no user name or password")
    if parts.fragment:
        raise UnusableUrl("a fragment (#…) is never sent")
    if not local:
        if port is not None and port not in USUAL_PORTS and port < LOWEST_OTHER_PORT:
            raise UnusableUrl(f"the port must be {USUAL_PORTS[1]}, or {LOWEST_OTHER_PORT} and above")
        _require_public_name(parts.hostname)
    if port == 0:
        raise UnusableUrl("there is no port 0")
    return parts


def _require_public_name(host: str) -> None:
    name = host.rstrip(".").lower()
    address = _literal(name)
    if address is not None:
        require_public(address)
    elif "." not in name or name.endswith(LOCAL_SUFFIXES):
        raise UnusableUrl(f"{host} is a name of a local network")


def _literal(host: str) -> Address | None:
    """The address that a host is, in any of the ways in which C libraries read one, such as 127.1 or 0x7f000001."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except OSError:
        return None


def require_public(address: Address) -> None:
    """Raises UnusableUrl for an address that is not one of the public internet."""
    inside = address.version == 6 and (address not in _GIVEN_OUT or any(address in network for network in _WRAPPED))
    if inside or not address.is_global or address.is_multicast or address.is_reserved or address.is_unspecified:
        raise UnusableUrl(f"{address} is not an address of the public internet")


def resolve(host: str, port: int) -> list[str]:
    """The addresses of a name, as the system's resolver gives them. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    local: bool,
    timeouts: Timeouts = Timeouts(),  # noqa: B008  # a constant
    resolve: Resolve = resolve,
) -> Outcome:
    """Sends one POST and tells how it went; never raises for anything that the receiver or its name does.

    `local` is as for `check_url`. Finding the addresses of a name takes as long as the system's resolver does; all
    the rest takes at most `timeouts.whole` seconds, however slowly somebody answers.
    """
    try:
        parts = check_url(url, local=local)
        host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
        addresses = [ipaddress.ip_address(text.partition("%")[0]) for text in resolve(host, port)]
        if not local:
            for address in addresses:
                require_public(address)
    except UnusableUrl as problem:
        return Outcome(problem=str(problem))
    except (OSError, ValueError):
        return Outcome(problem="its name could not be resolved")
    if not addresses:
        return Outcome(problem="its name has no address")
    deadline = time.monotonic() + timeouts.whole
    outcome = Outcome(problem="no connection")
    for address in addresses[:MOST_ADDRESSES]:
        left = deadline - time.monotonic()
        if left <= 0:
            break
        connection = _connection(parts, str(address), port, min(timeouts.connect, left))
        try:
            return _ask(connection, parts, body, headers, left)
        except (NewConnectionError, ConnectTimeoutError):
            outcome = Outcome(problem="no connection")  # another of its addresses may take one
        except (HTTPError, HTTPException, OSError, ValueError) as problem:
            late = time.monotonic() >= deadline or isinstance(problem, TimeoutError) or "timed out" in str(problem)
            return Outcome(problem="no answer in time" if late else _plainly(problem))
        finally:
            connection.close()
    return outcome


def _connection(parts: SplitResult, address: str, port: int, timeout: float) -> HTTPConnection:
    """Not open yet, and to this address: the name is for its certificate alone."""
    if parts.scheme == "http":
        return HTTPConnection(address, port, timeout=timeout)
    return HTTPSConnection(address, port, timeout=timeout, server_hostname=parts.hostname, cert_reqs="CERT_REQUIRED")


def _ask(
    connection: HTTPConnection, parts: SplitResult, body: bytes, headers: Mapping[str, str], seconds: float
) -> Outcome:
    # A timeout of a socket begins anew with every byte. This one does not.
    late = threading.Event()
    guard = threading.Timer(seconds, _cut, [connection, late])
    guard.daemon = True
    guard.start()
    try:
        connection.connect()
        if connection.sock is not None:
            connection.sock.settimeout(seconds)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target, body=body, headers={"Host": parts.netloc, **headers}, preload_content=False)
        answer = connection.getresponse()
        if late.is_set():
            raise TimeoutError("its head was cut off")
        pause = _pause(answer.headers.get("Retry-After"))
        with contextlib.suppress(HTTPError, HTTPException, OSError, ValueError):  # only the status counts
            answer.read(MOST_BODY_BYTES, decode_content=False)
        return Outcome(status=answer.status, retry_after=pause)
    finally:
        guard.cancel()


def _cut(connection: HTTPConnection, late: threading.Event) -> None:
    late.set()
    with contextlib.suppress(OSError):  # it has ended by itself
        if connection.sock is not None:
            # Of the socket below TLS: what TLS does at a shutdown is for the thread that reads.
            socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)


def _pause(text: str | None) -> timedelta | None:
    """Of a Retry-After: seconds, or a time."""
    if not text:
        return None
    if text.isascii() and text.isdecimal():
        return timedelta(seconds=min(int(text[:9]), 10**6))
    try:
        pause = parsedate_to_datetime(text) - datetime.now(UTC)
    except (ValueError, TypeError):
        return None
    return max(pause, timedelta())


def _plainly(problem: Exception) -> str:
    """What went wrong, without addresses and objects of Python."""
    text = str(problem).lower()
    if "certificate" in text:
        return "its certificate is not valid for this name"
    if "ssl" in text or "tls" in text:
        return "no secure connection could be made"
    return "the connection broke off"

"""What a command is given to read: a file, standard input, or the address of something that a house serves."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

_TIMEOUT_SECONDS: Final = 30.0
_MOST_BYTES: Final = 64 * 1024 * 1024
_HERE: Final = ("127.0.0.1", "::1", "localhost")


def is_address(source: str) -> bool:
    return source.startswith(("http://", "https://"))


def content_of(source: str) -> bytes:
    """The bytes of a file, of ``-`` (standard input) or of an address. Raises OSError when they cannot be had."""
    if source == "-":
        return sys.stdin.buffer.read()
    try:
        return _fetched(source) if is_address(source) else Path(source).read_bytes()
    except ValueError as wrong:  # an address that is none, a path with a NUL
        raise OSError(str(wrong)) from wrong


def _fetched(address: str) -> bytes:
    # Here, because most sources are files and this takes longer to load than to read one.
    import http.client
    import urllib.parse
    import urllib.request

    request = urllib.request.Request(address, headers={"Accept": "application/json"})  # noqa: S310 - http or https
    # A proxy that the environment names cannot reach the house on this machine.
    here = urllib.parse.urlsplit(address).hostname in _HERE
    opener = urllib.request.build_opener(*([urllib.request.ProxyHandler({})] if here else []))
    try:
        with opener.open(request, timeout=_TIMEOUT_SECONDS) as answer:
            content: bytes = answer.read(_MOST_BYTES + 1)
    except http.client.HTTPException as wrong:  # no HTTP, or cut off
        raise OSError(f"{type(wrong).__name__}: {wrong}") from wrong
    if len(content) > _MOST_BYTES:
        raise OSError(f"more than {_MOST_BYTES} bytes")
    return content

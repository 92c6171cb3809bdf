"""Answers that many ask for, kept as bytes in this process: whoever asks costs a look at the ETag, not the whole."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

MOST_BYTES = 48 << 20


class KeptBodies:
    """Bodies by their strong ETag, which is made of the bytes: what is found under one is right for ever."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bodies: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def get(self, etag: str, fetch: Callable[[], str]) -> bytes:
        """The body of this ETag, out of memory or fetched; those that were not asked for longest make room."""
        with self._lock:
            body = self._bodies.get(etag)
            if body is not None:
                self._bodies.move_to_end(etag)
                return body
        body = fetch().encode()
        with self._lock:
            if etag not in self._bodies and len(body) <= self._most_bytes:
                self._bodies[etag] = body
                self._size += len(body)
                while self._size > self._most_bytes:
                    self._size -= len(self._bodies.popitem(last=False)[1])
        return body

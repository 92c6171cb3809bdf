"""One connection that listens: its short queue, and the stream of bytes that the server sends."""

from __future__ import annotations

import socket
from collections.abc import Callable

from gevent.queue import Full, Queue

WAITING_FRAMES = 64  # beyond that a connection has not kept up
SEND_BUFFER_BYTES = 16_384  # what the kernel keeps for a connection that does not read
UNACKNOWLEDGED_MILLISECONDS = 60_000  # after that a peer that vanished without a word is given up

_END = b""


def frame(event: str, event_id: str, data: str) -> bytes:
    """An event as it stands on the wire; `data` is JSON of one line."""
    return f"event: {event}\nid: {event_id}\ndata: {data}\n\n".encode()


def of_topic(topic: str, data: str) -> str:
    """The JSON object with the name of its topic, which needs no escapes, as its first field."""
    return f'{{"topic":"{topic}"{"," if data != "{}" else ""}{data[1:]}'


def sign_of_life(event_id: str) -> bytes:
    """A comment that tells no event, and moves the id with which a client comes back."""
    return f": \nid: {event_id}\n\n".encode()


class Watcher:
    """A connection from `address`. `token_id` is that of the session which it needs, None where it needs none.

    Such a connection ends at `until` (monotonic seconds); its client comes back and shows its session again.
    """

    __slots__ = ("_connection", "_queue", "address", "ended", "token_id", "until")

    def __init__(self, connection: socket.socket | None, address: str, token_id: str | None, until: float) -> None:
        self.address = address
        self.token_id = token_id
        self.until = until
        self.ended = False
        self._queue = Queue(WAITING_FRAMES)
        self._connection = connection
        if connection is not None:
            _keep_small(connection)

    def offer(self, some_bytes: bytes) -> bool:
        """Puts a frame in the queue; False when there is no room."""
        try:
            self._queue.put_nowait(some_bytes)
        except Full:
            return False
        return True

    def end(self) -> None:
        """The connection ends when what waits has been sent; one that is stuck is cut."""
        if not self.offer(_END):
            self.cut()

    def cut(self) -> None:
        """The connection ends now, in the middle of what it may be sending."""
        self.ended = True
        if self._connection is not None:
            try:
                self._connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                return  # it is gone already

    def next_bytes(self) -> bytes:
        """All that waits, at least one frame; empty at the end."""
        found = [self._queue.get()]
        while found[-1] is not _END and not self._queue.empty():
            found.append(self._queue.get_nowait())
        self.ended = self.ended or found[-1] is _END
        return b"".join(found)


class Sending:
    """The body of the answer: `first`, then whatever comes. Slim, as there are thousands."""

    __slots__ = ("_first", "_leave", "_watcher")

    def __init__(self, watcher: Watcher, first: bytes, leave: Callable[[Watcher], None]) -> None:
        self._watcher = watcher
        self._first = first
        self._leave = leave

    def __iter__(self) -> Sending:
        return self

    def __next__(self) -> bytes:
        some_bytes, self._first = self._first, b""
        if not some_bytes and not self._watcher.ended:
            some_bytes = self._watcher.next_bytes()
        if not some_bytes:
            raise StopIteration
        return some_bytes

    def close(self) -> None:
        """The server calls this however the answer ends."""
        self._leave(self._watcher)


def _keep_small(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # where the system knows it
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MILLISECONDS)

"""A receiver of webhooks on this machine, which answers as the test says and keeps what it was sent."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PATIENCE_SECONDS = 60


@dataclass
class Receiver:
    """`answers` are given one after another, then 204 for ever: a status, headers beside it, or `hang`: no answer
    before `released` is set.
    """

    url: str
    server: ThreadingHTTPServer
    answers: list[Any] = field(default_factory=list)
    received: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    arrived: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    released: threading.Event = field(default_factory=threading.Event)

    def ids(self) -> list[str]:
        return [headers["webhook-id"] for headers, _ in self.received]

    def wait_for_one(self) -> None:
        assert self.arrived.acquire(timeout=PATIENCE_SECONDS), "nothing arrived"


@contextmanager
def receiver() -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            # The headers of HTTP know no case; ours are written in small letters.
            here.received.append(({name.lower(): value for name, value in self.headers.items()}, body))
            answer = here.answers.pop(0) if here.answers else 204
            here.arrived.release()
            if answer == "hang":
                here.released.wait(PATIENCE_SECONDS)
                self.close_connection = True
                return
            status, headers = answer if isinstance(answer, tuple) else (answer, {})
            self.send_response(status)
            for name, value in {"Content-Length": "0", **headers}.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with serving(server) as url:
        here = Receiver(url, server)
        try:
            yield here
        finally:
            here.released.set()


@contextmanager
def serving(server: ThreadingHTTPServer) -> Iterator[str]:
    """Serves in a thread, and tells where."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

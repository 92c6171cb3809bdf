"""The least that gevent needs to send hints to listeners: a greenlet and a queue for each connection."""

from __future__ import annotations

import gevent.monkey

gevent.monkey.patch_all()

import os  # noqa: E402 - patched first
import resource  # noqa: E402
from collections import defaultdict  # noqa: E402
from typing import Any  # noqa: E402
from urllib.parse import parse_qs, urlsplit  # noqa: E402

import gevent  # noqa: E402
import redis  # noqa: E402
from gevent.queue import Queue  # noqa: E402
from gevent.server import StreamServer  # noqa: E402

from gin_servicekit.announcements import DATA, EVENT, STREAM_PREFIX  # noqa: E402

_listeners: dict[str, set[Any]] = defaultdict(set)


def serve(connection: Any, _address: Any) -> None:
    head = connection.recv(65_536).decode()
    queue = Queue(64)
    for topic in parse_qs(urlsplit(head.split(" ")[1]).query)["topic"]:
        _listeners[topic].add(queue)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nid: 0\n\n")
    while True:
        connection.sendall(queue.get())


def read() -> None:
    client = redis.Redis.from_url(os.environ["REDIS_URL"], protocol=2)
    places: dict[str, bytes] = {}
    while True:
        for topic in _listeners:
            places.setdefault(STREAM_PREFIX + topic, b"0-0")
        if not places:
            gevent.sleep(0.1)
            continue
        answer: Any = client.xread(dict(places), block=500)
        for key, entries in answer:
            for entry_id, fields in entries:
                places[key.decode()] = entry_id
                frame = b"event: %b\nid: 0\ndata: %b\n\n" % (fields[EVENT], fields[DATA])
                for queue in _listeners[key.decode().removeprefix(STREAM_PREFIX)]:
                    queue.put_nowait(frame)


def main() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    host, _, port = os.environ["GINHALL_BIND"].partition(":")
    gevent.spawn(read)
    StreamServer((host, int(port)), serve, backlog=4096).serve_forever()


if __name__ == "__main__":
    main()

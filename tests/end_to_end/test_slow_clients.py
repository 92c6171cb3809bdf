"""Clients that send a byte now and then occupy the gateway, not the few threads of a service."""

import socket
import urllib.request
from contextlib import ExitStack

from tests.support.folders import passable_folder
from tests.support.house import running_house

SLOW = 24


def test_two_dozen_trickling_requests_keep_nobody_else_waiting() -> None:
    with passable_folder() as folder, running_house(folder) as running, ExitStack() as open_sockets:
        url = running.house.running_url()
        assert url is not None
        host, _, port = url.removeprefix("http://").partition(":")
        for _ in range(SLOW):
            client = open_sockets.enter_context(socket.create_connection((host, int(port))))
            client.sendall(
                b"POST /api/v1/accounts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                b'Content-Length: 500000\r\n\r\n{"name"'
            )
        for _ in range(3):
            with urllib.request.urlopen(f"{url}/api/v1/tournaments", timeout=20) as answer:
                assert answer.status == 200

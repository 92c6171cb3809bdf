"""The pages of engine and lobby behind one address, the engine's worker in a thread, and browsers of players."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route
from werkzeug.serving import make_server

from gin_engine import tasks
from gin_engine.app import new_engine_app
from gin_lobby.app import lobby_app
from gin_servicekit.auth import SESSION_COOKIE
from gin_servicekit.service import Service
from tests.integration.engine.conftest import house
from tests.integration.engine.house import House
from tests.support.services import start_service

ENGINE_PATHS = ("/api/v1/matches", "/api/v1/tables", "/play", "/bots", "/tables", "/replays", "/rules", "/static")
WORKER_PAUSE_SECONDS = 0.05


__all__ = ["house"]


@pytest.fixture
def hall(house: House, browser: Browser, database_url: Callable[[str], str], redis_url: str) -> Iterator[Hall]:
    lobby = start_service("lobby", database_url, redis_url, house.clock)
    with hall_of(house, lobby, browser) as hall:
        yield hall
    lobby.database.close()


def module_with(now: str, then: str) -> Callable[[Route], None]:
    """Serves a module with one line of it changed."""

    def serve(route: Route) -> None:
        answer = route.fetch()
        text = answer.text()
        assert text.count(now) == 1, f"no line {now!r}"
        route.fulfill(response=answer, body=text.replace(now, then))

    return serve


@dataclass
class Hall:
    """Where the pages are, and what the browsers complained about."""

    house: House
    url: str
    browser: Browser
    complaints: list[str] = field(default_factory=list)

    def context(self, player: str | None = None, width: int = 1280, **options: Any) -> BrowserContext:
        """A browser of its own for the player (an account id), or for a stranger."""
        context = self.browser.new_context(viewport={"width": width, "height": 900}, base_url=self.url, **options)
        # Nobody tells these pages when to look: they need not wait a second for each answer of the computer.
        context.route("**/static/table/seat.js*", module_with("const WAITING_MS = 1_000;", "const WAITING_MS = 100;"))
        if player:
            token = self.house.token(player)["Authorization"].removeprefix("Bearer ")
            # The lobby knows nothing of these players: nothing must ask it to renew their sessions.
            context.add_init_script("localStorage.setItem('ginhall-session-shown', Date.now())")
            context.add_cookies([{"name": SESSION_COOKIE, "value": token, "url": self.url}])
        return context

    def page(self, player: str | None = None, width: int = 1280, **options: Any) -> Page:
        return self.watched(self.context(player, width, **options).new_page())

    def watched(self, page: Page) -> Page:
        """Notes errors in the console, and requests to other hosts."""
        page.on("console", lambda message: self._complain(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self._complain(str(error)))
        page.on("request", lambda asked: None if asked.url.startswith(self.url) else self._complain(asked.url))
        return page

    def _complain(self, text: str) -> None:
        if not text.startswith(("data:", "blob:")):
            self.complaints.append(text)


@contextmanager
def hall_of(house: House, lobby: Service, browser: Browser) -> Iterator[Hall]:
    """Serves the pages of both services, bots playing on by themselves, until it is left."""
    engine_pages, lobby_pages = new_engine_app(house.service), lobby_app(lobby)

    def gateway(environment: Any, start: Any) -> Any:
        if environment["PATH_INFO"] == "/live/v1/events":
            # No live events in these tests: the pages look by themselves.
            start("200 OK", [("Content-Type", "text/event-stream")])
            return [b"retry: 600000\n\n"]
        service = engine_pages if environment["PATH_INFO"].startswith(ENGINE_PATHS) else lobby_pages
        return service(environment, start)

    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # a line for every request would bury what went wrong
    server = make_server("127.0.0.1", 0, gateway, threaded=True)
    over = threading.Event()

    def work() -> None:
        while not over.wait(WORKER_PAUSE_SECONDS):
            tasks.play(house.service)
            tasks.reply(house.service)

    threads = [threading.Thread(target=server.serve_forever), threading.Thread(target=work)]
    for thread in threads:
        thread.start()
    yield Hall(house, f"http://127.0.0.1:{server.server_port}", browser)
    over.set()
    server.shutdown()
    for thread in threads:
        thread.join()
    server.server_close()

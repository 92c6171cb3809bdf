"""The engine's pages on a real server, with its worker's turns taken in a thread, and browsers of players."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Playwright
from werkzeug.serving import make_server

from gin_engine import tasks
from gin_engine.app import new_engine_app
from gin_servicekit.auth import SESSION_COOKIE
from tests.integration.engine.house import House

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WORKER_PAUSE_SECONDS = 0.05


def launch(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=ARGUMENTS)


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
        if player:
            token = self.house.token(player)["Authorization"].removeprefix("Bearer ")
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
def hall_of(house: House, browser: Browser) -> Iterator[Hall]:
    """Serves the pages of the house, bots playing on by themselves, until it is left."""
    server = make_server("127.0.0.1", 0, new_engine_app(house.service), threaded=True)
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

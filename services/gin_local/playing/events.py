"""Waiting for something to happen to a player: live events where the server has them, a pause where it has not."""

from __future__ import annotations

import threading
import urllib.error
import urllib.request
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlencode

_NO_PROXY: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))
_PATH: Final = "/live/v1/events"
_SILENCE_SECONDS: Final = 60.0
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 30.0


class Events:
    """Listens to topics in a thread of its own. Events are hints: who waits looks for itself what there is to do."""

    def __init__(self, url: str, token: str, topics: Iterable[str]) -> None:
        self._url = f"{url.rstrip('/')}{_PATH}?{urlencode([('topic', topic) for topic in topics])}"
        self._token = token
        self._last_id: str | None = None
        self._happened = threading.Event()
        self._stopped = threading.Event()
        self.listening = False
        """Whether events come just now."""
        self._thread = threading.Thread(target=self._listen, name="events", daemon=True)

    def __enter__(self) -> Events:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()  # the thread is a daemon: it may still wait for a line

    def wait(self, without: float, with_events: float) -> None:
        """Until something happens; at most `with_events` seconds while events come, else `without`."""
        self._happened.wait(with_events if self.listening else without)
        self._happened.clear()

    def _listen(self) -> None:
        pause = _FIRST_PAUSE
        while not self._stopped.is_set():
            try:
                if self._follow():
                    pause = _FIRST_PAUSE
            except urllib.error.HTTPError as refused:
                with refused:
                    if refused.code in (401, 403, 404):  # a server without live events, or none for this token
                        return
            except (OSError, ValueError):
                pass  # the server is away: tried again below
            finally:
                self.listening = False
            self._stopped.wait(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _follow(self) -> bool:
        headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {self._token}"}
        if self._last_id:
            headers["Last-Event-ID"] = self._last_id
        request = urllib.request.Request(self._url, headers=headers)  # noqa: S310 - the server the user named
        with _NO_PROXY.open(request, timeout=_SILENCE_SECONDS) as answer:
            if not answer.headers.get("Content-Type", "").startswith("text/event-stream"):
                return False
            self.listening = True
            self._happened.set()  # what happened before is looked up once
            for raw in answer:
                if self._stopped.is_set():
                    break
                name, _, value = raw.decode("utf-8", "replace").rstrip("\r\n").partition(":")
                if name == "id":
                    self._last_id = value.strip()
                elif name == "event":
                    self._happened.set()
        return True

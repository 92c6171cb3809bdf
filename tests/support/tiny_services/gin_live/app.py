"""The API of the tiny live service."""

from collections.abc import Callable, Iterable
from typing import Any

from tiny import api


class LiveApplication:
    """What gunicorn serves, with the extension that gunicorn's settings look for."""

    def __init__(self) -> None:
        self._answer = api.application("gin_live")
        self.extensions = {"ginhall-live": self}

    def serve_while(self, alive: Callable[[], bool]) -> None:
        """Nothing here would outlast the server."""

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        return self._answer(environ, start_response)


def create_app() -> LiveApplication:
    """What gunicorn serves."""
    return LiveApplication()

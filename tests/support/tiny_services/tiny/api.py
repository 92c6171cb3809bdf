"""An API that tells who it is, and when its worker last worked."""

import json
import os
import time
from collections.abc import Callable, Iterable
from typing import Any

import redis

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def application(name: str) -> Application:
    """A WSGI application for the service `name`."""
    queue = name.removeprefix("gin_")

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        document: dict[str, Any] = {"service": name, "path": environ["PATH_INFO"], "process": os.getpid()}
        if environ["PATH_INFO"] == "/readyz":
            with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
                last = client.get(f"consumed:{queue}")
            document["worker_seconds_since_consumed"] = time.time() - float(last) if last else None
        start_response("200 OK", [("Content-Type", "application/json")])
        return [json.dumps(document).encode()]

    return answer

"""Ask a process over HTTP whether it is ready, and what it tells about itself."""

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_TIMEOUT_SECONDS = 3.0
_NO_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@dataclass(frozen=True)
class Answer:
    """What `/readyz` said: `status` is the HTTP status, or None when nobody answered; `told` is its JSON
    object.
    """

    status: int | None
    told: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_ready(self) -> bool:
        """Whether the process takes work."""
        return self.status == 200

    @property
    def worker_idle_seconds(self) -> float | None:
        """Seconds since the service's worker last finished a task; None when it never did, or it is not
        known.
        """
        value = self.told.get("worker_seconds_since_consumed")
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def ask(url: str, timeout_seconds: float = _TIMEOUT_SECONDS) -> Answer:
    """Get `url`, once. Any answer counts, also one that says "not ready"; none at all gives a status of
    None.
    """
    if not url.startswith(("http://", "https://")):
        raise ValueError(f"{url} is no address of a web server")
    try:
        with _NO_PROXY.open(url, timeout=timeout_seconds) as response:
            return Answer(response.status, _object(response.read()))
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, _object(error.read()))
    except OSError:
        return Answer(None)


def _object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}

"""A small client of the REST interface, on the standard library alone."""

import json
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Mapping
from typing import Any

from gin_local.errors import HouseError

_TIMEOUT_SECONDS = 30.0
_TRIES = 6
_NO_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class RefusedError(HouseError):
    """The server answered with an error; `problem` is its problem document, if it sent one."""

    def __init__(self, method: str, path: str, status: int, problem: Mapping[str, Any]) -> None:
        detail = problem.get("detail") or problem.get("title") or "no reason given"
        fields = problem.get("errors")
        super().__init__(f"{method} {path} was refused with {status}: {detail}" + (f" {fields}" if fields else ""))
        self.status = status
        self.problem = problem


class Client:
    """Speaks to the house at `url`; with `token`, in the name of its account."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self._url = url.rstrip("/")
        self._token = token

    def with_token(self, token: str) -> "Client":
        """The same client in the name of `token`."""
        return Client(self._url, token)

    def get(self, path: str) -> Any:
        """The document at `path`.

        Raises:
            RefusedError: an answer of 400 or above (a 429 or 503 is tried again first, as its Retry-After
            asks). HouseError: no answer.
        """
        return self._send("GET", path, None)

    def post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Post `body` to `path`; safe to repeat, since each call has its own idempotency key. Raises like
        `get`.
        """
        return self._send("POST", path, {} if body is None else body)

    def patch(self, path: str, body: Mapping[str, Any], if_match: str = "*") -> Any:
        """Change what is at `path`, in the version `if_match` or (`*`) in whatever version. Raises like `get`."""
        return self._send("PATCH", path, body, {"If-Match": if_match})

    def delete(self, path: str) -> Any:
        """Delete what is at `path`; returns the answer's document, if any. Raises like `get`."""
        return self._send("DELETE", path, None)

    def _send(
        self, method: str, path: str, body: Mapping[str, Any] | None, conditions: Mapping[str, str] | None = None
    ) -> Any:
        headers = {"Accept": "application/json", **(conditions or {})}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers |= {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
        request = urllib.request.Request(  # noqa: S310 - the address of our own house, http or https
            self._url + path, data=data, headers=headers, method=method
        )
        for attempt in range(1, _TRIES + 1):
            try:
                with _NO_PROXY.open(request, timeout=_TIMEOUT_SECONDS) as response:
                    content = response.read()
                    return json.loads(content) if content else None
            except urllib.error.HTTPError as error:
                with error:
                    if error.code not in (429, 503) or attempt == _TRIES:
                        raise RefusedError(method, path, error.code, _problem(error.read())) from None
                    time.sleep(_seconds(error.headers.get("Retry-After")))
            except (OSError, ValueError) as error:
                raise HouseError(f"{method} {path}: no usable answer from {self._url} ({error})") from error
        raise AssertionError("the last try returns or raises")


def _seconds(retry_after: str | None) -> float:
    return min(float(retry_after), 10.0) if retry_after and retry_after.isdecimal() else 1.0


def _problem(body: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}

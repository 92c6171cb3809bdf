"""The Flask application of a service: OpenAPI, errors, tokens, health, conditional GET, logs and metrics."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import structlog
from flask import Flask, Request, Response, current_app, g, jsonify, request
from flask_smorest import Blueprint as SmorestBlueprint
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from uuid_utils.compat import uuid7
from werkzeug.http import generate_etag
from werkzeug.routing import Rule

from gin_servicekit import http_errors, liveness, rate_limits
from gin_servicekit.auth import SAFE_METHODS, Caller, TokenVerifier
from gin_servicekit.idempotency import LONGEST_KEY
from gin_servicekit.problems import NotFound
from gin_servicekit.service import Service
from gin_servicekit.strict_json import StrictJsonParser

log = structlog.get_logger()
View = TypeVar("View", bound=Callable[..., Any])

LARGEST_BODY_BYTES = 1 << 20
IDEMPOTENCY_KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "required": False,
    "description": "The same key returns the same answer for two days; with another request it is refused",
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": "^[ -~]+$"},
}
SKIPPED_BYTES = 1 << 15  # of a body that nobody read, gunicorn skips so many by itself, and more
SLOW_SECONDS = 1.0  # what takes longer is logged, whatever comes of it
LARGEST_METRICS = 1024  # routes, methods and statuses that a process keeps at hand
# What a client sends that has some version of the answer already.
_CONDITIONS = ("HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_MATCH", "HTTP_IF_UNMODIFIED_SINCE")


class Blueprint(SmorestBlueprint):
    """A blueprint whose bodies are read as strict JSON.

    The document names each operation after its method and view (``post_Tournaments``), and tells of the Idempotency-Key
    of each POST but those that say `repeated`.
    """

    ARGUMENTS_PARSER = StrictJsonParser()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._prepare_doc_cbks.append(_tell_of_keys)

    def register_views_in_doc(self, *args: Any, **kwargs: Any) -> None:
        for view, operations in self._docs.items():
            for method, about in operations.items():
                if method != "parameters":
                    about.setdefault("manual_doc", {}).setdefault("operationId", _name(method, view))
        super().register_views_in_doc(*args, **kwargs)


def _name(method: str, view: str) -> str:
    """Of an operation; the method is not said twice."""
    return view if view.startswith(f"{method}_") else f"{method}_{view}"


def never_repeated(view: View) -> View:
    """A POST without Idempotency-Key: each makes a new thing, or none changes anything."""
    view.__dict__.setdefault("_apidoc", {})["never_repeated"] = True
    return view


def _tell_of_keys(operation: dict[str, Any], about: dict[str, Any], *, method: str, **_: Any) -> dict[str, Any]:
    if method == "post" and not about.get("never_repeated"):
        operation.setdefault("parameters", []).append(IDEMPOTENCY_KEY)
    return operation


def documented(*decorators: Callable[[Any], Any]) -> Callable[[View], View]:
    """Puts what a blueprint's decorators say about a view into the API's document, and nothing else.

    For a view that is asked for so often that it reads its request and writes its answer by itself. It must do so
    as the document says: a test compares both.
    """

    def decorate(view: View) -> View:
        described: Any = view
        for decorator in reversed(decorators):
            described = decorator(described)
        view.__dict__["_apidoc"] = described._apidoc
        return view

    return decorate


class _Rule(Rule):
    """A route that writes the program which builds its address when an address is first built.

    Two programs for each route are most of what making an application takes, and an API's routes build none.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled: list[Callable[..., tuple[str, str]]] = []

        def build(rule: Rule, **values: Any) -> tuple[str, str]:
            if not compiled:
                compiled.append(super(_Rule, self)._compile_builder(append_unknown))
            return compiled[0](rule, **values)

        return build


class _Application(Flask):
    url_rule_class = _Rule

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """No view of the house is a coroutine; looking for one a dozen times a request would cost more than routing."""
        return func


def new_app(
    service: Service, blueprints: Sequence[Blueprint], title: str, webhooks: Mapping[str, Any] | None = None
) -> Flask:
    """The API of `service`, with its document at /api/v1/openapi/<service>.json; `webhooks` is a part of that."""
    app = _Application(f"gin_{service.name}", static_folder=None)
    app.config.update(
        API_TITLE=title,
        API_VERSION="v1",
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/api/v1/openapi",
        OPENAPI_JSON_PATH=f"{service.name}.json",
        MAX_CONTENT_LENGTH=LARGEST_BODY_BYTES,
        API_SPEC_OPTIONS={
            **({"webhooks": dict(webhooks)} if webhooks else {}),
            "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}}},
        },
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the default provider has it
    app.extensions["ginhall-service"] = service
    app.extensions["ginhall-tokens"] = TokenVerifier(service.settings.token_public_key, service.settings.redis_url)
    api = http_errors.ProblemApi(app)
    http_errors.register(app)
    for blueprint in blueprints:
        api.register_blueprint(blueprint)
    _add_health(app, service)
    _add_metrics(app, service)
    app.before_request(_begin)
    rate_limits.add_rate_limits(app, service)
    return app


def current_service() -> Service:
    """The service whose application answers the current request."""
    service: Service = current_app.extensions["ginhall-service"]
    return service


def _begin() -> None:
    g.started = time.perf_counter()
    given = request.environ.get("HTTP_X_CORRELATION_ID", "")
    correlation_id = given if given.isalnum() and len(given) <= 64 else uuid7().hex
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(correlation_id=correlation_id)
    g.correlation_id = correlation_id
    if "\x00" in request.environ["PATH_INFO"]:  # Postgres refuses NUL in a text: nothing here has such an address
        raise NotFound("nothing here has such an address")


def _read_to_the_end(asked: Request) -> None:
    """Reads what the view left of the request's body, as where somebody is refused before it is read.

    gunicorn says that a connection stays open, and closes it where it would have to skip more than it likes to:
    whatever the gateway sends on it next, for anybody, is lost.
    """
    length = asked.content_length
    if asked.method in SAFE_METHODS or (length is not None and not SKIPPED_BYTES < length <= LARGEST_BODY_BYTES):
        return
    rest, left = asked.environ["wsgi.input"], LARGEST_BODY_BYTES
    try:
        while left > 0 and (read := len(rest.read(min(left, SKIPPED_BYTES)))):
            left -= read
    except OSError:
        return  # the client has gone


def _make_conditional(response: Response, asked: Request) -> None:
    """Gives every successful GET a strong ETag of its bytes, and answers 304 to a client that has them."""
    headers = response.headers
    there = {name.lower() for name, _ in headers}  # once, as each look into headers goes through all of them
    headers.add("X-Correlation-Id", g.get("correlation_id", ""))
    if asked.method in ("GET", "HEAD") and response.status_code == 200 and not response.direct_passthrough:
        if "etag" not in there:
            headers.add("ETag", f'"{generate_etag(response.get_data())}"')
        if "cache-control" not in there:
            # What was answered to somebody in particular is kept by nobody else's cache.
            headers.add("Cache-Control", "private, no-cache" if "caller" in g else "no-cache")
        if any(condition in asked.environ for condition in _CONDITIONS):
            response.make_conditional(asked)


def _add_health(app: Flask, service: Service) -> None:
    @app.get("/healthz")
    def healthz() -> Response:
        return jsonify(status="alive")

    @app.get("/readyz")
    def readyz() -> Response:
        """Ready means: the database answers. How long the worker has been silent is told beside it."""
        with service.transaction() as tx:
            silent = liveness.seconds_since_consumed(tx)
        return jsonify(status="ready", service=service.name, worker_seconds_since_consumed=silent)


def _log_request(route: str, method: str, status: int, seconds: float) -> None:
    """One line, with the correlation id that the answer has. The route and not the address: that may hold a secret."""
    who: Caller | None = g.get("caller")
    log.info(
        "request",
        method=method,
        route=route,
        status=status,
        milliseconds=round(1000 * seconds, 1),
        account_id=who.account_id if who else None,
    )


def _add_metrics(app: Flask, service: Service) -> None:
    registry = app.extensions["ginhall-metrics"] = CollectorRegistry()  # a service adds its own
    requests = Counter("http_requests", "Requests answered", ["route", "method", "status"], registry=registry)
    seconds = Histogram("http_request_seconds", "Time to answer", ["route", "method"], registry=registry)
    waiting = Gauge("outbox_waiting", "Messages that their consumer has not confirmed", registry=registry)
    oldest = Gauge("outbox_oldest_seconds", "Age of the oldest unconfirmed message", registry=registry)
    silent = Gauge("worker_seconds_since_consumed", "Seconds since a task went round", registry=registry)

    @functools.lru_cache(maxsize=LARGEST_METRICS)
    def counters(route: str, method: str, status: int) -> tuple[Counter, Histogram]:
        return requests.labels(route, method, status), seconds.labels(route, method)

    @app.after_request
    def finish(response: Response) -> Response:
        """What every answer gets, in one go: each hook of its own would look up the request anew."""
        asked: Request = request._get_current_object()  # type: ignore[attr-defined]  # what the proxy stands for
        _read_to_the_end(asked)
        rate_limits.tell(response)
        _make_conditional(response, asked)
        route = asked.url_rule.rule if asked.url_rule else "unknown"
        seconds_taken = time.perf_counter() - g.get("started", time.perf_counter())
        answered, took = counters(route, asked.method, response.status_code)
        answered.inc()
        took.observe(seconds_taken)
        if service.settings.log_requests or response.status_code >= 500 or seconds_taken >= SLOW_SECONDS:
            _log_request(route, asked.method, response.status_code, seconds_taken)
        return response

    @app.get("/metrics")
    def metrics() -> Response:
        with service.transaction() as tx:
            backlog: dict[str, Any] = tx.dicts(
                "SELECT count(*) AS n, coalesce(extract(epoch FROM %s - min(created_at)), 0)::float AS age FROM outbox",
                (tx.now,),
            )[0]
            silence = liveness.seconds_since_consumed(tx)
        waiting.set(backlog["n"])
        oldest.set(backlog["age"])
        silent.set(float("inf") if silence is None else silence)
        return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)

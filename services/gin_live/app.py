"""The live service: `gunicorn -c deploy/gunicorn_live.conf.py "gin_live.app:create_app()"`."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import structlog
from flask import Flask, Response, g, jsonify, request
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from uuid_utils.compat import uuid7

from gin_live.events_api import EXTENSION, blueprint
from gin_live.hub import Hub
from gin_live.measures import Measures
from gin_live.reader import Reader
from gin_live.settings import LiveSettings
from gin_live.streams import Streams
from gin_servicekit import http_errors
from gin_servicekit.auth import TokenVerifier
from gin_servicekit.logs import configure_logging


@dataclass(frozen=True, slots=True)
class Live:
    """The parts of the service in one process."""

    hub: Hub
    reader: Reader
    measures: Measures

    def serve_while(self, alive: Callable[[], bool]) -> None:
        """Gives all connections up as soon as the server is asked to end."""
        self.reader.serve_while(alive)


def create_app() -> Flask:
    """The application of this process, which begins to read. Raises SettingsError naming what the environment lacks."""
    configure_logging("live")
    return live_app(LiveSettings.from_environment(os.environ))


def live_app(settings: LiveSettings) -> Flask:
    """Reads the streams from now on; wants a process in which gevent has patched the standard library."""
    app = Flask("gin_live", static_folder=None)
    app.config.update(
        API_TITLE="Ginhall live",
        API_VERSION="v1",
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/live/v1",
        OPENAPI_JSON_PATH="openapi.json",
        API_SPEC_OPTIONS={
            "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}}}
        },
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the default provider has it
    api = http_errors.ProblemApi(app)
    http_errors.register(app)
    api.register_blueprint(blueprint)
    verifier = app.extensions["ginhall-tokens"] = TokenVerifier(settings.token_public_key, settings.redis_url)
    measures, streams = Measures(), Streams(settings.redis_url)
    hub = Hub(streams, measures, settings.most_watchers, settings.most_of_one_address)
    reader = Reader(hub, streams, measures, verifier, settings.heartbeat_seconds)
    live = app.extensions[EXTENSION] = Live(hub, reader, measures)
    _add_health(app, live)
    app.before_request(_bind_correlation_id)
    app.after_request(_tell_correlation_id)
    reader.start()
    structlog.get_logger().info("live_started", most_watchers=settings.most_watchers)
    return app


def _add_health(app: Flask, live: Live) -> None:
    @app.get("/healthz")
    def healthz() -> Response:
        return jsonify(status="alive")

    @app.get("/readyz")
    def readyz() -> Response:
        """Ready means: the streams are being read."""
        if not live.reader.is_ready:
            return http_errors.problem_response(503, "unavailable", "Unavailable", "The streams are not being read.")
        return jsonify(status="ready", service="live", watchers=len(live.hub.members()))

    @app.get("/metrics")
    def metrics() -> Response:
        return Response(generate_latest(live.measures.registry), content_type=CONTENT_TYPE_LATEST)


def _bind_correlation_id() -> None:
    given = request.headers.get("X-Correlation-Id", "")
    g.correlation_id = given if given.isalnum() and len(given) <= 64 else uuid7().hex
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(correlation_id=g.correlation_id)


def _tell_correlation_id(response: Response) -> Response:
    response.headers.setdefault("X-Correlation-Id", g.get("correlation_id", ""))
    return response

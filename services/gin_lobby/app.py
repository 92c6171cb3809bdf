"""The process `gunicorn "gin_lobby.app:create_app()"`."""

from __future__ import annotations

import os

from flask import Flask

from gin_lobby.api import (
    accounts,
    calendars,
    conduct,
    corrections,
    entrant_lists,
    entrants,
    guests,
    players,
    publications,
    rounds,
    series,
    tokens,
    tournaments,
    webhooks,
)
from gin_lobby.api.webhook_document import webhook_document
from gin_lobby.pages.documentation import add_documentation
from gin_lobby.pages.printing import add_printing
from gin_lobby.pages.recovery import add_recovery
from gin_lobby.pages.sessions import add_sessions
from gin_lobby.pages.site import add_pages
from gin_lobby.webhook_metrics import WebhookMetrics
from gin_servicekit.http_app import new_app
from gin_servicekit.logs import configure_logging
from gin_servicekit.service import Service
from gin_servicekit.settings import Settings
from gin_web.site import add_site


def create_app() -> Flask:
    """Reads the environment, once."""
    configure_logging("lobby")
    return lobby_app(Service.start("lobby", Settings.from_environment(os.environ)))


def lobby_app(service: Service) -> Flask:
    """Raises SettingsError without the private key: the lobby is the one that signs tokens."""
    service.settings.signing_key  # noqa: B018  # fails now, not at the first sign-in
    blueprints = [
        accounts.blueprint,
        accounts.resets,
        guests.blueprint,
        tokens.blueprint,
        players.blueprint,
        tournaments.blueprint,
        entrants.blueprint,
        rounds.blueprint,
        corrections.blueprint,
        conduct.blueprint,
        series.blueprint,
        calendars.blueprint,
        publications.blueprint,
        entrant_lists.blueprint,
        webhooks.blueprint,
    ]
    app = new_app(service, blueprints, "Ginhall lobby", webhook_document())
    app.extensions["ginhall-metrics"].register(WebhookMetrics(service))
    add_site(app)
    add_pages(app, service)
    add_sessions(app, service)
    add_recovery(app, service)
    add_printing(app, service)
    add_documentation(app)
    return app

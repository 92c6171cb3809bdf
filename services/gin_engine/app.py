"""The engine's API and pages: `gunicorn "gin_engine.app:create_app()"`."""

from __future__ import annotations

import os

from flask import Flask

from gin_engine.api import bots, matches, rulings, tables, word_lists
from gin_engine.pages.site import add_pages
from gin_servicekit.http_app import new_app
from gin_servicekit.logs import configure_logging
from gin_servicekit.service import Service
from gin_servicekit.settings import Settings


def create_app() -> Flask:
    """The application of this process. Raises SettingsError when the environment lacks what it needs."""
    configure_logging("engine")
    return new_engine_app(Service.start("engine", Settings.from_environment(os.environ), hints_wait=True))


def new_engine_app(service: Service) -> Flask:
    blueprints = [matches.blueprint, rulings.blueprint, tables.blueprint, bots.blueprint, word_lists.blueprint]
    app = new_app(service, blueprints, "Ginhall engine")
    add_pages(app, service)
    return app

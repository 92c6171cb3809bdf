"""The API process: `gunicorn 'gin_ratings.app:create_app()'`."""

from __future__ import annotations

import os

from flask import Flask

from gin_messages.routes import RATINGS
from gin_ratings.api import pools, ratings
from gin_ratings.pages.site import add_pages
from gin_servicekit.http_app import new_app
from gin_servicekit.logs import configure_logging
from gin_servicekit.service import Service
from gin_servicekit.settings import Settings
from gin_web.site import add_site

TITLE = "Ginhall ratings"


def create_app() -> Flask:
    """The application, set up from the environment. Raises SettingsError naming a variable that is missing."""
    configure_logging(RATINGS)
    return app_of(Service.start(RATINGS, Settings.from_environment(os.environ)))


def app_of(service: Service) -> Flask:
    app = new_app(service, [ratings.blueprint, pools.blueprint], TITLE)
    add_site(app)
    add_pages(app, service)
    return app

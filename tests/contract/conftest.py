"""The API of every service, on a database and Redis of one test."""

from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from gin_engine.app import new_engine_app
from gin_lobby.app import lobby_app
from gin_ratings.app import app_of
from gin_servicekit.service import Service
from tests.support.services import Clock, start_service

APPS: dict[str, Callable[[Service], Flask]] = {"lobby": lobby_app, "engine": new_engine_app, "ratings": app_of}


@pytest.fixture
def apps(database_url: Callable[[str], str], redis_url: str) -> Iterator[dict[str, Flask]]:
    services = {name: start_service(name, database_url, redis_url, Clock()) for name in APPS}
    yield {name: APPS[name](service) for name, service in services.items()}
    for service in services.values():
        service.database.close()

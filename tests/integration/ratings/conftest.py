"""The ratings service on a migrated database of each test's own, and the doors into it."""

from collections.abc import Callable, Iterator

import pytest
from flask.testing import FlaskClient

from gin_messages.routes import RATINGS
from gin_ratings.app import app_of
from gin_servicekit.service import Service
from gin_servicekit.settings import Settings


@pytest.fixture
def service(database_url: Callable[[str], str], redis_url: str) -> Iterator[Service]:
    started = Service.start(
        RATINGS,
        Settings(
            database_url=database_url("gin_ratings"),
            redis_url=redis_url,
            token_public_key=bytes(32),
            token_private_key=None,
            public_url="",
            database_pool_size=8,
            outbox_resend_seconds=30,
            tick_seconds=1,
        ),
    )
    yield started
    started.database.close()
    started.broker.celery.close()


@pytest.fixture
def client(service: Service) -> FlaskClient:
    return app_of(service).test_client()

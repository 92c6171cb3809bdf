"""An engine on a database of its own, with nobody but the test to run its tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from gin_engine.app import new_engine_app
from gin_servicekit.migrate import migrate
from gin_servicekit.service import Service
from gin_servicekit.settings import Settings

from tests.integration.engine.house import Clock, House


@pytest.fixture
def house(database_url: Callable[[str], str], redis_url: str) -> Iterator[House]:
    url = database_url("gin_engine")
    migrate(url, "gin_engine")
    key = Ed25519PrivateKey.generate()
    settings = Settings(
        database_url=url,
        redis_url=redis_url,
        token_public_key=key.public_key().public_bytes_raw(),
        token_private_key=None,
        public_url="",
        database_pool_size=4,
        outbox_resend_seconds=30,
        tick_seconds=1,
    )
    clock = Clock(datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=1))
    service = replace(Service.start("engine", settings), clock=clock)
    app = new_engine_app(service)
    yield House(service, clock, app.test_client(), key.private_bytes_raw())
    service.database.close()

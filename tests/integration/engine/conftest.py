"""An engine on a database of its own, with nobody but the test to run its tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from gin_engine.app import new_engine_app
from tests.integration.engine.house import House
from tests.support.services import Clock, start_service


@pytest.fixture
def house(database_url: Callable[[str], str], redis_url: str) -> Iterator[House]:
    clock = Clock()
    service = start_service("engine", database_url, redis_url, clock)
    yield House(service, clock, new_engine_app(service).test_client())
    service.database.close()

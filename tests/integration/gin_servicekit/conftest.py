"""A lobby that really sends to ratings; the handlers are the test's."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from gin_servicekit.service import Service
from tests.support.services import Clock, start_service


@dataclass
class Pair:
    producer: Service
    consumer: Service
    clock: Clock

    def waiting(self) -> int:
        """Messages in the producer's outbox for the ratings, one of the consumers."""
        with self.producer.transaction() as tx:
            return int(tx.scalar("SELECT count(*) FROM outbox WHERE consumer = 'ratings'"))


@pytest.fixture
def pair(database_url: Callable[[str], str], redis_url: str) -> Iterator[Pair]:
    clock = Clock()
    services = [start_service(name, database_url, redis_url, clock) for name in ("lobby", "ratings")]
    yield Pair(services[0], services[1], clock)
    for service in services:
        service.database.close()

"""What every test may ask for: a database of its own and a Redis of its own, on real servers."""

import itertools
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis
from argon2 import PasswordHasher

from gin_local.ports import DRAWN_PORTS, RANGE_VARIABLE
from tests.support.servers import (
    REDIS_DATABASES,
    Addresses,
    Database,
    Servers,
    create_test_database,
    drop_test_database,
    publish,
    published,
    wait_until_ready,
    withdraw,
)

_SERVERS = pytest.StashKey[Servers]()
_REDIS_DATABASES_PER_WORKER = 32
_numbers = itertools.count()


def ports_of(worker: int, workers: int) -> str:
    """The range of ports of one worker: what one draws and has not bound yet, no other draws."""
    first, last = DRAWN_PORTS
    share = (last - first + 1) // workers
    return f"{first + worker * share}-{first + (worker + 1) * share - 1}"


def pytest_configure(config: pytest.Config) -> None:
    """Start the servers before the workers of a parallel run, which find them in their environment."""
    worker: dict[str, Any] | None = getattr(config, "workerinput", None)
    if worker is not None:
        os.environ[RANGE_VARIABLE] = ports_of(int(worker["workerid"].removeprefix("gw")), int(worker["workercount"]))
    parallel = config.getoption("dist", "no") != "no"
    if parallel and worker is None and not config.option.collectonly:
        servers = config.stash[_SERVERS] = Servers()
        publish(servers.start())


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop what this process started, after the last worker has gone."""
    servers = config.stash.get(_SERVERS, None)
    if servers is not None:
        withdraw()
        servers.stop()


@pytest.fixture(scope="session")
def servers(pytestconfig: pytest.Config) -> Addresses:
    """Where the run's Postgres and Redis answer; in a run without workers they start when first asked for."""
    addresses = published()
    if addresses is None:
        started = pytestconfig.stash[_SERVERS] = Servers()
        addresses = started.start()
        publish(addresses)
    wait_until_ready(addresses)
    return addresses


@pytest.fixture
def admin_database(servers: Addresses) -> Iterator[Database]:
    """A database of this test alone, with every service's empty tables; the superuser's address is `.admin_url`."""
    database = create_test_database(servers.postgres)
    yield database
    drop_test_database(servers.postgres, database)


@pytest.fixture
def unmigrated_database(servers: Addresses) -> Iterator[Database]:
    """A database of this test alone, with the services' roles and schemas and nothing in them."""
    database = create_test_database(servers.postgres, migrated=False)
    yield database
    drop_test_database(servers.postgres, database)


@pytest.fixture(scope="session")
def _quick_passwords() -> Iterator[None]:
    """The lobby in this process keeps passwords at the least cost. At the real one (which tests/end_to_end looks at)
    each person of a test would take as long as all else that it does.
    """
    with pytest.MonkeyPatch.context() as patch:
        quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        patch.setattr("gin_lobby.use_cases.accounts._passwords", quick)
        yield


@pytest.fixture
def database_url(admin_database: Database, _quick_passwords: None) -> Callable[[str], str]:
    """The address of this test's database for a service role: `database_url("gin_lobby")`."""
    return admin_database.url


@pytest.fixture
def redis_url(servers: Addresses, worker_id: str) -> Iterator[str]:
    """The address of an empty Redis database of this test alone."""
    worker = 0 if worker_id == "master" else int(worker_id.removeprefix("gw"))
    number = worker * _REDIS_DATABASES_PER_WORKER + next(_numbers) % _REDIS_DATABASES_PER_WORKER
    url = f"{servers.redis}{number % REDIS_DATABASES}"
    with redis.Redis.from_url(url) as client:
        client.flushdb()
        yield url
        client.flushdb()

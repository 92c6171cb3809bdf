"""What every test may ask for: a database of its own and a Redis of its own, on real servers."""

import itertools
from collections.abc import Callable, Iterator

import pytest
import redis

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


def pytest_configure(config: pytest.Config) -> None:
    """Start the servers before the workers of a parallel run, which find them in their environment."""
    parallel = config.getoption("dist", "no") != "no"
    if parallel and not hasattr(config, "workerinput") and not config.option.collectonly:
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
    """An empty database of this test alone, with the services' roles and schemas; the superuser's address
    is `.admin_url`.
    """
    database = create_test_database(servers.postgres)
    yield database
    drop_test_database(servers.postgres, database)


@pytest.fixture
def database_url(admin_database: Database) -> Callable[[str], str]:
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

from flask.testing import FlaskClient

from gin_ratings.domain.glicko2 import Glicko
from gin_ratings.domain.ledger import matches_of
from gin_ratings.domain.shadow import follow
from gin_ratings.store import shadow
from gin_ratings.tasks import follow_ledgers
from gin_ratings.use_cases.shadowing import follow_ledger
from gin_servicekit.service import Service
from tests.integration.ratings.deliveries import OPEN, deliver, entries_of, finished


def season(service: Service) -> None:
    players = ("ann", "ben", "cid", "dot")
    deliver(
        service,
        *(finished(f"m{n}", (players[n % 4], 1), (players[(n + 1 + n % 3) % 4], 2), target=25 + n) for n in range(30)),
    )
    deliver(service, finished("table", ("ann", 2), ("ben", 1), ("cid", 2), ("dot", 4)))


def expected(service: Service) -> dict[str, Glicko]:
    standings: dict[str, Glicko] = {}
    follow(standings, matches_of(entries_of(service)))
    return standings


def shadows(service: Service) -> dict[str, Glicko]:
    with service.transaction() as tx:
        return shadow.standings(tx, OPEN, ["ann", "ben", "cid", "dot"])


def test_shadow_is_what_the_whole_ledger_gives(service: Service) -> None:
    season(service)
    follow_ledgers(service)
    assert shadows(service) == expected(service)
    follow_ledgers(service)
    assert shadows(service) == expected(service)


def test_shadow_in_small_steps_is_the_same_and_never_cuts_a_match(service: Service) -> None:
    season(service)
    taken = 1
    while taken:
        with service.transaction() as tx:
            taken = follow_ledger(tx, OPEN, limit=3)
    assert shadows(service) == expected(service)


def test_only_one_process_follows_a_pool(service: Service) -> None:
    season(service)
    with service.transaction() as tx:
        assert shadow.lock(tx, OPEN) == 0  # makes the row that the two below compete for
    with service.transaction() as first:
        assert shadow.lock(first, OPEN) == 0
        with service.transaction() as second:
            assert follow_ledger(second, OPEN) == 0
    follow_ledgers(service)
    assert shadows(service) == expected(service)


def test_shadow_is_served_with_how_far_it_has_come(service: Service, client: FlaskClient) -> None:
    season(service)
    follow_ledgers(service)
    answer = client.get("/api/v1/ratings/ann/shadow")
    assert answer.status_code == 200
    assert answer.json is not None
    (row,) = answer.json["ratings"]
    ann = expected(service)["ann"]
    assert row == {"pool": OPEN, **ann._asdict(), "size": len(entries_of(service))}
    assert client.get("/api/v1/ratings/nobody/shadow").status_code == 404

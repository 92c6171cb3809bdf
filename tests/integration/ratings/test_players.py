from gin_ratings.store import players
from gin_servicekit.service import Service
from tests.integration.ratings.deliveries import deliver, renamed


def names(service: Service) -> dict[str, str]:
    with service.transaction() as tx:
        return players.names(tx, ["ann", "ben"])


def test_higher_revision_wins_in_whatever_order_it_comes(service: Service) -> None:
    deliver(service, renamed("ann", "Ann", 2))
    deliver(service, renamed("ann", "Anna", 1))
    assert names(service) == {"ann": "Ann"}
    deliver(service, renamed("ann", "Annie", 3))
    assert names(service) == {"ann": "Annie"}


def test_highest_revision_of_a_batch_wins(service: Service) -> None:
    deliver(service, renamed("ann", "Annie", 3), renamed("ben", "Ben", 1), renamed("ann", "Ann", 2))
    assert names(service) == {"ann": "Annie", "ben": "Ben"}


def test_same_revision_again_changes_nothing(service: Service) -> None:
    deliver(service, renamed("ann", "Ann", 1))
    deliver(service, renamed("ann", "Someone else", 1))
    assert names(service) == {"ann": "Ann"}

"""Finished matches and renamed players, delivered as a worker would receive them."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from uuid_utils.compat import uuid7

from gin_messages.envelope import Envelope, Message, MessageId, encode
from gin_messages.match import CorrectedSeat, MatchFinished, ResultCorrected, SeatResult
from gin_messages.players import PlayerChanged
from gin_ratings.domain.ledger import Entry
from gin_ratings.domain.pools import Pool
from gin_ratings.store import ledger
from gin_ratings.tasks import HANDLERS
from gin_servicekit import inbox
from gin_servicekit.service import Service

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
OPEN = Pool("rummy/open")


def finished(
    match_id: str,
    *seats: tuple[str, int],
    pool: str | None = OPEN,
    target: int = 100,
    ending: str = "played",
    hands_played: int = 6,
) -> MatchFinished:
    """A match of `(player, place)` in seat order."""
    results = [SeatResult(player, place, 100 // place, 3, 0) for player, place in seats]
    return MatchFinished(match_id, "t1", 1, "rummy", pool, target, ending, results, hands_played, NOON)


def corrected(match_id: str, *seats: tuple[str, int], revision: int = 1, ending: str = "played") -> ResultCorrected:
    """Another result of a match of `(player, place)` in seat order."""
    places = [CorrectedSeat(player, place) for player, place in seats]
    return ResultCorrected(match_id, revision, "t1", ending, places, "misread slip", NOON)


def renamed(player_id: str, name: str, revision: int, kind: str = "human") -> PlayerChanged:
    return PlayerChanged(player_id, name, kind, revision)


def envelope(body: Message) -> Envelope:
    return Envelope(MessageId(uuid7()), NOON, "correlation", body)


def deliver(service: Service, *messages: Message | Envelope) -> None:
    """Messages of one type as one task of the queue; a bare body travels in a new envelope."""
    envelopes = [message if isinstance(message, Envelope) else envelope(message) for message in messages]
    kind = type(envelopes[0].body)
    inbox.receive(service, HANDLERS[kind], kind, "engine", [encode(envelope) for envelope in envelopes])


def entries_of(service: Service, pool: Pool = OPEN) -> list[Entry]:
    with service.transaction() as tx:
        return ledger.page(tx, pool, after=0)


def ratings_of(service: Service) -> dict[tuple[str, str], float]:
    with service.transaction() as tx:
        rows = tx.dicts("SELECT pool, player_id, rating FROM ratings")
    return {(row["pool"], row["player_id"]): row["rating"] for row in rows}


def emitted(service: Service) -> list[list[dict[str, object]]]:
    """The changes that each RatingsUpdated in the outbox tells."""
    with service.transaction() as tx:
        bodies: Sequence[dict[str, list[dict[str, object]]]] = tx.scalars(
            "SELECT payload -> 'body' FROM outbox WHERE name = 'ratings_updated' ORDER BY message_id"
        )
    return [body["changes"] for body in bodies]


def last_ratings(entries: Iterable[Entry]) -> dict[tuple[str, str], float]:
    return {(entry.pool, entry.player_id): entry.after for entry in entries}

"""What webhooks are told of, each from the use case that makes it true, and in its transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from gin_lobby.domain.tournament import EntrantRow, MatchRow, PairingId, PlayerId, Tournament
from gin_lobby.domain.webhooks import Event, EventType
from gin_lobby.store.results import Taken
from gin_lobby.store.webhook_events import record
from gin_messages.ratings import RatingChange
from gin_servicekit.database import Transaction


def tournament_moved(tx: Transaction, what: EventType, tournament: Tournament, state: str | None = None) -> None:
    """Something about the tournament as a whole; `state` is the one that it has now, where that has changed."""
    data = {
        "tournament_id": str(tournament.tournament_id),
        "state": state or tournament.state,
        "round": tournament.current_round,
    }
    record(tx, [Event(what, data, tournament.tournament_id)])


def entrants_changed(tx: Transaction, tournament_id: UUID) -> None:
    record(tx, [Event(EventType.ENTRANTS_CHANGED, {"tournament_id": str(tournament_id)}, tournament_id)])


def round_paired(tx: Transaction, tournament_id: UUID, number: int) -> None:
    record(tx, [_of_round(EventType.ROUND_PAIRED, tournament_id, number)])


def rounds_finished(tx: Transaction, tournament_id: UUID, numbers: Iterable[int]) -> None:
    record(tx, [_of_round(EventType.ROUND_FINISHED, tournament_id, number) for number in sorted(numbers)])


def standings_changed(tx: Transaction, tournament_id: UUID, number: int) -> None:
    record(tx, [_of_round(EventType.STANDINGS_CHANGED, tournament_id, number)])


def _of_round(what: EventType, tournament_id: UUID, number: int) -> Event:
    return Event(what, {"tournament_id": str(tournament_id), "round": number}, tournament_id)


def matches_opened(
    tx: Transaction,
    tournament: Tournament,
    people: Mapping[PlayerId, EntrantRow],
    opened: Sequence[MatchRow],
    places: Mapping[PairingId, tuple[int, datetime]],
) -> None:
    """Told of every match, and to everybody in it for whom no built-in bot plays; `places` are round and deadline."""
    events = []
    for match in opened:
        number, deadline_at = places[match.pairing_id]
        events.append(_of_match(EventType.MATCH_OPENED, tournament.tournament_id, number, match.match_id, match.seats))
        until = None if tournament.paused else deadline_at.isoformat()
        for player_id in match.seats:
            if people[player_id].bot is None:
                data = {
                    "tournament_id": str(tournament.tournament_id),
                    "round": number,
                    "match_id": str(match.match_id),
                    "player_id": str(player_id),
                    "deadline_at": until,
                }
                events.append(Event(EventType.MATCH_WAITING, data, tournament.tournament_id, player_id))
    record(tx, events)


def matches_finished(tx: Transaction, tournament_id: UUID, taken: Sequence[Taken]) -> None:
    record(
        tx,
        [
            _of_match(EventType.MATCH_FINISHED, tournament_id, t.round_number, t.match_id, t.seats)
            for t in sorted(taken, key=lambda t: t.match_id)
        ],
    )


def _of_match(what: EventType, tournament_id: UUID, number: int, match_id: UUID, seats: Sequence[UUID]) -> Event:
    data = {
        "tournament_id": str(tournament_id),
        "round": number,
        "match_id": str(match_id),
        "seats": [str(player) for player in seats],
    }
    return Event(what, data, tournament_id)


def matches_cancelled(tx: Transaction, tournament_id: UUID, match_ids: Iterable[UUID]) -> None:
    record(
        tx,
        [
            Event(
                EventType.MATCH_CANCELLED,
                {"tournament_id": str(tournament_id), "match_id": str(match_id)},
                tournament_id,
            )
            for match_id in match_ids
        ],
    )


def result_corrected(tx: Transaction, tournament_id: UUID, number: int, slot: str, match_id: UUID | None) -> None:
    data = {
        "tournament_id": str(tournament_id),
        "round": number,
        "slot": slot,
        "match_id": None if match_id is None else str(match_id),
    }
    record(tx, [Event(EventType.RESULT_CORRECTED, data, tournament_id)])


def ratings_changed(tx: Transaction, changes: Iterable[RatingChange]) -> None:
    record(
        tx,
        [
            Event(
                EventType.RATING_CHANGED,
                {"player_id": change.player_id, "pool": change.pool, "match_id": change.match_id},
                player_id=UUID(change.player_id),
            )
            for change in changes
        ],
    )

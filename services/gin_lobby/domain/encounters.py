"""What has been opened and how it ended, as rows of the lobby and as values of gin_tournament."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from uuid import UUID

from uuid_utils.compat import uuid7

from gin_lobby.domain.tournament import EntrantRow, EntrantState, MatchRow, PairingId, PairingRow, PlayerId, Tournament
from gin_tournament.correction import NO_WISHES, Wishes
from gin_tournament.duel import PlayedMatch
from gin_tournament.format import Encounter, Fixture, Open, OpenedRound, Result, Situation, at_birth
from gin_tournament.model import Entrant, EntrantId
from gin_tournament.storage import fixture_from_json, fixture_to_json, result_from_json, result_to_json

BYE = "bye"
PLACES = "places"


def situation(
    tournament: Tournament,
    entrants: Sequence[EntrantRow],
    pairings: Iterable[PairingRow],
    now: datetime,
    wishes: Wishes = NO_WISHES,
) -> Situation:
    """Everything that a format may know; `pairings` by round and table, `wishes` for the round to come."""
    return Situation(
        entrants=tuple(_field(entrants)),
        rounds=opened_rounds(pairings),
        withdrawn=_gone(entrants),
        sitting_out=wishes.sitting_out & {EntrantId(str(e.player_id)) for e in entrants if e.seed is not None},
        rulings=wishes.rulings,
        elapsed_seconds=int(tournament.elapsed(now).total_seconds()),
        seed=tournament.lots_seed,
    )


def opened_rounds(pairings: Iterable[PairingRow]) -> tuple[OpenedRound, ...]:
    """The rounds as gin_tournament sees them; `pairings` by round and table."""
    return tuple(
        OpenedRound(number, tuple(_encounter(row) for row in rows))
        for number, rows in groupby(pairings, key=lambda row: row.round_number)
    )


def opened_rows(opening: Open) -> list[PairingRow]:
    """The rows of a round as it is opened, in table order; what is decided at birth has its result."""
    return [opened_row(opening.number, table, fixture) for table, fixture in enumerate(opening.fixtures, start=1)]


def opened_row(number: int, table: int, fixture: Fixture) -> PairingRow:
    return _row(number, table, fixture, at_birth(fixture))


def decided(row: PairingRow, result: Result) -> PairingRow:
    """The pairing with its result."""
    return _row(row.round_number, row.table_number, fixture_from_json(row.fixture), result, row.pairing_id)


def played(match: MatchRow) -> PlayedMatch:
    """A match of two that is over. Raises `InvalidHistoryError` for any other."""
    return as_played(match, result_from_json(match.ended or {}))


def as_played(match: MatchRow, result: Result) -> PlayedMatch:
    """The match of two as if it had ended so."""
    first, second = seats_of(match.seats)
    return PlayedMatch((first, second), result)


def seats_of(players: Iterable[object]) -> list[EntrantId]:
    return [EntrantId(str(player)) for player in players]


def players_of(seats: Iterable[EntrantId]) -> list[PlayerId]:
    return [PlayerId(UUID(seat)) for seat in seats]


def _row(
    number: int, table: int, fixture: Fixture, result: Result | None, pairing_id: PairingId | None = None
) -> PairingRow:
    first, second, *_ = (*players_of(fixture.seats), None)
    assert first is not None
    scored = result is not None and len(result.tallies) > 1
    return PairingRow(
        pairing_id=pairing_id or PairingId(uuid7()),
        round_number=number,
        table_number=table,
        slot=fixture.slot,
        fixture=fixture_to_json(fixture),
        first_id=first,
        second_id=second,
        result=None if result is None else _word_for(fixture, result),
        ended=None if result is None else result_to_json(result),
        first_score=result.tally(0).game_points if result is not None and scored else None,
        second_score=result.tally(1).game_points if result is not None and scored else None,
    )


def _word_for(fixture: Fixture, result: Result) -> str:
    if len(fixture.seats) == 1:
        return BYE
    return PLACES if result.outcome is None else result.outcome.value


def _field(entrants: Iterable[EntrantRow]) -> list[Entrant]:
    """Everyone who was seeded, also those who have withdrawn since."""
    return [
        Entrant(EntrantId(str(e.player_id)), e.seed, None if e.rating is None else round(e.rating))
        for e in entrants
        if e.seed is not None
    ]


def _gone(entrants: Iterable[EntrantRow]) -> frozenset[EntrantId]:
    """Those of the field who have withdrawn since it was seeded."""
    return frozenset(
        EntrantId(str(e.player_id)) for e in entrants if e.seed is not None and e.state != EntrantState.REGISTERED
    )


def _encounter(row: PairingRow) -> Encounter:
    return Encounter(fixture_from_json(row.fixture), None if row.ended is None else result_from_json(row.ended))

"""Whom a player met, how often, and how it went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from gin_ratings.store import encounters, players
from gin_ratings.store.encounters import Meeting, Tally
from gin_ratings.use_cases.lookups import Page, page_of, player_ratings
from gin_servicekit.database import Transaction
from gin_servicekit.problems import InvalidField


@dataclass(frozen=True, slots=True)
class SeatLine:
    player_id: str
    name: str | None
    place: int
    change: float | None


@dataclass(frozen=True, slots=True)
class MeetingLine:
    match_id: str
    pool: str | None
    ending: str
    seats: list[SeatLine]
    finished_at: datetime


def opponents(tx: Transaction, player_id: str, limit: int) -> list[Tally]:
    """Whom the player met most often first. Raises NotFound for one of whom nothing was ever told."""
    player_ratings(tx, player_id)
    return encounters.tallies(tx, player_id, None, limit)


def played(tx: Transaction, player_id: str, after: tuple[datetime, str] | None, limit: int) -> Page[MeetingLine]:
    """The player's matches, the latest first. Raises NotFound for one of whom nothing was ever told."""
    player_ratings(tx, player_id)
    return _lines(tx, encounters.meetings(tx, player_id, None, after, limit + 1), limit)


def head_to_head(
    tx: Transaction, player_id: str, opponent_id: str, after: tuple[datetime, str] | None, limit: int
) -> tuple[list[Tally], Page[MeetingLine]]:
    """All tallies of the two, a page of their matches. Raises NotFound, and InvalidField for somebody alone."""
    if player_id == opponent_id:
        raise InvalidField("nobody meets themselves", "opponent_id")
    for known in (player_id, opponent_id):
        player_ratings(tx, known)
    tallies = encounters.tallies(tx, player_id, opponent_id, limit=1_000)
    return tallies, _lines(tx, encounters.meetings(tx, player_id, opponent_id, after, limit + 1), limit)


def _lines(tx: Transaction, found: Sequence[Meeting], limit: int) -> Page[MeetingLine]:
    names = players.names(tx, {seat.player_id for meeting in found for seat in meeting.seats})
    lines = [
        MeetingLine(
            meeting.match_id,
            meeting.pool,
            meeting.ending,
            [
                SeatLine(s.player_id, names.get(s.player_id), s.place, meeting.changes.get(s.player_id))
                for s in meeting.seats
            ],
            meeting.finished_at,
        )
        for meeting in found
    ]
    return page_of(lines, limit)

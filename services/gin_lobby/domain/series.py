"""A series of tournaments as the lobby keeps it."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NewType
from uuid import UUID

from gin_lobby.domain.tournament import TournamentId
from gin_tournament.recurrence import FoldPolicy, GapPolicy, Recurrence

SeriesId = NewType("SeriesId", UUID)


class SeriesState(enum.StrEnum):
    ACTIVE = "active"
    ENDED = "ended"  # no further occurrence is made


class OccurrenceState(enum.StrEnum):
    """An occurrence of which nothing is written down yet is `planned`."""

    PLANNED = "planned"
    MADE = "made"
    SKIPPED = "skipped"
    MISSED = "missed"  # its time passed while nobody was there to make it


@dataclass(frozen=True, slots=True)
class Series:
    """One row of `series`. `first_at` is a local time of `zone`, all other times are aware UTC.

    `template` is a tournament as REST takes it, without name and start. Everything up to `looked_until` has been
    decided: made, skipped or missed.
    """

    series_id: SeriesId
    organiser_id: UUID
    name: str
    rule: str
    first_at: datetime
    zone: str
    gap: str
    fold: str
    template: dict[str, Any]
    ahead_days: int
    state: str
    revision: int
    due_at: datetime | None
    looked_until: datetime
    created_at: datetime

    @property
    def recurrence(self) -> Recurrence:
        return Recurrence(self.rule, self.first_at, self.zone, GapPolicy(self.gap), FoldPolicy(self.fold))


@dataclass(frozen=True, slots=True)
class OccurrenceRow:
    """One row of `occurrences`, or an occurrence that is only planned. `tournament_state` is that of its tournament."""

    key: str
    starts_at: datetime
    state: str
    tournament_id: TournamentId | None = None
    reason: str | None = None
    tournament_state: str | None = None

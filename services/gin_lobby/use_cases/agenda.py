"""What takes place when: tournaments of all kinds and the occurrences of series that are only planned yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from gin_lobby.domain.series import OccurrenceState, Series
from gin_lobby.domain.tournament import Tournament
from gin_lobby.store import agenda
from gin_lobby.store import series as series_store
from gin_lobby.use_cases.series import list_occurrences
from gin_servicekit.database import Transaction

MOST_PLANNED = 60  # of one series


@dataclass(frozen=True, slots=True)
class AgendaItem:
    """A tournament, or (without one) an occurrence of a series that is planned or skipped.

    `uid` stays the same from the first plan to the end. `lasts` is how long it takes at the most, None if unknown.
    """

    uid: str
    name: str
    starts_at: datetime
    state: str
    game: str
    tournament_id: UUID | None
    series_id: UUID | None
    lasts: timedelta | None
    reason: str | None


def agenda_between(tx: Transaction, since: datetime, until: datetime, series: Series | None = None) -> list[AgendaItem]:
    """Everything that starts in this time, drafts left out, by time; of one series alone if it is given."""
    only = None if series is None else series.series_id
    items = [_of_tournament(tournament, origin) for tournament, origin in agenda.starting(tx, since, until, only)]
    for one in [series] if series else series_store.active(tx):
        items += _without_tournament(tx, one, since, until)
    return sorted(items, key=lambda item: (item.starts_at, item.uid))


def _of_tournament(t: Tournament, origin: tuple[UUID, str] | None) -> AgendaItem:
    rounds_last = None if t.rounds is None else timedelta(minutes=t.rounds * t.round_minutes)
    minutes = t.format.get("minutes")
    return AgendaItem(
        uid=_uid(*origin) if origin else str(t.tournament_id),
        name=t.name,
        starts_at=t.starts_at,
        state=t.state,
        game=t.game,
        tournament_id=t.tournament_id,
        series_id=origin[0] if origin else None,
        lasts=timedelta(minutes=minutes) if isinstance(minutes, int) else rounds_last,
        reason=t.ended_because,
    )


def _without_tournament(tx: Transaction, series: Series, since: datetime, until: datetime) -> Sequence[AgendaItem]:
    rows = [row for row in list_occurrences(tx, series, since, until) if row.tournament_id is None]
    return [
        AgendaItem(
            uid=_uid(series.series_id, row.key),
            name=series.name,
            starts_at=row.starts_at,
            state=row.state,
            game=str(series.template["game"]),
            tournament_id=None,
            series_id=series.series_id,
            lasts=None,
            reason=row.reason,
        )
        for row in rows[:MOST_PLANNED]
        if row.state != OccurrenceState.MISSED
    ]


def _uid(series_id: UUID, key: str) -> str:
    return f"{series_id}-{key}"

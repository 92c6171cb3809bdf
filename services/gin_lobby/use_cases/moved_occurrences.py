"""What becomes of tournaments that a series has made ahead when its times change: they move with it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from gin_lobby.domain.problems import NotTheOrganiser
from gin_lobby.domain.series import OccurrenceRow, OccurrenceState, Series
from gin_lobby.domain.tournament import BEFORE_START, TournamentState
from gin_lobby.store import series as store
from gin_lobby.use_cases.editing import edit_tournament
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction
from gin_tournament.recurrence import Occurrence

REASON = "the times of the series have changed"
_FARTHEST = timedelta(days=5 * 365)
_DAY = timedelta(days=1)
# As the rule had them, in registration or not announced: whoever checks in already counts on the time.
_MOVABLE = tuple(state for state in BEFORE_START if state != TournamentState.CHECK_IN)


def move_made(tx: Transaction, caller: Caller, before: Series, after: Series) -> None:
    """Moves what `before` made to the time that `after` has for the same day, and tells everybody in it.

    What stays: a tournament that its organiser has moved alone or handed over, one in check-in, and one on a day on
    which the series has no time any more, or several. The series must be locked and its new plan checked.
    """
    if (before.rule, before.first_at, before.zone, before.gap, before.fold) == (
        after.rule, after.first_at, after.zone, after.gap, after.fold,
    ):  # fmt: skip
        return
    made = [row for row in store.occurrences(tx, after.series_id, tx.now, tx.now + _FARTHEST) if _moves(before, row)]
    if not made:
        return
    last = max(row.starts_at for row in made)
    offered = list(after.recurrence.occurrences(tx.now, last + 2 * _DAY))
    settled = store.settled(tx, after.series_id, [occurrence.key for occurrence in offered])
    for row in made:
        meant = _meant(row.key, offered, settled)
        if meant is None or meant.starts_at == row.starts_at:
            continue
        try:
            edit_tournament(tx, caller, row.tournament_id, {"starts_at": meant.starts_at}, "*", REASON)
        except NotTheOrganiser:
            continue
        store.move(tx, after.series_id, row.key, *meant)


def _moves(before: Series, row: OccurrenceRow) -> bool:
    if row.state != OccurrenceState.MADE or row.tournament_state not in _MOVABLE:
        return False
    return before.recurrence.at(datetime.fromisoformat(row.key)) == row.starts_at


def _meant(key: str, offered: Sequence[Occurrence], settled: frozenset[str]) -> Occurrence | None:
    # The same local time, which another zone may have made another moment, or else the one time of the same day.
    same = [occurrence for occurrence in offered if occurrence.key == key]
    free = [o for o in offered if _day(o.key) == _day(key) and o.key not in settled]
    return same[0] if same else free[0] if len(free) == 1 else None


def _day(key: str) -> date:
    return datetime.fromisoformat(key).date()

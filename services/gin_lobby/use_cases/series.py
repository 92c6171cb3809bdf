"""Series: an organiser's plan for tournaments that come again and again, and making them ahead of their time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from gin_lobby.domain.problems import NotTheOrganiser, WrongState
from gin_lobby.domain.series import OccurrenceRow, OccurrenceState, Series, SeriesId, SeriesState
from gin_lobby.domain.tournament import BEFORE_START, TournamentState
from gin_lobby.domain.versions import require_version
from gin_lobby.store import series as store
from gin_lobby.use_cases.accounts import require_account
from gin_lobby.use_cases.moved_occurrences import move_made
from gin_lobby.use_cases.tournaments import (
    TournamentPlan,
    cancel_tournament,
    create_tournament,
    drawn_up,
    open_registration,
)
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.problems import InvalidField, NotFound
from gin_servicekit.word_lists import make_known
from gin_tournament.errors import InvalidFormatError
from gin_tournament.recurrence import Occurrence, Recurrence

MOST_A_DAY = 24
MOST_AHEAD = 50  # tournaments of one series that wait for their start
MOST_AT_ONCE = 200  # occurrences that one transaction decides
LOOK_AGAIN = timedelta(days=30)  # where the rule gives nothing for years
FARTHEST = timedelta(days=5 * 365)


@dataclass(frozen=True, slots=True)
class SeriesPlan:
    """What an organiser asks for. `first_at` is a local time of `zone`; `template` holds the fields of a
    `TournamentPlan` but `name` and `starts_at`. The names of fields are those of REST.
    """

    name: str
    rule: str
    first_at: datetime
    zone: str
    gap: str
    fold: str
    ahead_days: int
    tournament: Mapping[str, Any]


def create_series(tx: Transaction, organiser: Caller, plan: SeriesPlan) -> Series:
    """Its first tournaments are made at once. Raises NoAccount, or InvalidField naming what cannot be."""
    organiser_id = UUID(organiser.account_id)
    require_account(tx, organiser_id)
    series = Series(
        series_id=SeriesId(uuid7()),
        organiser_id=organiser_id,
        name=plan.name,
        rule=plan.rule,
        first_at=plan.first_at,
        zone=plan.zone,
        gap=plan.gap,
        fold=plan.fold,
        template=dict(plan.tournament),
        ahead_days=plan.ahead_days,
        state=SeriesState.ACTIVE,
        revision=1,
        due_at=tx.now,
        looked_until=tx.now,
        created_at=tx.now,
    )
    _check(tx, series)
    store.insert(tx, series)
    make_occurrences(tx, series)
    return _again(tx, series.series_id)


def edit_series(
    tx: Transaction, caller: Caller, series_id: UUID | None, changes: Mapping[str, Any], if_match: str | None
) -> Series:
    """Changes what is made from now on. Tournaments that are made already move with the times of the series; in all
    else they stay as they are, and can be edited alone.

    Raises NotFound, NotTheOrganiser, PreconditionRequired without the revision that is meant, Outdated where there is
    another by now, WrongState for one that has ended, or InvalidField.
    """
    series = _organised(tx, caller, series_id)
    require_version(if_match, series.revision)
    if series.state == SeriesState.ENDED:
        raise WrongState("the series has ended")
    named = {("template" if name == "tournament" else name): value for name, value in changes.items()}
    if "template" in named:
        named["template"] = {**series.template, **named["template"]}
    edited = replace(series, **named, revision=series.revision + 1, due_at=tx.now, looked_until=tx.now)
    _check(tx, edited)
    store.rewrite(tx, edited)
    move_made(tx, caller, series, edited)
    make_occurrences(tx, edited)
    return _again(tx, series.series_id)


def end_series(tx: Transaction, caller: Caller, series_id: UUID | None) -> Series:
    """Nothing is made any more; what was made takes place. Raises NotFound, NotTheOrganiser, WrongState."""
    series = _organised(tx, caller, series_id)
    if series.state == SeriesState.ENDED:
        raise WrongState("the series has ended already")
    ended = replace(series, state=SeriesState.ENDED, due_at=None, revision=series.revision + 1)
    store.rewrite(tx, ended)
    return ended


def make_occurrences(tx: Transaction, series: Series) -> None:
    """Makes the tournaments of the days ahead, and says when to look again. The series must be locked.

    What lies in the past by now was missed: nobody could have entered. Guarantees that no occurrence is decided twice.
    """
    ahead = timedelta(days=series.ahead_days)
    found = _next(series.recurrence, series.looked_until, tx.now + ahead, MOST_AT_ONCE)
    known = store.settled(tx, series.series_id, [occurrence.key for occurrence in found])
    waiting = len(store.occurrences(tx, series.series_id, tx.now, tx.now + FARTHEST))
    looked_until, due_at = tx.now + ahead, None
    if len(found) == MOST_AT_ONCE:
        looked_until, due_at = found[-1].starts_at, tx.now
    for occurrence in found:
        if occurrence.key in known:
            continue
        if occurrence.starts_at <= tx.now:
            missed = "its time passed before it was made"
            store.write_down(tx, series.series_id, *occurrence, OccurrenceState.MISSED, None, missed)
        elif waiting >= MOST_AHEAD:
            looked_until, due_at = occurrence.starts_at - timedelta(seconds=1), tx.now + timedelta(hours=1)
            break
        else:
            _make(tx, series, occurrence)
            waiting += 1
    if due_at is None:
        following = series.recurrence.next_after(looked_until)
        due_at = tx.now + LOOK_AGAIN if following is None else max(following.starts_at - ahead, tx.now)
    store.rewrite(tx, replace(series, looked_until=max(looked_until, series.looked_until), due_at=due_at))


def _make(tx: Transaction, series: Series, occurrence: Occurrence) -> None:
    plan = _plan(series, occurrence.starts_at)
    organiser = Caller(str(series.organiser_id), frozenset(), administrator=False, token_id="")
    tournament = create_tournament(tx, series.organiser_id, plan)
    if tournament.state == TournamentState.ANNOUNCED:
        open_registration(tx, organiser, tournament.tournament_id)
    made = OccurrenceState.MADE
    store.write_down(tx, series.series_id, *occurrence, made, tournament.tournament_id, None)


def skip_occurrence(tx: Transaction, caller: Caller, series_id: UUID | None, key: str, reason: str) -> OccurrenceRow:
    """It does not take place: if its tournament was made, that is cancelled with the reason.

    Raises NotFound, NotTheOrganiser, or WrongState for one that was skipped, missed or started.
    """
    series = _organised(tx, caller, series_id)
    row = store.occurrence(tx, series.series_id, key)
    if row is None:
        planned = _planned(series, key)
        if planned is None or planned.starts_at <= tx.now:
            raise NotFound("the series has no such occurrence ahead", "key")
        store.write_down(tx, series.series_id, *planned, OccurrenceState.SKIPPED, None, reason)
    elif row.state != OccurrenceState.MADE or row.tournament_state not in BEFORE_START:
        raise WrongState(f"it cannot be skipped: it is {row.tournament_state or row.state}")
    else:
        cancel_tournament(tx, caller, row.tournament_id, reason)
        store.skip_made(tx, series.series_id, key, reason)
    return _occurrence(tx, series.series_id, key)


def unskip_occurrence(tx: Transaction, caller: Caller, series_id: UUID | None, key: str) -> OccurrenceRow:
    """It takes place after all. Raises NotFound, NotTheOrganiser, or WrongState where its tournament was cancelled."""
    series = _organised(tx, caller, series_id)
    row = store.occurrence(tx, series.series_id, key)
    if row is None:
        raise NotFound("it is not skipped", "key")
    if row.state != OccurrenceState.SKIPPED or row.tournament_id is not None or row.starts_at <= tx.now:
        raise WrongState(f"it cannot be planned again: it is {row.tournament_state or row.state}")
    store.forget(tx, series.series_id, key)
    before = row.starts_at - timedelta(seconds=1)
    if series.state == SeriesState.ACTIVE and series.looked_until > before:
        make_occurrences(tx, replace(series, looked_until=max(before, tx.now)))
    return store.occurrence(tx, series.series_id, key) or OccurrenceRow(key, row.starts_at, OccurrenceState.PLANNED)


def list_occurrences(tx: Transaction, series: Series, since: datetime, until: datetime) -> list[OccurrenceRow]:
    """What was, what is made, and what is planned from `since` to `until`, by time; at most 500."""
    rows = store.occurrences(tx, series.series_id, since, until)
    if series.state == SeriesState.ACTIVE:
        found = _next(series.recurrence, max(since, tx.now), until, 500)
        known = store.settled(tx, series.series_id, [occurrence.key for occurrence in found])
        rows += [OccurrenceRow(*o, OccurrenceState.PLANNED) for o in found if o.key not in known]
    return sorted(rows, key=lambda row: (row.starts_at, row.key))[:500]


def find_series(tx: Transaction, series_id: str) -> Series:
    """The series of an id as a client gives it. Raises NotFound when it is none of ours."""
    known = parse_id(series_id)
    series = store.find(tx, known) if known else None
    if series is None:
        raise NotFound("there is no such series")
    return series


def _organised(tx: Transaction, caller: Caller, series_id: UUID | None) -> Series:
    series = store.lock(tx, series_id) if series_id else None
    if series is None:
        raise NotFound("there is no such series")
    if str(series.organiser_id) != caller.account_id and not caller.administrator:
        raise NotTheOrganiser("only its organiser may do this")
    return series


def _check(tx: Transaction, series: Series) -> None:
    """Raises InvalidField naming what cannot be, in the words of REST."""
    try:
        recurrence = series.recurrence
    except InvalidFormatError as problem:
        field = {"first": "first_at"}.get(problem.field, problem.field)
        raise InvalidField(problem.problem, field) from None
    if recurrence.next_after(tx.now, FARTHEST) is None:
        raise InvalidField("gives no time from now on, or none for years", "rule")
    some = _next(recurrence, tx.now, tx.now + FARTHEST, MOST_A_DAY + 1)
    if len(some) > MOST_A_DAY and some[-1].starts_at - some[0].starts_at < timedelta(days=1):
        raise InvalidField(f"gives more than {MOST_A_DAY} times a day", "rule")
    plan = _plan(series, some[0].starts_at)
    make_known(tx, [plan.rules])
    try:
        drawn_up(series.organiser_id, plan, tx.now)
    except InvalidField as problem:
        raise InvalidField(problem.detail, f"tournament.{problem.field}") from None


def _plan(series: Series, starts_at: datetime) -> TournamentPlan:
    return TournamentPlan(**{**series.template, "name": series.name, "starts_at": starts_at})


def _next(recurrence: Recurrence, after: datetime, until: datetime, most: int) -> list[Occurrence]:
    """At most so many, by time."""
    found: list[Occurrence] = []
    step = timedelta(days=30)
    while after < until and len(found) < most:
        end = until if until - after <= step else after + step
        found += recurrence.occurrences(after, end)
        after = end
    return found[:most]


def _planned(series: Series, key: str) -> Occurrence | None:
    """The occurrence of that key, if the rule has one."""
    try:
        starts_at = series.recurrence.at(datetime.fromisoformat(key))
        before = None if starts_at is None else starts_at - timedelta(seconds=1)
    except (ValueError, OverflowError):
        return None
    if starts_at is None or before is None:
        return None
    around = series.recurrence.occurrences(before, starts_at)
    return next((occurrence for occurrence in around if occurrence.key == key), None)


def _occurrence(tx: Transaction, series_id: UUID, key: str) -> OccurrenceRow:
    row = store.occurrence(tx, series_id, key)
    assert row is not None
    return row


def _again(tx: Transaction, series_id: UUID) -> Series:
    series = store.find(tx, series_id)
    assert series is not None
    return series

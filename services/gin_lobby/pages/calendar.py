"""When things take place: the calendar, and each series with its occurrences."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import groupby

from flask import Blueprint, render_template

from gin_lobby.domain.series import SeriesState
from gin_lobby.use_cases.agenda import AgendaItem, agenda_between
from gin_lobby.use_cases.series import find_series
from gin_servicekit.service import Service

AHEAD = timedelta(days=60)
BACK = timedelta(days=60)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def calendar_pages(service: Service) -> Blueprint:
    pages = Blueprint("calendar", __name__, template_folder="templates")

    @pages.get("/calendar")
    def calendar() -> str:
        with service.transaction() as tx:
            items = agenda_between(tx, tx.now - timedelta(hours=12), tx.now + AHEAD)
        return render_template("calendar.html", days=_by_day(items), days_ahead=AHEAD.days)

    @pages.get("/series/<string:series_id>")
    def one_series(series_id: str) -> str:
        with service.transaction() as tx:
            series = find_series(tx, series_id)
            now = tx.now
            items = agenda_between(tx, now - BACK, now + AHEAD, series)
        return render_template(
            "series.html",
            series=series,
            ended=series.state == SeriesState.ENDED,
            ahead=_by_day([item for item in items if item.starts_at > now]),
            behind=_by_day([item for item in items if item.starts_at <= now][::-1]),
        )

    return pages


def _by_day(items: list[AgendaItem]) -> list[tuple[str, list[AgendaItem]]]:
    return [(day, list(group)) for day, group in groupby(items, key=lambda item: _day(item.starts_at))]


def _day(time: datetime) -> str:
    """A day for people, in UTC: `Friday, 4 December 2026`."""
    return f"{WEEKDAYS[time.weekday()]}, {time.day} {time:%B %Y}"

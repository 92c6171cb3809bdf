"""Calendars that programs subscribe to: iCalendar (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from flask import Response, request
from flask.views import MethodView
from icalendar import Calendar, Event

from gin_lobby.use_cases.agenda import AgendaItem, agenda_between
from gin_lobby.use_cases.series import find_series
from gin_servicekit.http_app import Blueprint, current_service

blueprint = Blueprint("Calendars", __name__, url_prefix="/api/v1", description="Calendars to subscribe to")
BACK, AHEAD = timedelta(days=30), timedelta(days=120)
_CALENDAR = {"text/calendar": {"schema": {"type": "string"}}}
_GAMES = {"rummy": "Gin Rummy", "word": "Word Gin"}


@blueprint.route("/calendar.ics")
class WholeCalendar(MethodView):
    @blueprint.response(200, content_type="text/calendar")
    def get(self) -> Response:
        """Every tournament from 30 days ago to 120 days ahead"""
        with current_service().transaction() as tx:
            items = agenda_between(tx, tx.now - BACK, tx.now + AHEAD)
            return _response("Ginhall", items, tx.now, current_service().settings.public_url)


@blueprint.route("/series/<string:series_id>/calendar.ics")
class SeriesCalendar(MethodView):
    @blueprint.response(200, content_type="text/calendar")
    @blueprint.alt_response(404, description="There is no such series")
    def get(self, series_id: str) -> Response:
        """The occurrences of one series from 30 days ago to 120 days ahead"""
        with current_service().transaction() as tx:
            series = find_series(tx, series_id)
            items = agenda_between(tx, tx.now - BACK, tx.now + AHEAD, series)
            return _response(series.name, items, tx.now, current_service().settings.public_url)


def _response(name: str, items: Iterable[AgendaItem], now: datetime, site: str) -> Response:
    calendar = Calendar()
    calendar.add("prodid", "-//Ginhall//Tournaments//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", timedelta(hours=1), parameters={"VALUE": "DURATION"})
    for item in items:
        calendar.add_component(_event(item, site))
    response = Response(calendar.to_ical(), mimetype="text/calendar")
    response.headers["Cache-Control"] = "public, max-age=300"
    response.add_etag()
    response.make_conditional(request)
    return response


def _event(item: AgendaItem, site: str) -> Event:
    event = Event()
    event.add("uid", f"{item.uid}@ginhall")
    # What a calendar shows must be the same as long as nothing changes: the time of asking would not be.
    event.add("dtstamp", item.starts_at)
    event.add("dtstart", item.starts_at)
    if item.lasts is not None:
        event.add("duration", item.lasts)
    event.add("summary", item.name)
    event.add("categories", [_GAMES.get(item.game, item.game)])
    off = item.state in ("cancelled", "skipped")
    event.add("status", "CANCELLED" if off else "TENTATIVE" if item.state == "planned" else "CONFIRMED")
    page = f"tournaments/{item.tournament_id}" if item.tournament_id else f"series/{item.series_id}"
    event.add("description", item.reason if off and item.reason else _GAMES.get(item.game, item.game))
    event.add("url", f"{site}/{page}")
    return event

"""The lobby's pages, and how they write figures and times for people."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from flask import Blueprint, Flask
from markupsafe import Markup

from gin_lobby.domain.formats import most_entrants
from gin_lobby.domain.tournament import Tournament
from gin_lobby.pages.account import account_pages
from gin_lobby.pages.calendar import calendar_pages
from gin_lobby.pages.desk.desk_site import add_desk
from gin_lobby.pages.desk.formats import KEPT, offer_of
from gin_lobby.pages.front import front_pages
from gin_lobby.pages.recurrence_words import recurrence
from gin_lobby.pages.taking_part import taking_part_pages
from gin_lobby.pages.tournament import tournament_page
from gin_lobby.pages.webhooks import webhook_pages
from gin_servicekit.service import Service


def add_pages(app: Flask, service: Service) -> None:
    pages = Blueprint("pages", __name__, template_folder="templates")
    pages.add_app_template_filter(moment)
    pages.add_app_template_filter(datetime.fromisoformat, "instant")
    pages.add_app_template_filter(figure)
    pages.add_app_template_filter(kind_of)
    pages.add_app_template_filter(places)
    pages.add_app_template_filter(counted)
    pages.add_app_template_filter(game_name)
    pages.add_app_template_filter(recurrence)
    pages.add_app_template_filter(state_name)

    @pages.get("/tournaments/<string:tournament_id>")
    def tournament(tournament_id: str) -> str:
        return tournament_page(service, tournament_id)

    app.register_blueprint(front_pages(service))
    app.register_blueprint(account_pages(service))
    app.register_blueprint(webhook_pages(service))
    app.register_blueprint(taking_part_pages(service))
    app.register_blueprint(calendar_pages(service))
    app.register_blueprint(pages)
    add_desk(app, service)


def kind_of(format_: Mapping[str, Any]) -> str:
    """The name of a format for people, as the desk offers it: `Swiss`, `Knockout`, `Duplicate round robin`."""
    if format_["kind"] == "duplicate":
        inner = kind_of(format_["format"])
        return "Duplicate " + (inner if inner == "Swiss" else inner.lower())
    offer = offer_of(format_)
    return offer.title if offer.key != KEPT else str(format_["kind"]).replace("_", " ").capitalize()


def places(tournament: Tournament) -> str:
    """` of 8` where the organiser set a number of places; nothing for the most that the format can take."""
    if tournament.capacity in (None, most_entrants(tournament.played_as)):
        return ""
    return f" of {tournament.capacity}"


def counted(number: int, thing: str) -> str:
    """So many of a thing: `1 deal`, `4 deals`."""
    return f"{number} {thing}" + ("" if number == 1 else "s")


def state_name(state: str) -> str:
    """How a tournament stands, for people: `registration open`, `check-in`, `running`."""
    return {"registration": "registration open", "check_in": "check-in"}.get(state, state.replace("_", "-"))


def game_name(game: str) -> str:
    """A game for people: `Gin Rummy`."""
    return {"rummy": "Gin Rummy", "word": "Word Gin"}.get(game, game)


def moment(time: datetime) -> Markup:
    """A time for people: `30 Nov 2026, 18:05 UTC`, to which times.js adds that of the reader's own clock."""
    text = f"{time.day} {time:%b %Y, %H:%M} UTC"
    return Markup('<time datetime="{}">{}</time>').format(time.strftime("%Y-%m-%dT%H:%M:%SZ"), text)


def figure(value: float) -> str:
    """A number with no more digits than it needs, at most two, and a true minus sign: 4, 4.5, −0.33."""
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-", "−")

"""The lobby's pages, and how they write figures and times for people."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from flask import Blueprint, Flask

from gin_lobby.pages.account import account_pages
from gin_lobby.pages.calendar import calendar_pages
from gin_lobby.pages.desk.desk_site import add_desk
from gin_lobby.pages.front import front_pages
from gin_lobby.pages.taking_part import taking_part_pages
from gin_lobby.pages.tournament import tournament_page
from gin_servicekit.service import Service


def add_pages(app: Flask, service: Service) -> None:
    pages = Blueprint("pages", __name__, template_folder="templates")
    pages.add_app_template_filter(moment)
    pages.add_app_template_filter(datetime.fromisoformat, "instant")
    pages.add_app_template_filter(figure)
    pages.add_app_template_filter(kind_of)
    pages.add_app_template_filter(game_name)

    @pages.get("/tournaments/<string:tournament_id>")
    def tournament(tournament_id: str) -> str:
        return tournament_page(service, tournament_id)

    app.register_blueprint(front_pages(service))
    app.register_blueprint(account_pages(service))
    app.register_blueprint(taking_part_pages(service))
    app.register_blueprint(calendar_pages(service))
    app.register_blueprint(pages)
    add_desk(app, service)


def kind_of(format_: Mapping[str, Any]) -> str:
    """The name of a format for people: `Swiss`, `Round robin`."""
    return str(format_["kind"]).replace("_", " ").capitalize()


def game_name(game: str) -> str:
    """A game for people: `Gin Rummy`."""
    return {"rummy": "Gin Rummy", "word": "Word Gin"}.get(game, game)


def moment(time: datetime) -> str:
    """A time for people: `30 Nov 2026, 18:05 UTC`."""
    return f"{time.day} {time:%b %Y, %H:%M} UTC"


def figure(value: float) -> str:
    """A number with no more digits than it needs, at most two: 4, 4.5, 0.33."""
    return f"{value:.2f}".rstrip("0").rstrip(".")

"""All pages of the desk."""

from __future__ import annotations

from flask import Flask

from gin_lobby.pages.desk.corrections import corrections_pages
from gin_lobby.pages.desk.creation import creation_pages
from gin_lobby.pages.desk.entrants import entrants_pages
from gin_lobby.pages.desk.log import log_pages
from gin_lobby.pages.desk.overview import overview_pages
from gin_lobby.pages.desk.pairings import pairings_pages
from gin_lobby.pages.desk.series import series_pages
from gin_lobby.pages.desk.unseen import add_unseen
from gin_servicekit.service import Service


def add_desk(app: Flask, service: Service) -> None:
    for pages in (
        overview_pages(service),
        creation_pages(service),
        entrants_pages(service),
        pairings_pages(service),
        corrections_pages(service),
        series_pages(service),
        log_pages(service),
    ):
        app.register_blueprint(pages)
    add_unseen(app, service)

"""Adds the engine's pages to its application."""

from __future__ import annotations

from flask import Flask

from gin_engine.pages import arbiter, bots, play, rules, tables
from gin_servicekit.service import Service
from gin_web.site import add_site


def add_pages(app: Flask, service: Service) -> None:
    """Every page that the engine owns: /tables/… with the arbiter's page, /replays/…, /play, /rules, /bots."""
    add_site(app)
    for pages in (play.pages(service), tables.pages(service), arbiter.pages(service), rules.pages(), bots.pages()):
        app.register_blueprint(pages)

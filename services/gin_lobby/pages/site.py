"""The lobby's pages: what is on, and one tournament. They read what REST reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from itertools import groupby
from typing import Any

from flask import Blueprint, Flask, render_template

from gin_lobby.domain.tournament import BEFORE_START, ENDED, EntrantState, TournamentState
from gin_lobby.pages.pairing_lines import line_of
from gin_lobby.store import matches, rounds, tournaments
from gin_lobby.use_cases.tournaments import find
from gin_servicekit.service import Service

SHOWN = 12


def add_pages(app: Flask, service: Service) -> None:
    pages = Blueprint("pages", __name__, template_folder="templates")
    pages.add_app_template_filter(moment)
    pages.add_app_template_filter(figure)

    pages.add_app_template_filter(kind_of)

    @pages.get("/")
    def front() -> str:
        with service.transaction() as tx:
            sections = [
                (title, none_yet, tournaments.page(tx, states, None, None, SHOWN))
                for title, none_yet, states in (
                    ("Running", "Nothing is being played just now.", [TournamentState.RUNNING]),
                    ("Upcoming", "Nothing is announced. Create a tournament through the API.", BEFORE_START),
                    ("Finished", "No tournament has ended yet.", ENDED),
                )
            ]
        return render_template("front.html", sections=sections)

    @pages.get("/tournaments/<string:tournament_id>")
    def tournament(tournament_id: str) -> str:
        with service.transaction() as tx:
            t = find(tx, tournament_id)
            entrants = [e for e in tournaments.entrants(tx, t.tournament_id) if e.state != EntrantState.WITHDRAWN]
            names = {e.player_id: e.name for e in tournaments.entrants(tx, t.tournament_id)}
            pairings = rounds.pairings(tx, t.tournament_id)
            series = matches.of_pairings(tx, [p.pairing_id for p in pairings if p.fixture.get("best_of", 1) > 1])
            published = rounds.standings(tx, t.tournament_id, None)
        lines = [line_of(pairing, series.get(pairing.pairing_id, []), names) for pairing in pairings]
        by_round = [(number, list(rows)) for number, rows in groupby(lines, key=lambda line: line.round_number)]
        current = by_round[-1][1] if by_round else []
        return render_template(
            "tournament.html",
            t=t,
            entrants=entrants,
            taken=sum(e.state == EntrantState.REGISTERED for e in entrants),
            rounds=by_round[::-1],
            matches=len(current),
            decided=sum(line.is_decided for line in current),
            standings=json.loads(published.body) if published else None,
        )

    app.register_blueprint(pages)


def kind_of(format_: Mapping[str, Any]) -> str:
    """The name of a format for people: `Swiss`, `Round robin`."""
    return str(format_["kind"]).replace("_", " ").capitalize()


def moment(time: datetime) -> str:
    """A time for people: `30 Nov 2026, 18:05 UTC`."""
    return f"{time.day} {time:%b %Y, %H:%M} UTC"


def figure(value: float) -> str:
    """A number with no more digits than it needs, at most two: 4, 4.5, 0.33."""
    return f"{value:.2f}".rstrip("0").rstrip(".")

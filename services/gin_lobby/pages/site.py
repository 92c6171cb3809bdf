"""The lobby's pages: what is on, and one tournament. They read what REST reads."""

from __future__ import annotations

import json
from datetime import datetime
from itertools import groupby

from flask import Blueprint, Flask, render_template

from gin_lobby.domain.tournament import BEFORE_START, ENDED, EntrantState, TournamentState
from gin_lobby.store import rounds, tournaments
from gin_lobby.use_cases.tournaments import find
from gin_servicekit.service import Service

SHOWN = 12


def add_pages(app: Flask, service: Service) -> None:
    pages = Blueprint("pages", __name__, template_folder="templates")
    pages.add_app_template_filter(moment)
    pages.add_app_template_filter(figure)

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
            published = rounds.standings(tx, t.tournament_id, None)
        by_round = [(number, list(rows)) for number, rows in groupby(pairings, key=lambda p: p.round_number)]
        current = by_round[-1][1] if by_round else []
        return render_template(
            "tournament.html",
            t=t,
            entrants=entrants,
            taken=sum(e.state == EntrantState.REGISTERED for e in entrants),
            names=names,
            rounds=by_round[::-1],
            matches=len(current),
            decided=sum(pairing.result is not None for pairing in current),
            standings=json.loads(published.body) if published else None,
        )

    app.register_blueprint(pages)


def moment(time: datetime) -> str:
    """A time for people: `30 Nov 2026, 18:05 UTC`."""
    return f"{time.day} {time:%b %Y, %H:%M} UTC"


def figure(value: float) -> str:
    """A number with no more digits than it needs, at most two: 4, 4.5, 0.33."""
    return f"{value:.2f}".rstrip("0").rstrip(".")

"""/tables/{id}: the table of a match, for its players and for who looks on; /replays/{id}: the same afterwards."""

from __future__ import annotations

from flask import Blueprint, render_template
from werkzeug.wrappers import Response

from gin_engine.domain.match import PLAYING, Match
from gin_engine.use_cases.show_matches import find
from gin_servicekit.auth import visitor
from gin_servicekit.service import Service

GAME_NAMES = {"rummy": "Gin Rummy", "word": "Word Gin"}


def pages(service: Service) -> Blueprint:
    blueprint = Blueprint("table_pages", __name__, template_folder="templates")

    @blueprint.get("/tables/<string:table_id>")
    def table(table_id: str) -> str | Response:
        with service.transaction() as tx:
            match = find(tx, table_id)
        return render_template(
            "table.html", match=match, seat=_seat_of_visitor(match), title=_title(match), game=GAME_NAMES[match.game]
        )

    @blueprint.get("/replays/<string:match_id>")
    def replay(match_id: str) -> str:
        with service.transaction() as tx:
            match = find(tx, match_id)
        return render_template(
            "replay.html", match=match, title=_title(match), game=GAME_NAMES[match.game], over=match.state != PLAYING
        )

    return blueprint


def _seat_of_visitor(match: Match) -> int | None:
    who = visitor()
    if who is None:
        return None
    return next(
        (number for number, seat in enumerate(match.seats) if seat.bot is None and seat.player_id == who.account_id),
        None,
    )


def _title(match: Match) -> str:
    return " – ".join(seat.player_name for seat in match.seats)

"""/tables/{id}: a table that waits, or the one of a match, for its players and for who looks on; /replays/{id}."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from urllib.parse import quote

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response

from gin_engine.domain.match import PLAYING, Match
from gin_engine.domain.problems import TableNotFound
from gin_engine.domain.table import CLOSED, LINK, WAITING, Table
from gin_engine.use_cases.show_matches import find
from gin_engine.use_cases.tables import close_table, join_table, leave_table, show_table
from gin_servicekit.auth import Caller, require_same_origin, visitor
from gin_servicekit.database import Transaction
from gin_servicekit.service import Service
from gin_web.presets import GAME_NAMES

ENTROPY_BYTES = 16


def pages(service: Service) -> Blueprint:
    blueprint = Blueprint("table_pages", __name__, template_folder="templates")

    @blueprint.get("/tables/<string:table_id>")
    def table(table_id: str) -> str:
        with service.transaction() as tx:
            waiting = _waiting(tx, table_id)
            match = find(tx, table_id) if waiting is None else None
        return _waiting_page(waiting) if waiting is not None else _match_page(match)

    @blueprint.post("/tables/<string:table_id>/players")
    def sit_down(table_id: str) -> Response:
        require_same_origin()
        who = visitor()
        if who is None:
            return redirect(f"/guest-session?next={quote(request.path)}", 307)
        invitation = request.form.get("invitation") or None
        with service.transaction() as tx:
            join_table(tx, who, table_id, invitation, secrets.token_bytes(ENTROPY_BYTES))
        return redirect(f"/tables/{table_id}", 303)

    @blueprint.post("/tables/<string:table_id>/closing")
    def close(table_id: str) -> Response:
        return _left(service, table_id, close_table)

    @blueprint.post("/tables/<string:table_id>/leaving")
    def leave(table_id: str) -> Response:
        return _left(service, table_id, leave_table)

    @blueprint.get("/replays/<string:match_id>")
    def replay(match_id: str) -> str:
        with service.transaction() as tx:
            match = find(tx, match_id)
        return render_template(
            "replay.html", match=match, title=_title(match), game=GAME_NAMES[match.game], over=match.state != PLAYING
        )

    return blueprint


def _left(service: Service, table_id: str, how: Callable[[Transaction, Caller, str], Table]) -> Response:
    require_same_origin()
    who = visitor()
    if who is not None:
        with service.transaction() as tx:
            how(tx, who, table_id)
    return redirect("/play", 303)


def _waiting(tx: Transaction, table_id: str) -> Table | None:
    """The table if its match has not begun; None for a table of a match, casual or not."""
    try:
        table = show_table(tx, table_id)
    except TableNotFound:
        return None
    return table if table.state in (WAITING, CLOSED) else None


def _waiting_page(table: Table) -> str:
    who = visitor()
    seated = who is not None and table.player(who.account_id) is not None
    host = who is not None and table.host_id == who.account_id
    link = f"{request.host_url}tables/{table.table_id}"
    if table.opponent == LINK and host:
        link += f"?invitation={table.invitation}"
    return render_template(
        "waiting.html",
        table=table,
        game=GAME_NAMES[table.game],
        seated=seated,
        host=host,
        link=link,
        invitation=request.args.get("invitation", ""),
        closed=table.state == CLOSED,
    )


def _match_page(match: Match | None) -> str:
    assert match is not None
    return render_template(
        "table.html", match=match, seat=_seat_of_visitor(match), title=_title(match), game=GAME_NAMES[match.game]
    )


def _seat_of_visitor(match: Match) -> int | None:
    who = visitor()
    if who is None:
        return None
    return next(
        (number for number, seat in enumerate(match.seats) if seat.bot is None and seat.player_id == who.account_id),
        None,
    )


def _title(match: Match) -> str:
    return " – ".join(seat.name for seat in match.seats)

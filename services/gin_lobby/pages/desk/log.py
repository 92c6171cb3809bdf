"""/tournaments/{id}/log, /tournaments/{id}/desk/share and /notices: who decided what, for everybody and for oneself."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any
from uuid import UUID

from flask import Blueprint, Response, make_response, render_template, request

from gin_lobby.pages.desk.access import at_desk
from gin_lobby.pages.desk.overview import UNDER
from gin_lobby.store import tournaments, webhooks
from gin_lobby.store.log import LogEntry
from gin_lobby.use_cases.log import read_log, read_notices
from gin_lobby.use_cases.rights import find, is_organiser
from gin_servicekit.auth import Scope, caller, requires
from gin_servicekit.database import parse_id
from gin_servicekit.service import Service

PAGE = 50
_REPORTED = ("swiss", "round_robin")
_WORDS = {
    "announced": "announced",
    "registration_opened": "opened registration",
    "edited": "changed the plan",
    "invited": "invited {name}",
    "paused": "paused it",
    "resumed": "went on",
    "round_extended": "gave round {round} {minutes} minutes more",
    "announcement": "announced",
    "result_corrected": "corrected a result of round {round}",
    "cancelled": "cancelled it",
    "arbiter_named": "named {name} an arbiter",
    "arbiter_dismissed": "dismissed an arbiter",
    "handed_over": "made {name} the organiser",
    "round_wished": "set wishes for round {round}",
    "round_paired_anew": "paired round {round} again",
    "pairs_forbidden": "said who may not meet",
    "rest_asked_for": "asked for a rest",
    "rest_taken_back": "took back a rest",
    "concession_made": "let round {round} be paired by a concession",
    "ended_early": "ended it early",
}


def log_pages(service: Service) -> Blueprint:
    pages = Blueprint("desk_log", __name__, template_folder="../templates")

    @pages.get("/tournaments/<string:tournament_id>/log")
    def log(tournament_id: str) -> str:
        text = request.args.get("before", "")
        before = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None
        with service.transaction() as tx:
            t = find(tx, tournament_id)
            found = read_log(tx, tournament_id, before, None, PAGE + 1)
        older = found[PAGE - 1].number if len(found) > PAGE else None
        return render_template("desk/log.html", t=t, entries=found[:PAGE], older=older, said=said)

    @pages.get(f"{UNDER}/share")
    @requires(Scope.TOURNAMENT_WRITE)
    def share(tournament_id: str) -> str:
        who = caller()
        with service.transaction() as tx:
            t = at_desk(tx, who, tournament_id)
        return render_template(
            "desk/share.html",
            t=t,
            here="share",
            organiser=is_organiser(who, t),
            address=service.settings.public_url or request.url_root.rstrip("/"),
            has_bracket="elimination" in json.dumps(t.format),
            has_report=t.format["kind"] in _REPORTED,
        )

    @pages.get("/notices")
    @requires(Scope.ACCOUNT)
    def notices() -> Response:
        with service.transaction() as tx:
            found = read_notices(tx, caller(), _position(request.args.get("before", "")), PAGE + 1)
            named = {t.tournament_id: t.name for t in tournaments.several(tx, [e.tournament_id for e in found])}
            own = parse_id(caller().account_id)
            disabled = webhooks.disabled(tx, own) if own else []
        older = _mark(found[PAGE - 1]) if len(found) > PAGE else None
        shown = {"entries": found[:PAGE], "named": named, "older": older, "said": said, "disabled_webhooks": disabled}
        return make_response(render_template("desk/notices.html", **shown))

    return pages


def said(entry: LogEntry) -> str:
    """An entry in words, without who and when: `paused it`."""
    words = _WORDS.get(entry.what, entry.what.replace("_", " "))
    details: dict[str, Any] = {"name": "somebody", "round": "?", "minutes": "some", **entry.details}
    return words.format(**{name: details[name] for name in ("name", "round", "minutes")})


def _mark(entry: LogEntry) -> str:
    return f"{entry.at.isoformat()},{entry.tournament_id},{entry.number}"


def _position(text: str) -> tuple[datetime, UUID, int] | None:
    """Where a page goes on; None for the newest, and for what is no mark of ours."""
    try:
        at, tournament_id, number = text.split(",")
        position = datetime.fromisoformat(at), UUID(tournament_id), int(number)
    except ValueError:
        return None
    return position if position[0].tzinfo is not None and 0 < position[2] < 2**31 else None

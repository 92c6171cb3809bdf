"""/play: open tables, a new table, and a computer opponent in one click. Everything works without a script."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response

from gin_bots import FRIENDLY, bots_for
from gin_engine.domain.match import Clock
from gin_engine.domain.table import BOT, LINK, OPEN, TableWish
from gin_engine.use_cases.tables import list_open_tables, open_table
from gin_servicekit.auth import Caller, require_same_origin, visitor
from gin_servicekit.problems import InvalidField, Problem
from gin_servicekit.service import Service
from gin_web.presets import GAME_NAMES, presets

SHOWN_TABLES = 50
CLOCKS: Mapping[str, tuple[str, Clock | None]] = {
    "none": ("No clock", None),
    "quick": ("Quick: 15 s a move and 1 minute", Clock(15_000, 60_000)),
    "usual": ("Usual: 30 s a move and 3 minutes", Clock(30_000, 180_000)),
    "calm": ("Calm: 60 s a move and 10 minutes", Clock(60_000, 600_000)),
}
PACES: Mapping[str, tuple[str, float]] = {
    "usual": ("Usual: a second", 1.0),
    "quick": ("Quick: at once", 0.0),
    "calm": ("Calm: three seconds", 3.0),
}


def pages(service: Service) -> Blueprint:
    blueprint = Blueprint("play_pages", __name__, template_folder="templates")

    def page(problem: Problem | None = None) -> tuple[str, int]:
        with service.transaction() as tx:
            waiting, _ = list_open_tables(tx, "", SHOWN_TABLES)
        shown = render_template(
            "play.html",
            tables=waiting,
            games=GAME_NAMES,
            presets={game: [one for one in presets(game) if one.same_as is None] for game in GAME_NAMES},
            bots={game: bots_for(game) for game in GAME_NAMES},
            friendly=FRIENDLY,
            clocks=CLOCKS,
            paces=PACES,
            given=request.form,
            problem=problem,
        )
        return shown, 200 if problem is None else problem.status

    @blueprint.get("/play")
    def play() -> tuple[str, int]:
        return page()

    @blueprint.post("/play")
    def new_table() -> Response | tuple[str, int]:
        require_same_origin()
        who = visitor()
        if who is None:
            return _as_guest()
        try:
            return _opened(service, who, _wish(request.form))
        except Problem as problem:
            return page(problem)

    @blueprint.get("/play/computer")
    def no_computer() -> Response:
        return redirect("/play", 303)

    @blueprint.post("/play/computer")
    def computer() -> Response | tuple[str, int]:
        require_same_origin()
        who = visitor()
        if who is None:
            return _as_guest()
        game = request.form.get("game", "rummy")
        bot = request.form.get("bot") or FRIENDLY.get(game, "")
        rules = {"preset": request.form["preset"]} if request.form.get("preset") else {}
        try:
            pace = _pace_seconds(request.form)
            return _opened(service, who, TableWish(game, rules, 2, BOT, bot, bot_pace_seconds=pace, advice=True))
        except Problem as problem:
            return page(problem)

    return blueprint


def _as_guest() -> Response:
    # 307 keeps method and body: the form comes back here as soon as there is a player to sit down.
    return redirect(f"/guest-session?next={quote(request.path)}", 307)


def _opened(service: Service, who: Caller, wish: TableWish) -> Response:
    with service.transaction() as tx:
        table = open_table(tx, who, wish)
    return redirect(f"/tables/{table.table_id}", 303)


def _pace_seconds(form: Mapping[str, str]) -> float:
    """How long the computer waits at least before it answers a person."""
    if form.get("pace", "usual") not in PACES:
        raise InvalidField("there is no such pace", "pace")
    return PACES[form.get("pace", "usual")][1]


def _wish(form: Mapping[str, str]) -> TableWish:
    """What the form asks for. Raises InvalidField naming the part that cannot be."""
    game, _, preset = form.get("rules", "rummy:standard").partition(":")
    if game not in GAME_NAMES:
        raise InvalidField("there is no such game", "rules")
    found = next((one for one in presets(game) if one.name == preset), None)
    if found is None:
        raise InvalidField("there are no such rules", "rules")
    asked = form.get("seats", "2")
    if asked not in ("2", "3", "4"):
        raise InvalidField("a table has 2, 3 or 4 seats", "seats")
    seats = int(asked) if int(asked) in found.seats else found.seats[0]
    kind, _, bot = form.get("opponent", OPEN).partition(":")
    if kind not in (BOT, OPEN, LINK):
        raise InvalidField("there is no such opponent", "opponent")
    if form.get("clock", "none") not in CLOCKS:
        raise InvalidField("there is no such clock", "clock")
    if kind == BOT and not any(one.name == bot for one in bots_for(game)):
        raise InvalidField(f"that opponent does not play {GAME_NAMES[game]}: choose another one", "opponent")
    return TableWish(
        game=game,
        rules={"preset": preset},
        seats=seats,
        opponent=kind,
        bot=bot or None,
        clock=CLOCKS[form.get("clock", "none")][1] if kind != BOT else None,
        bot_pace_seconds=_pace_seconds(form),
        rated=form.get("rated") == "on" and kind != BOT,
        advice=form.get("advice") == "on",
    )

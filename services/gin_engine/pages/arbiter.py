"""/tables/{id}/arbiter: what an arbiter may decide about a match that is being played; forms without a script."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response

from gin_engine.domain.match import PLAYING, Match
from gin_engine.store.states import state_of
from gin_engine.use_cases.declare_lost import declare_lost
from gin_engine.use_cases.rule import check_arbiter, rule, show_rulings
from gin_engine.use_cases.show_matches import find, is_hidden
from gin_rules.game import game_named
from gin_rules.rulings import Ruling, RulingKind
from gin_servicekit.auth import Caller, Scope, caller, require_same_origin, requires
from gin_servicekit.database import Transaction
from gin_servicekit.problems import InvalidField, NotFound, Problem
from gin_servicekit.service import Service
from gin_web.presets import GAME_NAMES

KINDS: Mapping[str, RulingKind] = {"correct": "correct", "redeal": "redeal", "void_hand": "void_hand"}
NAMES = {"correct": "Hand corrected", "redeal": "Dealt again", "void_hand": "Hand voided"}
LONGEST_REASON = 500
DONE = {
    "correct": "The hand counts as you said from now on.",
    "redeal": "The hand is dealt again.",
    "void_hand": "The hand ends without score.",
    "forfeit": "The match is over.",
}
_POINTS = re.compile(r"[-−]?\d{1,6}")
_Work = Callable[[Transaction, Caller], object]


def pages(service: Service) -> Blueprint:
    blueprint = Blueprint("arbiter_pages", __name__, template_folder="templates")

    @blueprint.get("/tables/<string:match_id>/arbiter")
    @requires(Scope.TOURNAMENT_WRITE)
    def arbiter(match_id: str) -> str:
        return _page(service, match_id)

    @blueprint.post("/tables/<string:match_id>/arbiter/<string:kind>")
    @requires(Scope.TOURNAMENT_WRITE)
    def ruling(match_id: str, kind: str) -> Response | tuple[str, int]:
        if kind not in KINDS:
            raise NotFound("there is no such ruling")

        def work(tx: Transaction, who: Caller) -> object:
            points = _points() if kind == "correct" else None
            wanted = Ruling(KINDS[kind], _whole("hand"), points, _reason(), who.account_id)
            return rule(tx, who, match_id, wanted)

        return _decided(service, match_id, kind, work)

    @blueprint.post("/tables/<string:match_id>/arbiter/forfeit")
    @requires(Scope.TOURNAMENT_WRITE)
    def forfeit(match_id: str) -> Response | tuple[str, int]:
        def work(tx: Transaction, who: Caller) -> object:
            seat, reason = _whole("seat"), _reason()
            if not reason:
                raise InvalidField("say why: everybody may read it", "reason")
            return declare_lost(tx, who, match_id, seat, reason)

        return _decided(service, match_id, "forfeit", work)

    return blueprint


def _decided(service: Service, match_id: str, form: str, work: _Work) -> Response | tuple[str, int]:
    require_same_origin()
    who = caller()
    try:
        with service.transaction() as tx:
            work(tx, who)
    except Problem as problem:
        if problem.status in (403, 404):
            raise
        return _page(service, match_id, form, problem), problem.status
    return redirect(f"/tables/{match_id}/arbiter?done={form}", 303)


def _page(service: Service, match_id: str, refused: str = "", problem: Problem | None = None) -> str:
    who = caller()
    with service.transaction() as tx:
        match = find(tx, match_id)
        check_arbiter(tx, match, who)
        rulings = show_rulings(tx, match.match_id, who)
        hands, totals = _standing(tx, match)
    return render_template(
        "arbiter.html",
        match=match,
        title=" – ".join(seat.name for seat in match.seats),
        game=GAME_NAMES[match.game],
        playing=match.state == PLAYING,
        current=match.hands_played + 1,
        hands=hands,
        totals=totals,
        rulings=rulings,
        names=NAMES,
        done=DONE.get(request.args.get("done", "")),
        refused=refused,
        problem=problem,
        typed=request.form,
        longest=LONGEST_REASON,
    )


def _standing(tx: Transaction, match: Match) -> tuple[list[tuple[int, ...]], tuple[int, ...]]:
    """Points of each hand that is over, and the totals; nothing while other tables play the same cards."""
    if not match.dealt or is_hidden(tx, match):
        return [], ()
    sheet = game_named(match.game).score_sheet(state_of(tx, match))
    return [hand.points for hand in sheet.hands], sheet.totals


def _whole(name: str) -> int:
    text = request.form.get(name, "")
    if not re.fullmatch(r"\d{1,6}", text, re.ASCII):
        raise InvalidField(f"{name} must be a whole number", name)
    return int(text)


def _points() -> tuple[int, ...]:
    texts = [text.strip() for text in request.form.getlist("points")]
    if not 2 <= len(texts) <= 4 or not all(_POINTS.fullmatch(text, 0) for text in texts):
        raise InvalidField("give each player's points as a whole number", "points")
    return tuple(int(text.replace("−", "-")) for text in texts)


def _reason() -> str:
    reason = request.form.get("reason", "").strip()
    if len(reason) > LONGEST_REASON or "\x00" in reason:
        raise InvalidField(f"a reason has at most {LONGEST_REASON} characters", "reason")
    return reason

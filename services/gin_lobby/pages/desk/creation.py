"""/tournaments/new and /tournaments/{id}/desk/edit: the plan of a tournament, made and changed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

from flask import Blueprint, make_response, redirect, render_template, request
from werkzeug.wrappers import Response

from gin_lobby.domain.problems import WrongState
from gin_lobby.domain.tournament import BEFORE_START, Tournament, TournamentState
from gin_lobby.pages.desk.access import at_desk, typed_form
from gin_lobby.pages.desk.fields import Field, blamed, read, sentence
from gin_lobby.pages.desk.formats import KEPT, offer_of, offers
from gin_lobby.pages.desk.overview import UNDER
from gin_lobby.pages.desk.plan_form import Asked, PlanForm, base_of, complete, plan_form, read_plan, with_defaults
from gin_lobby.pages.desk.rules import GAMES
from gin_lobby.pages.desk.times import typed_of, zones
from gin_lobby.store import tournaments
from gin_lobby.use_cases.accounts import require_account
from gin_lobby.use_cases.editing import edit_tournament, version_of
from gin_lobby.use_cases.rights import find_for, is_organiser
from gin_lobby.use_cases.tournaments import create_tournament
from gin_servicekit.auth import Caller, Scope, caller, requires
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.problems import Forbidden, NotFound, Problem
from gin_servicekit.service import Service
from gin_tournament.catalogue import from_json, to_json
from gin_tournament.errors import InvalidFormatError

_OWN_SHOWN = 30
_NEW = Asked()
_REASON = Field("reason", "Why", "long", hint="Everybody in it reads it.", longest=500, required=False)
_BY_REGISTRATION = frozenset({"rules", "format", "admits"})
_FIXED: Mapping[str, frozenset[str]] = {
    TournamentState.REGISTRATION: _BY_REGISTRATION,
    TournamentState.CHECK_IN: _BY_REGISTRATION | {"check_in_minutes", "clock", "rating_min"},
}


def creation_pages(service: Service) -> Blueprint:
    pages = Blueprint("desk_creation", __name__, template_folder="../templates")

    @pages.get("/tournaments/new")
    @requires(Scope.TOURNAMENT_WRITE)
    def choose() -> Response:
        who = caller()
        with service.transaction() as tx:
            require_account(tx, UUID(who.account_id))
            base = _base(tx, who)
            own = tournaments.page(tx, None, UUID(who.account_id), None, _OWN_SHOWN, UUID(who.account_id))
            now = tx.now
        game, kind = request.args.get("game", ""), request.args.get("format", "")
        if base is None and not (game in GAMES and kind in offers()):
            page = render_template("desk/new.html", games=GAMES.values(), offers=offers().values(), own=own)
            return make_response(page)
        if base is not None:
            game, kind = game or base["game"], kind or offer_of(base["format"]).key
        form = plan_form(None, base, _NEW, game, kind)
        first = {**form.typed, **typed_of((now + timedelta(days=7)).replace(hour=19, minute=0, second=0), "UTC")}
        return _form(plan_form(first, base, _NEW, game, kind))

    @pages.post("/tournaments/new")
    @requires(Scope.TOURNAMENT_WRITE)
    def create() -> Response:
        who, typed = caller(), typed_form()
        with service.transaction() as tx:
            require_account(tx, UUID(who.account_id))
            base = _base(tx, who)
        form = plan_form(typed, base, _NEW, request.form.get("game", ""), request.form.get("format", ""))
        if "show" in request.form:
            return _form(with_defaults(form, _NEW))
        plan, errors = read_plan(form)
        if errors:
            return _form(form, errors, status=422)
        try:
            with service.transaction() as tx:
                made = create_tournament(tx, UUID(who.account_id), complete(plan))
        except Problem as problem:
            if problem.status == 403:
                raise
            return _refused(form, problem)
        return redirect(f"/tournaments/{made.tournament_id}/desk?done=new", 303)

    @pages.get(f"{UNDER}/edit")
    @requires(Scope.TOURNAMENT_WRITE)
    def edit_form(tournament_id: str) -> Response:
        with service.transaction() as tx:
            t = _editable(tx, caller(), tournament_id)
        return _edit(t, None, {})

    @pages.post(f"{UNDER}/edit")
    @requires(Scope.TOURNAMENT_WRITE)
    def edit(tournament_id: str) -> Response:
        who, typed = caller(), typed_form()
        with service.transaction() as tx:
            t = _editable(tx, who, tournament_id)
        form = _edit_form(t, typed)
        if "show" in request.form:
            return _edit(t, with_defaults(form, _NEW), {})
        plan, errors = read_plan(form)
        reading = read((_REASON,), typed)
        errors |= reading.errors
        if errors:
            return _edit(t, form, errors, status=422)
        try:
            with service.transaction() as tx:
                version = f'"{request.form.get("version", "")}"'
                edit_tournament(tx, who, t.tournament_id, _changes(t, plan), version, reading.values["reason"])
        except (Forbidden, NotFound):
            raise
        except Problem as problem:
            errors = _blamed(form, problem)
            return _edit(t, form, errors, "" if errors else sentence(problem.detail), problem.status)
        return redirect(f"/tournaments/{t.tournament_id}/desk?done=edit", 303)

    return pages


def _base(tx: Transaction, who: Caller) -> dict[str, Any] | None:
    """The plan that shall be copied. Raises NotFound for none that the caller may see."""
    text = request.values.get("from", "")
    return base_of(find_for(tx, text, who)) if text and parse_id(text) else None


def _form(form: PlanForm, errors: Mapping[str, str] | None = None, refusal: str = "", status: int = 200) -> Response:
    page = render_template(
        "desk/plan.html",
        form=form,
        errors=errors or {},
        refusal=refusal,
        games=GAMES.values(),
        offers=_choices(form),
        zones=zones(),
        source=request.values.get("from", ""),
    )
    return make_response(page, status)


def _choices(form: PlanForm) -> list[Any]:
    return [*offers().values(), *([form.offer] if form.offer.key == KEPT else [])]


def _blamed(form: PlanForm, problem: Problem) -> dict[str, str]:
    """Beside the field of the form that stands for the one at fault."""
    if problem.field == "starts_at" and "start_date" in form.names:
        return {"start_date": sentence(problem.detail)}
    return blamed(problem, form.names)


def _refused(form: PlanForm, problem: Problem) -> Response:
    errors = _blamed(form, problem)
    return _form(form, errors, "" if errors else sentence(problem.detail), problem.status)


def _editable(tx: Transaction, who: Caller, tournament_id: str) -> Tournament:
    """Raises what `at_desk` raises, WrongState once it has started, and Forbidden for arbiters."""
    t = at_desk(tx, who, tournament_id)
    if not is_organiser(who, t):
        raise Forbidden("only its organiser may do this")
    if t.state not in BEFORE_START:
        raise WrongState(f"it cannot be changed any more: the tournament is {t.state}")
    return t


def _edit_form(t: Tournament, typed: dict[str, list[str]] | None) -> PlanForm:
    base = base_of(t)
    asked = Asked(draft=False, fixed=_FIXED.get(t.state, frozenset()))
    game = request.form.get("game", t.game) if "rules" not in asked.fixed else t.game
    kind = request.form.get("format", "") or offer_of(t.format).key
    form = plan_form(typed, base, asked, game, kind)
    if typed is not None:
        return form
    return plan_form({**form.typed, **typed_of(t.starts_at, "UTC")}, base, asked, game, kind)


def _edit(
    t: Tournament, form: PlanForm | None, errors: Mapping[str, str], refusal: str = "", status: int = 200
) -> Response:
    form = form or _edit_form(t, None)
    page = render_template(
        "desk/edit.html",
        t=t,
        here="edit",
        organiser=True,
        form=form,
        errors=errors,
        refusal=refusal,
        games=GAMES.values(),
        offers=_choices(form),
        zones=zones(),
        reason=_REASON,
        version=request.form.get("version") or version_of(t),
        editable=True,
    )
    return make_response(page, status)


def _changes(t: Tournament, plan: Mapping[str, Any]) -> dict[str, Any]:
    """What of the plan differs from what the tournament is: nothing else is asked to change."""
    now = base_of(t) | {"starts_at": t.starts_at.replace(microsecond=0)}  # as the form shows it
    wanted = dict(plan)
    if "format" in wanted:
        with suppress(InvalidFormatError):  # the use case says what is wrong with it
            wanted["format"] = to_json(from_json(wanted["format"]))
    return {name: value for name, value in wanted.items() if now[name] != value}

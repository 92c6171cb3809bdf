"""/series/new and /series/{id}/desk: tournaments that come again and again, planned, changed, left out, ended."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from flask import Blueprint, make_response, redirect, render_template, request
from werkzeug.wrappers import Response

from gin_lobby.domain.problems import NotTheOrganiser
from gin_lobby.domain.series import Series, SeriesState
from gin_lobby.pages.desk.access import NOTHING, Refused, typed_form
from gin_lobby.pages.desk.actions import Action, add_actions, done_text
from gin_lobby.pages.desk.fields import Field, blamed, sentence
from gin_lobby.pages.desk.formats import KEPT, offer_of, offers
from gin_lobby.pages.desk.plan_form import Asked, PlanForm, base_of, plan_form, read_plan, with_defaults
from gin_lobby.pages.desk.rules import GAMES
from gin_lobby.pages.desk.series_form import FIELDS, NAME, RULE, WHEN, field_at_fault, read_series, typed_series
from gin_lobby.pages.desk.times import typed_of, zones
from gin_lobby.use_cases import series as use_cases
from gin_lobby.use_cases.accounts import require_account
from gin_lobby.use_cases.series import SeriesPlan
from gin_servicekit.auth import Caller, Scope, caller, requires
from gin_servicekit.database import Transaction
from gin_servicekit.problems import InvalidField, Problem
from gin_servicekit.service import Service

UNDER = "/series/<string:series_id>/desk"
AHEAD = timedelta(days=120)
_ASKED = Asked(start=False, fixed=frozenset({"name"}))
_Values = Mapping[str, Any]
_KEY = Field("key", "", "hidden")


def _end(tx: Transaction, who: Caller, known: UUID | None, values: _Values) -> None:
    if not values["sure"]:
        raise InvalidField("please say that you are sure: this cannot be taken back", "sure")
    use_cases.end_series(tx, who, known)


SKIP = Action(
    "skips",
    "Leave one out",
    "Leave it out",
    "It is left out. Its tournament, if there was one, is cancelled, and everybody in it is told.",
    lambda tx, who, known, values: use_cases.skip_occurrence(tx, who, known, values["key"], values["reason"]),
    (Field("key", "Which", "occurrence"), Field("reason", "Why", "long", longest=500)),
)
UNSKIP = Action(
    "skips/undone",
    "Let it take place",
    "Let it take place",
    "It takes place.",
    lambda tx, who, known, values: use_cases.unskip_occurrence(tx, who, known, values["key"]),
    (_KEY,),
)
END = Action(
    "end",
    "End the series",
    "End it",
    "The series is ended.",
    _end,
    (Field("sure", "I am sure: it cannot be taken back", "switch"),),
    "No further tournaments are made. Those that are made take place.",
    grave=True,
)
ACTIONS = (SKIP, UNSKIP, END)


def series_pages(service: Service) -> Blueprint:
    pages = Blueprint("desk_series", __name__, template_folder="../templates")

    @pages.get("/series/new")
    @requires(Scope.TOURNAMENT_WRITE)
    def new_series() -> Response:
        with service.transaction() as tx:
            require_account(tx, UUID(caller().account_id))
            first = typed_of((tx.now + timedelta(days=7)).replace(hour=19, minute=0, second=0), "UTC")
        form = plan_form(None, None, _ASKED, "rummy", "swiss")
        return _form({**{f.name: f.defaults for f in FIELDS}, **form.typed, **first}, form)

    @pages.post("/series/new")
    @requires(Scope.TOURNAMENT_WRITE)
    def create() -> Response:
        who, typed = caller(), typed_form()
        form = _plan(typed, None)
        if "show" in request.form:
            return _form(with_defaults(form, _ASKED).typed, form)
        wanted, template, errors = _read(typed, form)
        if errors:
            return _form(typed, form, errors, status=422)
        try:
            with service.transaction() as tx:
                made = use_cases.create_series(tx, who, SeriesPlan(**wanted, tournament=template))
        except Problem as problem:
            return _refused(typed, form, problem)
        return redirect(f"/series/{made.series_id}/desk?done=new", 303)

    @pages.get(f"{UNDER}/edit")
    @requires(Scope.TOURNAMENT_WRITE)
    def edit_form(series_id: str) -> Response:
        with service.transaction() as tx:
            series = _own(tx, caller(), series_id)
        base = base_of(series.template)
        form = plan_form(None, base, _ASKED, base["game"], offer_of(base["format"]).key)
        return _form({**form.typed, **typed_series(series)}, form, series=series)

    @pages.post(f"{UNDER}/edit")
    @requires(Scope.TOURNAMENT_WRITE)
    def edit(series_id: str) -> Response:
        who, typed = caller(), typed_form()
        with service.transaction() as tx:
            series = _own(tx, who, series_id)
        form = _plan(typed, base_of(series.template))
        if "show" in request.form:
            return _form(with_defaults(form, _ASKED).typed, form, series=series)
        wanted, template, errors = _read(typed, form)
        if errors:
            return _form(typed, form, errors, status=422, series=series)
        try:
            with service.transaction() as tx:
                revision = f'"{request.form.get("version", "")}"'
                use_cases.edit_series(tx, who, series.series_id, {**wanted, "tournament": template}, revision)
        except Problem as problem:
            return _refused(typed, form, problem, series)
        return redirect(f"/series/{series.series_id}/desk?done=edit", 303)

    @pages.get(UNDER)
    @requires(Scope.TOURNAMENT_WRITE)
    def desk(series_id: str) -> str:
        return _page(service, series_id, NOTHING)

    add_actions(pages, service, ACTIONS, UNDER, "", lambda known, refused: _page(service, known, refused))
    return pages


def _own(tx: Transaction, who: Caller, series_id: str) -> Series:
    """Raises NotFound or NotTheOrganiser."""
    series = use_cases.find_series(tx, series_id)
    if str(series.organiser_id) != who.account_id and not who.administrator:
        raise NotTheOrganiser("only its organiser may do this")
    return series


def _plan(typed: dict[str, list[str]], base: dict[str, Any] | None) -> PlanForm:
    return plan_form(typed, base, _ASKED, request.form.get("game", ""), request.form.get("format", ""))


def _read(typed: dict[str, list[str]], form: PlanForm) -> tuple[dict[str, Any], dict[str, Any], dict[str, str]]:
    """The series, the plan of its tournaments as REST keeps it, and what is wrong by field."""
    wanted, wrong = read_series(typed)
    template, errors = read_plan(form)
    return wanted, {"rounds": None, "tie_breaks": None, **template}, {**errors, **wrong}


def _refused(typed: Mapping[str, Any], form: PlanForm, problem: Problem, series: Series | None = None) -> Response:
    if problem.status == 403:
        raise problem
    named = type(problem)(problem.detail, field_at_fault(problem.field))
    errors = blamed(named, [*form.names, *(f.name for f in FIELDS)])
    return _form(typed, form, errors, "" if errors else sentence(problem.detail), problem.status, series)


def _form(
    typed: Mapping[str, Any],
    form: PlanForm,
    errors: Mapping[str, str] | None = None,
    refusal: str = "",
    status: int = 200,
    series: Series | None = None,
) -> Response:
    page = render_template(
        "desk/series_plan.html",
        form=PlanForm(form.game, form.offer, form.base, typed, form.sections),
        errors=errors or {},
        refusal=refusal,
        series=series,
        version=request.form.get("version") or (series.revision if series else ""),
        series_name=NAME,
        rule=RULE,
        when=WHEN,
        games=GAMES.values(),
        offers=[*offers().values(), *([form.offer] if form.offer.key == KEPT else [])],
        zones=zones(),
    )
    return make_response(page, status)


def _page(service: Service, series_id: str, refused: Refused) -> str:
    with service.transaction() as tx:
        series = _own(tx, caller(), series_id)
        occurrences = use_cases.list_occurrences(tx, series, tx.now, tx.now + AHEAD)
    told = {"new": "The series is made, with the tournaments of the days ahead.", "edit": "Changed, from now on."}
    asked = request.args.get("done", "")
    return render_template(
        "desk/series_desk.html",
        series=series,
        ended=series.state == SeriesState.ENDED,
        occurrences=occurrences,
        skippable=[o for o in occurrences if o.state == "planned" or (o.state == "made" and _waits(o))],
        skip=SKIP,
        unskip=UNSKIP,
        end=END,
        refused=refused,
        done=told.get(asked) or done_text(ACTIONS, asked),
    )


def _waits(occurrence: Any) -> bool:
    return occurrence.tournament_state in ("draft", "announced", "registration", "check_in")

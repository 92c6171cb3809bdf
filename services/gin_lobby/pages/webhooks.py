"""/account/webhooks: one's webhooks made, tried out, changed and removed, with what was sent of late."""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from uuid import UUID

from flask import Blueprint, Response, make_response, redirect, render_template, request

from gin_lobby.domain.names import why_not_a_name
from gin_lobby.domain.webhooks import EVENTS, EventType, Webhook
from gin_lobby.store import series, tournaments
from gin_lobby.use_cases import webhooks as use_cases
from gin_lobby.use_cases.webhooks import MOST_WEBHOOKS, WebhookPlan
from gin_servicekit.auth import Caller, Scope, caller, requires
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.problems import Conflict, InvalidField, Problem
from gin_servicekit.service import Service

DELIVERIES_SHOWN = 30
_SUGGESTED = 20
_LONGEST_DESCRIPTION = 200
_UNDER = "/account/webhooks"
_PLACE = re.compile(r"(tournaments|series)/([0-9a-fA-F-]{32,36})(?![0-9a-fA-F-])")

GROUPS = (
    ("Tournaments", ("tournament.", "entrants.")),
    ("Rounds and matches", ("round.", "match.opened", "match.finished", "match.cancelled")),
    ("Results", ("result.", "standings.")),
    ("Yours alone", ("match.waiting", "rating.")),
)
USUAL = ("tournament.started", "tournament.finished", "round.paired", "round.finished", "standings.changed")
DONE = {
    "edit": "The webhook is changed.",
    "ping": "A test is on its way: look again in a moment.",
    "pause": "Nothing is sent until you let it go on.",
    "resume": "It is sent to again.",
    "again": "It is sent again.",
}


class Typed(NamedTuple):
    """What stands in the form. `about` is all, mine or one; `which` then names that one by its address."""

    url: str = ""
    description: str = ""
    events: tuple[str, ...] = USUAL
    about: str = "all"
    which: str = ""
    version: str = ""


def webhook_pages(service: Service) -> Blueprint:
    pages = Blueprint("webhooks", __name__, template_folder="templates")
    local = service.settings.webhooks_local

    @pages.get(_UNDER)
    @requires(Scope.ACCOUNT)
    def all_of_them() -> Response:
        return _list(service, caller(), Typed())

    @pages.post(_UNDER)
    @requires(Scope.ACCOUNT)
    def make() -> Response:
        who, typed = caller(), _typed()
        try:
            plan = WebhookPlan(**_wanted(typed))
            with service.transaction() as tx:
                made = use_cases.create_webhook(tx, who, plan, local=local)
        except Problem as problem:
            return _list(service, who, typed, problem)
        return _one(service, who, made.webhook_id, secret=made.secret, status=201)

    @pages.get(f"{_UNDER}/<string:webhook_id>")
    @requires(Scope.ACCOUNT)
    def one(webhook_id: str) -> Response:
        return _one(service, caller(), parse_id(webhook_id), done=DONE.get(request.args.get("done", ""), ""))

    @pages.post(f"{_UNDER}/<string:webhook_id>")
    @requires(Scope.ACCOUNT)
    def edit(webhook_id: str) -> Response:
        who, typed, known = caller(), _typed(), parse_id(webhook_id)
        try:
            with service.transaction() as tx:
                use_cases.find_own(tx, who, known)
                use_cases.edit_webhook(tx, who, known, _wanted(typed), f'"{typed.version}"', local=local)
        except (InvalidField, Conflict) as problem:
            return _one(service, who, known, typed=typed, problem=problem)
        return _back(webhook_id, "edit")

    @pages.post(f"{_UNDER}/<string:webhook_id>/ping")
    @requires(Scope.ACCOUNT)
    def ping(webhook_id: str) -> Response:
        who, known = caller(), parse_id(webhook_id)
        try:
            with service.transaction() as tx:
                use_cases.ping(tx, who, known)
        except Conflict as problem:
            return _one(service, who, known, problem=problem)
        return _back(webhook_id, "ping")

    @pages.post(f"{_UNDER}/<string:webhook_id>/pause")
    @requires(Scope.ACCOUNT)
    def pause(webhook_id: str) -> Response:
        with service.transaction() as tx:
            use_cases.pause_webhook(tx, caller(), parse_id(webhook_id))
        return _back(webhook_id, "pause")

    @pages.post(f"{_UNDER}/<string:webhook_id>/resumption")
    @requires(Scope.ACCOUNT)
    def resume(webhook_id: str) -> Response:
        with service.transaction() as tx:
            use_cases.resume_webhook(tx, caller(), parse_id(webhook_id))
        return _back(webhook_id, "resume")

    @pages.post(f"{_UNDER}/<string:webhook_id>/secret")
    @requires(Scope.ACCOUNT)
    def renew_secret(webhook_id: str) -> Response:
        who = caller()
        with service.transaction() as tx:
            renewed = use_cases.rotate_secret(tx, who, parse_id(webhook_id))
        return _one(service, who, renewed.webhook_id, secret=renewed.secret, status=201)

    @pages.post(f"{_UNDER}/<string:webhook_id>/removal")
    @requires(Scope.ACCOUNT)
    def remove(webhook_id: str) -> Response:
        with service.transaction() as tx:
            use_cases.delete_webhook(tx, caller(), parse_id(webhook_id))
        return make_response(redirect(_UNDER, 303))

    @pages.post(f"{_UNDER}/<string:webhook_id>/deliveries/<string:event_id>/redelivery")
    @requires(Scope.ACCOUNT)
    def send_again(webhook_id: str, event_id: str) -> Response:
        who, known = caller(), parse_id(webhook_id)
        try:
            with service.transaction() as tx:
                use_cases.redeliver(tx, who, known, parse_id(event_id))
        except Conflict as problem:
            return _one(service, who, known, problem=problem)
        return _back(webhook_id, "again")

    return pages


def _typed() -> Typed:
    form = request.form
    return Typed(
        url=form.get("url", "").strip(),
        description=form.get("description", "").strip(),
        events=tuple(form.getlist("events")),
        about=form.get("about", "all"),
        which=form.get("which", "").strip(),
        version=form.get("version", ""),
    )


def _wanted(typed: Typed) -> dict[str, Any]:
    """What is asked for, in the words of the use cases. Raises InvalidField."""
    if len(typed.description) > _LONGEST_DESCRIPTION:
        raise InvalidField(f"at most {_LONGEST_DESCRIPTION} characters", "description")
    reason = why_not_a_name(typed.description) if typed.description else None
    if reason:
        raise InvalidField(reason, "description")
    tournament_id = series_id = None
    if typed.about == "one":
        place = _PLACE.search(typed.which)
        known = parse_id(place[2]) if place else None
        if place is None or known is None:
            raise InvalidField("the address of a tournament or series, as your browser shows it", "which")
        tournament_id, series_id = (known, None) if place[1] == "tournaments" else (None, known)
    return {
        "url": typed.url,
        "events": list(typed.events),
        "description": typed.description,
        "tournament_id": tournament_id,
        "series_id": series_id,
        "mine": typed.about == "mine",
    }


def _typed_of(webhook: Webhook) -> Typed:
    about, which = ("mine", "") if webhook.mine else ("all", "")
    if webhook.tournament_id is not None:
        about, which = "one", f"/tournaments/{webhook.tournament_id}"
    if webhook.series_id is not None:
        about, which = "one", f"/series/{webhook.series_id}"
    return Typed(webhook.url, webhook.description, tuple(webhook.events), about, which, version=str(webhook.revision))


def _groups() -> list[tuple[str, list[tuple[str, str]]]]:
    """The types of events that can be chosen, with what they mean, as the form shows them."""
    return [
        (title, [(kind.value, EVENTS[kind].about) for kind in EventType if kind.value.startswith(prefixes)])
        for title, prefixes in GROUPS
    ]


def _suggestions(tx: Transaction, owner_id: UUID) -> list[tuple[str, str]]:
    """Addresses of what one organises, with its name."""
    own = tournaments.page(tx, None, owner_id, None, _SUGGESTED, owner_id)
    own_series = series.page(tx, owner_id, None, _SUGGESTED)
    return [(f"/series/{s.series_id}", s.name) for s in own_series] + [
        (f"/tournaments/{t.tournament_id}", t.name) for t in own
    ]


def _errors(problem: Problem | None) -> dict[str, str]:
    if not isinstance(problem, InvalidField):
        return {}
    field = (problem.field or "url").partition(".")[0]
    text = f"{problem.detail[:1].upper()}{problem.detail[1:]}".rstrip(".") + "."
    return {"which" if field in ("tournament_id", "series_id") else field: text}


def _list(service: Service, who: Caller, typed: Typed, problem: Problem | None = None) -> Response:
    with service.transaction() as tx:
        found = use_cases.owned_page(tx, who, None, MOST_WEBHOOKS)
        suggestions = _suggestions(tx, UUID(who.account_id))
    page = render_template(
        "webhooks.html",
        webhooks=found,
        guest=who.guest,
        full=len(found) >= MOST_WEBHOOKS,
        typed=typed,
        groups=_groups(),
        suggestions=suggestions,
        errors=_errors(problem),
        refusal=problem.detail if problem and not isinstance(problem, InvalidField) else "",
    )
    return make_response(page, problem.status if problem else 200)


def _one(
    service: Service,
    who: Caller,
    webhook_id: UUID | None,
    *,
    typed: Typed | None = None,
    problem: Problem | None = None,
    secret: str = "",
    done: str = "",
    status: int = 200,
) -> Response:
    """The page of one webhook; a `secret` is shown this once. Raises NotFound."""
    with service.transaction() as tx:
        webhook = use_cases.find_own(tx, who, webhook_id)
        deliveries = use_cases.list_deliveries(tx, who, webhook_id, None, None, DELIVERIES_SHOWN)
        suggestions = _suggestions(tx, webhook.owner_id)
    page = render_template(
        "webhook.html",
        webhook=webhook,
        deliveries=deliveries,
        typed=typed or _typed_of(webhook),
        is_edited=typed is not None,
        groups=_groups(),
        suggestions=suggestions,
        errors=_errors(problem),
        refusal=problem.detail if problem and not isinstance(problem, InvalidField) else "",
        secret=secret,
        done=done,
    )
    answer = make_response(page, problem.status if problem else status)
    if secret:
        answer.headers["Cache-Control"] = "no-store"
    return answer


def _back(webhook_id: str, done: str) -> Response:
    return make_response(redirect(f"{_UNDER}/{webhook_id}?done={done}", 303))

"""What can be decided at a desk by one form: its fields, the use case that it calls, and the route for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from flask import Blueprint, make_response, redirect
from werkzeug.wrappers import Response

from gin_lobby.pages.desk.access import Refused, typed_form
from gin_lobby.pages.desk.fields import Field, blamed, read, sentence
from gin_servicekit.auth import Caller, Scope, caller, requires
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.problems import NotFound, Problem
from gin_servicekit.service import Service

Work = Callable[[Transaction, Caller, UUID | None, Mapping[str, Any]], Any]
Show = Callable[[str, Refused], str]


@dataclass(frozen=True, slots=True)
class Action:
    """`key` ends the path of its form, `done` is what the page says afterwards. `grave` ones cannot be taken back."""

    key: str
    title: str
    button: str
    done: str
    work: Work
    fields: tuple[Field, ...] = ()
    about: str = ""
    grave: bool = False


def add_actions(
    pages: Blueprint, service: Service, actions: Iterable[Action], under: str, section: str, show: Show
) -> None:
    """A route for each: `under` is the thing's path with its id, `section` the page that shows what became of it."""
    for action in actions:
        view = _view(service, action, under, section, show)
        pages.add_url_rule(f"{under}/{action.key}", action.key.replace("/", "_"), view, methods=["POST"])


def _view(service: Service, action: Action, under: str, section: str, show: Show) -> Callable[..., Any]:
    @requires(Scope.TOURNAMENT_WRITE)
    def view(**ids: str) -> Response:
        (known,) = ids.values()
        typed = typed_form()
        reading = read(action.fields, typed)
        if reading.errors:
            hidden = {f.name for f in action.fields if f.kind in ("hidden", "texts")} & set(reading.errors)
            refusal = (
                "Something is missing that this form should have sent: please load the page again." if hidden else ""
            )
            return make_response(show(known, Refused(action.key, typed, reading.errors, refusal)), 422)
        who = caller()
        try:
            with service.transaction() as tx:
                action.work(tx, who, parse_id(known), reading.values)
        except NotFound as problem:
            if problem.field is None:
                raise
            return _refused(action, show, known, typed, problem)
        except Problem as problem:
            if problem.status == 403:
                raise
            return _refused(action, show, known, typed, problem)
        (name,) = ids
        back = under.replace(f"<string:{name}>", str(parse_id(known)))
        return redirect(f"{back}{section}?done={action.key}", 303)

    return view


def _refused(action: Action, show: Show, known: str, typed: Mapping[str, list[str]], problem: Problem) -> Response:
    errors = blamed(problem, (f.name for f in action.fields if f.kind not in ("hidden", "texts")))
    refusal = "" if errors else sentence(problem.detail)
    return make_response(show(known, Refused(action.key, typed, errors, refusal)), problem.status)


def done_text(actions: Iterable[Action], key: str | None) -> str:
    return next((action.done for action in actions if action.key == key), "")

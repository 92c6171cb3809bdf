"""Whose desk it is, and what a form of it held that could not be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from flask import request

from gin_lobby.domain.problems import NotTheOrganiser
from gin_lobby.domain.tournament import Tournament
from gin_lobby.pages.desk.fields import Typed
from gin_lobby.use_cases.rights import directs, find_for
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction


@dataclass(frozen=True, slots=True)
class Refused:
    """The form `form` as it was sent, with what was wrong: by field, and `refusal` for the whole of it."""

    form: str = ""
    typed: Typed = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    refusal: str = ""
    status: int = 200


NOTHING = Refused()


def at_desk(tx: Transaction, who: Caller, tournament_id: str) -> Tournament:
    """The tournament for who may sit at its desk. Raises NotFound, also for a draft of others, or NotTheOrganiser."""
    tournament = find_for(tx, tournament_id, who)
    if not directs(tx, who, tournament):
        raise NotTheOrganiser("only its organiser and arbiters may do this")
    return tournament


def typed_form() -> dict[str, list[str]]:
    """All that the current request's form holds."""
    return {name: request.form.getlist(name) for name in request.form}

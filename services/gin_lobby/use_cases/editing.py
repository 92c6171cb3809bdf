"""Changing a tournament before it starts: what may change when, told to everybody in it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any
from uuid import UUID

from gin_lobby.domain.fixed_deals import without_fixed_deals
from gin_lobby.domain.problems import WrongState
from gin_lobby.domain.tournament import BEFORE_START, Tournament, TournamentState
from gin_lobby.domain.versions import require_version
from gin_lobby.domain.webhooks import EventType
from gin_lobby.store import tournaments
from gin_lobby.use_cases import webhook_events
from gin_lobby.use_cases.entrants import fill_places
from gin_lobby.use_cases.log import everybody, note
from gin_lobby.use_cases.rights import organised
from gin_lobby.use_cases.tournaments import TournamentPlan, check_start, planned
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction
from gin_servicekit.problems import InvalidField
from gin_servicekit.word_lists import make_known

# Whoever has entered has done so for this game, these rules and this format.
_FIXED_BY_REGISTRATION = frozenset({"game", "rules", "format", "rounds", "tie_breaks", "admits"})
_FIXED_BY_CHECK_IN = _FIXED_BY_REGISTRATION | {
    "check_in_minutes",
    "clock",
    "rating_min",
    "rating_max",
    "admits_provisional",
    "invitation_code",
}
_FIXED: Mapping[str, frozenset[str]] = {
    TournamentState.REGISTRATION: _FIXED_BY_REGISTRATION,
    TournamentState.CHECK_IN: _FIXED_BY_CHECK_IN,
}
_INTERNAL = ("due_at", "score_after", "invitation_code")
_UNTOLD = frozenset({"invitation_code"})  # that it changed is told, not to what


def version_of(tournament: Tournament) -> str:
    """Differs whenever something about the tournament differs that somebody may see."""
    shown = {name: value for name, value in asdict(tournament).items() if name not in _INTERNAL}
    return hashlib.sha256(json.dumps(shown, sort_keys=True, default=str).encode()).hexdigest()[:32]


def edit_tournament(
    tx: Transaction,
    caller: Caller,
    tournament_id: UUID | None,
    changes: Mapping[str, Any],
    if_match: str | None,
    reason: str | None,
) -> Tournament:
    """The tournament with these fields of its plan changed.

    Raises NotFound, NotTheOrganiser, PreconditionRequired without the version that is meant, Outdated where there is
    another by now, WrongState for what cannot change any more, or InvalidField.
    """
    tournament = organised(tx, caller, tournament_id)
    require_version(if_match, version_of(tournament))
    if tournament.state not in BEFORE_START:
        raise WrongState(f"it cannot be changed any more: the tournament is {tournament.state}")
    for name in changes:
        if name in _FIXED.get(tournament.state, ()):
            raise WrongState(f"{name} cannot be changed any more: the tournament is in {tournament.state}", name)
    if "starts_at" in changes and changes["starts_at"] != tournament.starts_at:
        check_start(changes["starts_at"], tx.now)
    plan = _plan_with(tournament, changes)
    make_known(tx, [plan.rules])
    edited = planned(plan, tournament)
    taken = tournaments.count_registered(tx, tournament.tournament_id)
    if edited.capacity is not None and edited.capacity < taken:
        raise InvalidField(f"{taken} have entered already", "capacity")
    edited = replace(edited, due_at=None if edited.state == TournamentState.DRAFT else _due_at(tx, edited))
    tournaments.edit(tx, edited)
    fill_places(tx, edited)
    was, now = asdict(tournament), asdict(edited)
    told = {
        name: {} if name in _UNTOLD else {"was": was[name], "now": now[name]}
        for name in sorted(now)
        if was[name] != now[name] and name not in ("due_at", "score_after")
    }
    if told:
        details = json.loads(json.dumps({"changes": told}, default=str))
        webhook_events.tournament_moved(tx, EventType.TOURNAMENT_CHANGED, edited)
        note(tx, tournament, caller, "edited", reason=reason, details=details, touched=everybody(tx, tournament))
    return edited


def _plan_with(tournament: Tournament, changes: Mapping[str, Any]) -> TournamentPlan:
    plan: dict[str, Any] = {
        name: getattr(tournament, name)
        for name in TournamentPlan.__dataclass_fields__
        if name not in ("rounds", "tie_breaks", "draft")
    }
    if "format" in changes:
        plan["rules"] = without_fixed_deals(tournament.played_as, tournament.rules)
    plan |= {"rounds": None, "tie_breaks": None, **changes}
    if isinstance(plan["format"], Mapping) and "format" not in changes and {"rounds", "tie_breaks"} & set(changes):
        # The short form of before, so to say: only these two of its settings change.
        short = {name: changes[name] for name in ("rounds", "tie_breaks") if changes.get(name) is not None}
        plan |= {"format": {**tournament.format, **short}, "rounds": None, "tie_breaks": None}
    return TournamentPlan(**plan)


def _due_at(tx: Transaction, tournament: Tournament) -> Any:
    if tournament.state == TournamentState.REGISTRATION:
        return min(tournament.starts_at, max(tx.now, tournament.check_in_at))
    return tournament.starts_at

"""An organiser's decisions: create a tournament, open registration, cancel."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from gin_lobby.domain.problems import NotTheOrganiser, WrongState
from gin_lobby.domain.tournament import ENDED, Tournament, TournamentId, TournamentState
from gin_lobby.store import rounds, tournaments
from gin_lobby.use_cases import standings
from gin_lobby.use_cases.accounts import require_account
from gin_lobby.use_cases.results import score_what_waits
from gin_messages.match import CancelMatch
from gin_rules.game import InvalidRules, UnknownGame, game_named
from gin_rules.shuffle import SEED_BYTES, SeededDeals
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.problems import InvalidField, NotFound
from gin_tournament.tie_breaks import TIE_BREAK_NAMES

FARTHEST_START = timedelta(days=5 * 365)
PAIRED = 2  # seats of every match that a pairing opens
DEFAULT_TIE_BREAKS = ("buchholz_cut_1", "buchholz", "sonneborn_berger", "wins", "game_points_difference")


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """What an organiser asks for. Times are aware UTC; `rules` may be a preset with changes."""

    name: str
    game: str
    rules: Mapping[str, Any]
    format: str
    rounds: int
    starts_at: datetime
    admits: str
    capacity: int | None
    minimum_entrants: int
    check_in_minutes: int
    round_minutes: int
    tie_breaks: list[str] | None


def create_tournament(tx: Transaction, organiser_id: UUID, plan: TournamentPlan) -> Tournament:
    """A tournament in the state `announced`. Raises NoAccount, or InvalidField naming what cannot be."""
    require_account(tx, organiser_id)
    try:
        game = game_named(plan.game)
        rule_set = game.rules_from_json(plan.rules)
        rules = game.rules_to_json(rule_set)
        # Dealt on trial: rules for tables of three or four are refused here, not when the first round opens.
        game.new_match(rule_set, PAIRED, SeededDeals(bytes(SEED_BYTES), (), "on trial", game.deck_size(rule_set)))
    except UnknownGame as problem:
        raise InvalidField(str(problem), "game") from None
    except InvalidRules as problem:
        raise InvalidField(str(problem), f"rules.{problem.field}") from None
    if plan.starts_at <= tx.now:
        raise InvalidField("the start lies in the past", "starts_at")
    if plan.starts_at > tx.now + FARTHEST_START:
        raise InvalidField(f"the start lies more than {FARTHEST_START.days // 365} years ahead", "starts_at")
    if plan.capacity is not None and plan.capacity < plan.minimum_entrants:
        raise InvalidField("fewer places than the minimum field", "capacity")
    tie_breaks = list(DEFAULT_TIE_BREAKS if plan.tie_breaks is None else plan.tie_breaks)
    for name in tie_breaks:
        if name not in TIE_BREAK_NAMES:
            raise InvalidField(f"there is no tie-break {name!r}; there are: {', '.join(TIE_BREAK_NAMES)}", "tie_breaks")
    if len(set(tie_breaks)) < len(tie_breaks):
        raise InvalidField("a tie-break is named twice", "tie_breaks")
    tournament = Tournament(
        tournament_id=TournamentId(uuid7()),
        organiser_id=organiser_id,
        name=plan.name,
        game=plan.game,
        rules=rules,
        format=plan.format,
        rounds=plan.rounds,
        admits=plan.admits,
        capacity=plan.capacity,
        minimum_entrants=plan.minimum_entrants,
        starts_at=plan.starts_at,
        check_in_minutes=plan.check_in_minutes,
        round_minutes=plan.round_minutes,
        tie_breaks=tie_breaks,
        lots_seed=secrets.randbelow(2**53),
        state=TournamentState.ANNOUNCED,
        current_round=0,
        ended_because=None,
        due_at=plan.starts_at,
        score_after=plan.starts_at,
        created_at=tx.now,
        ended_at=None,
    )
    tournaments.insert(tx, tournament)
    return tournament


def open_registration(tx: Transaction, caller: Caller, tournament_id: UUID | None) -> Tournament:
    """Raises NotFound, NotTheOrganiser, or WrongState unless the tournament is `announced`."""
    tournament = organised(tx, caller, tournament_id)
    if tournament.state != TournamentState.ANNOUNCED:
        raise WrongState(f"registration cannot be opened: the tournament is {tournament.state}")
    due_at = min(tournament.starts_at, max(tx.now, tournament.check_in_at))
    tournaments.change_state(tx, tournament, TournamentState.REGISTRATION, due_at)
    return _again(tx, tournament.tournament_id)


def cancel_tournament(tx: Transaction, caller: Caller, tournament_id: UUID | None, reason: str) -> Tournament:
    """Ends it at once: results that have come count, matches still in play are void; what was rated stays rated."""
    tournament = organised(tx, caller, tournament_id)
    if tournament.state in ENDED:
        raise WrongState(f"the tournament is {tournament.state} already")
    score_what_waits(tx, tournament)
    for match_id in rounds.void_undecided(tx, tournament.tournament_id):
        tx.emit(CancelMatch(str(match_id), reason))
    if tournament.current_round:
        rounds.close_round(tx, tournament.tournament_id, tournament.current_round)
        standings.publish_now(tx, tournament)
    tournaments.end(tx, tournament, TournamentState.CANCELLED, reason)
    return _again(tx, tournament.tournament_id)


def find(tx: Transaction, tournament_id: str) -> Tournament:
    """The tournament of an id as a client gives it. Raises NotFound when it is none of ours."""
    known = parse_id(tournament_id)
    tournament = tournaments.find(tx, known) if known else None
    if tournament is None:
        raise NotFound("there is no such tournament")
    return tournament


def organised(tx: Transaction, caller: Caller, tournament_id: UUID | None) -> Tournament:
    """The tournament, locked, for its organiser or an administrator."""
    tournament = tournaments.lock(tx, tournament_id) if tournament_id else None
    if tournament is None:
        raise NotFound("there is no such tournament")
    if str(tournament.organiser_id) != caller.account_id and not caller.administrator:
        raise NotTheOrganiser("only its organiser may do this")
    return tournament


def _again(tx: Transaction, tournament_id: UUID) -> Tournament:
    tournament = tournaments.find(tx, tournament_id)
    assert tournament is not None
    return tournament

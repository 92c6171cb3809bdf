"""An organiser's decisions: create a tournament, open registration, cancel."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from gin_lobby.domain.formats import LARGEST_FIELD, driven_format, known_rounds, most_entrants, rules_at, table_sizes
from gin_lobby.domain.problems import NotTheOrganiser, WrongState
from gin_lobby.domain.tournament import ENDED, Tournament, TournamentId, TournamentState
from gin_lobby.store import matches, rounds, tournaments
from gin_lobby.use_cases import hints, standings
from gin_lobby.use_cases.accounts import require_account
from gin_lobby.use_cases.results import score_what_waits
from gin_messages.match import CancelMatch
from gin_rules.game import InvalidRules, UnknownGame, game_named
from gin_rules.shuffle import SEED_BYTES, SeededDeals
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.problems import InvalidField, NotFound
from gin_tournament.catalogue import to_json
from gin_tournament.errors import InvalidFormatError
from gin_tournament.format import Format

SHORT_FORM = "swiss"
FARTHEST_START = timedelta(days=5 * 365)


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """What an organiser asks for. Times are aware UTC; `rules` may be a preset with changes.

    `format` is a format as JSON. In its short form it is "swiss", with `rounds` and perhaps `tie_breaks` beside it.
    """

    name: str
    game: str
    rules: Mapping[str, Any]
    format: str | Mapping[str, Any]
    rounds: int | None
    starts_at: datetime
    admits: str
    capacity: int | None
    minimum_entrants: int
    check_in_minutes: int
    round_minutes: int
    tie_breaks: list[str] | None
    clock: dict[str, int] | None = None
    spectator_delay_seconds: int = 0


def create_tournament(tx: Transaction, organiser_id: UUID, plan: TournamentPlan) -> Tournament:
    """A tournament in the state `announced`. Raises NoAccount, or InvalidField naming what cannot be."""
    require_account(tx, organiser_id)
    played_as = _format(plan)
    rules = _rules(plan, table_sizes(played_as))
    if plan.starts_at <= tx.now:
        raise InvalidField("the start lies in the past", "starts_at")
    if plan.starts_at > tx.now + FARTHEST_START:
        raise InvalidField(f"the start lies more than {FARTHEST_START.days // 365} years ahead", "starts_at")
    if plan.capacity is not None and plan.capacity < plan.minimum_entrants:
        raise InvalidField("fewer places than the minimum field", "capacity")
    most = most_entrants(played_as)
    for value, field in ((plan.capacity, "capacity"), (plan.minimum_entrants, "minimum_entrants")):
        if value is not None and value > most:
            raise InvalidField(f"a {played_as.kind} takes at most {most} entrants", field)
    tournament = Tournament(
        tournament_id=TournamentId(uuid7()),
        organiser_id=organiser_id,
        name=plan.name,
        game=plan.game,
        rules=rules,
        format=to_json(played_as),
        rounds=known_rounds(played_as),
        admits=plan.admits,
        capacity=most if plan.capacity is None and most < LARGEST_FIELD else plan.capacity,
        minimum_entrants=plan.minimum_entrants,
        starts_at=plan.starts_at,
        check_in_minutes=plan.check_in_minutes,
        round_minutes=plan.round_minutes,
        lots_seed=secrets.randbelow(2**53),
        state=TournamentState.ANNOUNCED,
        current_round=0,
        ended_because=None,
        due_at=plan.starts_at,
        score_after=plan.starts_at,
        created_at=tx.now,
        started_at=None,
        ended_at=None,
        clock=plan.clock,
        spectator_delay_seconds=plan.spectator_delay_seconds,
    )
    tournaments.insert(tx, tournament)
    hints.moved_on(tx, tournament)
    return tournament


def _format(plan: TournamentPlan) -> Format:
    """Raises InvalidField, which names `format.<field>`, or `rounds` and `tie_breaks` in the short form."""
    if not isinstance(plan.format, str):
        for name, value in (("rounds", plan.rounds), ("tie_breaks", plan.tie_breaks)):
            if value is not None:
                raise InvalidField(f"belongs inside `format` where that is an object: {name}", name)
        try:
            return driven_format(plan.format)
        except InvalidFormatError as problem:
            raise InvalidField(str(problem), f"format.{problem.field}" if problem.field else "format") from None
    if plan.rounds is None:
        raise InvalidField("how many rounds are to be played?", "rounds")
    settings: dict[str, Any] = {"kind": SHORT_FORM, "rounds": plan.rounds}
    if plan.tie_breaks is not None:
        settings["tie_breaks"] = plan.tie_breaks
    try:
        return driven_format(settings)
    except InvalidFormatError as problem:
        raise InvalidField(problem.problem, problem.field) from None


def _rules(plan: TournamentPlan, sizes: tuple[int, ...]) -> dict[str, Any]:
    """The complete rule set. Raises InvalidField for a game, or for rules that cannot be or do not seat so many."""
    try:
        game = game_named(plan.game)
        rules = game.rules_to_json(game.rules_from_json(plan.rules))
        # Dealt on trial: rules that do not seat so many are refused here, not when the first round opens.
        for seats in sizes:
            rule_set = game.rules_from_json(rules_at(plan.game, rules, sizes, seats))
            game.new_match(rule_set, seats, SeededDeals(bytes(SEED_BYTES), (), "on trial", game.deck_size(rule_set)))
    except UnknownGame as problem:
        raise InvalidField(str(problem), "game") from None
    except InvalidRules as problem:
        raise InvalidField(str(problem), f"rules.{problem.field}") from None
    return rules


def open_registration(tx: Transaction, caller: Caller, tournament_id: UUID | None) -> Tournament:
    """Raises NotFound, NotTheOrganiser, or WrongState unless the tournament is `announced`."""
    tournament = organised(tx, caller, tournament_id)
    if tournament.state != TournamentState.ANNOUNCED:
        raise WrongState(f"registration cannot be opened: the tournament is {tournament.state}")
    due_at = min(tournament.starts_at, max(tx.now, tournament.check_in_at))
    tournaments.change_state(tx, tournament, TournamentState.REGISTRATION, due_at)
    return _moved_on(tx, tournament.tournament_id)


def cancel_tournament(tx: Transaction, caller: Caller, tournament_id: UUID | None, reason: str) -> Tournament:
    """Ends it at once: results that have come count, matches still in play are void; what was rated stays rated."""
    tournament = organised(tx, caller, tournament_id)
    if tournament.state in ENDED:
        raise WrongState(f"the tournament is {tournament.state} already")
    score_what_waits(tx, tournament)
    rounds.void_undecided(tx, tournament.tournament_id)
    for match_id in matches.in_play(tx, tournament.tournament_id):
        tx.emit(CancelMatch(str(match_id), reason))
    if tournament.current_round:
        rounds.close_rounds(tx, tournament.tournament_id)
        standings.publish_now(tx, tournament)
    tournaments.end(tx, tournament, TournamentState.CANCELLED, reason)
    return _moved_on(tx, tournament.tournament_id)


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


def _moved_on(tx: Transaction, tournament_id: UUID) -> Tournament:
    tournament = tournaments.find(tx, tournament_id)
    assert tournament is not None
    hints.moved_on(tx, tournament)
    return tournament

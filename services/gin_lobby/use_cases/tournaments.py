"""An organiser's decisions: create a tournament, open registration, cancel."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from gin_lobby.domain import fixed_deals
from gin_lobby.domain.formats import LARGEST_FIELD, driven_format, known_rounds, most_entrants, rules_at, table_sizes
from gin_lobby.domain.problems import WrongState
from gin_lobby.domain.tournament import ENDED, Tournament, TournamentId, TournamentState
from gin_lobby.domain.webhooks import EventType
from gin_lobby.store import matches, rounds, tournaments
from gin_lobby.use_cases import hints, standings, webhook_events
from gin_lobby.use_cases.accounts import require_account
from gin_lobby.use_cases.log import everybody, note
from gin_lobby.use_cases.results import score_what_waits
from gin_lobby.use_cases.rights import find as find
from gin_lobby.use_cases.rights import organised as organised
from gin_messages.match import CancelMatch
from gin_rules.game import InvalidRules, UnknownGame, game_named
from gin_rules.shuffle import SEED_BYTES, SeededDeals
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction
from gin_servicekit.problems import InvalidField
from gin_servicekit.word_lists import make_known
from gin_tournament.catalogue import to_json
from gin_tournament.duplicate import Duplicate
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
    draft: bool = False
    late_start_grace_minutes: int = 120
    rating_min: float | None = None
    rating_max: float | None = None
    admits_provisional: bool = True
    invitation_code: str | None = None


def create_tournament(tx: Transaction, organiser_id: UUID, plan: TournamentPlan) -> Tournament:
    """A tournament in the state `announced`, or a draft. Raises NoAccount, or InvalidField naming what cannot be."""
    require_account(tx, organiser_id)
    check_start(plan.starts_at, tx.now)
    make_known(tx, [plan.rules])
    tournament = drawn_up(organiser_id, plan, tx.now)
    tournaments.insert(tx, tournament)
    if not plan.draft:
        hints.moved_on(tx, tournament)
        webhook_events.tournament_moved(tx, EventType.TOURNAMENT_ANNOUNCED, tournament)
    return tournament


def drawn_up(organiser_id: UUID, plan: TournamentPlan, now: datetime) -> Tournament:
    """The tournament that a plan makes, not stored yet. Raises InvalidField naming what cannot be."""
    return planned(
        plan,
        Tournament(
            tournament_id=TournamentId(uuid7()),
            organiser_id=organiser_id,
            name=plan.name,
            game=plan.game,
            rules={},
            format={},
            rounds=None,
            admits=plan.admits,
            capacity=None,
            minimum_entrants=plan.minimum_entrants,
            starts_at=plan.starts_at,
            check_in_minutes=plan.check_in_minutes,
            round_minutes=plan.round_minutes,
            lots_seed=secrets.randbelow(2**53),
            state=TournamentState.DRAFT if plan.draft else TournamentState.ANNOUNCED,
            current_round=0,
            ended_because=None,
            due_at=None if plan.draft else plan.starts_at,
            score_after=plan.starts_at,
            created_at=now,
            started_at=None,
            ended_at=None,
        ),
    )


def planned(plan: TournamentPlan, tournament: Tournament) -> Tournament:
    """The tournament with all that the plan says. Raises InvalidField naming what cannot be."""
    played_as = _format(plan)
    rules = _rules(plan, played_as)
    if plan.capacity is not None and plan.capacity < plan.minimum_entrants:
        raise InvalidField("fewer places than the minimum field", "capacity")
    most = most_entrants(played_as)
    for value, field in ((plan.capacity, "capacity"), (plan.minimum_entrants, "minimum_entrants")):
        if value is not None and value > most:
            raise InvalidField(f"a {played_as.kind} takes at most {most} entrants", field)
    if plan.rating_min is not None and plan.rating_max is not None and plan.rating_min > plan.rating_max:
        raise InvalidField("lies above the highest rating that may enter", "rating_min")
    return replace(
        tournament,
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
        late_start_grace_minutes=plan.late_start_grace_minutes,
        rating_min=plan.rating_min,
        rating_max=plan.rating_max,
        admits_provisional=plan.admits_provisional,
        invitation_code=plan.invitation_code,
        clock=plan.clock,
        spectator_delay_seconds=plan.spectator_delay_seconds,
    )


def check_start(starts_at: datetime, now: datetime) -> None:
    """Raises InvalidField for a start in the past, or so far ahead that nobody can mean it."""
    if starts_at <= now:
        raise InvalidField("the start lies in the past", "starts_at")
    if starts_at > now + FARTHEST_START:
        raise InvalidField(f"the start lies more than {FARTHEST_START.days // 365} years ahead", "starts_at")


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


def _rules(plan: TournamentPlan, format_: Format) -> dict[str, Any]:
    """The complete rule set. Raises InvalidField for a game, or for rules that cannot be or do not fit the format."""
    sizes = table_sizes(format_)
    if isinstance(format_, Duplicate) and plan.game != fixed_deals.GAME:
        raise InvalidField("duplicate is played at Gin Rummy only", "game")
    try:
        game = game_named(plan.game)
        asked = game.rules_to_json(game.rules_from_json(plan.rules))
        rules = game.rules_to_json(game.rules_from_json(fixed_deals.rules_of_tables(format_, plan.rules, asked)))
        # Dealt on trial: rules that do not seat so many are refused here, not when the first round opens.
        for seats in sizes:
            rule_set = game.rules_from_json(rules_at(plan.game, rules, sizes, seats))
            game.new_match(rule_set, seats, SeededDeals(bytes(SEED_BYTES), (), "on trial", game.deck_size(rule_set)))
    except UnknownGame as problem:
        raise InvalidField(str(problem), "game") from None
    except InvalidRules as problem:
        raise InvalidField(str(problem), f"rules.{problem.field}") from None
    return rules


def announce_draft(tx: Transaction, caller: Caller, tournament_id: UUID | None) -> Tournament:
    """Shows a draft to everybody. Raises NotFound, NotTheOrganiser, WrongState, or InvalidField for a start gone by."""
    tournament = organised(tx, caller, tournament_id)
    if tournament.state != TournamentState.DRAFT:
        raise WrongState(f"only a draft can be announced: the tournament is {tournament.state}")
    check_start(tournament.starts_at, tx.now)
    tournaments.change_state(tx, tournament, TournamentState.ANNOUNCED, tournament.starts_at)
    webhook_events.tournament_moved(tx, EventType.TOURNAMENT_ANNOUNCED, tournament, TournamentState.ANNOUNCED)
    note(tx, tournament, caller, "announced")
    return _moved_on(tx, tournament.tournament_id)


def open_registration(tx: Transaction, caller: Caller, tournament_id: UUID | None) -> Tournament:
    """Raises NotFound, NotTheOrganiser, or WrongState unless the tournament is `announced`."""
    tournament = organised(tx, caller, tournament_id)
    if tournament.state != TournamentState.ANNOUNCED:
        raise WrongState(f"registration cannot be opened: the tournament is {tournament.state}")
    due_at = min(tournament.starts_at, max(tx.now, tournament.check_in_at))
    tournaments.change_state(tx, tournament, TournamentState.REGISTRATION, due_at)
    webhook_events.tournament_moved(tx, EventType.REGISTRATION_OPENED, tournament, TournamentState.REGISTRATION)
    note(tx, tournament, caller, "registration_opened")
    return _moved_on(tx, tournament.tournament_id)


def cancel_tournament(tx: Transaction, caller: Caller, tournament_id: UUID | None, reason: str) -> Tournament:
    """Ends it at once: results that have come count, matches still in play are void; what was rated stays rated."""
    tournament = organised(tx, caller, tournament_id)
    if tournament.state in ENDED:
        raise WrongState(f"the tournament is {tournament.state} already")
    return cancel(tx, tournament, caller, reason)


def cancel(tx: Transaction, tournament: Tournament, caller: Caller | None, reason: str) -> Tournament:
    """The same for a locked tournament that has not ended; without a caller it happens by itself."""
    score_what_waits(tx, tournament)
    rounds.void_undecided(tx, tournament.tournament_id)
    in_play = matches.in_play(tx, tournament.tournament_id)
    for match_id in in_play:
        tx.emit(CancelMatch(str(match_id), reason))
    webhook_events.matches_cancelled(tx, tournament.tournament_id, in_play)
    if tournament.current_round:
        rounds.close_rounds(tx, tournament.tournament_id)
        standings.publish_now(tx, tournament)
    tournaments.end(tx, tournament, TournamentState.CANCELLED, reason)
    webhook_events.tournament_moved(tx, EventType.TOURNAMENT_CANCELLED, tournament, TournamentState.CANCELLED)
    note(tx, tournament, caller, "cancelled", reason=reason, touched=everybody(tx, tournament))
    return _moved_on(tx, tournament.tournament_id)


def _moved_on(tx: Transaction, tournament_id: UUID) -> Tournament:
    tournament = tournaments.find(tx, tournament_id)
    assert tournament is not None
    hints.moved_on(tx, tournament)
    return tournament

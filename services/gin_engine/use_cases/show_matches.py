"""What everybody, or one player, may know of matches. Cards come from the views of the rules alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gin_engine.domain.clocks import ClockView, clock_view
from gin_engine.domain.match import FINISHED, PLAYING, Match, MatchId
from gin_engine.domain.problems import MatchNotFound, NeverDealt, NotYourSeat
from gin_engine.store import clocks, matches
from gin_engine.store.states import state_of
from gin_rules.game import game_named
from gin_servicekit.database import Transaction


@dataclass(frozen=True, slots=True)
class Filter:
    """Which matches are asked for; None lets all pass."""

    tournament_id: str | None = None
    round_number: int | None = None
    player_id: str | None = None
    state: str | None = None


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match for everybody. `view` is the spectator's, as JSON; None for a match that was void from the start."""

    match: Match
    to_act: int | None
    view: dict[str, Any] | None
    clock: ClockView | None


@dataclass(frozen=True, slots=True)
class SeatView:
    """A match for one of its players. `view` is the player's, as JSON; it holds the own hand.

    `advice` tells whether players may be shown what their cards are worth; `table_id` is that of a casual table.
    """

    match_id: MatchId
    seat: int
    action_count: int
    state: str
    to_act: int | None
    legal_actions: list[str]
    view: dict[str, Any]
    advice: bool
    table_id: MatchId | None
    clock: ClockView | None


def list_matches(tx: Transaction, wanted: Filter, after: str, limit: int) -> tuple[list[Match], bool]:
    """At most `limit` matches by id, after the id `after`, and whether there are more."""
    found = matches.page(
        tx,
        tournament_id=wanted.tournament_id,
        round_number=wanted.round_number,
        player_id=wanted.player_id,
        state=wanted.state,
        after=after,
        limit=limit + 1,
    )
    return found[:limit], len(found) > limit


def show_match(tx: Transaction, match_id: str) -> MatchView:
    """Raises MatchNotFound."""
    match = find(tx, match_id)
    if not match.dealt:
        return MatchView(match, None, None, None)
    game, state = game_named(match.game), state_of(tx, match)
    to_act = game.to_act(state) if match.state == PLAYING else None
    view = game.view_to_json(game.spectator_view(state))
    return MatchView(match, to_act, view, _clock(tx, match, to_act))


def show_seat(tx: Transaction, match_id: str, account_id: str, state: Any = None) -> SeatView:
    """What the caller's seat sees. Raises MatchNotFound, NotYourSeat or NeverDealt.

    `state` is that of the match where the caller has it already.
    """
    match = find(tx, match_id)
    seat = seat_of(match, account_id)
    if not match.dealt:
        raise NeverDealt("the match was void from the start")
    state = state_of(tx, match) if state is None else state
    game = game_named(match.game)
    to_act = game.to_act(state) if match.state == PLAYING else None
    return SeatView(
        match_id=match.match_id,
        seat=seat,
        action_count=match.event_count,
        state=FINISHED if game.outcome(state) is not None else match.state,
        to_act=to_act,
        legal_actions=list(game.legal_actions(state)) if to_act == seat else [],
        view=game.view_to_json(game.view(state, seat)),
        advice=match.gives_advice,
        table_id=match.match_id if match.casual else None,
        clock=_clock(tx, match, to_act),
    )


def _clock(tx: Transaction, match: Match, to_act: int | None) -> ClockView | None:
    return None if match.clock is None else clock_view(match, to_act, clocks.looked_at(tx), tx.now)


def find(tx: Transaction, match_id: str) -> Match:
    """Raises MatchNotFound."""
    match = matches.find(tx, match_id)
    if match is None:
        raise MatchNotFound("there is no such match")
    return match


def seat_of(match: Match, account_id: str) -> int:
    """The seat that this account plays. Raises NotYourSeat."""
    for number, seat in enumerate(match.seats):
        if seat.player_id == account_id and seat.bot is None:
            return number
    raise NotYourSeat("this account plays no seat of the match")

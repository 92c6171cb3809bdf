"""What everybody, or one player, may know of matches. Cards come from the views of the rules alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from gin_engine.domain.clocks import ClockView, clock_view
from gin_engine.domain.match import FINISHED, PLAYING, Match, MatchId
from gin_engine.domain.problems import AlreadyDealt, MatchNotFound, NeverDealt, NotYourSeat
from gin_engine.domain.table import WAITING
from gin_engine.store import clocks, known, matches, shared_deals, tables
from gin_engine.store.spectators import shown_to_all
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
    """A match for everybody, as of a while ago where spectators see it later than its players.

    `view` is the spectator's, as JSON; None for a match that was void from the start, or that they do not see yet, and
    while other tables still play the same cards.
    """

    match: Match
    to_act: int | None
    view: dict[str, Any] | None
    clock: ClockView | None


@dataclass(frozen=True, slots=True)
class RematchView:
    """The table of a rematch: who has agreed to it so far, and its match once all have."""

    table_id: str
    match_id: str | None
    asked_by: list[str]


@dataclass(frozen=True, slots=True)
class SeatView:
    """A match for one of its players. `view` is the player's, as JSON; it holds the own hand.

    `advice` tells whether players may be shown what their cards are worth; `table_id` is that of a casual table, and
    `rematch` what somebody asked for after the match there.
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
    rematch: RematchView | None


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
    shown = [shown_to_all(tx, match)[0] if match.is_held_back else match for match in found[:limit]]
    return shown, len(found) > limit


def show_match(tx: Transaction, match_id: str) -> MatchView:
    """Raises MatchNotFound."""
    match = find(tx, match_id)
    if not match.dealt:
        return MatchView(match, None, None, None)
    match, state = shown_to_all(tx, match)
    if state is None:
        return MatchView(match, None, None, None)
    game = game_named(match.game)
    to_act = game.to_act(state) if match.state == PLAYING else None
    view = None if is_hidden(tx, match) else game.view_to_json(game.spectator_view(state))
    return MatchView(match, to_act, view, _clock(tx, match, to_act))


def show_seat(tx: Transaction, match_id: str, account_id: str) -> SeatView:
    """What the caller's seat sees. `tx` must not have written anything.

    Raises MatchNotFound, NotYourSeat or NeverDealt.
    """
    match = known.newest(tx, match_id)
    if match is None:
        raise MatchNotFound("there is no such match")
    seat = seat_of(match, account_id)
    if not match.dealt:
        raise NeverDealt("the match was void from the start")
    return seat_view(tx, match, seat, state_of(tx, match))


def seat_view(tx: Transaction, match: Match, seat: int, state: Any) -> SeatView:
    """What this seat sees of the match, of which `state` is the state."""
    to_act = game_named(match.game).to_act(state) if match.state == PLAYING else None
    return view_of_seat(match, seat, state, _clock(tx, match, to_act), _rematch(tx, match))


def view_of_seat(match: Match, seat: int, state: Any, clock: ClockView | None, rematch: RematchView | None) -> SeatView:
    """The same where clock and rematch are known."""
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
        clock=clock,
        rematch=rematch,
    )


def _rematch(tx: Transaction, match: Match) -> RematchView | None:
    table_id = tables.rematch_of(tx, match.match_id) if match.casual and match.state != PLAYING else None
    table = tables.find(tx, table_id) if table_id else None
    if table is None or (table.state == WAITING and table.expires_at <= tx.now):
        return None
    people = [player.player_id for player in table.players if player.bot is None]
    return RematchView(table.table_id, table.match_id, people)


def _clock(tx: Transaction, match: Match, to_act: int | None) -> ClockView | None:
    return None if match.clock is None else clock_view(match, to_act, clocks.looked_at(tx), tx.now)


def is_hidden(tx: Transaction, match: Match) -> bool:
    """Whether what was played here would tell others the cards that they still play."""
    return match.deal_id is not None and match.deal_id not in shared_deals.revealed(tx, [match.deal_id])


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


def refuse_entropy(tx: Transaction, match_id: str, account_id: str) -> NoReturn:
    """Raises MatchNotFound, NotYourSeat, or AlreadyDealt: a match is dealt in the moment in which it is opened."""
    seat_of(find(tx, match_id), account_id)
    raise AlreadyDealt(
        "the cards were dealt when the match was opened, and entropy given after the deal would change cards that are "
        "seen already; at a casual table you can give yours until its last seat is taken"
    )

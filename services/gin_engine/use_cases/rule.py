"""An arbiter rules: one more event of a match, added to what stands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from gin_engine.domain.match import PLAYING, Match
from gin_engine.domain.play import Progress, bot_is_to_act
from gin_engine.domain.problems import DealsInPlay, MatchIsOver, MatchNotFound, NotTheArbiter, RulingRefused
from gin_engine.domain.tasks import PLAY, REPLY
from gin_engine.store import arbiters, matches, rulings
from gin_engine.store.spectators import shown_to_all
from gin_engine.store.states import state_of
from gin_engine.use_cases import hints
from gin_engine.use_cases.finish_matches import record_progress
from gin_engine.use_cases.show_matches import find, is_hidden
from gin_rules.game import game_named
from gin_rules.replay import RecordedRuling
from gin_rules.rulings import RefusedRuling, Ruling
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction


@dataclass(frozen=True, slots=True)
class RulingView:
    """One ruling: after how many actions it was made, and the totals by seat from then on."""

    after: int
    kind: str
    hand: int
    points: tuple[int, ...] | None
    reason: str
    arbiter_id: str
    totals: tuple[int, ...]
    ruled_at: datetime


def rule(tx: Transaction, caller: Caller, match_id: str, ruling: Ruling) -> RulingView:
    """Takes the ruling into the match and its record.

    Its tournament's arbiters and administrators may rule, but nobody on a match of their own, or of a bot of theirs
    against somebody else. Raises MatchNotFound, NotTheArbiter, MatchIsOver or RulingRefused, and then nothing has
    changed.
    """
    match = matches.lock(tx, match_id)
    if match is None:
        raise MatchNotFound("there is no such match")
    check_arbiter(tx, match, caller)
    if match.state != PLAYING:
        raise MatchIsOver("the match is over: its tournament corrects its result")
    game = game_named(match.game)
    try:
        after = game.rule(state_of(tx, match), ruling)
    except RefusedRuling as problem:
        raise RulingRefused(str(problem)) from problem
    at = tx.now if match.last_action_at is None else max(tx.now, match.last_action_at)
    entry = RecordedRuling(match.action_count, at, ruling, tuple(game.totals(after)))
    rulings.append(tx, match, entry)
    matches.put_off_deadline(tx, match)
    ruled = replace(match, ruling_count=match.ruling_count + 1, last_action_at=at)
    record_progress(tx, [(ruled, Progress(after, [], []))])
    hints.moved(tx, ruled, ruled.event_count)
    if bot_is_to_act(ruled, after):
        tx.kick(PLAY if ruled.only_bots else REPLY)
    return _view(entry)


def show_rulings(tx: Transaction, match_id: str, reader: Caller | None) -> list[RulingView]:
    """What was ruled in the match, in order: with their totals, for others than its players and arbiters no sooner than
    they may see the match. Raises MatchNotFound, or DealsInPlay while other tables play the same cards.
    """
    match = find(tx, match_id)
    if not _concerns(tx, match, reader):
        if is_hidden(tx, match):
            raise DealsInPlay("other tables still play the same cards: rulings are shown when the last one is over")
        if match.is_held_back:
            match, _ = shown_to_all(tx, match)
    return [_view(entry) for entry in rulings.rulings_of(tx, match)]


def _concerns(tx: Transaction, match: Match, reader: Caller | None) -> bool:
    if reader is None:
        return False
    players = [seat.player_id for seat in match.seats if seat.bot is None]
    return reader.administrator or reader.account_id in players or reader.account_id in arbiters.of_match(tx, match)


def check_arbiter(tx: Transaction, match: Match, caller: Caller) -> None:
    """Raises NotTheArbiter unless the caller may decide about the match."""
    if not caller.administrator and caller.account_id not in arbiters.of_match(tx, match):
        raise NotTheArbiter("only an arbiter of the tournament or an administrator may rule")
    if any(seat.player_id == caller.account_id for seat in match.seats):
        raise NotTheArbiter("nobody rules on a match of their own")
    theirs = {seat.owner_id == caller.account_id for seat in match.seats}
    if theirs == {True, False}:
        raise NotTheArbiter("nobody rules on a match of a bot of theirs against somebody else")


def _view(entry: RecordedRuling) -> RulingView:
    ruling = entry.ruling
    return RulingView(
        entry.after,
        ruling.kind,
        ruling.hand,
        ruling.points,
        ruling.reason,
        ruling.arbiter,
        entry.totals,
        entry.at,
    )

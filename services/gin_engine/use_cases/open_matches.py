"""The lobby wants matches to be played."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from gin_engine.domain.match import PLAYING, Match, MatchId, SeatScore
from gin_engine.domain.opening import new_match
from gin_engine.domain.play import bot_is_to_act, deal
from gin_engine.domain.results import Result, finished_message
from gin_engine.domain.tasks import PLAY, REPLY
from gin_engine.store import matches
from gin_engine.use_cases.finish_matches import run_clock
from gin_messages.match import OpenMatch
from gin_servicekit.database import Transaction


def open_matches(tx: Transaction, requests: Sequence[OpenMatch]) -> None:
    """Opens each match once, however often it is asked for.

    Whoever asks for a match that is over, or that cannot be played, hears how it ended.
    """
    ids = [request.match_id for request in requests]
    matches.hold(tx, ids)
    cancelled = matches.cancelled_early(tx, ids)
    wished = [
        new_match(request, cancelled.get(request.match_id), secrets.token_bytes, tx.now)
        for request in {request.match_id: request for request in requests}.values()
    ]
    opened = start_matches(tx, wished)
    known = {m.match_id: m for m in matches.load(tx, [m.match_id for m in wished if m.match_id not in opened])}
    for match in wished:
        present = known.get(match.match_id, match)
        if present.state != PLAYING:
            _tell_end(tx, present)


def start_matches(tx: Transaction, wished: Sequence[Match]) -> frozenset[MatchId]:
    """Stores matches that are not there yet, sets those that can be played going, and tells which were new."""
    bot_due = frozenset(match.match_id for match in wished if match.state == PLAYING and _starts_with_bot(match))
    opened = matches.insert(tx, wished, bot_due)
    for match in wished:
        if match.match_id in bot_due & opened:
            tx.kick(PLAY if match.only_bots else REPLY)
        if match.clock is not None and match.match_id in opened and not match.only_bots and match.state == PLAYING:
            run_clock(tx, match, deal(match))
    return opened


def _starts_with_bot(match: Match) -> bool:
    # Between bots alone one of them acts first, whichever that is: no need to deal here.
    return match.only_bots or bot_is_to_act(match, deal(match))


def _tell_end(tx: Transaction, match: Match) -> None:
    assert match.ending is not None
    assert match.finished_at is not None
    scores: list[SeatScore] = [seat.result for seat in match.seats if seat.result is not None]
    tx.emit(finished_message(match, Result(match.ending, tuple(scores), match.hands_played), match.finished_at))

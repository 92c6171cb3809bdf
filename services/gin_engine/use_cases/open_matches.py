"""The lobby wants matches to be played."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace

from gin_engine.domain.match import PLAYING, Match, MatchId, SeatScore
from gin_engine.domain.opening import ENTROPY_BYTES, SEED_BYTES, new_match
from gin_engine.domain.play import bot_is_to_act, deal
from gin_engine.domain.results import Result, finished_message
from gin_engine.domain.tasks import PLAY, REPLY
from gin_engine.store import deadlines, matches, shared_deals
from gin_engine.store.shared_deals import SharedDeal
from gin_engine.use_cases import hints
from gin_engine.use_cases.finish_matches import run_clock
from gin_engine.use_cases.players import give_up_for_the_gone, seated_as_known
from gin_messages.match import OpenMatch
from gin_rules.shuffle import commitment
from gin_servicekit.database import Transaction
from gin_servicekit.word_lists import make_known


def open_matches(tx: Transaction, requests: Sequence[OpenMatch]) -> None:
    """Opens each match once, however often it is asked for.

    Whoever asks for a match that is over, or that cannot be played, hears how it ended.
    """
    ids = [request.match_id for request in requests]
    matches.hold(tx, ids)
    cancelled = matches.cancelled_early(tx, ids)
    once = {request.match_id: request for request in requests}
    void = _too_late(tx, list(once.values())) | cancelled
    make_known(tx, [request.rules for request in once.values() if request.game == "word"])
    wished = [new_match(request, void.get(request.match_id), secrets.token_bytes, tx.now) for request in once.values()]
    wished, gone = seated_as_known(tx, _with_shared_deals(tx, wished))
    opened = start_matches(tx, wished)
    if gone:
        give_up_for_the_gone(tx, opened, gone)
    deadlines.apply(tx, ids)
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
        if match.match_id in opened and match.state == PLAYING:
            hints.called(tx, match)
    return opened


def _too_late(tx: Transaction, requests: Sequence[OpenMatch]) -> dict[str, str]:
    """Matches that would be played with cards that everybody knows already."""
    ids = [request.deal_id for request in requests if request.deal_id is not None]
    known = shared_deals.revealed(tx, ids) if ids else frozenset()
    return {request.match_id: "its cards are known already" for request in requests if request.deal_id in known}


def _with_shared_deals(tx: Transaction, wished: Sequence[Match]) -> list[Match]:
    """The same, where matches that share their deals have one seed, salt and entropy."""
    sharing = {match.match_id: match.deal_id for match in wished if match.deal_id is not None and match.dealt}
    deals = shared_deals.drawn(tx, list(sharing.values()), _drawn_deal) if sharing else {}
    return [_dealt_as(m, deals[sharing[m.match_id]]) if m.match_id in sharing else m for m in wished]


def _drawn_deal(deal_id: str) -> SharedDeal:
    """A new deal for tables of two."""
    entropy = (secrets.token_bytes(ENTROPY_BYTES), secrets.token_bytes(ENTROPY_BYTES))
    return SharedDeal(deal_id, secrets.token_bytes(SEED_BYTES), secrets.token_bytes(SEED_BYTES), entropy)


def _dealt_as(match: Match, deal: SharedDeal) -> Match:
    """The match with the seed, salt, commitment and entropy of a shared deal."""
    seats = tuple(replace(seat, entropy=part) for seat, part in zip(match.seats, deal.entropy, strict=True))
    return replace(
        match,
        server_seed=deal.server_seed,
        salt=deal.salt,
        commitment=commitment(deal.salt, deal.server_seed),
        seats=seats,
    )


def _starts_with_bot(match: Match) -> bool:
    # Between bots alone one of them acts first, whichever that is: no need to deal here.
    return match.only_bots or bot_is_to_act(match, deal(match))


def _tell_end(tx: Transaction, match: Match) -> None:
    assert match.ending is not None
    assert match.finished_at is not None
    scores: list[SeatScore] = [seat.result for seat in match.seats if seat.result is not None]
    tx.emit(finished_message(match, Result(match.ending, tuple(scores), match.hands_played), match.finished_at))

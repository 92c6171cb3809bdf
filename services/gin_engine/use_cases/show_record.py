"""The record of a match that is over: with it, anybody can check every deal, action and score."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gin_engine.domain.match import PLAYING
from gin_engine.domain.problems import DealsInPlay, MatchStillPlaying, NeverDealt, NeverSealed
from gin_engine.store.action_log import recorded_actions
from gin_engine.store.rulings import rulings_of
from gin_engine.use_cases.show_matches import find, is_hidden
from gin_rules.game import game_named
from gin_rules.record import MatchRecord, record_match, record_to_json
from gin_servicekit.database import Transaction


def show_record(tx: Transaction, match_id: str) -> dict[str, Any]:
    """The record as JSON, seed and salt revealed.

    Raises MatchNotFound, MatchStillPlaying, NeverDealt or DealsInPlay.
    """
    return record_to_json(record_of(tx, match_id))


def record_of(tx: Transaction, match_id: str) -> MatchRecord:
    """The record, seed and salt revealed. Raises as `show_record` does."""
    match = find(tx, match_id)
    if match.state == PLAYING:
        raise MatchStillPlaying("the record is shown when the match is over")
    if not match.dealt:
        raise NeverDealt("the match was void from the start")
    if is_hidden(tx, match):
        raise DealsInPlay("other tables still play the same cards: the record is shown when the last one is over")
    game = game_named(match.game)
    return record_match(
        game=game,
        rules=game.rules_from_json(match.rules),
        match_id=match.match_id,
        deal_id=match.deal_id,
        first_dealer=match.first_dealer,
        seats=[seat.player_name for seat in match.seats],
        commitment=match.commitment,
        entropy=[seat.entropy for seat in match.seats],
        seed=match.server_seed,
        salt=match.salt,
        actions=recorded_actions(tx, match),
        rulings=rulings_of(tx, match),
    )


@dataclass(frozen=True, slots=True)
class PublishedSeal:
    """The seal of a match's record as it was published when the match ended, at `finished_at`."""

    match_id: str
    seal: str
    commitment: str
    finished_at: datetime


def show_seal(tx: Transaction, match_id: str) -> PublishedSeal:
    """Raises MatchNotFound, MatchStillPlaying, or NeverSealed."""
    match = find(tx, match_id)
    if match.finished_at is None:
        raise MatchStillPlaying("the record is sealed when the match is over")
    if match.seal is None:
        raise NeverSealed("no seal was published when this match ended")
    return PublishedSeal(match.match_id, match.seal, match.commitment, match.finished_at)

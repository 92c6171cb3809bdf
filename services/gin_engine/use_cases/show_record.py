"""The record of a match that is over: with it, anybody can check every deal, action and score."""

from __future__ import annotations

from typing import Any

from gin_engine.domain.match import PLAYING
from gin_engine.domain.problems import MatchStillPlaying, NeverDealt
from gin_engine.store import action_log
from gin_engine.use_cases.show_matches import find
from gin_rules.game import Action, game_named
from gin_rules.record import MatchRecord, RecordedAction, record_match, record_to_json
from gin_servicekit.database import Transaction


def show_record(tx: Transaction, match_id: str) -> dict[str, Any]:
    """The record as JSON, seed and salt revealed. Raises MatchNotFound, MatchStillPlaying or NeverDealt."""
    return record_to_json(record_of(tx, match_id))


def record_of(tx: Transaction, match_id: str) -> MatchRecord:
    """The record, seed and salt revealed. Raises MatchNotFound, MatchStillPlaying or NeverDealt."""
    match = find(tx, match_id)
    if match.state == PLAYING:
        raise MatchStillPlaying("the record is shown when the match is over")
    if not match.dealt:
        raise NeverDealt("the match was void from the start")
    game = game_named(match.game)
    return record_match(
        game=game,
        rules=game.rules_from_json(match.rules),
        match_id=match.match_id,
        first_dealer=match.first_dealer,
        seats=[seat.player_name for seat in match.seats],
        commitment=match.commitment,
        entropy=[seat.entropy for seat in match.seats],
        seed=match.server_seed,
        salt=match.salt,
        actions=[
            RecordedAction(seat, Action(action), block.played_at)
            for block in action_log.blocks_of(tx, match.match_id, to_action=match.action_count)
            for seat, action in zip(block.seats, block.actions, strict=True)
        ],
    )

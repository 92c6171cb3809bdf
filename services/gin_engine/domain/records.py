"""The record of a match as it stands, without its secrets, and the seal that is published when the match ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gin_engine.domain.match import Match
from gin_rules.game import game_named
from gin_rules.record import MatchRecord, RecordedAction, RecordedRuling, scores_of, seal_of


def seal_of_match(
    match: Match, state: Any, actions: Sequence[RecordedAction], rulings: Sequence[RecordedRuling]
) -> str:
    """The seal of the record that will be shown of the match: `state` is the one after all actions and rulings."""
    game = game_named(match.game)
    return seal_of(
        MatchRecord(
            game=match.game,
            rules=match.rules,
            match_id=match.match_id,
            deal_id=match.deal_id or match.match_id,
            seats=tuple(seat.player_name for seat in match.seats),
            commitment=match.commitment,
            entropy=tuple(seat.entropy for seat in match.seats),
            actions=tuple(actions),
            scores=scores_of(game, state),
            outcome=game.outcome(state),
            rulings=tuple(rulings),
            first_dealer=match.first_dealer,
        )
    )

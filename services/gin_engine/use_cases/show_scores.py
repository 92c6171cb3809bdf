"""The score sheet of a match, and its hands afterwards."""

from __future__ import annotations

from typing import Any

from gin_engine.domain.open_hands import OpenHand, open_hand
from gin_engine.domain.problems import HandNotFound, NeverDealt
from gin_engine.store.states import state_of
from gin_engine.use_cases.show_matches import find
from gin_engine.use_cases.show_record import record_of
from gin_rules.game import game_named
from gin_rules.score_sheet import score_sheet_to_json
from gin_servicekit.database import Transaction


def show_scores(tx: Transaction, match_id: str) -> dict[str, Any]:
    """Every hand that is over, explained; public, as its cards were shown. Raises MatchNotFound or NeverDealt."""
    match = find(tx, match_id)
    if not match.dealt:
        raise NeverDealt("the match was void from the start")
    return score_sheet_to_json(game_named(match.game).score_sheet(state_of(tx, match)))


def show_open_hand(tx: Transaction, match_id: str, number: int) -> OpenHand:
    """A hand of a match that is over, all cards open.

    Raises MatchNotFound, MatchStillPlaying, NeverDealt or HandNotFound.
    """
    hand = open_hand(record_of(tx, match_id), number)
    if hand is None:
        raise HandNotFound(f"the match has no hand {number}")
    return hand

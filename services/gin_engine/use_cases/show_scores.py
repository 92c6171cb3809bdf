"""The score sheet of a match, and its hands afterwards."""

from __future__ import annotations

from typing import Any

from gin_engine.domain.open_hands import OpenHand, open_hand
from gin_engine.domain.problems import DealsInPlay, HandNotFound, NeverDealt
from gin_engine.store.states import state_of
from gin_engine.use_cases.show_matches import find, is_hidden
from gin_engine.use_cases.show_record import record_of
from gin_rules.game import game_named
from gin_rules.score_sheet import score_sheet_to_json
from gin_servicekit.database import Transaction


def show_scores(tx: Transaction, match_id: str, account_id: str | None) -> dict[str, Any]:
    """Every hand that is over, explained: for everybody, as its cards were shown; for who plays the match at any time.

    Raises MatchNotFound, NeverDealt, or DealsInPlay for others while other tables play the same cards.
    """
    match = find(tx, match_id)
    if not match.dealt:
        raise NeverDealt("the match was void from the start")
    plays = any(seat.bot is None and seat.player_id == account_id for seat in match.seats)
    if not plays and is_hidden(tx, match):
        raise DealsInPlay("other tables still play the same cards: scores are shown when the last one is over")
    return score_sheet_to_json(game_named(match.game).score_sheet(state_of(tx, match)))


def show_open_hand(tx: Transaction, match_id: str, number: int) -> OpenHand:
    """A hand of a match that is over, all cards open.

    Raises MatchNotFound, MatchStillPlaying, NeverDealt, DealsInPlay or HandNotFound.
    """
    hand = open_hand(record_of(tx, match_id), number)
    if hand is None:
        raise HandNotFound(f"the match has no hand {number}")
    return hand

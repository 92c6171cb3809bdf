"""The score sheet of a match, and its hands afterwards."""

from __future__ import annotations

from typing import Any

from gin_engine.domain.open_hands import OpenHand, open_hand
from gin_engine.domain.play import deal
from gin_engine.domain.problems import DealsInPlay, HandNotFound, NeverDealt
from gin_engine.store.spectators import shown_to_all
from gin_engine.store.states import state_of
from gin_engine.use_cases.show_matches import find, is_hidden
from gin_engine.use_cases.show_record import record_of
from gin_rules.game import game_named
from gin_rules.score_sheet import score_sheet_to_json
from gin_servicekit.database import Transaction


def show_scores(tx: Transaction, match_id: str, account_id: str | None) -> dict[str, Any]:
    """Every hand that is over, explained: for who plays the match as it stands, for others as they may see it now.

    Raises MatchNotFound, NeverDealt, or DealsInPlay for others while other tables play the same cards.
    """
    match = find(tx, match_id)
    if not match.dealt:
        raise NeverDealt("the match was void from the start")
    if any(seat.bot is None and seat.player_id == account_id for seat in match.seats):
        state = state_of(tx, match)
    elif is_hidden(tx, match):
        raise DealsInPlay("other tables still play the same cards: scores are shown when the last one is over")
    else:
        state = shown_to_all(tx, match)[1] or deal(match)
    return score_sheet_to_json(game_named(match.game).score_sheet(state))


def show_open_hand(tx: Transaction, match_id: str, number: int) -> OpenHand:
    """A hand of a match that is over, all cards open.

    Raises MatchNotFound, MatchStillPlaying, NeverDealt, DealsInPlay or HandNotFound.
    """
    hand = open_hand(record_of(tx, match_id), number)
    if hand is None:
        raise HandNotFound(f"the match has no hand {number}")
    return hand

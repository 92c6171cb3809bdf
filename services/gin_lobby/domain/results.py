"""How the engine's account of a match becomes the result of a pairing."""

from __future__ import annotations

from gin_messages.match import MatchFinished
from gin_tournament.model import Outcome


def outcome(message: MatchFinished) -> Outcome:
    """A no-show forfeits without play; who gives up midway has lost a game."""
    if message.ending == "void":
        return Outcome.VOID
    if message.ending == "double_forfeit":
        return Outcome.DOUBLE_FORFEIT
    first, second = message.seats
    if first.place == second.place:
        return Outcome.DRAW
    first_won = first.place < second.place
    if message.ending == "no_show":
        return Outcome.SECOND_FORFEITS if first_won else Outcome.FIRST_FORFEITS
    return Outcome.FIRST_WINS if first_won else Outcome.SECOND_WINS

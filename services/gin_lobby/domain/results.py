"""How the engine's account of a match becomes a result."""

from __future__ import annotations

from gin_messages.match import MatchFinished
from gin_tournament.format import Result
from gin_tournament.model import Outcome, Tally


def result(message: MatchFinished) -> Result:
    """An outcome for two, places for three or four; an annulled table has the outcome void. In seat order."""
    tallies = tuple(Tally(seat.score, seat.hands_won, seat.undercuts) for seat in message.seats)
    if len(message.seats) == 2 or message.ending == "void":
        return Result(outcome(message), tallies=tallies)
    return Result(places=_places(message), tallies=tallies)


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


def _places(message: MatchFinished) -> tuple[int, ...]:
    """Place 0 is for who did not come: nobody at a table that nobody came to, the absent of a no-show."""
    if message.ending == "double_forfeit":
        return (0,) * len(message.seats)
    places = [seat.place for seat in message.seats]
    if message.ending == "no_show":
        return tuple(0 if place > 1 else place for place in places)
    return tuple(places)

"""How the engine's account of a match becomes a result."""

from __future__ import annotations

from gin_messages.match import MatchFinished
from gin_tournament.format import Result
from gin_tournament.model import Outcome, Tally


def result(message: MatchFinished) -> Result:
    """An outcome for two, places for three or four; an annulled table has the outcome void. In seat order."""
    tallies = tuple(Tally(seat.score, seat.hands_won, seat.undercuts) for seat in message.seats)
    if len(message.seats) == 2 or message.ending == "void":
        return Result(outcome(message), tallies=tallies, given_up=message.ending == "forfeit")
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


PLACES_OF_TWO = {
    Outcome.FIRST_WINS: (1, 2),
    Outcome.SECOND_WINS: (2, 1),
    Outcome.DRAW: (1, 1),
    Outcome.FIRST_FORFEITS: (2, 1),
    Outcome.SECOND_FORFEITS: (1, 2),
    Outcome.DOUBLE_FORFEIT: (1, 1),
    Outcome.VOID: (1, 1),
}


def as_told(ended: Result, seats: int) -> tuple[str, tuple[int, ...]]:
    """The reverse of `result`: the ending of a match with this result, and the places in seat order."""
    if ended.outcome is Outcome.VOID:
        return "void", (1,) * seats
    if ended.outcome is not None:
        ending = "double_forfeit" if ended.outcome is Outcome.DOUBLE_FORFEIT else "no_show"
        return "played" if ended.outcome.is_played else ending, PLACES_OF_TWO[ended.outcome]
    if not any(ended.places):
        return "double_forfeit", (1,) * seats
    last = max(ended.places) + 1
    ending = "played" if all(ended.places) else "no_show"
    return ending, tuple(place or last for place in ended.places)


def _places(message: MatchFinished) -> tuple[int, ...]:
    """Place 0 is for who did not come: nobody at a table that nobody came to, the absent of a no-show."""
    if message.ending == "double_forfeit":
        return (0,) * len(message.seats)
    places = [seat.place for seat in message.seats]
    if message.ending == "no_show":
        return tuple(0 if place > 1 else place for place in places)
    return tuple(places)

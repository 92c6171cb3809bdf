"""What single and double elimination share: how a bracket is driven, and how its places are read."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from gin_tournament.bracket import Bracket, Seating, places, play, seat
from gin_tournament.errors import InvalidFormatError
from gin_tournament.format import Answer, CannotPair, Finished, Open, Reason, Situation, Waiting
from gin_tournament.model import Entrant
from gin_tournament.settings import check_best_of
from gin_tournament.standings import Standing, rank

MOST_ENTRANTS = 1024

Draw = Callable[[int], Bracket]
"""The bracket for a field of this size."""


def check_lengths(best_of: int, best_of_last: tuple[int, ...]) -> None:
    """Raises `InvalidFormatError` unless all are 1, 3 or 5 and none is shorter than the one before."""
    check_best_of("best_of", best_of)
    for value in best_of_last:
        check_best_of("best_of_last", value)
    lengths = (best_of, *best_of_last)
    if list(lengths) != sorted(lengths):
        raise InvalidFormatError("best_of_last", "matches may not become shorter towards the final")


def length(best_of: int, best_of_last: tuple[int, ...], rounds_after: int) -> int:
    """Best of how many in a round with so many rounds after it: `best_of_last` ends with the final."""
    return best_of if rounds_after >= len(best_of_last) else best_of_last[-1 - rounds_after]


def next_round(draw: Draw, situation: Situation) -> Answer:
    """Opens the bracket's next round when the last is decided."""
    if not situation.is_decided:
        return Waiting()
    field = field_of(situation)
    if len(field) < 2:
        return CannotPair(Reason.TOO_FEW_ENTRANTS)
    number = situation.next_number
    seating = seat(field, situation.withdrawn)
    fixtures = play(draw(len(field)), seating, tuple(situation.encounters()), number)
    return Open(number, fixtures) if fixtures else Finished()


def field_of(situation: Situation) -> list[Entrant]:
    """Those who were there when round 1 was opened, best seed first."""
    if not situation.rounds:
        return list(situation.present)
    seated = {name for encounter in situation.rounds[0].encounters for name in encounter.fixture.seats}
    return sorted((e for e in situation.entrants if e.id in seated), key=lambda e: e.seed)


def standings(draw: Draw, situation: Situation) -> tuple[Standing, ...]:
    """Ranks by the bracket: who is still in stands first, then whoever got further; points are encounters
    won, byes and forfeits included. Who withdrew before the bracket was drawn stands last."""
    field = field_of(situation)
    lines = rank(situation.entrants, situation.history())
    if len(field) < 2:
        return lines
    seating: Seating = seat(field, situation.withdrawn)
    found = places(draw(len(field)), seating, situation.encounters())
    last = 4 * MOST_ENTRANTS
    reached = sorted(found.get(line.entrant, last) for line in lines)
    seeds = {entrant.id: entrant.seed for entrant in situation.entrants}
    ranked = [line._replace(rank=bisect_left(reached, found.get(line.entrant, last)) + 1) for line in lines]
    return tuple(sorted(ranked, key=lambda line: (line.rank, seeds[line.entrant])))

"""What follows from correcting a result: the preview that an organiser sees before it is done.

A correction never undoes what has been played since. Rounds that were opened stay as they are; this tells
which of them would have been opened otherwise, and what becomes of the standings.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from gin_tournament.errors import InvalidHistoryError
from gin_tournament.format import Encounter, Fixture, Format, Open, OpenedRound, Result, Situation
from gin_tournament.model import EntrantId


class Moved(NamedTuple):
    """A rank that changes."""

    entrant: EntrantId
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Consequences:
    """`corrected` is the situation with the new result. `moved` are the ranks that change, in the new order.

    `other_round` is the number of the first round after the corrected one that would have been opened
    otherwise, None if there is none; `instead` what it would have held. Rounds later than that are not
    compared, as nobody can know who would have won. Both are drawn up anew, under the rulings and withdrawals
    of now, so that only the result can make them differ.
    """

    corrected: Situation
    moved: tuple[Moved, ...]
    other_round: int | None
    instead: tuple[Fixture, ...]


def correct(format_: Format, situation: Situation, slot: str, result: Result) -> Consequences:
    """What would follow from giving the decided encounter in `slot` another result.

    Raises `InvalidHistoryError` where there is no such encounter or it is not decided.
    """
    corrected = replace(situation, rounds=tuple(_with(opened, slot, result) for opened in situation.rounds))
    at = next((i for i, opened in enumerate(situation.rounds) if _holds(opened, slot)), None)
    if at is None:
        raise InvalidHistoryError(f"there is no decided encounter in {slot}")
    before = {line.entrant: line.rank for line in format_.standings(situation)}
    after = format_.standings(corrected)
    moved = tuple(Moved(x.entrant, before[x.entrant], x.rank) for x in after if before[x.entrant] != x.rank)
    for i in range(at + 1, len(situation.rounds)):
        stood = _opens(format_, replace(situation, rounds=situation.rounds[:i]))
        would_stand = _opens(format_, replace(corrected, rounds=corrected.rounds[:i]))
        if stood != would_stand:
            return Consequences(corrected, moved, situation.rounds[i].number, would_stand)
    return Consequences(corrected, moved, None, ())


def _holds(opened: OpenedRound, slot: str) -> bool:
    return any(e.fixture.slot == slot and e.is_decided for e in opened.encounters)


def _with(opened: OpenedRound, slot: str, result: Result) -> OpenedRound:
    def corrected(encounter: Encounter) -> Encounter:
        return encounter._replace(result=result) if encounter.fixture.slot == slot else encounter

    return opened._replace(encounters=tuple(map(corrected, opened.encounters)))


def _opens(format_: Format, situation: Situation) -> tuple[Fixture, ...]:
    answer = format_.next_round(situation)
    return answer.fixtures if isinstance(answer, Open) else ()

"""The next round of a tournament that is written down, in the fewest words: who meets whom, and who rests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gin_tournament.document import TournamentDocument
from gin_tournament.errors import InvalidDocumentError, InvalidFormatError
from gin_tournament.format import Answer, Fixture, Format
from gin_tournament.model import ByeKind
from gin_tournament.round_robin import RoundRobin
from gin_tournament.standings import Standing
from gin_tournament.swiss_rounds import Swiss


def next_round(document: TournamentDocument) -> Answer:
    """What the format answers.

    Raises `InvalidDocumentError` where the last round has no results yet, and `InvalidRequestError` where the wishes
    contradict one another.
    """
    situation = document.situation
    for opened in situation.rounds:
        for at, encounter in enumerate(opened.encounters):
            if not encounter.is_decided:
                place = f"rounds[{opened.number - 1}].pairings[{at}].result"
                raise InvalidDocumentError(place, "a round is paired when every result of the last one is in")
    return document.format.next_round(situation)


def pairings_to_json(fixtures: tuple[Fixture, ...]) -> dict[str, Any]:
    """`{"pairings": [[a, b], …], "bye": c}` by id, the first of a pair dealing first.

    `bye` is None where nobody rests, and a list where several do (the first round of a knockout). Byes on request
    and encounters that are settled because somebody has withdrawn are not part of it.
    """
    pairs = [list(f.seats) for f in fixtures if len(f.seats) == 2 and f.settled is None]
    resting = [f.seats[0] for f in fixtures if len(f.seats) == 1 and f.bye in (None, ByeKind.PAIRING_ALLOCATED)]
    return {"pairings": pairs, "bye": resting if len(resting) > 1 else resting[0] if resting else None}


def ranked_by(document: TournamentDocument, tie_breaks: tuple[str, ...] | None) -> tuple[Format, tuple[Standing, ...]]:
    """The standings and the format that they are of, with these tie-breaks if any are given.

    Raises `InvalidDocumentError` where the format knows no tie-breaks, or not these.
    """
    format_ = document.format
    if tie_breaks is not None:
        if not isinstance(format_, Swiss | RoundRobin):
            raise InvalidDocumentError("tie-breaks", f"a {format_.kind} is not ranked by any")
        try:
            format_ = replace(format_, tie_breaks=tie_breaks)
        except InvalidFormatError as wrong:
            raise InvalidDocumentError("tie-breaks", wrong.problem) from wrong
    return format_, format_.standings(document.situation)

"""Which formats the lobby drives, how large their tables and fields are, and the rules that a table plays by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gin_tournament.arena import Arena
from gin_tournament.catalogue import from_json
from gin_tournament.double_elimination import DoubleElimination
from gin_tournament.duplicate import Duplicate
from gin_tournament.errors import InvalidFormatError
from gin_tournament.format import Format
from gin_tournament.knockout import MOST_ENTRANTS
from gin_tournament.ladder import Ladder
from gin_tournament.pods import Pods
from gin_tournament.round_robin import RoundRobin
from gin_tournament.single_elimination import SingleElimination
from gin_tournament.stages import Stages
from gin_tournament.swiss_rounds import Swiss

DRIVEN = (Swiss, RoundRobin, SingleElimination, DoubleElimination, Arena, Ladder, Pods, Duplicate, Stages)
LARGEST_FIELD = 10_000
_LARGEST: Mapping[type[Any], int] = {
    SingleElimination: MOST_ENTRANTS,
    DoubleElimination: MOST_ENTRANTS,
    RoundRobin: 256,
}
_SEATING = {2: "two", 3: "rotation3", 4: "rotation4"}
_SEATS = {"two": 2, "rotation3": 3, "pairs4": 4, "rotation4": 4}


def driven_format(document: Mapping[str, Any]) -> Format:
    """The format of a document. Raises `InvalidFormatError`, also for a kind that the lobby cannot drive yet.

    A duplicate stands alone: all matches of a tournament have the same rules, and it needs some of its own.
    """
    format_ = from_json(document)
    for path, part in _parts(format_, ""):
        if not isinstance(part, DRIVEN):
            kinds = ", ".join(kind.kind for kind in DRIVEN)
            raise InvalidFormatError(f"{path}kind", f"{part.kind} tournaments cannot be run yet; there are: {kinds}")
        if path and isinstance(part, Duplicate):
            raise InvalidFormatError(f"{path}kind", "duplicate cannot be a stage of a tournament")
    return format_


def known_rounds(format_: Format) -> int | None:
    """How many rounds there will be however many come; None where that depends on it, or on what happens."""
    if isinstance(format_, Duplicate):
        return known_rounds(format_.format)
    return format_.rounds if isinstance(format_, Swiss | Pods) else None


def most_entrants(format_: Format) -> int:
    if isinstance(format_, Stages):
        first = format_.stages[0]
        return min(most_entrants(first.format) * first.groups, LARGEST_FIELD)
    if isinstance(format_, Duplicate):
        return most_entrants(format_.format)
    return _LARGEST.get(type(format_), LARGEST_FIELD)


def table_sizes(format_: Format) -> tuple[int, ...]:
    """How many may sit at a match, fewest first."""
    sizes: set[int] = set()
    for _, part in _parts(format_, ""):
        if isinstance(part, Pods):
            sizes |= {2, 3, 4} if part.tables_of_two else {3, 4}
        elif not isinstance(part, Stages):
            sizes.add(2)
    return tuple(sorted(sizes))


def pairs_by_wish(format_: Format) -> bool:
    """Whether manual and forbidden pairs mean anything in some part of it."""
    return any(isinstance(part, Swiss) for _, part in _parts(format_, ""))


def rests_by_wish(format_: Format) -> bool:
    """Whether somebody may sit out in some part of it."""
    return any(isinstance(part, Swiss | Pods | Arena | Ladder) for _, part in _parts(format_, ""))


def rules_at(game: str, rules: Mapping[str, Any], sizes: tuple[int, ...], seats: int) -> dict[str, Any]:
    """The tournament's rules for a table of so many.

    Only a format with tables of several sizes changes anything: in Gin Rummy its tables of three and four rotate
    (unless the rules say that four play as pairs), and its tables of two play as two.
    """
    seating = rules.get("seating")
    if game != "rummy" or len(sizes) == 1 or _SEATS.get(str(seating)) == seats:
        return dict(rules)
    return {**rules, "seating": _SEATING[seats]}


def _parts(format_: Format, path: str) -> Iterator[tuple[str, Format]]:
    yield path, format_
    if isinstance(format_, Stages):
        for at, stage in enumerate(format_.stages):
            yield from _parts(stage.format, f"{path}stages[{at}].format.")
    if isinstance(format_, Duplicate):
        yield from _parts(format_.format, f"{path}format.")

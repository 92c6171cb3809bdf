"""A whole tournament as one value, and as JSON that somebody wrote by hand (docs/tournaments/offline.md).

What is read is what a format asks for: entrants, rounds with results, and the wishes for the round to come. In a
round robin and a knockout the format itself says who meets whom, so a document only tells how it ended; it is
checked against the format round by round, byes may be left out, and a round that it does not know is refused.

Known gaps: only formats in which two meet and rounds follow one another can be written down (`KINDS`, and a
duplicate of these): no arena, ladder, pods or stages. A match that was given up is told as a forfeit.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gin_tournament.catalogue import from_json
from gin_tournament.double_elimination import DoubleElimination
from gin_tournament.duplicate import Duplicate
from gin_tournament.errors import InvalidDocumentError, InvalidFormatError, TournamentError
from gin_tournament.format import (
    NO_CONTEST,
    Choice,
    Encounter,
    Fixture,
    Format,
    Open,
    OpenedRound,
    Result,
    Rulings,
    Situation,
)
from gin_tournament.json_part import Part
from gin_tournament.model import ByeKind, Entrant, EntrantId, Outcome, Pairing, Tally
from gin_tournament.round_robin import RoundRobin
from gin_tournament.settings import MOST_ROUNDS
from gin_tournament.single_elimination import SingleElimination
from gin_tournament.swiss_rounds import Swiss

KINDS = {kind.kind: kind for kind in (Swiss, RoundRobin, SingleElimination, DoubleElimination)}
MOST_ENTRANTS = 10_000
_HIGHEST_RATING = 99_999
_FIGURE = 10**9


@dataclass(frozen=True, slots=True)
class TournamentDocument:
    """`names` are what people are called; `situation` holds everything that `format` may know."""

    format: Format
    situation: Situation
    names: Mapping[EntrantId, str]
    name: str = ""


def read_document(value: Any) -> TournamentDocument:
    """The tournament out of parsed JSON.

    Raises `InvalidDocumentError`, which names the place, for anything that is no tournament.
    """
    top = Part(value).members(
        ("format", "entrants"),
        ("name", "seed", "rounds", "withdrawn", "requested_byes", "forbidden_pairs", "manual_pairs", "allow"),
    )
    format_ = _format(top["format"])
    entrants, names = _entrants(top["entrants"])
    known = frozenset(names)
    empty = Part([])
    situation = Situation(
        entrants,
        withdrawn=frozenset(_ids(top.get("withdrawn", empty), known)),
        sitting_out=frozenset(_ids(top.get("requested_byes", empty), known)),
        rulings=Rulings(
            tuple(Pairing(*_pair(pair, known)) for pair in top.get("manual_pairs", empty).items()),
            tuple(_pair(pair, known) for pair in top.get("forbidden_pairs", empty).items()),
            tuple(Choice(part.choice([c.value for c in Choice])) for part in top.get("allow", empty).items()),
        ),
        seed=top["seed"].whole(0, 2**53) if "seed" in top else 0,
    )
    if not isinstance(format_, Swiss):
        for name in ("requested_byes", "forbidden_pairs", "manual_pairs", "allow"):
            if name in top and top[name].items():
                raise top[name].wrong(f"a {format_.kind} is not drawn up by wish")
    rounds = top.get("rounds", empty)
    name = top["name"].text() if "name" in top else ""
    return TournamentDocument(format_, _with_rounds(format_, situation, rounds), names, name)


def _format(part: Part) -> Format:
    if isinstance(part.value, str):
        kind = part.choice(KINDS)
        return Swiss(rounds=MOST_ROUNDS) if kind == Swiss.kind else KINDS[kind]()
    if not isinstance(part.value, dict):
        raise part.wrong("must be an object or a text")
    if "kind" not in part.value:
        raise InvalidDocumentError(f"{part.path}.kind", "is missing")
    Part(part.value["kind"], f"{part.path}.kind").choice([*KINDS, Duplicate.kind])
    try:
        return from_json(part.value)
    except InvalidFormatError as wrong:
        place = f"{part.path}.{wrong.field}" if wrong.field else part.path
        raise InvalidDocumentError(place, wrong.problem) from wrong


def _entrants(part: Part) -> tuple[tuple[Entrant, ...], dict[EntrantId, str]]:
    """Everybody with a seed: their own, or by rating with the unrated last, in the order of the list."""
    names: dict[EntrantId, str] = {}
    found: list[tuple[EntrantId, int | None, int | None]] = []
    seeds: set[int] = set()
    for item in part.items():
        given = item.members(("id",), ("name", "seed", "rating"))
        entrant = EntrantId(given["id"].text())
        if entrant in names:
            raise given["id"].wrong(f"{entrant!r} is there twice")
        names[entrant] = given["name"].text() if "name" in given else entrant
        seed = given["seed"].whole(1, 10**6) if "seed" in given else None
        if seed is not None and seed in seeds:
            raise given["seed"].wrong(f"seed {seed} is there twice")
        if seed is not None:
            seeds.add(seed)
        unrated = "rating" not in given or given["rating"].value is None
        found.append((entrant, seed, None if unrated else given["rating"].whole(0, _HIGHEST_RATING)))
    if len(found) > MOST_ENTRANTS:
        raise part.wrong(f"has more than {MOST_ENTRANTS} entrants")
    if seeds and len(seeds) < len(found):
        at = next(at for at, (_, seed, _) in enumerate(found) if seed is None)
        raise InvalidDocumentError(f"{part.path}[{at}].seed", "is missing: all have seeds, or none")
    if not seeds:
        found.sort(key=lambda entry: -1 if entry[2] is None else entry[2], reverse=True)
        found = [(entrant, place, rating) for place, (entrant, _, rating) in enumerate(found, 1)]
    return tuple(Entrant(entrant, seed or 0, rating) for entrant, seed, rating in found), names


def _ids(part: Part, known: Collection[EntrantId]) -> list[EntrantId]:
    return [_id(item, known) for item in part.items()]


def _id(part: Part, known: Collection[EntrantId]) -> EntrantId:
    entrant = EntrantId(part.text())
    if entrant not in known:
        raise part.wrong(f"there is no entrant {entrant!r}")
    return entrant


def _pair(part: Part, known: Collection[EntrantId]) -> tuple[EntrantId, EntrantId]:
    if len(part.items()) != 2:
        raise part.wrong("must be a list of two entrants")
    one, other = _ids(part, known)
    if one == other:
        raise part.wrong(f"{one!r} is there twice")
    return one, other


def _with_rounds(format_: Format, situation: Situation, part: Part) -> Situation:
    known = frozenset(entrant.id for entrant in situation.entrants)
    for number, item in enumerate(part.items(), 1):
        if not situation.is_decided:
            raise item.wrong(f"has begun before round {number - 1} is decided")
        opened = _round(item, number, known)
        if not isinstance(format_.format if isinstance(format_, Duplicate) else format_, Swiss):
            opened = _as_drawn(format_, situation, opened, item)
        situation = replace(situation, rounds=(*situation.rounds, opened))
    return situation


def _round(part: Part, number: int, known: Collection[EntrantId]) -> OpenedRound:
    given = part.members(("pairings",), ("number", "byes"))
    if "number" in given and given["number"].whole(1, MOST_ROUNDS) != number:
        raise given["number"].wrong(f"must be {number}: rounds stand in order from 1")
    encounters: list[Encounter] = []
    seated: set[EntrantId] = set()
    for item in given["pairings"].items():
        _seat(encounters, _pairing(item, f"{number}.{len(encounters) + 1}", known), seated, item)
    for item in given["byes"].items() if "byes" in given else ():
        _seat(encounters, _bye(item, f"{number}.{len(encounters) + 1}", known), seated, item)
    return OpenedRound(number, tuple(encounters))


def _seat(encounters: list[Encounter], encounter: Encounter, seated: set[EntrantId], part: Part) -> None:
    for entrant in encounter.fixture.seats:
        if entrant in seated:
            raise part.wrong(f"{entrant!r} is in this round twice")
        seated.add(entrant)
    encounters.append(encounter)


def _pairing(part: Part, slot: str, known: Collection[EntrantId]) -> Encounter:
    given = part.members(("first", "second", "result"), ("first_tally", "second_tally"))
    first, second = _id(given["first"], known), _id(given["second"], known)
    fixture = Fixture(slot, (first, second))
    if given["result"].value is None:
        return Encounter(fixture)
    outcome = Outcome(given["result"].choice([outcome.value for outcome in Outcome]))
    tallies = (_tally(given.get("first_tally")), _tally(given.get("second_tally")))
    return Encounter(fixture, Result(outcome, tallies=tallies))


def _tally(part: Part | None) -> Tally:
    if part is None:
        return Tally()
    given = part.members((), Tally._fields)
    return Tally(**{name: value.whole(-_FIGURE, _FIGURE) for name, value in given.items()})


def _bye(part: Part, slot: str, known: Collection[EntrantId]) -> Encounter:
    given = part.members(("entrant",), ("kind",))
    kind = given["kind"].choice([k.value for k in ByeKind]) if "kind" in given else ByeKind.PAIRING_ALLOCATED.value
    return Encounter(Fixture(slot, (_id(given["entrant"], known),), bye=ByeKind(kind)), NO_CONTEST)


def _as_drawn(format_: Format, situation: Situation, told: OpenedRound, part: Part) -> OpenedRound:
    """The round as the format draws it, with the results that were told; withdrawals are told as forfeits."""
    try:
        answer = format_.next_round(replace(situation, withdrawn=frozenset(), rulings=Rulings()))
    except TournamentError as wrong:
        raise part.wrong(str(wrong)) from wrong
    if not isinstance(answer, Open):
        raise part.wrong(f"a {format_.kind} of {len(situation.entrants)} has no round {told.number}")
    results = {frozenset(e.fixture.seats): e for e in told.encounters}
    encounters: list[Encounter] = []
    for fixture in answer.fixtures:
        found = results.pop(frozenset(fixture.seats), None)
        if len(fixture.seats) == 1:
            encounters.append(Encounter(fixture, NO_CONTEST))
        elif found is None:
            raise part.wrong(f"{' and '.join(map(repr, fixture.seats))} meet in this round")
        else:
            encounters.append(Encounter(fixture._replace(seats=found.fixture.seats), found.result))
    for seats in results:
        told_of = " and ".join(sorted(map(repr, seats)))
        raise part.wrong(f"{told_of} do not meet in this round" if len(seats) > 1 else f"{told_of} has no bye")
    return OpenedRound(answer.number, tuple(encounters))

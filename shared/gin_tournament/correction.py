"""What follows from correcting a result: the preview that is seen is also what is done.

Policy, the same for all formats:

- What has been played stands. Rounds before the last one opened stay as they are, as all of them is decided.
- In the last round that was opened, encounters that would be others by the corrected result are replaced as long as
  they are not decided and no match of theirs has ended. In a bracket that is looked at slot by slot: whoever advanced
  wrongly and has not played on comes back, and the right one takes the place. Elsewhere it is looked at by who meets
  whom, so that tables which stay the same go on.
- An encounter whose people sit at a table that stands must stand as well, so that nobody sits at two or at none.
- Where encounters are opened while others are played (arena, ladder), who met whom stands.
- Encounters that nobody has opened yet follow by themselves, from the corrected results.

Known gap: rounds are drawn up anew under the withdrawals and entries of now; only what differs by the result itself
is replaced, but a replaced table may seat somebody who came after the round was opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from gin_tournament.catalogue import opens_while_playing
from gin_tournament.errors import InvalidHistoryError
from gin_tournament.format import (
    NO_RULINGS,
    Encounter,
    Fixture,
    Format,
    Open,
    OpenedRound,
    Result,
    Rulings,
    Situation,
    at_birth,
)
from gin_tournament.model import EntrantId
from gin_tournament.stages import Stages
from gin_tournament.standings import Standing

_BRACKETS = ("single_elimination", "double_elimination")


class Wishes(NamedTuple):
    """By what a round was drawn up."""

    rulings: Rulings = NO_RULINGS
    sitting_out: frozenset[EntrantId] = frozenset()


NO_WISHES = Wishes()


class Moved(NamedTuple):
    """A rank that changes."""

    entrant: EntrantId
    before: int
    after: int


class OtherRound(NamedTuple):
    """A later round that would have been opened otherwise.

    `stands` are its encounters that would be others, but were played or share people with such; `instead` is what
    would have been there. `replaced` are taken back, and `opened` is opened in their place, with the round's slots.
    """

    number: int
    stands: tuple[Fixture, ...]
    instead: tuple[Fixture, ...]
    replaced: tuple[Fixture, ...]
    opened: tuple[Fixture, ...]


@dataclass(frozen=True, slots=True)
class Consequences:
    """`corrected` is the situation with the new result and with what is replaced. `before` and `after` are the
    standings; `moved` the ranks that change, in the new order; `others` the later rounds that would be others."""

    corrected: Situation
    before: tuple[Standing, ...]
    after: tuple[Standing, ...]
    moved: tuple[Moved, ...]
    others: tuple[OtherRound, ...]


def correct(
    format_: Format,
    situation: Situation,
    slot: str,
    result: Result,
    *,
    begun: frozenset[str] = frozenset(),
    wishes: Mapping[int, Wishes] | None = None,
) -> Consequences:
    """What follows from giving the decided encounter in `slot` another result.

    `begun` are the slots of undecided encounters of which a match has ended already, as in a best of three; `wishes`
    are those by which rounds were drawn up, by number.

    Raises `InvalidHistoryError` where there is no such encounter, it is not decided, or was never played.
    """
    at = _position(situation, slot)
    corrected = replace(situation, rounds=tuple(_with(opened, slot, result) for opened in situation.rounds))
    others: list[OtherRound] = []
    later = () if opens_while_playing(format_) else range(at + 1, len(situation.rounds))
    for i in later:
        opened = corrected.rounds[i]
        wished = (wishes or {}).get(opened.number, NO_WISHES)
        stood = _draw(format_, situation, i, wished)
        wanted = _draw(format_, corrected, i, wished)
        if _meetings(stood) == _meetings(wanted):
            continue
        other = _other_round(format_, corrected, i, wanted, begun)
        if other is not None:
            others.append(other)
            corrected = replace(
                corrected, rounds=(*corrected.rounds[:i], _after(opened, other), *corrected.rounds[i + 1 :])
            )
    before, after = format_.standings(situation), format_.standings(corrected)
    ranks = {line.entrant: line.rank for line in before}
    moved = tuple(Moved(x.entrant, ranks[x.entrant], x.rank) for x in after if ranks[x.entrant] != x.rank)
    return Consequences(corrected, before, after, moved, tuple(others))


def _position(situation: Situation, slot: str) -> int:
    for at, opened in enumerate(situation.rounds):
        for encounter in opened.encounters:
            if encounter.fixture.slot == slot:
                if not encounter.is_decided:
                    raise InvalidHistoryError(f"{slot} is not decided: it has no result to correct")
                if at_birth(encounter.fixture) is not None:
                    raise InvalidHistoryError(f"nothing was played in {slot}: it has no result to correct")
                return at
    raise InvalidHistoryError(f"there is no encounter in {slot}")


def _with(opened: OpenedRound, slot: str, result: Result) -> OpenedRound:
    def corrected(encounter: Encounter) -> Encounter:
        return encounter._replace(result=result) if encounter.fixture.slot == slot else encounter

    return opened._replace(encounters=tuple(map(corrected, opened.encounters)))


def _draw(format_: Format, situation: Situation, at: int, wished: Wishes) -> tuple[Fixture, ...]:
    """The round that would be opened after the first `at` rounds; empty where there would be none."""
    then = replace(
        situation, rounds=situation.rounds[:at], rulings=wished.rulings, sitting_out=wished.sitting_out, challenges=()
    )
    answer = format_.next_round(then)
    return answer.fixtures if isinstance(answer, Open) else ()


def _meetings(fixtures: Iterable[Fixture]) -> set[tuple[str, frozenset[EntrantId], tuple[int, ...]]]:
    """Who meets whom and where, whoever deals first."""
    return {(f.slot, frozenset(f.seats), tuple(sorted(f.seeds))) for f in fixtures}


def _other_round(
    format_: Format, situation: Situation, at: int, wanted: tuple[Fixture, ...], begun: frozenset[str]
) -> OtherRound | None:
    """How the opened round differs from the one that is wanted; None where the same people meet in the same places."""
    opened = situation.rounds[at]
    by_slot = _is_bracket(format_, opened)
    keys = {_key(fixture, by_slot=by_slot) for fixture in wanted}
    had = {_key(e.fixture, by_slot=by_slot) for e in opened.encounters}
    differing = [e for e in opened.encounters if _key(e.fixture, by_slot=by_slot) not in keys]
    instead = tuple(fixture for fixture in wanted if _key(fixture, by_slot=by_slot) not in had)
    if by_slot:  # what was not opened in this round is opened when it is its turn
        slots = {e.fixture.slot for e in opened.encounters}
        instead = tuple(fixture for fixture in instead if fixture.slot in slots)
    if not differing:
        return None
    replaced: list[Encounter] = []
    fill: tuple[Fixture, ...] = ()
    if at + 1 == len(situation.rounds) and _is_same_part(opened, wanted, by_slot=by_slot):
        replaced, fill = _replaceable(situation, differing, instead, begun, by_slot=by_slot)
    kept = [e.fixture for e in opened.encounters if e not in replaced]
    if not _is_sound(kept, fill):
        replaced, fill = [], ()
    stands = tuple(e.fixture for e in differing if e not in replaced)
    taken_back = tuple(e.fixture for e in replaced)
    named = fill if by_slot else _in_free_slots(fill, [f.slot for f in taken_back], {f.slot for f in kept})
    return OtherRound(opened.number, stands, instead, taken_back, named)


def _is_bracket(format_: Format, opened: OpenedRound) -> bool:
    if isinstance(format_, Stages):
        stage = format_.stage_of(opened.encounters[0].fixture.slot)
        return _is_bracket(stage.format, opened)
    return getattr(format_, "format", format_).kind in _BRACKETS


def _key(fixture: Fixture, *, by_slot: bool) -> tuple[object, ...]:
    people = frozenset(zip(fixture.seats, fixture.seeds or fixture.seats, strict=True))
    return (fixture.slot if by_slot else fixture.slot.split("/")[0] if "/" in fixture.slot else "", people)


def _is_same_part(opened: OpenedRound, wanted: tuple[Fixture, ...], *, by_slot: bool) -> bool:
    """False where another part of the tournament would be played now: then nothing here can take its place."""
    if not by_slot:
        return _groups(e.fixture for e in opened.encounters) == _groups(wanted)
    return not {fixture.slot for fixture in wanted}.isdisjoint(e.fixture.slot for e in opened.encounters) and not (
        {fixture.slot for fixture in wanted} - {e.fixture.slot for e in opened.encounters}
        and {e.fixture.slot for e in opened.encounters} - {fixture.slot for fixture in wanted}
    )


def _groups(fixtures: Iterable[Fixture]) -> set[str]:
    return {fixture.slot.split("/")[0] for fixture in fixtures if "/" in fixture.slot}


def _replaceable(
    situation: Situation,
    differing: Sequence[Encounter],
    instead: Sequence[Fixture],
    begun: frozenset[str],
    *,
    by_slot: bool,
) -> tuple[list[Encounter], tuple[Fixture, ...]]:
    """The largest part of what differs that can be replaced while nobody sits at two tables or at none."""
    free = [e for e in differing if _is_unplayed(e, begun)]
    while True:
        held = {seat for e in differing if e not in free for seat in e.fixture.seats}
        slots = {e.fixture.slot for e in free}
        fill = tuple(f for f in instead if held.isdisjoint(f.seats) and (not by_slot or f.slot in slots))
        if by_slot:
            wanted = {f.slot for f in instead}
            filled = {f.slot for f in fill}
            stuck = [e for e in free if e.fixture.slot in wanted and e.fixture.slot not in filled]
        else:
            seated = {seat for f in fill for seat in f.seats} | situation.withdrawn
            stuck = [e for e in free if not seated.issuperset(e.fixture.seats)]
        if not stuck:
            return free, fill
        free = [e for e in free if e not in stuck]


def _is_unplayed(encounter: Encounter, begun: frozenset[str]) -> bool:
    fixture = encounter.fixture
    return at_birth(fixture) is not None or (not encounter.is_decided and fixture.slot not in begun)


def _is_sound(kept: Sequence[Fixture], fill: Sequence[Fixture]) -> bool:
    """Nobody sits twice, and within a group of a later stage nobody shares a seed."""
    seats = [seat for fixture in (*kept, *fill) for seat in fixture.seats]
    seeds = [(f.slot.split("/")[0], seed) for f in (*kept, *fill) for seed in f.seeds]
    return len(set(seats)) == len(seats) and len(set(seeds)) == len(seeds)


def _in_free_slots(fill: Sequence[Fixture], free: Sequence[str], taken: set[str]) -> tuple[Fixture, ...]:
    """The fixtures in the slots that were taken back, within their groups; beyond those, in new ones."""
    left = list(free)
    named: list[Fixture] = []
    for fixture in fill:
        slot = next((s for s in left if s.split("/")[:-1] == fixture.slot.split("/")[:-1]), None)
        if slot is not None:
            left.remove(slot)
        else:
            slot = fixture.slot
            while slot in taken:
                slot += "+"
        taken.add(slot)
        named.append(fixture._replace(slot=slot))
    return tuple(named)


def _after(opened: OpenedRound, other: OtherRound) -> OpenedRound:
    """The round with what is opened in the places of what is taken back."""
    gone = {fixture.slot for fixture in other.replaced}
    fresh = {fixture.slot: Encounter(fixture, at_birth(fixture)) for fixture in other.opened}
    encounters = [
        fresh.pop(e.fixture.slot, e) for e in opened.encounters if e.fixture.slot not in gone or e.fixture.slot in fresh
    ]
    return opened._replace(encounters=(*encounters, *fresh.values()))

"""Stages: any format that ends feeding another, such as groups and then a knockout.

A stage is played in one group or in several, which all play their rounds at the same time. Entrants go into
the groups of the first stage to and fro in the order of seeds. The first `advance` of every group go on;
where places are shared, lots decide who stands first. Who has withdrawn does not advance: the next does.

How they are seeded depends on places alone. Into a knockout in one group: the winners in the order of
groups, then the seconds, and so on, with two of one group as far apart in the bracket as can be. Into
anything else: the same without that last.

Everybody who played in a later stage stands above all who did not. Those who went out in the same stage are
ranked by their place in the group, equal places of different groups sharing a rank. `tables` gives every
group by itself.

Every group needs two entrants to begin with. A group that cannot pair another round is over; only in the last
stage is that the answer.

Known gaps: an arena may only be the first of the stages, in one group, and a ladder none, as it never ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from gin_tournament import qualification
from gin_tournament.errors import InvalidFormatError
from gin_tournament.format import (
    Answer,
    CannotPair,
    Fixture,
    Format,
    Leaving,
    Open,
    OpenedRound,
    Plan,
    PlannedEncounter,
    Reason,
    Rulings,
    Situation,
    Waiting,
)
from gin_tournament.lots import lot
from gin_tournament.model import Entrant, EntrantId
from gin_tournament.qualification import Berth, group_name, group_of, knockout_seeding, natural_seeding
from gin_tournament.score_sheet import ScoreSheet
from gin_tournament.settings import check_range
from gin_tournament.standings import Standing

MOST_STAGES = 6
MOST_GROUPS = 64
MOST_ADVANCING = 64
_KNOCKOUTS = ("single_elimination", "double_elimination")


@dataclass(frozen=True, slots=True)
class Stage:
    """`advance` is how many of each group go on; of the last stage it means nothing."""

    format: Format
    groups: int = 1
    advance: int = 2


class GroupTable(NamedTuple):
    """One group of one stage (from 1). `group` is "" where the stage has but one."""

    stage: int
    group: str
    format: Format
    lines: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class Stages:
    kind: ClassVar[str] = "stages"

    stages: tuple[Stage, ...]

    def __post_init__(self) -> None:
        check_range("stages", len(self.stages), 2, MOST_STAGES)
        for at, stage in enumerate(self.stages):
            check_range(f"stages[{at}].groups", stage.groups, 1, MOST_GROUPS)
            check_range(f"stages[{at}].advance", stage.advance, 1, MOST_ADVANCING)
            kind = stage.format.kind
            if kind in ("ladder", "stages") or (kind == "arena" and (at > 0 or stage.groups > 1)):
                raise InvalidFormatError(f"stages[{at}].format", f"{kind} cannot be played there")
        if self.stages[-1].groups != 1:
            raise InvalidFormatError(f"stages[{len(self.stages) - 1}].groups", "the last stage has one group")

    @property
    def columns(self) -> tuple[str, ...]:
        return ()

    def next_round(self, situation: Situation) -> Answer:
        at = self._current(situation)
        if not situation.rounds and len(situation.present) < 2 * self.stages[0].groups:
            return CannotPair(Reason.TOO_FEW_ENTRANTS)
        while True:
            groups = self._groups(situation, at)
            answers = [self.stages[at].format.next_round(group) for group in groups]
            for answer in answers:
                if isinstance(answer, Waiting):
                    return answer
            fixtures = self._fixtures(at, groups, answers)
            if fixtures:
                return Open(situation.next_number, fixtures)
            if at + 1 == len(self.stages):
                return answers[0]
            if len(self._qualified(situation, at)) < 2 * self.stages[at + 1].groups:
                return CannotPair(Reason.TOO_FEW_ENTRANTS)
            at += 1

    def _current(self, situation: Situation) -> int:
        """The last stage that has begun."""
        begun = {_stage_of(e.fixture.slot) for e in situation.encounters()}
        return max(begun, default=0)

    def stage_of(self, slot: str) -> Stage:
        """The stage that a slot of this tournament belongs to."""
        return self.stages[_stage_of(slot)]

    def _fixtures(self, at: int, groups: list[Situation], answers: list[Answer]) -> tuple[Fixture, ...]:
        fixtures: list[Fixture] = []
        for number, (group, answer) in enumerate(zip(groups, answers, strict=True)):
            if not isinstance(answer, Open):
                continue
            seeds = {entrant.id: entrant.seed for entrant in group.entrants}
            for fixture in answer.fixtures:
                deals = fixture.deals
                if deals is not None:
                    deals = deals._replace(key=f"stage {at + 1}, {deals.key}")
                fixtures.append(
                    fixture._replace(
                        slot=_prefix(at, number) + fixture.slot,
                        deals=deals,
                        seeds=tuple(seeds[seat] for seat in fixture.seats),
                    )
                )
        return tuple(fixtures)

    def _groups(self, situation: Situation, at: int) -> list[Situation]:
        """What each group of a stage sees: its own entrants, seeds and rounds."""
        return [self._group(situation, at, number) for number in range(self.stages[at].groups)]

    def _group(self, situation: Situation, at: int, number: int) -> Situation:
        prefix = _prefix(at, number)
        rounds = _rounds_of(situation, prefix)
        entrants = self._entrants(situation, at, number, rounds)
        names = {entrant.id for entrant in entrants}
        return replace(
            situation,
            entrants=entrants,
            rounds=rounds,
            withdrawn=situation.withdrawn & names,
            sitting_out=situation.sitting_out & names,
            rulings=_rulings_within(situation.rulings, names),
        )

    def _entrants(
        self, situation: Situation, at: int, number: int, rounds: tuple[OpenedRound, ...]
    ) -> tuple[Entrant, ...]:
        if self.stages[at].groups == 1 and at == 0:
            return situation.entrants
        by_id = {entrant.id: entrant for entrant in situation.entrants}
        if rounds:
            seeds = {n: s for opened in rounds for e in opened.encounters for n, s in _seated(e.fixture)}
            return tuple(by_id[name]._replace(seed=seed) for name, seed in sorted(seeds.items(), key=lambda i: i[1]))
        field = list(situation.present) if at == 0 else [by_id[n] for n in self._qualified(situation, at - 1)]
        groups = self.stages[at].groups
        return tuple(
            entrant._replace(seed=place + 1) for place, entrant in enumerate(field) if group_of(place, groups) == number
        )

    def _qualified(self, situation: Situation, at: int) -> list[EntrantId]:
        """Who advances from a stage that has ended, in the order of seeds of the next."""
        advance = self.stages[at].advance
        holders: dict[Berth, EntrantId] = {}
        for number, group in enumerate(self._groups(situation, at)):
            lines = [line for line in self._ordered(at, group) if line.entrant not in situation.withdrawn]
            for place, line in enumerate(lines[:advance], 1):
                holders[Berth(place, number)] = line.entrant
        return [holders[berth] for berth in self.seeding(at + 1) if berth in holders]

    def _ordered(self, at: int, group: Situation) -> list[Standing]:
        """The group's standings with shared places settled by lots."""
        lines = self.stages[at].format.standings(group)
        return sorted(lines, key=lambda line: (line.rank, -lot(group.seed, line.entrant)))

    def seeding(self, at: int) -> tuple[Berth, ...]:
        """Where the seeds of stage `at` (from 0; not of the first) come from, seed 1 first."""
        before, stage = self.stages[at - 1], self.stages[at]
        is_knockout = _innermost(stage.format).kind in _KNOCKOUTS and stage.groups == 1
        return (knockout_seeding if is_knockout else natural_seeding)(before.groups, before.advance)

    def tables(self, situation: Situation) -> tuple[GroupTable, ...]:
        """Every group of every stage that has begun, or of the first."""
        found = []
        for at in range(self._current(situation) + 1):
            stage = self.stages[at]
            for number, group in enumerate(self._groups(situation, at)):
                name = group_name(number) if stage.groups > 1 else ""
                found.append(GroupTable(at + 1, name, stage.format, stage.format.standings(group)))
        return tuple(found)

    def seen_by(self, situation: Situation, table: GroupTable) -> Situation:
        """What a group sees of the tournament: its own entrants, seeds and rounds, numbered from 1."""
        for number in range(self.stages[table.stage - 1].groups):
            if not table.group or group_name(number) == table.group:
                return self._group(situation, table.stage - 1, number)
        raise AssertionError("tables come from here")

    def standings(self, situation: Situation) -> tuple[Standing, ...]:
        """Points and progress are those of the last stage that somebody played in."""
        best: dict[EntrantId, tuple[tuple[int, int], Standing]] = {}
        for table in self.tables(situation):
            for line in table.lines:
                best[line.entrant] = ((-table.stage, line.rank), line)
        seeds = {entrant.id: entrant.seed for entrant in situation.entrants}
        ordered = sorted(best.items(), key=lambda item: (item[1][0], seeds[item[0]]))
        ranked: list[Standing] = []
        last: tuple[int, int] | None = None
        for at, (_, (worth, line)) in enumerate(ordered, 1):
            ranked.append(line._replace(rank=ranked[-1].rank if worth == last else at, tie_breaks=()))
            last = worth
        missing = sorted((e for e in situation.entrants if e.id not in best), key=lambda e: e.seed)
        return (*ranked, *(_unseated(entrant, len(ranked) + 1) for entrant in missing))

    def plan(self, field_size: int) -> Plan:
        people = field_size
        before: tuple[int, ...] = (field_size,)
        rounds: int | None = 0
        encounters: list[PlannedEncounter] = []
        notes: list[str] = []
        for at, stage in enumerate(self.stages):
            sizes = qualification.group_sizes(people, stage.groups)
            plans = [stage.format.plan(size) for size in sizes]
            for number, plan in enumerate(plans):
                encounters += self._planned(at, number, plan, rounds or 0, before)
            longest = [plan.rounds for plan in plans]
            known = [count for count in longest if count is not None]
            rounds = None if rounds is None or len(known) < len(longest) else rounds + max(known)
            notes += self._notes(at, sizes, plans)
            people, before = sum(min(size, stage.advance) for size in sizes), sizes
        return Plan(rounds, tuple(encounters), tuple(notes))

    def _notes(self, at: int, sizes: tuple[int, ...], plans: list[Plan]) -> list[str]:
        stage = self.stages[at]
        groups = f"{stage.groups} groups of " + "/".join(map(str, sorted(set(sizes), reverse=True)))
        where = groups if stage.groups > 1 else "all in one group"
        notes = [f"Stage {at + 1}: {stage.format.kind.replace('_', ' ')}, {where}."]
        notes += dict.fromkeys(note for plan in plans for note in plan.notes)
        if at + 1 < len(self.stages):
            seeds = "; ".join(f"seed {number}: {berth.label}" for number, berth in enumerate(self.seeding(at + 1), 1))
            notes.append(f"The first {stage.advance} of each group go on to stage {at + 2}: {seeds}.")
        return notes

    def _planned(
        self, at: int, number: int, plan: Plan, rounds_before: int, before: tuple[int, ...]
    ) -> list[PlannedEncounter]:
        stage = self.stages[at]
        group = f"Group {group_name(number)}: " if stage.groups > 1 else ""
        seeding = self.seeding(at) if at and stage.groups == 1 else ()
        berths = [berth for berth in seeding if berth.place <= before[berth.group]]
        words = {f"Seed {seed}": berth.label for seed, berth in enumerate(berths, 1)}
        return [
            planned._replace(
                slot=_prefix(at, number) + planned.slot,
                round=planned.round + rounds_before,
                title=group + planned.title,
                sides=tuple(words.get(side, side) for side in planned.sides),
            )
            for planned in plan.encounters
        ]

    def admits_late_entry(self, situation: Situation) -> bool:
        if not situation.rounds:
            return True
        first = self.stages[0]
        return self._current(situation) == 0 and first.groups == 1 and first.format.admits_late_entry(situation)

    def leaving(self, situation: Situation, entrant: EntrantId) -> Leaving:
        at = self._current(situation)
        for group in self._groups(situation, at):
            if any(e.id == entrant for e in group.entrants):
                return self.stages[at].format.leaving(group, entrant)
        return Leaving.NOT_PAIRED_ANY_MORE


def _prefix(at: int, group: int) -> str:
    return f"S{at + 1}{group_name(group)}/"


def _rulings_within(rulings: Rulings, names: set[EntrantId]) -> Rulings:
    return rulings._replace(
        manual_pairs=tuple(pair for pair in rulings.manual_pairs if names.issuperset(pair)),
        forbidden_pairs=tuple(pair for pair in rulings.forbidden_pairs if names.issuperset(pair)),
    )


def _stage_of(slot: str) -> int:
    """The stage (from 0) that a slot belongs to."""
    name = slot.split("/", 1)[0]
    return int("".join(letter for letter in name if letter.isdigit())) - 1


def _seated(fixture: Fixture) -> Iterator[tuple[EntrantId, int]]:
    return zip(fixture.seats, fixture.seeds, strict=True)


def _rounds_of(situation: Situation, prefix: str) -> tuple[OpenedRound, ...]:
    """The rounds in which a group played, numbered from 1, with its own slots."""
    found: list[OpenedRound] = []
    for opened in situation.rounds:
        own = tuple(
            e._replace(fixture=e.fixture._replace(slot=e.fixture.slot.removeprefix(prefix)))
            for e in opened.encounters
            if e.fixture.slot.startswith(prefix)
        )
        if own:
            found.append(OpenedRound(len(found) + 1, own))
    return tuple(found)


def _innermost(format_: Format) -> Format:
    """The format that pairs: that within a duplicate, else itself."""
    return getattr(format_, "format", format_)


def _unseated(entrant: Entrant, rank: int) -> Standing:
    return ScoreSheet().line(rank, entrant.id, ())

"""A knockout as it is shown: who plays whom, who came through, and where everybody still to come comes from.

A single elimination has one tree, a double elimination two and the grand final; stages show each of their knockouts.
Encounters in which nobody or only one can ever sit are left out: whoever has a bye stands in the next round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from gin_tournament.bracket import Bracket, Node, Origin, Source
from gin_tournament.double_elimination import DoubleElimination
from gin_tournament.duplicate import Duplicate, compared
from gin_tournament.format import Encounter, Format, Situation
from gin_tournament.knockout import field_of
from gin_tournament.model import EntrantId, Outcome
from gin_tournament.single_elimination import SingleElimination
from gin_tournament.stages import Stages

_SECTIONS = {"W": "Winners' bracket", "L": "Losers' bracket", "G": "Grand final"}
_WON = {
    Outcome.FIRST_WINS: (0,),
    Outcome.SECOND_FORFEITS: (0,),
    Outcome.SECOND_WINS: (1,),
    Outcome.FIRST_FORFEITS: (1,),
}
_BY_PLAY = (Outcome.FIRST_WINS, Outcome.SECOND_WINS, Outcome.DRAW)


class Side(NamedTuple):
    """`entrant` is None while nobody knows who comes: then `origin` says from where. `seed` is that in the bracket.

    `score` is in game points, or in matches where several are played; "" before, and where nothing was played.
    """

    entrant: EntrantId | None
    seed: int | None
    origin: str
    score: str = ""
    won: bool = False


class Match(NamedTuple):
    """`feeders` are the slots, of this section alone, whose winners come here, the upper first.

    `state` is `to_come`, `playing`, or how it ended: an outcome's name.
    """

    slot: str
    section: str
    round: int
    title: str
    state: str
    sides: tuple[Side, Side]
    feeders: tuple[str, ...]


class BracketView(NamedTuple):
    """`title` names the stage where there are several; `champion` is known at the end."""

    title: str
    kind: str
    field_size: int
    matches: tuple[Match, ...]
    champion: EntrantId | None


def bracket_views(
    format_: Format, situation: Situation, scores: Mapping[str, tuple[str, str]] | None = None
) -> tuple[BracketView, ...]:
    """Every knockout of the tournament; none where the format has none, or a stage has not begun.

    `scores` may hold, by slot, what to show for both seats instead of game points.
    """
    if isinstance(format_, Stages):
        views: list[BracketView] = []
        for table in format_.tables(situation):
            seen = format_.seen_by(situation, table)
            prefix = f"S{table.stage}{table.group or 'A'}/"
            inner = {
                slot.removeprefix(prefix): score for slot, score in (scores or {}).items() if slot.startswith(prefix)
            }
            title = f"Stage {table.stage}" + (f", group {table.group}" if table.group else "")
            views += [view._replace(title=title) for view in bracket_views(table.format, seen, inner)]
        return tuple(views)
    if isinstance(format_, Duplicate):
        return bracket_views(format_.format, compared(situation), scores)
    if not isinstance(format_, SingleElimination | DoubleElimination):
        return ()
    field = field_of(situation)
    if len(field) < 2:
        return ()
    bracket = format_.bracket(len(field))
    seeds = {entrant.id: seed for seed, entrant in enumerate(field, 1)}
    encounters = {e.fixture.slot: e for e in situation.encounters()}
    matches = tuple(_Drawn(bracket, seeds, encounters, scores or {}).matches())
    first = [line for line in format_.standings(situation) if line.rank == 1]
    over = len(first) == 1 and situation.is_decided and _is_over(bracket, encounters)
    return (BracketView("", format_.kind, len(field), matches, first[0].entrant if over else None),)


def _is_over(bracket: Bracket, encounters: Mapping[str, Encounter]) -> bool:
    last = bracket.nodes[-1]
    if not last.only_if_second_won:
        return last.slot in encounters
    before = encounters.get(last.only_if_second_won)
    return last.slot in encounters or (before is not None and before.is_decided)


class _Drawn:
    """The encounters of one bracket that can ever have two sides."""

    def __init__(
        self,
        bracket: Bracket,
        seeds: Mapping[EntrantId, int],
        encounters: Mapping[str, Encounter],
        scores: Mapping[str, tuple[str, str]],
    ) -> None:
        self._nodes = {node.slot: node for node in bracket.nodes}
        self._seeds = seeds
        self._names = {seed: name for name, seed in seeds.items()}
        self._encounters = encounters
        self._scores = scores

    def matches(self) -> Iterable[Match]:
        for node in self._nodes.values():
            if self._filled[node.slot] == 2 and not self._is_spared(node):
                yield self._match(node)

    @cached_property
    def _filled(self) -> dict[str, int]:
        """How many sides of each node can ever have somebody."""
        filled: dict[str, int] = {}
        for node in self._nodes.values():
            filled[node.slot] = sum(self._can_come(side, filled) for side in node.sides)
        return filled

    def _can_come(self, side: Source, filled: Mapping[str, int]) -> bool:
        if side.origin is Origin.SEED:
            return side.number in self._names
        return filled[side.slot] >= (1 if side.origin is Origin.WINNER else 2)

    def _is_spared(self, node: Node) -> bool:
        """A second grand final that is not needed."""
        if not node.only_if_second_won or node.slot in self._encounters:
            return False
        before = self._encounters.get(node.only_if_second_won)
        return before is not None and before.is_decided

    def _through(self, side: Source) -> Source:
        """Where a side comes from in the end, past the nodes in which one sits alone."""
        while side.origin is not Origin.SEED and self._filled[side.slot] < 2:
            (side,) = (s for s in self._nodes[side.slot].sides if self._can_come(s, self._filled))
        return side

    def _match(self, node: Node) -> Match:
        encounter = self._encounters.get(node.slot)
        sources = [self._through(side) for side in node.sides]
        section = node.slot[0] if node.slot[0] in _SECTIONS else ""
        feeders = tuple(s.slot for s in sources if s.origin is Origin.WINNER and self._section(s.slot) == section)
        if encounter is None:
            state = "to_come"
        elif encounter.outcome is None:
            state = "bye" if encounter.is_decided else "playing"
        else:
            state = encounter.outcome.value
        one, other = (self._side(source, encounter) for source in sources)
        title = _SECTIONS.get(section, "")
        return Match(node.slot, title, node.round, node.title, state, (one, other), feeders)

    def _section(self, slot: str) -> str:
        return slot[0] if slot[0] in _SECTIONS else ""

    def _side(self, source: Source, encounter: Encounter | None) -> Side:
        name = self._comes(source)
        origin = _words(source)
        if name is None:
            return Side(None, None, origin)
        seed = self._seeds[name]
        if encounter is None or name not in encounter.fixture.seats or encounter.outcome is None:
            alone = encounter is not None and encounter.fixture.seats == (name,)
            return Side(name, seed, origin, won=alone)
        seat = encounter.fixture.seats.index(name)
        return Side(name, seed, origin, self._score(encounter, seat), seat in _WON.get(encounter.outcome, ()))

    def _score(self, encounter: Encounter, seat: int) -> str:
        given = self._scores.get(encounter.fixture.slot)
        if given is not None:
            return given[seat]
        result = encounter.result
        if result is None or result.outcome not in _BY_PLAY or len(result.tallies) < 2:
            return ""
        return str(result.tally(seat).game_points)

    def _comes(self, source: Source) -> EntrantId | None:
        """Who came from there; None as long as it is open."""
        if source.origin is Origin.SEED:
            return self._names.get(source.number)
        encounter = self._encounters.get(source.slot)
        if encounter is None or not encounter.is_decided:
            return None
        seats, outcome = encounter.fixture.seats, encounter.outcome
        if len(seats) == 1:
            return seats[0] if source.origin is Origin.WINNER else None
        if outcome is Outcome.DOUBLE_FORFEIT or outcome is None:
            return None
        if outcome in (Outcome.DRAW, Outcome.VOID):
            winner = min(seats, key=lambda name: self._seeds[name])
        else:
            winner = seats[_WON[outcome][0]]
        return winner if source.origin is Origin.WINNER else next(name for name in seats if name != winner)


def _words(source: Source) -> str:
    if source.origin is Origin.SEED:
        return f"Seed {source.number}"
    return f"{source.origin.value.capitalize()} of {source.slot}"

"""A bracket: who meets whom in a knockout, as a graph that is settled before the first card is dealt.

A node is an encounter; its two sides come from a seed, or from the winner or the loser of an earlier node.
`play` says what to open and `places` who stands where, for any bracket and whatever happens:

- A side that nobody comes to (a bye in the first round; a double forfeit) gives the other side a bye: a
  real, won encounter. A node that nobody comes to is skipped.
- Who has withdrawn loses by forfeit, two who both have lose both.
- A draw or an annulled encounter that stands as a result advances the better seed.
- A double forfeit puts both out, also out of a losers' bracket.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from gin_tournament.errors import InvalidHistoryError
from gin_tournament.format import Encounter, Fixture, PlannedEncounter
from gin_tournament.model import ByeKind, Entrant, EntrantId, Outcome


class Origin(Enum):
    SEED = "seed"
    WINNER = "winner"
    LOSER = "loser"


class Source(NamedTuple):
    """Where a side comes from: seed `number`, or the winner or loser of node `slot`."""

    origin: Origin
    number: int = 0
    slot: str = ""


def seed(number: int) -> Source:
    return Source(Origin.SEED, number)


def winner_of(slot: str) -> Source:
    return Source(Origin.WINNER, 0, slot)


def loser_of(slot: str) -> Source:
    return Source(Origin.LOSER, 0, slot)


class Node(NamedTuple):
    """`loser_place` is the best place of those who go out here, `winner_place` that of a winner who has
    nothing more to play; 0 where the road goes on. A node with `only_if_second_won` is played only where the
    second side won that node."""

    slot: str
    round: int
    title: str
    sides: tuple[Source, Source]
    best_of: int = 1
    loser_place: int = 0
    winner_place: int = 0
    only_if_second_won: str = ""


@dataclass(frozen=True, slots=True)
class Bracket:
    """`nodes` in the order of rounds, and of tables within a round."""

    nodes: tuple[Node, ...]

    @property
    def rounds(self) -> int:
        return self.nodes[-1].round if self.nodes else 0

    def planned(self, field_size: int) -> tuple[PlannedEncounter, ...]:
        """The bracket in words, without the sides that stay empty in a field of this size."""
        return tuple(
            PlannedEncounter(n.slot, n.round, n.title, tuple(_words(side, field_size) for side in n.sides))
            for n in self.nodes
        )


def _words(source: Source, field_size: int) -> str:
    if source.origin is Origin.SEED:
        return f"Seed {source.number}" if source.number <= field_size else "Bye"
    return f"{source.origin.value.capitalize()} of {source.slot}"


def seed_order(size: int) -> tuple[int, ...]:
    """The seeds down the first round of a bracket of `size` (a power of two): 1 and 2 can only meet in the
    final, the first four only in the semifinals, and so on; sums of a pair are always `size` + 1."""
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [number for s in order for number in (s, total - s)]
    return tuple(order)


def bracket_size(field_size: int) -> int:
    """The smallest power of two that holds the field; 2 at least."""
    return max(2, 1 << (field_size - 1).bit_length())


class Seating(NamedTuple):
    """Who holds which seed in the bracket, and who left."""

    by_seed: Mapping[int, EntrantId]
    rank: Mapping[EntrantId, int]
    withdrawn: frozenset[EntrantId]


def seat(field: Sequence[Entrant], withdrawn: frozenset[EntrantId]) -> Seating:
    """The field, best seed first, takes the bracket's seeds 1, 2, …"""
    by_seed = {number: entrant.id for number, entrant in enumerate(field, 1)}
    return Seating(by_seed, {name: number for number, name in by_seed.items()}, withdrawn)


class _Exit(NamedTuple):
    """How a node ended for those who sat in it."""

    seats: tuple[EntrantId, ...] = ()
    winner: EntrantId | None = None
    losers: tuple[EntrantId, ...] = ()
    dropped: EntrantId | None = None  # the loser who may play on elsewhere
    second_won: bool = False


_NOBODY = _Exit()
_FIRST_IS_THROUGH = frozenset({Outcome.FIRST_WINS, Outcome.SECOND_FORFEITS})
_SECOND_IS_THROUGH = frozenset({Outcome.SECOND_WINS, Outcome.FIRST_FORFEITS})


def play(bracket: Bracket, seating: Seating, encounters: Iterable[Encounter], number: int) -> tuple[Fixture, ...]:
    """The fixtures of the first round that has not been opened and in which somebody plays; empty at the end.

    `encounters` are all that were opened, all of them decided; `number` is that of the round to open.
    Whoever dealt first less often on the way deals first; where that is level, the better seed in odd
    rounds and the other in even ones.
    """
    exits = _exits(bracket, seating, encounters)
    deals = _deal_balance(encounters)
    fixtures: list[Fixture] = []
    opening = 0
    for node in bracket.nodes:
        if node.slot in exits or (opening and node.round != opening):
            continue
        names = _sides(node, seating, exits)
        if not names or not _is_called_for(node, exits):
            continue
        opening = node.round
        fixtures.append(_fixture(node, names, seating, deals, number))
    return tuple(fixtures)


def _fixture(
    node: Node, names: tuple[EntrantId, ...], seating: Seating, deals: Mapping[EntrantId, int], number: int
) -> Fixture:
    if len(names) == 1:
        return Fixture(node.slot, names, bye=ByeKind.PAIRING_ALLOCATED)
    one, other = names
    gone = [name in seating.withdrawn for name in names]
    settled = None
    if all(gone):
        settled = Outcome.DOUBLE_FORFEIT
    elif any(gone):
        settled = Outcome.FIRST_FORFEITS if gone[0] else Outcome.SECOND_FORFEITS
    elif _deals_second(one, other, seating, deals, number):
        one, other = other, one
    return Fixture(node.slot, (one, other), node.best_of, must_decide=True, settled=settled)


def _deals_second(
    one: EntrantId, other: EntrantId, seating: Seating, deals: Mapping[EntrantId, int], number: int
) -> bool:
    balance, other_balance = deals.get(one, 0), deals.get(other, 0)
    if balance != other_balance:
        return balance > other_balance
    return (seating.rank[one] > seating.rank[other]) == (number % 2 == 1)


def _deal_balance(encounters: Iterable[Encounter]) -> dict[EntrantId, int]:
    balance: dict[EntrantId, int] = {}
    for fixture, result in encounters:
        if len(fixture.seats) == 2 and result is not None and result.outcome is not None and result.outcome.is_played:
            first, second = fixture.seats
            balance[first] = balance.get(first, 0) + 1
            balance[second] = balance.get(second, 0) - 1
    return balance


def _exits(bracket: Bracket, seating: Seating, encounters: Iterable[Encounter]) -> dict[str, _Exit]:
    """How each node that was opened ended. Nodes under way and nodes to come are missing."""
    nodes = {node.slot: node for node in bracket.nodes}
    exits: dict[str, _Exit] = {}
    encounters = tuple(encounters)
    opened = {encounter.fixture.slot: encounter.fixture.seats for encounter in encounters}
    for encounter in encounters:
        slot = encounter.fixture.slot
        if slot not in nodes:
            raise InvalidHistoryError(f"the bracket has no {slot}")
        if encounter.is_decided:
            ended = _exit(encounter, seating)
            second = _side(nodes[slot].sides[1], seating, exits)
            exits[slot] = ended._replace(second_won=ended.winner is not None and ended.winner == second)
    for node, (after_winning, after_losing) in _ways_on(bracket).items():
        if node in exits and after_winning not in opened and _went_wrong_way(exits[node], opened.get(after_losing, ())):
            ended = exits[node]
            assert ended.winner is not None
            assert ended.dropped is not None
            exits[node] = ended._replace(winner=ended.dropped, losers=(ended.winner,), dropped=ended.winner)
    return exits


def _ways_on(bracket: Bracket) -> dict[str, tuple[str, str]]:
    """Where winner and loser of a node go on, for nodes from which both do."""
    feeds = {(side.origin, side.slot): node.slot for node in bracket.nodes for side in node.sides}
    return {
        node.slot: (feeds[Origin.WINNER, node.slot], feeds[Origin.LOSER, node.slot])
        for node in bracket.nodes
        if (Origin.WINNER, node.slot) in feeds and (Origin.LOSER, node.slot) in feeds
    }


def _went_wrong_way(ended: _Exit, losing_side: tuple[EntrantId, ...]) -> bool:
    """True where a result was corrected after the winner had gone on as the loser: then the other goes on as the
    winner, as nobody can sit on both sides."""
    return ended.winner in losing_side and ended.dropped is not None and ended.dropped not in losing_side


def _exit(encounter: Encounter, seating: Seating) -> _Exit:
    seats, outcome = encounter.fixture.seats, encounter.outcome
    if len(seats) == 1:
        return _Exit(seats, seats[0])
    first, second = seats
    if outcome is Outcome.DOUBLE_FORFEIT:
        return _Exit(seats, None, seats)
    if outcome in _FIRST_IS_THROUGH:
        return _Exit(seats, first, (second,), second)
    if outcome in _SECOND_IS_THROUGH:
        return _Exit(seats, second, (first,), first)
    better, other = sorted(seats, key=lambda name: seating.rank[name])
    return _Exit(seats, better, (other,), other)


def _side(source: Source, seating: Seating, exits: Mapping[str, _Exit]) -> EntrantId | None:
    if source.origin is Origin.SEED:
        return seating.by_seed.get(source.number)
    ended = exits.get(source.slot, _NOBODY)
    return ended.winner if source.origin is Origin.WINNER else ended.dropped


def _sides(node: Node, seating: Seating, exits: Mapping[str, _Exit]) -> tuple[EntrantId, ...]:
    found = (_side(source, seating, exits) for source in node.sides)
    return tuple(name for name in found if name is not None)


def _is_called_for(node: Node, exits: Mapping[str, _Exit]) -> bool:
    return not node.only_if_second_won or exits.get(node.only_if_second_won, _NOBODY).second_won


def places(bracket: Bracket, seating: Seating, encounters: Iterable[Encounter]) -> dict[EntrantId, int]:
    """How far everybody got, less being better: twice the place of the last node that put them out or
    through, the same for all who went out in the same round. Whoever is still in has 0.

    Two who both forfeited are out whatever losers may play on for, and stand after all who go out there.
    Who would have gone on, had a result not been corrected too late, stands with those who lost the
    encounter missed, and whatever losers of it may play on for.
    """
    exits = _exits(bracket, seating, encounters)
    level = Counter((node.round, node.loser_place) for node in bracket.nodes)
    feeds = {(side.origin, side.slot): node for node in bracket.nodes for side in node.sides}
    found = dict.fromkeys(seating.rank, 0)
    for node in bracket.nodes:
        if node.slot not in exits:
            if node.only_if_second_won and _is_called_for(node, exits):
                found |= dict.fromkeys(_sides(node, seating, exits), 0)
            continue
        ended = exits[node.slot]
        if len(ended.losers) == 1:
            found[ended.losers[0]] = 2 * node.loser_place
        elif ended.losers:
            end = _end_of_losing(node, feeds)
            found |= dict.fromkeys(ended.losers, 2 * (end.loser_place + level[end.round, end.loser_place]) - 1)
        if ended.winner is not None and node.winner_place:
            found[ended.winner] = 2 * node.winner_place
        for origin, name in ((Origin.WINNER, ended.winner), (Origin.LOSER, ended.dropped)):
            after = feeds.get((origin, node.slot))
            if name is not None and after is not None and _is_passed_over(name, after, exits):
                found[name] = 2 * _end_of_losing(after, feeds).loser_place
    return found


def _end_of_losing(node: Node, feeds: Mapping[tuple[Origin, str], Node]) -> Node:
    """Where somebody goes out who loses this node and every one after it."""
    while (Origin.LOSER, node.slot) in feeds:
        node = feeds[Origin.LOSER, node.slot]
    return node


def _is_passed_over(name: EntrantId, node: Node, exits: Mapping[str, _Exit]) -> bool:
    """True where a result was corrected after somebody else had gone on and played the next encounter."""
    return node.slot in exits and not node.only_if_second_won and name not in exits[node.slot].seats

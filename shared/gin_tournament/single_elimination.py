"""Single elimination: who loses is out.

The field takes a bracket of the next power of two in the standard seed order; the places that stay empty
are those opposite the top seeds, who get their first encounter as a bye. All who lose in the same round
share a place, but for the third if there is an encounter for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gin_tournament import knockout
from gin_tournament.bracket import Bracket, Node, bracket_size, loser_of, seed, seed_order, winner_of
from gin_tournament.format import Answer, Leaving, Plan, Situation
from gin_tournament.model import EntrantId
from gin_tournament.settings import check_range
from gin_tournament.standings import Standing

THIRD_PLACE = "3P"
_TITLES = {1: "Final", 2: "Semifinal", 4: "Quarterfinal"}


def slot(number: int, table: int) -> str:
    """The slot of table `table` (from 1) in round `number` (from 1)."""
    return f"R{number}M{table}"


@dataclass(frozen=True, slots=True)
class SingleElimination:
    """`best_of_last` are the lengths of the last rounds, the final's last: (3, 5) plays the semifinals best
    of three and the final best of five. The third place is played at the semifinals' length."""

    kind: ClassVar[str] = "single_elimination"

    best_of: int = 1
    best_of_last: tuple[int, ...] = ()
    third_place: bool = False

    def __post_init__(self) -> None:
        knockout.check_lengths(self.best_of, self.best_of_last)

    @property
    def columns(self) -> tuple[str, ...]:
        return ()

    def bracket(self, field_size: int) -> Bracket:
        """The whole graph for a field of this size (2 to 1024)."""
        check_range("entrants", field_size, 2, knockout.MOST_ENTRANTS)
        size = bracket_size(field_size)
        rounds = size.bit_length() - 1
        order = seed_order(size)
        nodes: list[Node] = []
        for number in range(1, rounds + 1):
            tables = size >> number
            final = number == rounds
            if final and self.third_place and field_size > 3:
                nodes.append(self._third_place(rounds))
            for at in range(tables):
                if number == 1:
                    sides = (seed(order[2 * at]), seed(order[2 * at + 1]))
                else:
                    sides = (winner_of(slot(number - 1, 2 * at + 1)), winner_of(slot(number - 1, 2 * at + 2)))
                best_of = knockout.length(self.best_of, self.best_of_last, rounds - number)
                title = _TITLES.get(tables, f"Round of {2 * tables}")
                nodes.append(
                    Node(slot(number, at + 1), number, title, sides, best_of, tables + 1, winner_place=int(final))
                )
        return Bracket(tuple(nodes))

    def _third_place(self, rounds: int) -> Node:
        sides = (loser_of(slot(rounds - 1, 1)), loser_of(slot(rounds - 1, 2)))
        best_of = knockout.length(self.best_of, self.best_of_last, 1)
        return Node(THIRD_PLACE, rounds, "Third place", sides, best_of, loser_place=4, winner_place=3)

    def next_round(self, situation: Situation) -> Answer:
        return knockout.next_round(self.bracket, situation)

    def standings(self, situation: Situation) -> tuple[Standing, ...]:
        return knockout.standings(self.bracket, situation)

    def plan(self, field_size: int) -> Plan:
        if field_size < 2:
            return Plan(0)
        bracket = self.bracket(field_size)
        byes = bracket_size(field_size) - field_size
        notes = ["Who loses is out. Those who lose in the same round share a place."]
        if byes:
            notes.append(f"Seeds 1 to {byes} have a bye in the first round." if byes > 1 else "Seed 1 has a bye.")
        if self.third_place and field_size > 3:
            notes.append("The losers of the semifinals play for the third place.")
        return Plan(bracket.rounds, bracket.planned(field_size), tuple(notes))

    def admits_late_entry(self, situation: Situation) -> bool:
        return not situation.rounds

    def leaving(self, situation: Situation, entrant: EntrantId) -> Leaving:
        return Leaving.FORFEITS_THE_REST

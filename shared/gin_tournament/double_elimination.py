"""Double elimination: who loses twice is out.

Winners' round r sends its losers into the losers' bracket: those of the first round meet each other in its
first round, those of round r >= 2 meet its survivors in round 2(r - 1). Which loser meets which survivor
is chosen so that two who have met meet again as late as possible: the loser of table i (from 0) of winners'
round r goes to table i XOR mask, with one mask for each round.

The masks are those for which the expected number of rematches, every encounter being even, is least in the
earliest round of the losers' bracket, then in the next, and so on, among all choices of masks (up to 128
places; beyond, among those found by a search that follows six of the best beginnings). Over all placings
whatever, and not only such masks, nothing is better with 4, 8 and 16 places. The first round of the losers'
bracket in which anybody can meet again is number

| places | 4 | 8 | 16 | 32 | 64 | 128 | 256 | 512 | 1024 |
|---|---|---|---|---|---|---|---|---|---|
| round | 2 | 3 | 4 | 5 | 7 | 8 | 9 | 11 | 13 |
| rounds | 2 | 4 | 6 | 8 | 10 | 12 | 14 | 16 | 18 |

The winners of both brackets meet in the grand final. With `reset`, a second one is played if the winner of
the losers' bracket wins the first, so that everybody but the champion has lost twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gin_tournament import knockout
from gin_tournament.bracket import Bracket, Node, Source, bracket_size, loser_of, seed, seed_order, winner_of
from gin_tournament.format import Answer, Leaving, Plan, Situation
from gin_tournament.model import EntrantId
from gin_tournament.settings import check_range
from gin_tournament.standings import Standing

GRAND_FINAL = "GF1"
SECOND_GRAND_FINAL = "GF2"

MASKS: dict[int, tuple[int, ...]] = {
    2: (),
    4: (0,),
    8: (1, 0),
    16: (2, 0, 0),
    32: (2, 2, 0, 0),
    64: (8, 6, 1, 1, 0),
    128: (8, 8, 6, 0, 1, 0),
    256: (53, 31, 11, 2, 0, 1, 0),
    512: (106, 63, 6, 11, 2, 3, 0, 0),
    1024: (171, 127, 21, 19, 13, 1, 1, 1, 0),
}
"""By number of places: the masks of winners' rounds 2, 3, …"""


def winners_slot(number: int, table: int) -> str:
    return f"W{number}M{table}"


def losers_slot(number: int, table: int) -> str:
    return f"L{number}M{table}"


@dataclass(frozen=True, slots=True)
class DoubleElimination:
    """`best_of_last` are the lengths of the last rounds of either bracket and of the grand final, whose own
    is the last."""

    kind: ClassVar[str] = "double_elimination"

    best_of: int = 1
    best_of_last: tuple[int, ...] = ()
    reset: bool = True

    def __post_init__(self) -> None:
        knockout.check_lengths(self.best_of, self.best_of_last)

    @property
    def columns(self) -> tuple[str, ...]:
        return ()

    def bracket(self, field_size: int) -> Bracket:
        """The whole graph for a field of this size (2 to 1024).

        Rounds are shared by both brackets: winners' round r >= 2 is played in round 2r - 2, losers' round j
        in round j + 1, the grand final after all.
        """
        check_range("entrants", field_size, 2, knockout.MOST_ENTRANTS)
        size = bracket_size(field_size)
        nodes = [*self._winners(size), *self._losers(size)]
        nodes.sort(key=lambda node: node.round)  # stable: winners' tables first
        return Bracket((*nodes, *self._grand_finals(size)))

    def _best_of(self, rounds_after: int) -> int:
        return knockout.length(self.best_of, self.best_of_last, rounds_after)

    def _winners(self, size: int) -> list[Node]:
        rounds = size.bit_length() - 1
        order = seed_order(size)
        nodes = []
        for number in range(1, rounds + 1):
            title = f"Winners' round {number}" if number < rounds else "Winners' final"
            for at in range(size >> number):
                if number == 1:
                    sides = (seed(order[2 * at]), seed(order[2 * at + 1]))
                else:
                    before = number - 1
                    sides = (winner_of(winners_slot(before, 2 * at + 1)), winner_of(winners_slot(before, 2 * at + 2)))
                best_of = self._best_of(rounds - number + 1)
                nodes.append(Node(winners_slot(number, at + 1), max(1, 2 * number - 2), title, sides, best_of))
        return nodes

    def _losers(self, size: int) -> list[Node]:
        last = 2 * (size.bit_length() - 2)
        place = size + 1
        nodes = []
        for number in range(1, last + 1):
            tables = size >> (2 + (number - 1) // 2)
            place -= tables
            title = f"Losers' round {number}" if number < last else "Losers' final"
            best_of = self._best_of(last - number + 1)
            for at in range(tables):
                sides = self._losers_sides(size, number, at)
                nodes.append(Node(losers_slot(number, at + 1), number + 1, title, sides, best_of, place))
        return nodes

    def _losers_sides(self, size: int, number: int, at: int) -> tuple[Source, Source]:
        if number == 1:
            return loser_of(winners_slot(1, 2 * at + 1)), loser_of(winners_slot(1, 2 * at + 2))
        before = number - 1
        if number % 2:
            return winner_of(losers_slot(before, 2 * at + 1)), winner_of(losers_slot(before, 2 * at + 2))
        dropping = number // 2 + 1
        table = (at ^ MASKS[size][dropping - 2]) + 1
        return loser_of(winners_slot(dropping, table)), winner_of(losers_slot(before, at + 1))

    def _grand_finals(self, size: int) -> list[Node]:
        rounds = size.bit_length() - 1
        last = 2 * (rounds - 1)
        best_of = self._best_of(0)
        unbeaten = winner_of(winners_slot(rounds, 1))
        beaten = winner_of(losers_slot(last, 1)) if last else loser_of(winners_slot(1, 1))
        nodes = [Node(GRAND_FINAL, last + 2, "Grand final", (unbeaten, beaten), best_of, 2, 1)]
        if self.reset:
            again = (loser_of(GRAND_FINAL), winner_of(GRAND_FINAL))
            title = "Second grand final"
            nodes.append(Node(SECOND_GRAND_FINAL, last + 3, title, again, best_of, 2, 1, GRAND_FINAL))
        return nodes

    def next_round(self, situation: Situation) -> Answer:
        return knockout.next_round(self.bracket, situation)

    def standings(self, situation: Situation) -> tuple[Standing, ...]:
        return knockout.standings(self.bracket, situation)

    def plan(self, field_size: int) -> Plan:
        if field_size < 2:
            return Plan(0)
        bracket = self.bracket(field_size)
        byes = bracket_size(field_size) - field_size
        notes = ["Who loses twice is out. Those who go out in the same round share a place."]
        if byes:
            notes.append(f"Seeds 1 to {byes} have a bye in the first round." if byes > 1 else "Seed 1 has a bye.")
        if self.reset:
            notes.append("A second grand final is played if the winner of the losers' bracket wins the first.")
        return Plan(bracket.rounds, bracket.planned(field_size), tuple(notes))

    def admits_late_entry(self, situation: Situation) -> bool:
        return not situation.rounds

    def leaving(self, situation: Situation, entrant: EntrantId) -> Leaving:
        return Leaving.FORFEITS_THE_REST

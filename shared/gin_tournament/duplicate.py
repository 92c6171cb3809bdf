"""Duplicate: a two-player format over fixed hands, so that the luck of the deal falls on everybody alike.

All tables of a round play the same deals. Whoever sits first holds the same cards at every table, and so
does whoever sits second; with every deal the two sides change hands. What counts is not whether one has
won, but whether one has done better with these cards than the others who held them:

    difference of a side = its game points less its opponent's, less the mean of the same at the other tables

Both sides of a table have opposite differences, so that each table has a winner in the format's own eyes:
the side whose difference is positive. By that the format pairs on. A table that was given up, forfeited or
annulled is no part of the mean, and its outcome stands. Nobody shall gain by leaving: whoever gave up or did
not come has the lowest difference of the round, never more than none, and with a match given up no more than
where it stood. The opponent has none, or the better one at which the match stood. After an annulled table, a
bye, or a withdrawal that was announced before the round nobody has one. A table alone with its cards is
compared with nobody: its difference is its own.

Tables are compared by the key of their deals: one that had to be paired anew plays others.

With `mirrored` every deal is played twice at each table with the seats swapped: meant for bots, as people
remember cards.

Nothing can be decided by playing on, as fixed deals end: where the format must have a winner, a level table
advances the better seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from typing import ClassVar

from gin_tournament.errors import InvalidFormatError
from gin_tournament.format import (
    Answer,
    Deals,
    Encounter,
    Fixture,
    Format,
    Leaving,
    Open,
    OpenedRound,
    Plan,
    Result,
    Situation,
)
from gin_tournament.model import EntrantId, Outcome
from gin_tournament.settings import check_choice, check_range
from gin_tournament.standings import Standing

TWO_PLAYER_KINDS = ("swiss", "round_robin", "single_elimination", "double_elimination")
_RANKINGS = ("difference", "format")


@dataclass(frozen=True, slots=True)
class Duplicate:
    """`ranking` is by "difference" (the sum over all rounds, then the format's own order) or by the "format"
    alone, as a knockout needs it."""

    kind: ClassVar[str] = "duplicate"

    format: Format
    hands: int = 4
    mirrored: bool = False
    ranking: str = "difference"

    def __post_init__(self) -> None:
        check_choice("format", self.format.kind, TWO_PLAYER_KINDS)
        check_range("hands", self.hands, 1, 100)
        check_choice("ranking", self.ranking, _RANKINGS)
        lengths = (getattr(self.format, "best_of", 1), *getattr(self.format, "best_of_last", ()))
        if max(lengths) > 1:
            raise InvalidFormatError("format.best_of", "must be 1: a second match would play the same deals again")

    @property
    def columns(self) -> tuple[str, ...]:
        return ("match_points", *self.format.columns) if self.ranking == "difference" else self.format.columns

    def next_round(self, situation: Situation) -> Answer:
        answer = self.format.next_round(compared(situation))
        if not isinstance(answer, Open):
            return answer
        deals = Deals(f"round {answer.number}", self.hands, self.mirrored)
        return replace(answer, fixtures=tuple(_with(fixture, deals) for fixture in answer.fixtures))

    def standings(self, situation: Situation) -> tuple[Standing, ...]:
        lines = self.format.standings(compared(situation))
        if self.ranking == "format":
            return lines
        by_round = _by_round(situation)
        totals = {line.entrant: sum(by_round[line.entrant], Fraction(0)) for line in lines}
        ordered = sorted(lines, key=lambda line: (-totals[line.entrant], line.rank))
        ranked: list[Standing] = []
        last: tuple[Fraction, int] | None = None
        for at, line in enumerate(ordered, 1):
            worth = (totals[line.entrant], line.rank)
            rank = ranked[-1].rank if worth == last else at
            last = worth
            ranked.append(
                line._replace(
                    rank=rank,
                    points=totals[line.entrant],
                    tie_breaks=(line.points, *line.tie_breaks),
                    progress=tuple(accumulate(by_round[line.entrant])),
                )
            )
        return tuple(ranked)

    def plan(self, field_size: int) -> Plan:
        inner = self.format.plan(field_size)
        twice = ", each twice with the seats swapped" if self.mirrored else ""
        notes = [
            f"All tables of a round play the same {self.hands} deals{twice}.",
            "What counts is the difference to the others who held the same cards.",
        ]
        if self.ranking == "difference":
            notes.append("The sum of the differences decides; then the order of the format below.")
        return inner._replace(notes=(*notes, *inner.notes))

    def admits_late_entry(self, situation: Situation) -> bool:
        return self.format.admits_late_entry(compared(situation))

    def leaving(self, situation: Situation, entrant: EntrantId) -> Leaving:
        return self.format.leaving(compared(situation), entrant)


def _with(fixture: Fixture, deals: Deals) -> Fixture:
    if len(fixture.seats) != 2 or fixture.settled is not None:
        return fixture
    return fixture._replace(deals=deals, must_decide=False)


def differences(opened: OpenedRound) -> dict[str, Fraction]:
    """By slot: the first side's difference to the field, of every table that was played to its end. The second
    side's is the opposite."""
    found: dict[str, Fraction] = {}
    for tables in _by_deals(opened):
        nets = {e.fixture.slot: _net(e.result) for e in tables if _is_compared(e) and e.result is not None}
        total, others = sum(nets.values()), max(len(nets) - 1, 1)
        found |= {slot: net - Fraction(total - net, others) for slot, net in nets.items()}
    return found


def gains(opened: OpenedRound) -> dict[str, tuple[Fraction, Fraction]]:
    """By slot: what both sides' differences count in the standings. Tables that count for nobody are left out."""
    compared_tables = differences(opened)
    lowest = min((-abs(gain) for gain in compared_tables.values()), default=Fraction(0))
    found = {slot: (gain, -gain) for slot, gain in compared_tables.items()}
    for tables in _by_deals(opened):
        field = [_net(e.result) for e in tables if _is_compared(e) and e.result is not None]
        for fixture, result in tables:
            if result is None or result.outcome is None or fixture.settled is not None or fixture.slot in found:
                continue
            stands = _net(result) - _mean(field) if result.given_up else Fraction(0)
            absent = _absent(result.outcome)
            if any(absent):
                found[fixture.slot] = (
                    min(lowest, stands) if absent[0] else max(Fraction(0), stands),
                    min(lowest, -stands) if absent[1] else max(Fraction(0), -stands),
                )
    return found


def _by_deals(opened: OpenedRound) -> list[list[Encounter]]:
    """The pairings of the round, those with the same cards together."""
    together: dict[str | None, list[Encounter]] = {}
    for encounter in opened.encounters:
        if len(encounter.fixture.seats) == 2:
            deals = encounter.fixture.deals
            together.setdefault(None if deals is None else deals.key, []).append(encounter)
    return list(together.values())


def _mean(nets: Sequence[int]) -> Fraction:
    return Fraction(sum(nets), len(nets)) if nets else Fraction(0)


def _absent(outcome: Outcome) -> tuple[bool, bool]:
    """Of a table that was given up or forfeited: which of the two left it, or never came."""
    first = outcome in (Outcome.FIRST_FORFEITS, Outcome.DOUBLE_FORFEIT, Outcome.SECOND_WINS)
    second = outcome in (Outcome.SECOND_FORFEITS, Outcome.DOUBLE_FORFEIT, Outcome.FIRST_WINS)
    return first, second


def _is_compared(encounter: Encounter) -> bool:
    result = encounter.result
    return result is not None and result.outcome is not None and result.outcome.is_played and not result.given_up


def _net(result: Result) -> int:
    return result.tally(0).game_points - result.tally(1).game_points


def compared(situation: Situation) -> Situation:
    """The situation as the format sees it: who did better with the same cards has won. The tables of a round
    still under way have no outcome yet, as every result can still turn them."""
    return replace(situation, rounds=tuple(_compared(opened) for opened in situation.rounds))


def _compared(opened: OpenedRound) -> OpenedRound:
    gained = differences(opened)
    complete = opened.is_decided
    encounters: list[Encounter] = []
    for encounter in opened.encounters:
        gain = gained.get(encounter.fixture.slot)
        if gain is None or encounter.result is None:
            encounters.append(encounter)
        elif not complete:
            encounters.append(encounter._replace(result=None))
        else:
            outcome = Outcome.DRAW if gain == 0 else Outcome.FIRST_WINS if gain > 0 else Outcome.SECOND_WINS
            encounters.append(encounter._replace(result=encounter.result._replace(outcome=outcome)))
    return opened._replace(encounters=tuple(encounters))


def _by_round(situation: Situation) -> dict[EntrantId, list[Fraction]]:
    """Everybody's difference round by round; the tables of a round under way are compared as far as they are."""
    found: dict[EntrantId, list[Fraction]] = {entrant.id: [] for entrant in situation.entrants}
    for opened in situation.rounds:
        gained = gains(opened)
        in_round = dict.fromkeys(found, Fraction(0))
        for fixture, _ in opened.encounters:
            if fixture.slot in gained:
                in_round[fixture.seats[0]], in_round[fixture.seats[1]] = gained[fixture.slot]
        for name, gain in in_round.items():
            found[name].append(gain)
    return found

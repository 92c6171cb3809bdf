"""Score sheets: one entrant's encounters in order, for formats that are not ranked by a Swiss ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate

from gin_tournament.model import Entrant, EntrantId, Outcome
from gin_tournament.standings import Standing


@dataclass(slots=True)
class ScoreSheet:
    """`points` has one value for each encounter that counts, oldest first."""

    points: list[Fraction] = field(default_factory=list)
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeit_wins: int = 0
    forfeit_losses: int = 0
    byes: int = 0

    def line(self, rank: int, entrant: EntrantId, tie_breaks: tuple[Fraction, ...]) -> Standing:
        return Standing(
            rank,
            entrant,
            sum(self.points, Fraction(0)),
            tie_breaks,
            tuple(accumulate(self.points)),
            self.wins + self.draws + self.losses,
            self.wins,
            self.draws,
            self.losses,
            self.forfeit_wins,
            self.forfeit_losses,
            self.byes,
        )

    def count(self, outcome: Outcome, *, is_first: bool) -> None:
        """Counts a pairing of two from one side's view; a void one is not counted."""
        won = outcome is (Outcome.FIRST_WINS if is_first else Outcome.SECOND_WINS)
        won_unplayed = outcome is (Outcome.SECOND_FORFEITS if is_first else Outcome.FIRST_FORFEITS)
        if outcome is Outcome.DRAW:
            self.draws += 1
        elif won:
            self.wins += 1
        elif won_unplayed:
            self.forfeit_wins += 1
        elif outcome.is_played:
            self.losses += 1
        elif outcome is not Outcome.VOID:
            self.forfeit_losses += 1


def rank_sheets(
    entrants: Sequence[Entrant],
    sheets: Mapping[EntrantId, ScoreSheet],
    tie_breaks: Mapping[EntrantId, tuple[Fraction, ...]],
) -> tuple[Standing, ...]:
    """By points, then by the tie-breaks in order; who is level in everything shares a rank, in seed order."""

    worth = {e.id: (sum(sheets[e.id].points, Fraction(0)), *tie_breaks[e.id]) for e in entrants}
    by_seed = sorted(entrants, key=lambda entrant: entrant.seed)
    lines: list[Standing] = []
    last: tuple[Fraction, ...] | None = None
    rank = 1
    for at, entrant in enumerate(sorted(by_seed, key=lambda entrant: worth[entrant.id], reverse=True), 1):
        value = worth[entrant.id]
        if value != last:
            rank, last = at, value
        lines.append(sheets[entrant.id].line(rank, entrant.id, tie_breaks[entrant.id]))
    return tuple(lines)

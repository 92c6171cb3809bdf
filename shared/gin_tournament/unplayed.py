"""What unplayed rounds count for in tie-breaks: FIDE handbook C.07, article 16, as in force from March 2026.

Implemented, by article:

- 16.1: requested byes are half and zero byes; absence (not yet entered, withdrawn) is one too.
  Voluntary unplayed rounds are requested byes and forfeit losses, double forfeits included.
- 16.3, for an opponent's tie-breaks: a requested bye after which the entrant had nothing but voluntary
  unplayed rounds (also one in the last round) counts as a draw. Every other round counts what it gave.
- 16.4, for one's own tie-breaks: an unplayed round counts as a game against a dummy that has one's own
  score, but for forfeits won or lost no more than the adjusted score of the opponent who was paired, and
  for all other unplayed rounds no more than a draw in every round.
- 16.5: cutting the lowest contribution takes the lowest of the voluntary unplayed rounds, if there are any.

Known gaps: an annulled pairing (void) is not in the handbook and counts here as an unplayed round that
nobody wished for. "Every round" means the rounds in the history, so that standings as of a round do not
depend on rounds still to come. Round-robin exceptions (article 15) are not applied.
"""

from __future__ import annotations

from dataclasses import dataclass

from gin_tournament.ledger import LAST_PLAYED, Cell, Kind, Ledger

_REQUESTED = frozenset({Kind.REQUESTED_HALF_BYE, Kind.REQUESTED_ZERO_BYE, Kind.ABSENT})
VOLUNTARY = _REQUESTED | {Kind.FORFEIT_LOSS}
_FORFEITS = frozenset({Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS})


@dataclass(frozen=True, slots=True)
class Opposition:
    """`strengths[i][r]` is the score in units that entrant i's opponent of round r counts for, real or
    dummy; `adjusted[i]` is what i counts for as an opponent. Build it with `oppose`."""

    ledger: Ledger
    adjusted: list[int]
    strengths: list[list[int]]


def oppose(ledger: Ledger) -> Opposition:
    draw = ledger.units(ledger.scoring.draw)
    adjusted = [_adjusted(row, total, draw) for row, total in zip(ledger.rows, ledger.totals, strict=True)]
    cap = draw * len(ledger.rounds)
    strengths = [
        [adjusted[cell.opponent] if cell.kind <= LAST_PLAYED else _dummy(cell, total, adjusted, cap) for cell in row]
        for row, total in zip(ledger.rows, ledger.totals, strict=True)
    ]
    return Opposition(ledger, adjusted, strengths)


def _adjusted(row: list[Cell], total: int, draw: int) -> int:
    for cell in reversed(row):
        if cell.kind not in VOLUNTARY:
            break
        if cell.kind in _REQUESTED:
            total += draw - cell.points
    return total


def _dummy(cell: Cell, own: int, adjusted: list[int], cap: int) -> int:
    return min(own, adjusted[cell.opponent] if cell.kind in _FORFEITS else cap)

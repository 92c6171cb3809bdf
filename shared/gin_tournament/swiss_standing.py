"""What Swiss pairing must know of each entrant before a round: score, encounters, deals, floats, byes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from gin_tournament.acceleration import BakuAcceleration
from gin_tournament.ledger import LAST_PLAYED, Cell, Kind, Ledger
from gin_tournament.model import EntrantId
from gin_tournament.swiss_field import Field

FLOAT_MEMORY_ROUNDS = 2
_WON_UNPLAYED = (Kind.PAIRING_ALLOCATED_BYE, Kind.FORFEIT_WIN)


@dataclass(frozen=True, slots=True)
class Record:
    """One entrant before the round. `score` counts virtual points, `points` does not (both in units).

    `meetings` has an opponent once per played game; `deals` tells for each played game, oldest first,
    whether the entrant dealt first; `free_wins` counts pairing-allocated byes and wins without play.
    """

    id: EntrantId
    seed: int
    score: int
    points: int
    meetings: tuple[int, ...]
    deals: tuple[bool, ...]
    free_wins: int
    unplayed: int
    sank: bool
    rose: bool

    @property
    def deal_balance(self) -> int:
        """Games in which the entrant dealt first, less those in which the opponent did."""
        return 2 * sum(self.deals) - len(self.deals)


def records(
    ledger: Ledger, round_number: int, acceleration: BakuAcceleration | None, present: Collection[int]
) -> dict[int, Record]:
    """Records of the entrants whose ledger indices are in `present`."""
    virtual = _virtual_units(ledger, acceleration)
    sank, rose = _floats(ledger, virtual)
    found = {}
    for i in present:
        entrant, row = ledger.entrants[i], ledger.rows[i]
        played = [cell for cell in row if cell.kind <= LAST_PLAYED]
        free_wins = len([None for cell in row if cell.kind in _WON_UNPLAYED]) if len(played) < len(row) else 0
        found[i] = Record(
            entrant.id,
            entrant.seed,
            ledger.totals[i] + virtual(i, round_number),
            ledger.totals[i],
            tuple([cell.opponent for cell in played]),
            tuple([cell.dealt_first for cell in played]),
            free_wins,
            len(row) - len(played),
            i in sank,
            i in rose,
        )
    return found


def _virtual_units(ledger: Ledger, acceleration: BakuAcceleration | None) -> Callable[[int, int], int]:
    if acceleration is None:
        return lambda _entrant, _round_number: 0
    win = ledger.scoring.win

    def units(entrant: int, round_number: int) -> int:
        wins = acceleration.virtual_points(ledger.entrants[entrant].id, round_number)
        return ledger.units(wins * win)

    return units


def _floats(ledger: Ledger, virtual: Callable[[int, int], int]) -> tuple[set[int], set[int]]:
    """Who was floated down, and who up, in the last rounds. Points without play count as a float down."""
    sank: set[int] = set()
    rose: set[int] = set()
    before = list(ledger.totals)
    for at in range(len(ledger.rounds) - 1, max(-1, len(ledger.rounds) - 1 - FLOAT_MEMORY_ROUNDS), -1):
        cells: list[Cell] = [row[at] for row in ledger.rows]
        before = [score - cell.points for score, cell in zip(before, cells, strict=True)]
        number = ledger.rounds[at]
        scores = [score + virtual(i, number) for i, score in enumerate(before)]
        for i, cell in enumerate(cells):
            if cell.kind <= LAST_PLAYED:
                difference = scores[i] - scores[cell.opponent]
                if difference > 0:
                    sank.add(i)
                elif difference < 0:
                    rose.add(i)
            elif cell.kind in _WON_UNPLAYED:
                sank.add(i)
    return sank, rose


def build_field(found: dict[int, Record], players: Sequence[int], apart: dict[int, set[int]]) -> Field:
    """The field of `players` (ledger indices in placing order); `apart` are the forbidden pairs."""
    at = {player: place for place, player in enumerate(players)}
    banned = []
    for player in players:
        unmeetable = {at[other] for other in found[player].meetings if other in at}
        if player in apart:
            unmeetable.update(at[other] for other in apart[player] if other in at)
        banned.append(frozenset(unmeetable))
    balances = [found[player].deal_balance for player in players]
    return Field(
        scores=[found[player].score for player in players],
        banned=banned,
        lean=[(balance > 0) - (balance < 0) for balance in balances],
        sank=[found[player].sank for player in players],
        rose=[found[player].rose for player in players],
        most_banned=max(map(len, banned), default=0),
    )

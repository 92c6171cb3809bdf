"""TRF26, FIDE's tournament report file of 2026: what the reader and the writer share.

A line is a record of fixed columns, counted from 1; the first three name it. In 001, an entrant's, each round takes
ten columns from 92 on. Source: TRF26.pdf of the FIDE handbook (approved 12 May 2025).

Colours are first deals: who has white deals the first hand. TRF knows points, results and byes alone: game points,
hands and undercuts are not in it, nor are matches within a pairing.
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from gin_tournament.errors import InvalidDocumentError, TournamentError
from gin_tournament.ledger import Kind

FIRST_ROUND_COLUMN = 92
ROUND_WIDTH = 10
MOST_ENTRANTS = 9_999

CODES = {
    "buchholz": "BH",
    "buchholz_cut_1": "BH/C1",
    "median_buchholz": "BH/M1",
    "sonneborn_berger": "SB",
    "direct_encounter": "DE",
    "wins": "WON",
    "koya": "KS",
    "progressive": "PS",
}
"""Our tie-breaks that FIDE has too, with its codes (C.07, article 5)."""

RESULTS = {
    Kind.WIN: "1",
    Kind.DRAW: "=",
    Kind.LOSS: "0",
    Kind.FORFEIT_WIN: "+",
    Kind.FORFEIT_LOSS: "-",
    Kind.VOID: "Z",
    Kind.PAIRING_ALLOCATED_BYE: "U",
    Kind.REQUESTED_HALF_BYE: "H",
    Kind.REQUESTED_ZERO_BYE: "Z",
    Kind.ABSENT: "Z",
}


class Report(NamedTuple):
    """What a report tells besides the tournament itself. Left out where it is not known."""

    city: str = ""
    federation: str = ""
    arbiter: str = ""
    starts_on: date | None = None
    ends_on: date | None = None
    round_dates: tuple[date, ...] = ()


class NotInTrfError(TournamentError):
    """TRF has no way to say something about this tournament; the text says what."""


class InvalidTrfError(InvalidDocumentError):
    """A report that cannot be read. `line` and `column` count from 1; the column is that of the field at fault."""

    def __init__(self, line: int, column: int, problem: str) -> None:
        super().__init__(f"line {line}, column {column}", problem)
        self.line = line
        self.column = column

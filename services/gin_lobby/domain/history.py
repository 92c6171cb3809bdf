"""What has been played, as rows of the lobby and as values of gin_tournament."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from gin_lobby.domain.tournament import EntrantRow, EntrantState, PairingRow
from gin_tournament.model import (
    Bye,
    ByeKind,
    DecidedPairing,
    Entrant,
    EntrantId,
    Outcome,
    Pairing,
    Round,
    Tally,
)

BYE = "bye"


def field(entrants: Iterable[EntrantRow]) -> list[Entrant]:
    """Everyone who was seeded, also those who have withdrawn since."""
    return [
        Entrant(EntrantId(str(e.player_id)), e.seed, None if e.rating is None else round(e.rating))
        for e in entrants
        if e.seed is not None
    ]


def gone(entrants: Iterable[EntrantRow]) -> frozenset[EntrantId]:
    """Those of the field who have withdrawn since it was seeded: they are not paired any more."""
    return frozenset(
        EntrantId(str(e.player_id)) for e in entrants if e.seed is not None and e.state != EntrantState.REGISTERED
    )


def history(pairings: Iterable[PairingRow]) -> list[Round]:
    """Decided pairings and byes by round, oldest first; a pairing still in play is left out."""
    return [_round(number, list(rows)) for number, rows in groupby(pairings, key=lambda row: row.round_number)]


def _round(number: int, rows: Sequence[PairingRow]) -> Round:
    decided = [row for row in rows if row.result is not None]
    return Round(
        number,
        tuple(_decided(row) for row in decided if row.second_id is not None),
        tuple(Bye(_id(row.first_id), ByeKind.PAIRING_ALLOCATED) for row in decided if row.second_id is None),
    )


def _decided(row: PairingRow) -> DecidedPairing:
    return DecidedPairing(
        Pairing(_id(row.first_id), _id(row.second_id)),
        Outcome(row.result),
        Tally(row.first_score or 0, row.first_hands_won or 0, row.first_undercuts or 0),
        Tally(row.second_score or 0, row.second_hands_won or 0, row.second_undercuts or 0),
    )


def _id(player_id: object) -> EntrantId:
    return EntrantId(str(player_id))

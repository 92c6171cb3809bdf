"""The standings as everyone reads them: one document a round, written where the result is written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from gin_servicekit.database import Transaction
from gin_tournament.standings import Standing, rank

from gin_lobby.domain import history
from gin_lobby.domain.tournament import EntrantRow, PairingRow, Tournament
from gin_lobby.store import rounds


def publish(
    tx: Transaction, tournament: Tournament, number: int, entrants: Sequence[EntrantRow], pairings: Sequence[PairingRow]
) -> None:
    """Writes the standings as of round `number`, counting what is decided so far."""
    body = json.dumps(document(tournament, number, entrants, pairings), ensure_ascii=False)
    etag = hashlib.sha256(body.encode()).hexdigest()[:32]
    rounds.publish_standings(tx, tournament.tournament_id, number, body, etag)


def document(
    tournament: Tournament, number: int, entrants: Sequence[EntrantRow], pairings: Sequence[PairingRow]
) -> dict[str, Any]:
    people = {str(e.player_id): e for e in entrants}
    so_far = [pairing for pairing in pairings if pairing.round_number <= number]
    ranked = rank(
        history.field(entrants), history.history(so_far), tournament.tie_breaks, lots_seed=tournament.lots_seed
    )
    return {
        "tournament_id": str(tournament.tournament_id),
        "round": number,
        "complete": all(pairing.result is not None for pairing in so_far),
        "tie_breaks": tournament.tie_breaks,
        "standings": [_line(standing, people[standing.entrant], tournament) for standing in ranked],
    }


def _line(standing: Standing, entrant: EntrantRow, tournament: Tournament) -> dict[str, Any]:
    return {
        "rank": standing.rank,
        "player_id": standing.entrant,
        "name": entrant.name,
        "kind": entrant.kind,
        "withdrawn": entrant.state != "registered",
        "points": number_of(standing.points),
        "played": standing.played,
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "tie_breaks": {
            name: number_of(value) for name, value in zip(tournament.tie_breaks, standing.tie_breaks, strict=True)
        },
    }


def number_of(value: Fraction | int) -> int | float:
    """A JSON number: whole where it is whole, else rounded to six places for people to read.

    The ranking itself compares the exact fractions.
    """
    exact = Fraction(value)
    return exact.numerator if exact.denominator == 1 else round(float(exact), 6)

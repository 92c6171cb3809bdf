"""The standings as everyone reads them: one document a round, written where the result is written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from gin_lobby.domain.encounters import situation
from gin_lobby.domain.tournament import EntrantRow, PairingRow, Tournament
from gin_lobby.store import rounds, tournaments
from gin_lobby.use_cases import hints, webhook_events
from gin_servicekit.database import Transaction
from gin_tournament.catalogue import tables
from gin_tournament.stages import Stages
from gin_tournament.standings import Standing


def publish(
    tx: Transaction, tournament: Tournament, number: int, entrants: Sequence[EntrantRow], pairings: Sequence[PairingRow]
) -> None:
    """Writes the standings as of round `number`, counting what is decided so far."""
    before = rounds.standings(tx, tournament.tournament_id, number - 1) if number > 1 else None
    ranks = {line["player_id"]: line["rank"] for line in json.loads(before.body)["standings"]} if before else {}
    body = json.dumps(document(tournament, number, entrants, pairings, ranks, tx.now), ensure_ascii=False)
    rounds.publish_standings(tx, tournament.tournament_id, number, body, etag_of(body))
    hints.changed(tx, tournament.tournament_id, tournament.state, number)
    webhook_events.standings_changed(tx, tournament.tournament_id, number)


def etag_of(body: str) -> str:
    """The strong ETag of a document as it is published."""
    return hashlib.sha256(body.encode()).hexdigest()[:32]


def publish_now(tx: Transaction, tournament: Tournament) -> list[PairingRow]:
    """Writes the standings of the current round from what is stored; returns all pairings."""
    entrants = tournaments.entrants(tx, tournament.tournament_id)
    pairings = rounds.pairings(tx, tournament.tournament_id)
    publish(tx, tournament, tournament.current_round, entrants, pairings)
    return pairings


def document(
    tournament: Tournament,
    number: int,
    entrants: Sequence[EntrantRow],
    pairings: Sequence[PairingRow],
    ranks_before: Mapping[str, int],
    at: datetime,
) -> dict[str, Any]:
    """`movement` counts places won since the round before; null where there was none to compare with.

    `groups` are the tables of a format with stages, each group of each stage that has begun by itself.
    """
    people = {str(e.player_id): e for e in entrants}
    so_far = [pairing for pairing in pairings if pairing.round_number <= number]
    played_as = tournament.played_as
    now = situation(tournament, entrants, so_far, at)
    groups = tables(played_as, now) if isinstance(played_as, Stages) else ()
    return {
        "tournament_id": str(tournament.tournament_id),
        "round": number,
        "complete": all(pairing.result is not None for pairing in so_far),
        "tie_breaks": list(played_as.columns),
        "standings": [
            _line(line, people[line.entrant], played_as.columns, ranks_before.get(line.entrant))
            for line in played_as.standings(now)
        ],
        "groups": [
            {
                "stage": table.stage,
                "group": table.group,
                "format": table.format.kind,
                "tie_breaks": list(table.format.columns),
                "standings": [_line(line, people[line.entrant], table.format.columns, None) for line in table.lines],
            }
            for table in groups
        ],
    }


def _line(standing: Standing, entrant: EntrantRow, columns: Sequence[str], rank_before: int | None) -> dict[str, Any]:
    return {
        "rank": standing.rank,
        "movement": None if rank_before is None else rank_before - standing.rank,
        "player_id": standing.entrant,
        "name": entrant.name,
        "kind": entrant.kind,
        "withdrawn": entrant.state != "registered",
        "points": number_of(standing.points),
        "played": standing.played,
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "progress": [number_of(points) for points in standing.progress],
        "tie_breaks": {name: number_of(value) for name, value in zip(columns, standing.tie_breaks, strict=True)},
    }


def number_of(value: Fraction | int) -> int | float:
    """A JSON number: whole where it is whole, else rounded to six places for people to read.

    The ranking itself compares the exact fractions.
    """
    return value.numerator if value.denominator == 1 else round(float(value), 6)

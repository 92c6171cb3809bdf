"""The matches of pairings in Postgres."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from gin_lobby.domain.tournament import MatchId, MatchRow, PairingId, TournamentId
from gin_servicekit.database import Transaction


def insert(tx: Transaction, tournament_id: TournamentId, matches: Sequence[MatchRow]) -> None:
    """Raises psycopg.errors.UniqueViolation for a match that a pairing has already."""
    tx.execute_many(
        "INSERT INTO matches (match_id, pairing_id, tournament_id, number, seats, opened_at)"
        " VALUES (%s, %s, %s, %s, %s, %s)",
        [(m.match_id, m.pairing_id, tournament_id, m.number, m.seats, tx.now) for m in matches],
    )


def of_pairings(tx: Transaction, pairing_ids: Sequence[PairingId]) -> dict[PairingId, list[MatchRow]]:
    """The matches of each of these pairings, in the order in which they are played."""
    found: dict[PairingId, list[MatchRow]] = {pairing_id: [] for pairing_id in pairing_ids}
    for match in tx.rows(
        MatchRow,
        "SELECT match_id, pairing_id, number, seats, ended FROM matches WHERE pairing_id = ANY(%s) ORDER BY number",
        (list(pairing_ids),),
    ):
        found[match.pairing_id].append(match)
    return found


def in_play(tx: Transaction, tournament_id: UUID) -> list[MatchId]:
    return [
        MatchId(match)
        for match in tx.scalars(
            "SELECT match_id FROM matches WHERE tournament_id = %s AND ended IS NULL ORDER BY match_id",
            (tournament_id,),
        )
    ]


def of_player(tx: Transaction, tournament_id: UUID, player_id: UUID) -> MatchId | None:
    """The match in which the player sits and of which no end has been told, the oldest where there are several."""
    found: UUID | None = tx.scalar(
        """
        SELECT match_id FROM matches m
         WHERE tournament_id = %s AND ended IS NULL AND %s = ANY(seats)
           AND NOT EXISTS (SELECT FROM reported_results r WHERE r.match_id = m.match_id)
         ORDER BY opened_at, match_id LIMIT 1
        """,
        (tournament_id, player_id),
    )
    return MatchId(found) if found else None

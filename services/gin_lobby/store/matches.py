"""The matches of pairings in Postgres."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

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


def deadlines(tx: Transaction, tournament_id: UUID, number: int | None) -> list[tuple[MatchId, datetime]]:
    """The matches in play, of one round or of all, with the deadlines of their rounds."""
    rows = tx.dicts(
        """
        SELECT m.match_id, r.deadline_at
          FROM matches m JOIN pairings p USING (pairing_id)
          JOIN rounds r ON r.tournament_id = p.tournament_id AND r.number = p.round_number
         WHERE m.tournament_id = %(id)s AND m.ended IS NULL
           AND (%(number)s::int IS NULL OR r.number = %(number)s)
         ORDER BY m.match_id
        """,
        {"id": tournament_id, "number": number},
    )
    return [(row["match_id"], row["deadline_at"]) for row in rows]


def correct(tx: Transaction, match_id: UUID, ended: Mapping[str, Any]) -> int:
    """Gives a match that is over another result; returns its new revision."""
    revision: int = tx.scalar(
        "UPDATE matches SET ended = %s, revision = revision + 1 WHERE match_id = %s AND ended IS NOT NULL"
        " RETURNING revision",
        (Jsonb(ended), match_id),
    )
    return revision


def replaced_but_played(tx: Transaction, match_ids: Sequence[str]) -> list[tuple[MatchId, TournamentId, list[UUID]]]:
    """Those of these matches that were taken back, each told once, with tournament and seats."""
    rows = tx.dicts(
        "UPDATE replaced_matches SET voided_at = %s WHERE match_id = ANY(%s::uuid[]) AND voided_at IS NULL"
        " RETURNING match_id, tournament_id, seats",
        (tx.now, list(match_ids)),
    )
    return sorted((row["match_id"], row["tournament_id"], row["seats"]) for row in rows)


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

"""Rounds, pairings and the published standings in Postgres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from gin_lobby.domain.tournament import MatchId, PairingRow, RoundRow, TournamentId
from gin_servicekit.database import Transaction


def begin_round(
    tx: Transaction, tournament_id: TournamentId, number: int, deadline_at: datetime, pairings: Sequence[PairingRow]
) -> None:
    """Stores a round with its pairings and makes it the current one.

    Raises psycopg.errors.UniqueViolation when the round exists or somebody would be paired twice.
    """
    tx.execute(
        "INSERT INTO rounds (tournament_id, number, state, paired_at, deadline_at) VALUES (%s, %s, 'playing', %s, %s)",
        (tournament_id, number, tx.now, deadline_at),
    )
    tx.execute_many(
        "INSERT INTO pairings (match_id, tournament_id, round_number, table_number, first_id, second_id, result,"
        " decided_at) VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
        [
            (
                p.match_id,
                tournament_id,
                number,
                p.table_number,
                p.first_id,
                p.second_id,
                p.result,
                tx.now if p.result else None,
            )
            for p in pairings
        ],
    )
    tx.execute(
        """
        INSERT INTO pairing_players (tournament_id, round_number, player_id, match_id)
        SELECT tournament_id, round_number, player_id, match_id
          FROM pairings CROSS JOIN LATERAL (VALUES (first_id), (second_id)) AS seat (player_id)
         WHERE tournament_id = %s AND round_number = %s AND player_id IS NOT NULL
        """,
        (tournament_id, number),
    )
    tx.execute(
        "UPDATE tournaments SET current_round = %s WHERE tournament_id = %s AND current_round = %s",
        (number, tournament_id, number - 1),
    )


def void_undecided(tx: Transaction, tournament_id: UUID) -> list[MatchId]:
    """Declares pairings without a result void; returns their matches."""
    return [
        MatchId(match)
        for match in tx.scalars(
            "UPDATE pairings SET result = 'void', decided_at = %s WHERE tournament_id = %s AND result IS NULL"
            " RETURNING match_id",
            (tx.now, tournament_id),
        )
    ]


def close_round(tx: Transaction, tournament_id: UUID, number: int) -> bool:
    """False when the round was closed before."""
    return bool(
        tx.execute(
            "UPDATE rounds SET state = 'scored', scored_at = %s"
            " WHERE tournament_id = %s AND number = %s AND state = 'playing'",
            (tx.now, tournament_id, number),
        )
    )


def pairings(tx: Transaction, tournament_id: UUID, number: int | None = None) -> list[PairingRow]:
    """Of one round, or of all, by round and table."""
    return tx.rows(
        PairingRow,
        """
        SELECT match_id, round_number, table_number, first_id, second_id, result, first_score, second_score,
               first_hands_won, second_hands_won, first_undercuts, second_undercuts
          FROM pairings
         WHERE tournament_id = %(id)s AND (%(number)s::int IS NULL OR round_number = %(number)s)
         ORDER BY round_number, table_number
        """,
        {"id": tournament_id, "number": number},
    )


def rounds(tx: Transaction, tournament_id: UUID) -> list[RoundRow]:
    return tx.rows(
        RoundRow,
        "SELECT number, state, paired_at, deadline_at, scored_at FROM rounds WHERE tournament_id = %s ORDER BY number",
        (tournament_id,),
    )


def publish_standings(tx: Transaction, tournament_id: UUID, number: int, body: str, etag: str) -> None:
    tx.execute(
        """
        INSERT INTO standings (tournament_id, round_number, body, etag) VALUES (%s, %s, %s, %s)
        ON CONFLICT (tournament_id, round_number) DO UPDATE SET body = excluded.body, etag = excluded.etag
        """,
        (tournament_id, number, body, etag),
    )


@dataclass(frozen=True, slots=True)
class PublishedStandings:
    """The bytes that every reader gets, and their strong ETag."""

    body: str
    etag: str


def standings(tx: Transaction, tournament_id: UUID, number: int | None) -> PublishedStandings | None:
    """As of a round, or the newest."""
    return tx.row(
        PublishedStandings,
        """
        SELECT body, etag FROM standings
         WHERE tournament_id = %(id)s AND (%(number)s::int IS NULL OR round_number = %(number)s)
         ORDER BY round_number DESC LIMIT 1
        """,
        {"id": tournament_id, "number": number},
    )

"""Rounds, pairings and the published standings in Postgres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from psycopg.types.json import Jsonb

from gin_lobby.domain.tournament import PairingId, PairingRow, RoundRow, TournamentId
from gin_servicekit.database import Transaction


def begin_round(
    tx: Transaction, tournament_id: TournamentId, number: int, deadline_at: datetime, pairings: Sequence[PairingRow]
) -> None:
    """Stores a round with its pairings and makes it the current one.

    Raises psycopg.errors.UniqueViolation when the round or a slot exists or somebody would be paired twice.
    """
    tx.execute(
        "INSERT INTO rounds (tournament_id, number, state, paired_at, deadline_at) VALUES (%s, %s, 'playing', %s, %s)",
        (tournament_id, number, tx.now, deadline_at),
    )
    tx.execute_many(
        "INSERT INTO pairings (pairing_id, tournament_id, round_number, table_number, slot, fixture, first_id,"
        " second_id, result, ended, decided_at) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
        [
            (
                p.pairing_id,
                tournament_id,
                number,
                p.table_number,
                p.slot,
                Jsonb(p.fixture),
                p.first_id,
                p.second_id,
                p.result,
                None if p.ended is None else Jsonb(p.ended),
                tx.now if p.result else None,
            )
            for p in pairings
        ],
    )
    tx.execute(
        """
        INSERT INTO pairing_players (tournament_id, round_number, player_id, pairing_id, seat)
        SELECT tournament_id, round_number, player_id::uuid, pairing_id, seat
          FROM pairings
         CROSS JOIN LATERAL jsonb_array_elements_text(fixture->'seats') WITH ORDINALITY AS seats (player_id, seat)
         WHERE tournament_id = %s AND round_number = %s
        """,
        (tournament_id, number),
    )
    tx.execute(
        "UPDATE tournaments SET current_round = %s WHERE tournament_id = %s AND current_round = %s",
        (number, tournament_id, number - 1),
    )


def decide(tx: Transaction, decided: Sequence[PairingRow]) -> None:
    """Writes the results of pairings. A decided pairing stays as it is."""
    tx.execute_many(
        "UPDATE pairings SET result = %s, ended = %s, first_score = %s, second_score = %s, decided_at = %s"
        " WHERE pairing_id = %s AND result IS NULL",
        [(p.result, Jsonb(p.ended), p.first_score, p.second_score, tx.now, p.pairing_id) for p in decided],
    )


def void_undecided(tx: Transaction, tournament_id: UUID) -> None:
    """Declares pairings without a result void."""
    tx.execute(
        "UPDATE pairings SET result = 'void', ended = %s, decided_at = %s WHERE tournament_id = %s AND result IS NULL",
        (Jsonb({"outcome": "void"}), tx.now, tournament_id),
    )


def close_rounds(tx: Transaction, tournament_id: UUID) -> int:
    """Closes the rounds in which everything is decided; tells how many were still open."""
    return tx.execute(
        """
        UPDATE rounds r SET state = 'scored', scored_at = %s
         WHERE r.tournament_id = %s AND r.state = 'playing' AND NOT EXISTS (
                SELECT FROM pairings p
                 WHERE p.tournament_id = r.tournament_id AND p.round_number = r.number AND p.result IS NULL)
        """,
        (tx.now, tournament_id),
    )


def pairings(tx: Transaction, tournament_id: UUID, number: int | None = None) -> list[PairingRow]:
    """Of one round, or of all, by round and table."""
    return tx.rows(
        PairingRow,
        """
        SELECT pairing_id, round_number, table_number, slot, fixture, first_id, second_id, result, ended,
               first_score, second_score
          FROM pairings
         WHERE tournament_id = %(id)s AND (%(number)s::int IS NULL OR round_number = %(number)s)
         ORDER BY round_number, table_number
        """,
        {"id": tournament_id, "number": number},
    )


def undecided(tx: Transaction, pairing_ids: Sequence[PairingId]) -> list[PairingRow]:
    """Those of these pairings that have no result, by round and table."""
    return tx.rows(
        PairingRow,
        """
        SELECT pairing_id, round_number, table_number, slot, fixture, first_id, second_id, result, ended,
               first_score, second_score
          FROM pairings WHERE pairing_id = ANY(%s) AND result IS NULL
         ORDER BY round_number, table_number
        """,
        (list(pairing_ids),),
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


def standings_etag(tx: Transaction, tournament_id: UUID, number: int | None) -> str | None:
    """The ETag of what `standings` gives, without the bytes."""
    etag: str | None = tx.scalar(
        """
        SELECT etag FROM standings
         WHERE tournament_id = %(id)s AND (%(number)s::int IS NULL OR round_number = %(number)s)
         ORDER BY round_number DESC LIMIT 1
        """,
        {"id": tournament_id, "number": number},
    )
    return etag

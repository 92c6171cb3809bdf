"""Results on their way from the engine's message to the match that they decide."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from gin_lobby.domain.tournament import MatchId, PairingId, TournamentId
from gin_servicekit.database import Transaction


@dataclass(frozen=True, slots=True)
class Report:
    """How a match ended, as gin_tournament.storage writes it."""

    match_id: str
    ended: dict[str, Any]


def report(tx: Transaction, reports: Sequence[Report]) -> list[TournamentId]:
    """Keeps results of our matches in play for scoring, and tells whose they are. The first report stands."""
    return [
        TournamentId(tournament_id)
        for tournament_id in tx.scalars(
            """
            WITH reported AS (
                INSERT INTO reported_results (match_id, tournament_id, ended)
                SELECT m.match_id, m.tournament_id, r.ended::jsonb
                  FROM unnest(%s::uuid[], %s::text[]) AS r (match_id, ended)
                  JOIN matches m USING (match_id)
                 WHERE m.ended IS NULL ORDER BY m.match_id
                   FOR KEY SHARE OF m  -- a match that is being taken back is gone when this goes on
                ON CONFLICT DO NOTHING
                RETURNING tournament_id)
            SELECT DISTINCT tournament_id FROM reported
            """,
            ([r.match_id for r in reports], [json.dumps(r.ended) for r in reports]),
        )
    ]


def to_score(tx: Transaction) -> list[TournamentId]:
    """Tournaments with results that may be scored now: it is time, or every match in play has its result."""
    return [
        TournamentId(tournament_id)
        for tournament_id in tx.scalars(
            """
            SELECT t.tournament_id FROM tournaments t
             WHERE EXISTS (SELECT FROM reported_results r WHERE r.tournament_id = t.tournament_id)
               AND (t.score_after <= %s OR NOT EXISTS (
                     SELECT FROM matches m
                      WHERE m.tournament_id = t.tournament_id AND m.ended IS NULL
                        AND NOT EXISTS (SELECT FROM reported_results r WHERE r.match_id = m.match_id)))
             ORDER BY t.tournament_id
            """,
            (tx.now,),
        )
    ]


@dataclass(frozen=True, slots=True)
class Taken:
    """A match that has ended just now."""

    pairing_id: PairingId
    match_id: MatchId
    seats: list[UUID]
    round_number: int


def take(tx: Transaction, tournament_id: UUID) -> list[Taken]:
    """Moves what was reported to the matches; tells which those are. A match that has ended stays as it is."""
    return tx.rows(
        Taken,
        """
        WITH reported AS (DELETE FROM reported_results WHERE tournament_id = %s RETURNING match_id, ended)
        UPDATE matches m SET ended = r.ended
          FROM reported r, pairings p
         WHERE m.match_id = r.match_id AND m.ended IS NULL AND p.pairing_id = m.pairing_id
        RETURNING m.pairing_id, m.match_id, m.seats, p.round_number
        """,
        (tournament_id,),
    )

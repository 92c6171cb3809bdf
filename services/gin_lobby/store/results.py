"""Results on their way from the engine's message to the pairing that they decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from gin_lobby.domain.tournament import TournamentId
from gin_servicekit.database import Transaction


@dataclass(frozen=True, slots=True)
class Report:
    """How a match ended; the figures are the first and the second player's."""

    match_id: str
    result: str
    scores: tuple[int, int]
    hands_won: tuple[int, int]
    undercuts: tuple[int, int]


def report(tx: Transaction, reports: Sequence[Report]) -> list[TournamentId]:
    """Keeps results of our undecided pairings for scoring, and tells whose they are. The first report stands."""
    return [
        TournamentId(tournament_id)
        for tournament_id in tx.scalars(
            """
            WITH reported AS (
                INSERT INTO reported_results
                SELECT p.match_id, p.tournament_id, r.result, r.first_score, r.second_score,
                       r.first_hands_won, r.second_hands_won, r.first_undercuts, r.second_undercuts
                  FROM unnest(%s::uuid[], %s::text[], %s::int[], %s::int[], %s::int[], %s::int[], %s::int[], %s::int[])
                       AS r (match_id, result, first_score, second_score, first_hands_won, second_hands_won,
                             first_undercuts, second_undercuts)
                  JOIN pairings p USING (match_id)
                 WHERE p.result IS NULL ORDER BY p.match_id
                ON CONFLICT DO NOTHING
                RETURNING tournament_id)
            SELECT DISTINCT tournament_id FROM reported
            """,
            (
                [r.match_id for r in reports],
                [r.result for r in reports],
                [r.scores[0] for r in reports],
                [r.scores[1] for r in reports],
                [r.hands_won[0] for r in reports],
                [r.hands_won[1] for r in reports],
                [r.undercuts[0] for r in reports],
                [r.undercuts[1] for r in reports],
            ),
        )
    ]


def to_score(tx: Transaction) -> list[TournamentId]:
    """Tournaments with results that may be scored now: it is time, or every pairing has its result."""
    return [
        TournamentId(tournament_id)
        for tournament_id in tx.scalars(
            """
            SELECT t.tournament_id FROM tournaments t
             WHERE EXISTS (SELECT FROM reported_results r WHERE r.tournament_id = t.tournament_id)
               AND (t.score_after <= %s OR NOT EXISTS (
                     SELECT FROM pairings p
                      WHERE p.tournament_id = t.tournament_id AND p.round_number = t.current_round AND p.result IS NULL
                        AND NOT EXISTS (SELECT FROM reported_results r WHERE r.match_id = p.match_id)))
             ORDER BY t.tournament_id
            """,
            (tx.now,),
        )
    ]


def decide(tx: Transaction, tournament_id: UUID) -> int:
    """Moves what was reported to the pairings; returns how many were decided. A decided pairing stays as it is."""
    return tx.execute(
        """
        WITH reported AS (DELETE FROM reported_results WHERE tournament_id = %s RETURNING *)
        UPDATE pairings p
           SET result = r.result, decided_at = %s,
               first_score = r.first_score, second_score = r.second_score,
               first_hands_won = r.first_hands_won, second_hands_won = r.second_hands_won,
               first_undercuts = r.first_undercuts, second_undercuts = r.second_undercuts
          FROM reported r
         WHERE p.match_id = r.match_id AND p.result IS NULL
        """,
        (tournament_id, tx.now),
    )

"""Who met whom: the finished matches seen from a player's side. What nobody played is not a meeting."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from gin_ratings.domain.ledger import Seat
from gin_servicekit.database import Transaction

# A meeting was played, if only until somebody gave it up; whether it was rated does not matter.
_PLAYED = {"verdicts": ["rated", "no_pool"], "endings": ["played", "forfeit"]}


class Tally(NamedTuple):
    """How often a player finished ahead of, level with and behind an opponent, in one pool or (None) unrated."""

    opponent_id: str
    name: str | None
    pool: str | None
    wins: int
    ties: int
    losses: int
    last_met_at: datetime


class Meeting(NamedTuple):
    """A match, with everybody who sat there; `changes` has the rating change of each player that has one."""

    match_id: str
    pool: str | None
    ending: str
    seats: tuple[Seat, ...]
    changes: dict[str, float]
    finished_at: datetime


def tallies(tx: Transaction, player_id: str, opponent_id: str | None, limit: int) -> list[Tally]:
    """By opponent and pool, at most `limit`, whom the player met most often first."""
    return tx.rows(
        Tally,
        """
        WITH mine AS (
            SELECT pool, seats, finished_at, (me->>'place')::int AS place
              FROM matches, jsonb_array_elements(seats) AS me
             WHERE seats @> jsonb_build_array(jsonb_build_object('player_id', %(player_id)s::text))
               AND verdict = ANY(%(verdicts)s) AND ending = ANY(%(endings)s) AND me->>'player_id' = %(player_id)s
        ), met AS (
            SELECT other->>'player_id' AS opponent_id, pool, count(*) AS games,
                   count(*) FILTER (WHERE place < (other->>'place')::int) AS wins,
                   count(*) FILTER (WHERE place = (other->>'place')::int) AS ties,
                   count(*) FILTER (WHERE place > (other->>'place')::int) AS losses,
                   max(finished_at) AS last_met_at
              FROM mine, jsonb_array_elements(seats) AS other
             WHERE other->>'player_id' <> %(player_id)s
               AND (%(opponent_id)s::text IS NULL OR other->>'player_id' = %(opponent_id)s)
             GROUP BY 1, 2
        )
        SELECT opponent_id, name, pool, wins, ties, losses, last_met_at
          FROM met LEFT JOIN players ON players.player_id = met.opponent_id
         ORDER BY games DESC, last_met_at DESC, opponent_id, pool LIMIT %(limit)s
        """,
        {"player_id": player_id, "opponent_id": opponent_id, "limit": limit, **_PLAYED},
    )


def meetings(
    tx: Transaction, player_id: str, opponent_id: str | None, after: tuple[datetime, str] | None, limit: int
) -> list[Meeting]:
    """The player's finished matches, the latest first, at most `limit` behind the pair (finished_at, match)."""
    return tx.rows(
        _meeting,
        """
        SELECT match_id, pool, ending, seats, finished_at,
               (SELECT coalesce(jsonb_object_agg(player_id, change), '{}')
                  FROM (SELECT player_id, sum(after - before) AS change FROM ledger
                         WHERE ledger.match_id = matches.match_id GROUP BY player_id) AS c) AS changes
          FROM matches
         WHERE seats @> jsonb_build_array(jsonb_build_object('player_id', %(player_id)s::text))
           AND (%(opponent_id)s::text IS NULL
                OR seats @> jsonb_build_array(jsonb_build_object('player_id', %(opponent_id)s::text)))
           AND verdict = ANY(%(verdicts)s) AND ending = ANY(%(endings)s)
           AND (%(after_time)s::timestamptz IS NULL
                OR (finished_at, match_id) < (%(after_time)s, %(after_match)s::text))
         ORDER BY finished_at DESC, match_id DESC LIMIT %(limit)s
        """,
        {
            "player_id": player_id,
            "opponent_id": opponent_id,
            "after_time": after[0] if after else None,
            "after_match": after[1] if after else None,
            "limit": limit,
            **_PLAYED,
        },
    )


def _meeting(*, seats: list[dict[str, Any]], changes: dict[str, float], **columns: Any) -> Meeting:
    return Meeting(seats=tuple(Seat(**seat) for seat in seats), changes=changes, **columns)

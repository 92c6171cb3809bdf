"""One action of a client that leaves its match undecided: match, seat and log in one statement."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from gin_engine.domain.match import Match
from gin_engine.domain.problems import MatchMoved
from gin_rules.game import Action
from gin_servicekit.database import Transaction


@dataclass(frozen=True, slots=True)
class Step:
    """What `seat` did at `acted_at`, and how the match stands then. The log tells it as of `played_at`."""

    seat: int
    action: Action
    acted_at: datetime
    played_at: datetime
    thinking_seconds: float
    hands_played: int
    deadline_at: datetime | None
    bot_due_at: datetime | None


def take(tx: Transaction, match: Match, step: Step) -> Match:
    """Writes the step of a locked match and returns the match as it is then.

    Raises MatchMoved when it is not where it was: nothing may commit.
    """
    seat = match.seats[step.seat]
    acted = replace(seat, acted_at=step.acted_at, thinking_seconds=seat.thinking_seconds + step.thinking_seconds)
    written = tx.execute(
        """
        WITH moved AS (
            UPDATE matches
               SET action_count = action_count + 1, hands_played = %(hands)s, last_action_at = %(played_at)s,
                   deadline_at = %(deadline_at)s, bot_due_at = %(bot_due_at)s
             WHERE match_id = %(match_id)s AND state = 'playing' AND action_count = %(expected)s
            RETURNING match_id
        ), acted AS (
            UPDATE seats SET acted_at = %(acted_at)s, thinking_seconds = %(thinking)s
              FROM moved WHERE seats.match_id = moved.match_id AND seat = %(seat)s
        )
        INSERT INTO action_blocks (match_id, first_action, actions, seats, played_at)
        SELECT match_id, %(expected)s, ARRAY[%(action)s::text], ARRAY[%(seat)s::smallint], %(played_at)s FROM moved
        """,
        {
            "match_id": match.match_id,
            "expected": match.action_count,
            "hands": step.hands_played,
            "played_at": step.played_at,
            "deadline_at": step.deadline_at,
            "bot_due_at": step.bot_due_at,
            "acted_at": step.acted_at,
            "thinking": acted.thinking_seconds,
            "seat": step.seat,
            "action": step.action,
        },
    )
    if written != 1:
        raise MatchMoved("the match is not where it was")
    return replace(
        match,
        action_count=match.action_count + 1,
        hands_played=step.hands_played,
        last_action_at=step.played_at,
        deadline_at=step.deadline_at,
        seats=(*match.seats[: step.seat], acted, *match.seats[step.seat + 1 :]),
    )

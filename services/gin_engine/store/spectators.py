"""A match as everybody may see it: where spectators see it later than its players, as it stood then."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from gin_engine.domain.match import Match
from gin_engine.store.states import state_of
from gin_rules.game import game_named
from gin_servicekit.database import Transaction


def shown_to_all(tx: Transaction, match: Match) -> tuple[Match, Any]:
    """The match and its state as spectators may see them now; the state is None before they may see any.

    What is over is shown as it ended, at once: nothing is left to protect, and its result stands in the standings.
    """
    if not match.is_held_back:
        return match, state_of(tx, match)
    then = tx.now - timedelta(seconds=match.spectator_delay_seconds)
    past = _as_of(tx, match, then)
    if match.opened_at > then:
        return past, None
    state = state_of(tx, past)
    return replace(past, hands_played=len(game_named(match.game).hand_results(state))), state


def _as_of(tx: Transaction, match: Match, then: datetime) -> Match:
    # Without its clock: that tells when somebody acted just now.
    (row,) = tx.dicts(
        """
        SELECT coalesce(sum(cardinality(actions)), 0)::integer AS action_count, max(played_at) AS last_action_at,
               (SELECT count(*)::integer FROM rulings WHERE match_id = %(id)s AND ruled_at <= %(then)s) AS ruling_count
          FROM action_blocks WHERE match_id = %(id)s AND played_at <= %(then)s
        """,
        {"id": match.match_id, "then": then},
    )
    return replace(match, **row, hands_played=0, clock=None, turn_began_at=None, clock_due_at=None)

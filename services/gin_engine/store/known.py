"""Matches that this process knows, so that acting and looking need not read again what never changes.

A known match was committed as it is told here. It is at most behind, which one small query, or the guard of the
statement that goes on from it, finds out. What its seats did last, how long they thought, and the deadline may be
older than the rest. Only matches that are played are kept.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import replace
from typing import Any

from gin_engine.domain.match import PLAYING, Match
from gin_engine.store import matches
from gin_engine.store.states import KEPT_STATES, go_on
from gin_servicekit.database import Transaction


class KnownMatches:
    """The matches used last, by id."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._matches: OrderedDict[str, Match] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, match_id: str) -> Match | None:
        with self._lock:
            return self._matches.get(match_id)

    def keep(self, match: Match) -> None:
        """The match as it is committed. A later version of it stays."""
        if match.state != PLAYING or not match.dealt:
            return
        with self._lock:
            before = self._matches.get(match.match_id)
            if before is not None and _is_later(before, match):
                return
            self._matches[match.match_id] = match
            self._matches.move_to_end(match.match_id)
            if len(self._matches) > self._capacity:
                self._matches.popitem(last=False)


def _is_later(one: Match, other: Match) -> bool:
    return one.commitment == other.commitment and one.event_count > other.event_count


_known = KnownMatches(KEPT_STATES)


def remember(match: Match) -> None:
    """To be called when `match` is committed as it is."""
    _known.keep(match)


def after_events(tx: Transaction, match_id: str, event_count: int) -> Match | None:
    """The match after so many actions and rulings. None when it has more, is over, or is not there.

    It may have more by now, and its clocks may have been changed: that is for a guard to find out. `tx` must not have
    written anything.
    """
    match = _known.get(match_id)
    if match is None or match.event_count < event_count:
        match = newest(tx, match_id)
    return match if match is not None and match.event_count == event_count and match.state == PLAYING else None


def newest(tx: Transaction, match_id: str) -> Match | None:
    """The match as it is now. `tx` must not have written anything."""
    known = _known.get(match_id)
    match = None if known is None else _looked_up(tx, known)
    if match is None:
        match = matches.find(tx, match_id)
        if match is None:
            return None
    _known.keep(match)
    return match


def _looked_up(tx: Transaction, known: Match) -> Match | None:
    """The known match as it is now, in one small query. None where that does not tell enough."""
    rows: list[tuple[Any, ...]] = tx.connection.execute(
        """
        SELECT action_count, hands_played, last_action_at, turn_began_at, clock_due_at,
               CASE WHEN clock_move_ms IS NOT NULL THEN
                   (SELECT array_agg(bank_ms ORDER BY seat) FROM seats s WHERE s.match_id = m.match_id) END,
               (SELECT string_agg(array_to_string(actions, E'\\n'), E'\\n' ORDER BY first_action) FROM action_blocks b
                 WHERE b.match_id = m.match_id AND first_action >= %(actions)s)
          FROM matches m
         WHERE match_id = %(match_id)s AND commitment = %(commitment)s AND state = 'playing'
           AND action_count >= %(actions)s AND ruling_count = %(rulings)s
        """,
        {
            "match_id": known.match_id,
            "commitment": known.commitment,
            "actions": known.action_count,
            "rulings": known.ruling_count,
        },
    ).fetchall()
    if not rows:
        return None
    action_count, hands_played, last_action_at, began_at, due_at, banks, new_actions = rows[0]
    seats = known.seats
    if banks is not None:
        seats = tuple(replace(seat, bank_ms=bank) for seat, bank in zip(seats, banks, strict=True))
    elif action_count == known.action_count:
        return known
    match = replace(
        known,
        action_count=action_count,
        hands_played=hands_played,
        last_action_at=last_action_at,
        turn_began_at=began_at,
        clock_due_at=due_at,
        seats=seats,
    )
    if new_actions is not None:  # no action holds a line break
        go_on(known, match, new_actions.split("\n"))
    return match

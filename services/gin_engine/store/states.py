"""The state of a match, rebuilt from its log, and kept in this process to go on from there.

A kept state stands for a committed part of the log, and the log only grows: it is never wrong, at most behind.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import psycopg
import structlog

from gin_engine.domain.match import Match
from gin_engine.domain.play import deal, replay, rule_all
from gin_engine.store import action_log
from gin_engine.store.rulings import rulings_of
from gin_rules.game import game_named
from gin_servicekit.database import Transaction

log = structlog.get_logger()

KEPT_STATES = 512

_Key = tuple[bytes, str]
_Events = tuple[int, int]


class KeptStates:
    """The latest known states of the matches used last, by seed and match: tables with the same cards share a seed."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._states: OrderedDict[_Key, tuple[_Events, Any]] = OrderedDict()
        self._lock = threading.Lock()

    def newest(self, match: Match) -> tuple[_Events, Any] | None:
        """The numbers of actions and rulings and the state after them, at most those of `match`."""
        key = (match.server_seed, match.match_id)
        with self._lock:
            kept = self._states.get(key)
            if kept is None or kept[0][0] > match.action_count or kept[0][1] > match.ruling_count:
                return None
            self._states.move_to_end(key)
            return kept

    def keep(self, match: Match, state: Any) -> None:
        """`state` is the one after all events of `match`, read from what is committed. A later one stays."""
        key, events = (match.server_seed, match.match_id), (match.action_count, match.ruling_count)
        with self._lock:
            if key in self._states and self._states[key][0] > events:
                return
            self._states[key] = (events, state)
            self._states.move_to_end(key)
            if len(self._states) > self._capacity:
                self._states.popitem(last=False)


_kept = KeptStates(KEPT_STATES)


def state_of(tx: Transaction, match: Match) -> Any:
    """The state after the actions and rulings of `match`. To be called before the transaction adds to its log."""
    if match.event_count == 0:
        return deal(match)
    (count, ruled), state = _kept.newest(match) or ((0, 0), None)
    if state is None:
        state = deal(match)
    if count + ruled < match.event_count:
        game = game_named(match.game)
        rulings = rulings_of(tx, match)[ruled:] if ruled < match.ruling_count else []
        for block in action_log.blocks_of(tx, match.match_id, from_action=count, to_action=match.action_count):
            state = replay(game, state, block.first_action, block.actions, rulings)
        state = rule_all(game, state, (entry for entry in rulings if entry.after == match.action_count))
        _kept.keep(match, state)
    return state


def keep(match: Match, state: Any) -> None:
    """`match` is as it is committed, `state` the one after all its events."""
    _kept.keep(match, state)


def go_on(before: Match, after: Match, actions: Sequence[str]) -> None:
    """`after` follows `before` by these actions, all committed: a state that is kept for the one serves the other."""
    kept = _kept.newest(before)
    if kept is not None and kept[0] == (before.action_count, before.ruling_count):
        _kept.keep(after, replay(game_named(after.game), kept[1], before.action_count, actions))


def state_or_none(tx: Transaction, match: Match) -> Any:
    """The same, or None for a match whose state is not to be had."""
    try:
        return state_of(tx, match)
    except psycopg.Error:
        raise
    except Exception as problem:
        # Only the kind of error: its text may name cards.
        log.error("match_stuck", match_id=match.match_id, error=type(problem).__name__)
        return None

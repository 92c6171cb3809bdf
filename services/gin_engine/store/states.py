"""The state of a match, rebuilt from its log, and kept in this process to go on from there.

A kept state stands for a committed part of the log, and the log only grows: it is never wrong, at most behind.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

from gin_engine.domain.match import Match
from gin_engine.domain.play import deal, replay
from gin_engine.store import action_log
from gin_rules.game import game_named
from gin_servicekit.database import Transaction

KEPT_STATES = 512


class KeptStates:
    """The latest known states of the matches used last, by seed, as no two matches share one."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._states: OrderedDict[bytes, tuple[int, Any]] = OrderedDict()
        self._lock = threading.Lock()

    def newest(self, match: Match) -> tuple[int, Any] | None:
        """The number of actions and the state after them, at most those of `match`."""
        with self._lock:
            kept = self._states.get(match.server_seed)
            if kept is None or kept[0] > match.action_count:
                return None
            self._states.move_to_end(match.server_seed)
            return kept

    def keep(self, match: Match, state: Any) -> None:
        """`state` is the one after all actions of `match`, read from what is committed. A later one stays."""
        with self._lock:
            if match.server_seed in self._states and self._states[match.server_seed][0] > match.action_count:
                return
            self._states[match.server_seed] = (match.action_count, state)
            self._states.move_to_end(match.server_seed)
            if len(self._states) > self._capacity:
                self._states.popitem(last=False)


_kept = KeptStates(KEPT_STATES)


def state_of(tx: Transaction, match: Match) -> Any:
    """The state after the `action_count` actions of `match`. To be called before the transaction adds to its log."""
    if match.action_count == 0:
        return deal(match)
    count, state = _kept.newest(match) or (0, None)
    if state is None:
        state = deal(match)
    if count < match.action_count:
        game = game_named(match.game)
        for block in action_log.blocks_of(tx, match.match_id, from_action=count, to_action=match.action_count):
            state = replay(game, state, block.actions)
        _kept.keep(match, state)
    return state

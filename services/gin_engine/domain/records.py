"""The seal of a match's record, published when the match ends.

`gin_rules.record.seal_of` defines it. Here the same text is written without making a value of every action: most
matches are hundreds of actions that bots took within one moment, and sealing them must not cost what playing them did.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from json.encoder import encode_basestring_ascii
from typing import Any, NamedTuple

from gin_engine.domain.match import Match
from gin_rules.game import game_named
from gin_rules.record import MatchRecord, RecordedRuling, record_to_json, scores_of

_NOT_SEALED = ("seed", "salt", "decks", "seal", "actions")


class Played(NamedTuple):
    """Actions that were recorded at one time, and who took each of them."""

    actions: Sequence[str]
    seats: Sequence[int]
    at: datetime


def seal_of_match(match: Match, state: Any, played: Iterable[Played], rulings: Sequence[RecordedRuling]) -> str:
    """The seal of the record that will be shown of the match: `state` is the one after all actions and rulings."""
    game = game_named(match.game)
    record = MatchRecord(
        game=match.game,
        rules=match.rules,
        match_id=match.match_id,
        deal_id=match.deal_id or match.match_id,
        seats=tuple(seat.player_name for seat in match.seats),
        commitment=match.commitment,
        entropy=tuple(seat.entropy for seat in match.seats),
        actions=(),
        scores=scores_of(game, state),
        outcome=game.outcome(state),
        rulings=tuple(rulings),
        first_dealer=match.first_dealer,
    )
    rest = {name: value for name, value in record_to_json(record).items() if name not in _NOT_SEALED}
    others = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    actions = ",".join(entry for block in played for entry in _entries(block))
    # Keys stand in order, and "actions" is before all others.
    return hashlib.sha256(f'{{"actions":[{actions}],{others[1:]}'.encode()).hexdigest()


def _entries(played: Played) -> list[str]:
    at = encode_basestring_ascii(played.at.astimezone(UTC).isoformat())
    return [
        f'{{"action":{encode_basestring_ascii(action)},"at":{at},"seat":{seat}}}'
        for action, seat in zip(played.actions, played.seats, strict=True)
    ]

"""Cursors of pages: opaque to clients, and checked when they come back."""

from __future__ import annotations

import base64
import json
import math
from datetime import UTC, datetime
from typing import Any

from gin_ratings.domain.players import PLAYER_ID
from gin_servicekit.problems import InvalidField

LARGEST_SEQUENCE = 2**63 - 1


def encode(*position: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(position).encode()).decode().rstrip("=")


def pool_and_player(cursor: str | None) -> tuple[str, str] | None:
    """Raises InvalidField for a cursor that the list of ratings never gave."""
    match _decode(cursor):
        case None:
            return None
        case [str(pool), str(player_id)] if "\x00" not in pool and PLAYER_ID.fullmatch(player_id):
            return pool, player_id
    raise _refusal()


def rating_and_player(cursor: str | None) -> tuple[float, str] | None:
    """Raises InvalidField for a cursor that a leaderboard never gave."""
    match _decode(cursor):
        case None:
            return None
        case [float(rating), str(player_id)] if math.isfinite(rating) and PLAYER_ID.fullmatch(player_id):
            return rating, player_id
    raise _refusal()


def time_and_match(cursor: str | None) -> tuple[datetime, str] | None:
    """Raises InvalidField for a cursor that a list of meetings never gave."""
    match _decode(cursor):
        case None:
            return None
        case [str(time), str(match_id)] if "\x00" not in match_id:
            try:
                return datetime.fromisoformat(time).astimezone(UTC), match_id
            except (ValueError, OverflowError):
                raise _refusal() from None
    raise _refusal()


def sequence(cursor: str | None) -> int | None:
    """Raises InvalidField for a cursor that a history never gave."""
    match _decode(cursor):
        case None:
            return None
        case [int(number)] if not isinstance(number, bool) and 0 <= number <= LARGEST_SEQUENCE:
            return number
    raise _refusal()


def _decode(cursor: str | None) -> Any:
    if cursor is None:
        return None
    try:
        # None is what an absent cursor is, so that one that says null must not come through.
        return json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))) or ()
    except (ValueError, RecursionError):
        raise _refusal() from None


def _refusal() -> InvalidField:
    return InvalidField("this cursor is not one of this list", "cursor")

"""Which finished matches count for ratings."""

from __future__ import annotations

import enum
from collections.abc import Sequence


class Verdict(enum.StrEnum):
    """What became of a finished match. All but RATED leave every rating as it was."""

    RATED = "rated"
    NO_POOL = "no_pool"  # it was agreed beforehand that the match is unrated
    VOID = "void"
    DOUBLE_FORFEIT = "double_forfeit"
    NO_SHOW = "no_show"
    TOO_FEW_PLAYERS = "too_few_players"
    PLAYER_TWICE = "player_twice"  # nobody wins or loses rating against themselves


def judge(pool: str | None, ending: str, player_ids: Sequence[str]) -> Verdict:
    """A match counts when it has a pool and was played, also when somebody gave it up; not when somebody never came."""
    if pool is None:
        return Verdict.NO_POOL
    if ending == "void":
        return Verdict.VOID
    if ending == "double_forfeit":
        return Verdict.DOUBLE_FORFEIT
    if ending == "no_show":
        return Verdict.NO_SHOW
    if len(player_ids) < 2:
        return Verdict.TOO_FEW_PLAYERS
    if len(set(player_ids)) < len(player_ids):
        return Verdict.PLAYER_TWICE
    return Verdict.RATED

"""The append-only log of actions: the truth about every match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from gin_engine.domain.match import Match, MatchId
from gin_rules.game import Action
from gin_rules.record import RecordedAction
from gin_servicekit.database import Transaction


@dataclass(frozen=True, slots=True)
class Block:
    """Actions that one transaction added to a match, the first of them numbered `first_action` from 0."""

    match_id: MatchId
    first_action: int
    actions: list[str]
    seats: list[int]
    played_at: datetime


def append(tx: Transaction, blocks: Sequence[Block]) -> None:
    """Adds blocks. A second block at the same place of a match is refused by its key."""
    if not blocks:
        return
    # One text per block: turning hundreds of texts into an array literal one by one would cost more than playing
    # some of them. No action holds a line break.
    tx.execute(
        """
        INSERT INTO action_blocks (match_id, first_action, actions, seats, played_at)
        SELECT match_id, first_action, string_to_array(actions, E'\\n'),
               string_to_array(seats, NULL)::smallint[], played_at
          FROM unnest(%s::text[], %s::integer[], %s::text[], %s::text[], %s::timestamptz[])
               AS b (match_id, first_action, actions, seats, played_at)
        """,
        (
            [block.match_id for block in blocks],
            [block.first_action for block in blocks],
            ["\n".join(block.actions) for block in blocks],
            ["".join(map(str, block.seats)) for block in blocks],
            [block.played_at for block in blocks],
        ),
    )


def blocks_of(tx: Transaction, match_id: MatchId, *, from_action: int = 0, to_action: int) -> list[Block]:
    """The blocks that hold actions `from_action` (where a block must begin) up to, not including, `to_action`."""
    return tx.rows(
        Block,
        """
        SELECT match_id, first_action, actions, seats, played_at FROM action_blocks
         WHERE match_id = %s AND first_action >= %s AND first_action < %s ORDER BY first_action
        """,
        (match_id, from_action, to_action),
    )


def recorded_actions(tx: Transaction, match: Match) -> list[RecordedAction]:
    """Every action of the match so far, as its record tells it."""
    return [
        RecordedAction(seat, Action(action), at)
        for block in blocks_of(tx, match.match_id, to_action=match.action_count)
        for at in (block.played_at.astimezone(UTC),)
        for seat, action in zip(block.seats, block.actions, strict=True)
    ]

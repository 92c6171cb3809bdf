"""A hand of a match that is over, step by step with all cards open, for everybody who looks at it afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gin_rules.game import AnyGame, game_named
from gin_rules.record import MatchRecord, RecordedAction, RecordedRuling
from gin_rules.replay import steps
from gin_rules.score_sheet import score_sheet_to_json

# What stays the same during a match, belongs to other hands, or to one seat alone: not repeated in every step.
_LEFT_OUT = frozenset(
    [
        "rules",
        "results",
        "corrections",
        "cuts",
        "outcome",
        "legal_actions",
        "two_letter_words",
        "history",
        "table",
        "advice",
        "hand",
        "seat",
        "pile",
        "totals",
    ]
)


@dataclass(frozen=True, slots=True)
class OpenStep:
    """A position of a hand. `hands` are by seat of the table, as card texts; of who sits out there is none."""

    seat: int | None
    action: str | None
    """What led here, and who did it; None for the deal."""
    at: datetime | None
    hands: list[list[str]]
    view: dict[str, Any]
    """What everybody saw, without what does not change."""


@dataclass(frozen=True, slots=True)
class OpenHand:
    """One hand: its positions from the deal on. `result` is None where the match was broken off in it."""

    number: int
    hands: int
    """How many hands the match has, one that was broken off included."""
    steps: list[OpenStep]
    result: dict[str, Any] | None
    sheet: dict[str, Any] | None


def open_hand(record: MatchRecord, number: int) -> OpenHand | None:
    """The hand of this number, from 1; None when the match has none. The record must be revealed."""
    game, seats = game_named(record.game), range(len(record.seats))
    found: list[OpenStep] = []
    before: Any = None
    state: Any = None
    for entry, state in steps(record):
        redealt = isinstance(entry, RecordedRuling) and entry.ruling.kind == "redeal" and entry.ruling.hand == number
        if redealt:
            found = []
        if not found:
            seat = next((seat for seat in seats if game.view(state, seat).hand_number == number), None)
            if seat is not None:
                found.append(_step(game, state, seat, number, seats))
        elif isinstance(entry, RecordedAction) and game.view(before, entry.seat).hand_number == number:
            found.append(_after(game, state, entry, number, seats, found[-1]))
        before = state
    if not found:
        return None
    result = next((result for result in game.hand_results(state) if result.number == number), None)
    sheets = {sheet["number"]: sheet for sheet in score_sheet_to_json(game.score_sheet(state))["hands"]}
    last = max(game.view(state, seat).hand_number for seat in seats)
    return OpenHand(
        number, last, found, None if result is None else game.hand_result_to_json(result), sheets.get(number)
    )


def _step(
    game: AnyGame, state: Any, seat: int, number: int, seats: range, entry: RecordedAction | None = None
) -> OpenStep:
    views = [game.view_to_json(game.view(state, each)) for each in seats]
    hands = [view["hand"] if view["hand_number"] == number else [] for view in views]
    view = {name: value for name, value in views[seat].items() if name not in _LEFT_OUT}
    if entry is None:
        return OpenStep(None, None, None, hands, view)
    return OpenStep(entry.seat, entry.action, entry.at, hands, view)


def _after(game: AnyGame, state: Any, entry: RecordedAction, number: int, seats: range, last: OpenStep) -> OpenStep:
    if game.view(state, entry.seat).hand_number == number:
        return _step(game, state, entry.seat, number, seats, entry)
    # The hand ended with this action and the next one is dealt: what lies on the table is in the result.
    result = next(result for result in game.hand_results(state) if result.number == number)
    shown = game.hand_result_to_json(result).get("hands")
    thrown = entry.action.split(" ")[1] if entry.action.startswith(("discard", "knock")) else None
    hands = shown or [[card for card in hand if card != thrown] for hand in last.hands]
    return OpenStep(entry.seat, entry.action, entry.at, hands, last.view | {"phase": "over", "to_act": None})

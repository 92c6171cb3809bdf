"""A recorded match step by step: step 0 is the first deal, step n the table after action n."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from gin_rules.game import AnyGame, game_named
from gin_rules.record import MatchRecord, RecordedAction, replay

# What a table shows beside the hands. Each game's view names what it has; cards are shown as texts.
_SHOWN: Final = ("hand_number", "phase", "turns", "to_act", "totals", "stock_size", "pile_size")
_SHOWN_CARDS: Final = ("top_discard", "upcard")


class Step(NamedTuple):
    """The table after an action, or after the first deal."""

    number: int
    action: RecordedAction | None
    """None at step 0."""
    hands: tuple[tuple[str, ...], ...]
    """Every seat's cards as texts. After an action that ended a hand these are the next deal's."""
    table: dict[str, Any]
    ended: Any
    """The result of the hand that the action ended, as its game has it; None for most steps."""


def steps_of(record: MatchRecord) -> Iterator[Step]:
    """Every step. Raises as `gin_rules.record.replay`: `BrokenReplay` at the first action that does not follow."""
    game = game_named(record.game)
    rules = game.rules_from_json(record.rules)
    over = 0
    for number, state in enumerate(replay(record)):
        results = game.hand_results(state)
        action = record.actions[number - 1] if number else None
        yield _step(
            game, rules, len(record.seats), state, number, action, results[over] if len(results) > over else None
        )
        over = len(results)


def step_to_json(record: MatchRecord, step: Step) -> dict[str, Any]:
    """A step as plain JSON values."""
    action = step.action
    return {
        "step": step.number,
        "seat": None if action is None else action.seat,
        "action": None if action is None else action.action,
        "at": None if action is None else action.at.isoformat(),
        "hands": [list(hand) for hand in step.hands],
        **step.table,
        "ended": None if step.ended is None else game_named(record.game).hand_result_to_json(step.ended),
    }


def step_to_text(record: MatchRecord, step: Step) -> str:
    """A step for people: what was done, what the hand paid, and the table after it."""
    lines = [f"Step {step.number} of {len(record.actions)}, hand {step.table['hand_number']}"]
    if step.action is not None:
        lines.append(f"  {record.seats[step.action.seat]}: {step.action.action}")
    if step.ended is not None:
        lines.append(f"  Hand {step.ended.number} ended: {step.ended.ended.replace('_', ' ')}")
        lines.extend(f"    {record.seats[line.seat]} {line.points:+d}  {line.reason}" for line in step.ended.lines)
    width = max(map(len, record.seats))
    totals = step.table["totals"]
    for name, hand, total in zip(record.seats, step.hands, totals, strict=True):
        lines.append(f"  {name:<{width}} {total:>5}  {' '.join(hand)}")
    lines.append(f"  {_table_text(record, step.table)}")
    return "\n".join(lines)


def _step(
    game: AnyGame, rules: Any, seats: int, state: Any, number: int, action: RecordedAction | None, ended: Any
) -> Step:
    hands = tuple(tuple(game.card_text(card, rules) for card in game.view(state, seat).hand) for seat in range(seats))
    view = game.spectator_view(state)
    table = {name: getattr(view, name) for name in _SHOWN if hasattr(view, name)}
    for name in _SHOWN_CARDS:
        card = getattr(view, name, None)
        if hasattr(view, name):
            table[name] = None if card is None else game.card_text(card, rules)
    return Step(number, action, hands, table, ended)


def _table_text(record: MatchRecord, table: dict[str, Any]) -> str:
    parts = [
        f"{name.replace('_', ' ')} {table[name]}"
        for name in ("top_discard" if "top_discard" in table else "upcard", "stock_size")
        if table.get(name) is not None
    ]
    to_act = table["to_act"]
    parts.append("the match is over" if to_act is None else f"{record.seats[to_act]} to act: {table['phase']}")
    return ", ".join(parts).replace("_", " ")

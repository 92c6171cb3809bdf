"""Playing a match: from its actions to its state, and on, as far as the bots can take it."""

from __future__ import annotations

import hmac
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gin_bots import bot_named
from gin_engine.domain.match import Match
from gin_rules.game import Action, AnyGame, game_named
from gin_rules.replay import RecordedRuling
from gin_rules.shuffle import SeededDeals


@dataclass(frozen=True, slots=True)
class Progress:
    """What was played now: the state after `actions`, and who took each of them."""

    state: Any
    actions: list[Action]
    seats: list[int]


def deal(match: Match) -> Any:
    """The state before the first action."""
    game = game_named(match.game)
    rules = game.rules_from_json(match.rules)
    entropy = tuple(seat.entropy for seat in match.seats)
    deals = SeededDeals(match.server_seed, entropy, match.deal_id or match.match_id, game.deck_size(rules))
    return game.new_match(rules, len(match.seats), deals, first_dealer=match.first_dealer)


def replay(
    game: AnyGame, state: Any, first_action: int, actions: Sequence[str], rulings: Sequence[RecordedRuling] = ()
) -> Any:
    """The state after actions that were accepted before, the first of them numbered `first_action` from 0.

    Of `rulings` those are taken in that stand before one of these actions; those before them are in `state` already.
    """
    if not rulings:
        for action in actions:
            state = game.apply(state, Action(action))
        return state
    by_place: dict[int, list[RecordedRuling]] = defaultdict(list)
    for entry in rulings:
        by_place[entry.after].append(entry)
    for number, action in enumerate(actions, first_action):
        state = game.apply(rule_all(game, state, by_place[number]), Action(action))
    return state


def rule_all(game: AnyGame, state: Any, rulings: Iterable[RecordedRuling]) -> Any:
    """The state after rulings that were accepted before."""
    for entry in rulings:
        state = game.rule(state, entry.ruling)
    return state


def bot_is_to_act(match: Match, state: Any) -> bool:
    seat = game_named(match.game).to_act(state)
    return seat is not None and match.seats[seat].bot is not None


def play_bots(match: Match, state: Any, time_is_up: Callable[[], bool]) -> Progress:
    """Lets bots act until a client must, the match is over, or time is up.

    What a bot does depends on the match's seed and the number of actions so far, so that work which was rolled
    back comes out the same the next time.
    """
    game = game_named(match.game)
    bots = {
        number: (bot_named(seat.bot), random.Random(_bot_seed(match, number)))  # noqa: S311  # repeatable is the point
        for number, seat in enumerate(match.seats)
        if seat.bot is not None
    }
    actions: list[Action] = []
    seats: list[int] = []
    while (seat := game.to_act(state)) in bots and not time_is_up():
        bot, rng = bots[seat]
        action = bot.choose_action(game.view(state, seat), rng)
        state = game.apply(state, action)
        actions.append(action)
        seats.append(seat)
    return Progress(state, actions, seats)


def _bot_seed(match: Match, seat: int) -> bytes:
    # Where matches share their cards, bots must not also share their luck.
    own = f"{match.match_id}/" if match.deal_id else ""
    return hmac.digest(match.server_seed, f"bot/{own}{seat}/{match.event_count}".encode(), "sha256")

"""Whole matches played by bots, and their records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from gin_bots import bot_named
from gin_rules.record import MatchRecord, RecordedAction, RecordedRuling, record_match
from gin_rules.rulings import Ruling
from gin_rules.rummy.game import GIN_RUMMY
from gin_rules.shuffle import SeededDeals, commitment

SEED, SALT = bytes(range(32)), bytes(range(16))
START = datetime(2026, 1, 1, 12, tzinfo=UTC)
NAMES = ("Ann", "Bob", "Cy", "Dee")
Arbiter = Callable[[Any, int], Sequence[Ruling]]


def nobody_rules(_state: Any, _actions: int) -> Sequence[Ruling]:
    return ()


def recorded(
    rules: Mapping[str, Any],
    *,
    seats: int = 2,
    match_id: str = "m-1",
    deal_id: str | None = None,
    first_dealer: int | None = None,
    entropy: Sequence[bytes] | None = None,
    bots: str = "simple",
    arbiter: Arbiter = nobody_rules,
    most_actions: int = 100_000,
    bot_seed: int = 7,
) -> MatchRecord:
    """The record of a match of bots; `arbiter` tells the rulings of a state after so many actions."""
    rule_set = GIN_RUMMY.rules_from_json(rules)
    given = tuple(entropy) if entropy is not None else (b"ann", *[b""] * (seats - 1))
    deals = SeededDeals(SEED, given, deal_id or match_id)
    state: Any = GIN_RUMMY.new_match(rule_set, seats, deals, first_dealer=first_dealer)
    rng, bot = Random(bot_seed), bot_named(bots)
    actions: list[RecordedAction] = []
    rulings: list[RecordedRuling] = []
    while True:
        at = START + timedelta(seconds=len(actions))
        for ruling in arbiter(state, len(actions)):
            state = GIN_RUMMY.rule(state, ruling)
            rulings.append(RecordedRuling(len(actions), at, ruling))
        seat = GIN_RUMMY.to_act(state)
        if seat is None or len(actions) == most_actions:
            break
        action = bot.choose_action(GIN_RUMMY.view(state, seat), rng)
        state = GIN_RUMMY.apply(state, action)
        actions.append(RecordedAction(seat, action, at + timedelta(seconds=1)))
    return record_match(
        game=GIN_RUMMY,
        rules=rule_set,
        match_id=match_id,
        deal_id=deal_id,
        seats=NAMES[:seats],
        commitment=commitment(SALT, SEED),
        entropy=given,
        seed=SEED,
        salt=SALT,
        actions=actions,
        first_dealer=first_dealer,
        rulings=rulings,
    )

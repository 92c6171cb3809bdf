"""What the rules answer over many random hands and matches, as digests: the same for every build of the same rules.

Run with the package under test on the path; prints a JSON object.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from random import Random

from gin_bots import bot_named
from gin_rules import shuffle
from gin_rules.game import Action, Card, IllegalAction, InvalidRules, game_named
from gin_rules.rummy import cards, deadwood, large_hands, match, play, scoring, settlement, state
from gin_rules.rummy.rules import RuleSet
from gin_rules.shuffle import SeededDeals

MODULES = (shuffle, cards, deadwood, large_hands, match, play, scoring, settlement, state)
RULES = (
    {},
    {"preset": "big_gin", "hand_turn_cap": 60},
    {"preset": "oklahoma", "oklahoma_spades": "all", "oklahoma_ace": "one"},
    {"layoffs": "manual", "knock_limit": 10, "target": 40},
    {"buried_draw": True, "stock_end": "recycle", "recycle_shuffled": True, "hand_turn_cap": 80, "fixed_hands": 8},
    {"preset": "traditional", "dealer": "loser", "win_margin": 20, "stock_end": "one"},
)


def hands(rng: Random, number: int) -> Iterator[object]:
    """Least deadwood, best discards and arrangements of hands of ten, eleven and more cards."""
    for at in range(number):
        hand = [Card(card) for card in rng.sample(range(52), (10, 11, 11, 17)[at % 4])]
        yield deadwood.least_deadwood(hand), deadwood.best_discards(hand), deadwood.best_arrangement(hand[:11])
        mask = cards.mask_of(hand)
        yield cards.mask_text(mask), deadwood.least_after_discard(mask), deadwood.melds_in(mask)
        yield [deadwood.is_meld(cards.mask_of(hand[:size])) for size in (3, 4, 5)]


def settlements(rng: Random, number: int) -> Iterator[object]:
    """Settlements of hands full of melds, with the best melds and with named ones, or why they are refused."""
    every = deadwood.melds_in((1 << 52) - 1)
    rules = RuleSet(knock_limit=10)
    for _ in range(number):
        named = rng.sample(every, 3)
        kept = 0
        for meld in named:
            kept |= meld
        others = [card for card in rng.sample(range(52), 52) if not kept >> card & 1]
        while kept.bit_count() < 10:
            kept |= 1 << others.pop()
        knocker = cards.cards_of(kept)
        defender = [Card(card) for card in others[:10]]
        for shown in (None, [cards.cards_of(meld) for meld in named[:2]]):
            try:
                yield settlement.settle(knocker, defender, rules, melds=shown, spade_upcard=True)
            except settlement.RefusedKnock as refused:
                yield str(refused)


def matches(rng: Random, number: int) -> Iterator[object]:
    """Every state, legal action and view of random play, with actions that are refused, under many rules."""
    game = game_named("rummy")
    for at in range(number):
        state = game.new_match(
            game.rules_from_json(RULES[at % len(RULES)]), 2, SeededDeals(bytes(32), (b"x",), f"print {at}")
        )
        while actions := game.legal_actions(state):
            action = rng.choice(actions)
            yield action, len(actions), state.values()[1:]
            if rng.random() < 0.05:
                yield _refusal(state, Action(rng.choice(("knock 7c 7c8c9c", "discard 7x", "done", "take Ah", "pass"))))
            state = game.apply(state, action)
        yield game.hand_results(state), game.outcome(state), game.view(state, 0)[4:]


def bot_matches(rng: Random, number: int) -> Iterator[object]:
    """The results of matches between bots."""
    game, bot = game_named("rummy"), bot_named("simple")
    for at in range(number):
        state = game.new_match(
            game.rules_from_json(RULES[at % len(RULES)]), 2, SeededDeals(bytes(32), (), f"bots {at}")
        )
        while (seat := game.to_act(state)) is not None:
            state = game.apply(state, bot.choose_action(game.view(state, seat), rng))
        yield game.hand_results(state), game.outcome(state)


def _refusal(state: play.State, action: Action) -> str:
    try:
        return repr(play.apply(state, action).values()[1:])
    except (IllegalAction, InvalidRules) as refused:
        return str(refused)


def _digest(answers: Iterator[object]) -> str:
    digest = hashlib.sha256()
    for answer in answers:
        digest.update(repr(answer).encode())
    return digest.hexdigest()


def main(scale: int) -> None:
    """Print the digests, and which modules are compiled."""
    document: dict[str, object] = {
        "compiled": {module.__name__: not (module.__file__ or "").endswith(".py") for module in MODULES},
        "hands": _digest(hands(Random(1), 4000 * scale)),
        "settlements": _digest(settlements(Random(2), 1500 * scale)),
        "matches": _digest(matches(Random(3), 12 * scale)),
        "bot_matches": _digest(bot_matches(Random(4), 60 * scale)),
    }
    sys.stdout.write(json.dumps(document))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)

"""How fast rules and bots are, a processor second: ``PYTHONPATH=shared python benchmarks/rules_speed.py``."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import process_time

from gin_bots import bot_named
from gin_rules.game import game_named
from gin_rules.rummy.cards import SUIT_MASK, mask_of
from gin_rules.rummy.deadwood import least_after_discard_of_suits, least_of_suits
from gin_rules.shuffle import SeededDeals

SEED = bytes(32)


def main() -> None:
    """Print one line a measure."""
    rng = Random(1)
    tens = [_suits(rng.sample(range(52), 10)) for _ in range(20_000)]
    elevens = [_suits(rng.sample(range(52), 11)) for _ in range(20_000)]
    least_of_suits(0, 0, 0, 0)  # fills the tables

    def deadwoods() -> int:
        for c, d, h, s in tens:
            least_of_suits(c, d, h, s)
        return len(tens)

    def discards() -> int:
        for c, d, h, s in elevens:
            least_after_discard_of_suits(c, d, h, s)
        return len(elevens)

    def decks() -> int:
        deals = SeededDeals(SEED, (b"a", b"b"), "speed")
        for number in range(2_000):
            deals.deck(number)
        return 2_000

    _report("ten-card deadwoods", deadwoods)
    _report("eleven-card best discards", discards)
    _report("decks", decks)
    _report("hands of random play", lambda: sum(_random_match(rng, number) for number in range(12)))
    _report("matches simple - simple", lambda: sum(_simple_match(rng, number) for number in range(200)))


def _report(what: str, measure: Callable[[], int]) -> None:
    best = 0.0
    for _ in range(3):
        start = process_time()
        count = measure()
        best = max(best, count / (process_time() - start))
    print(f"{what:>28}: {best:12,.0f} /s")


def _suits(cards: list[int]) -> tuple[int, int, int, int]:
    hand = mask_of(cards)  # type: ignore[arg-type]  # sampled indices are cards
    return hand & SUIT_MASK, hand >> 13 & SUIT_MASK, hand >> 26 & SUIT_MASK, hand >> 39


def _random_match(rng: Random, number: int) -> int:
    game = game_named("rummy")
    legal_actions, apply, bits = game.legal_actions, game.apply, rng.getrandbits
    state = game.new_match(game.rules_from_json({}), 2, SeededDeals(SEED, (), f"random {number}"))
    while actions := legal_actions(state):
        state = apply(state, actions[bits(30) % len(actions)])
    return len(game.hand_results(state))


def _simple_match(rng: Random, number: int) -> int:
    game = game_named("rummy")
    bot = bot_named("simple")
    state = game.new_match(game.rules_from_json({}), 2, SeededDeals(SEED, (), f"simple {number}"))
    while (seat := game.to_act(state)) is not None:
        state = game.apply(state, bot.choose_action(game.view(state, seat), rng))
    return 1


if __name__ == "__main__":
    main()

"""One side of `benchmarks.peers_speed`: measures a single engine for some seconds and prints its rates as JSON.

Runs in the environment of the peers, one process a side, and imports nothing but the side that it measures. Of random
play the loop itself is part: it picks by ``bits(30) % len(actions)`` on every side, the cheapest pick that favours none
by more than a millionth.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from random import Random
from time import process_time
from typing import Any

HANDS = 20_000
HAND_SIZE = 10


def rate(work: Callable[[int], int], seconds: float) -> float:
    """Units a CPU second: `work` is called with 0, 1, 2 … and tells how many units each call was. The first is not
    counted: it fills tables and caches.
    """
    work(0)
    count = number = 0
    started = process_time()
    while (spent := process_time() - started) < seconds:
        number += 1
        count += work(number)
    return count / spent


def random_hands() -> list[list[int]]:
    """The same hands for every side, suit x 13 + rank."""
    rng = Random(1)
    return [rng.sample(range(52), HAND_SIZE) for _ in range(HANDS)]


def ginhall(seconds: float) -> dict[str, float]:
    """Our rules, as they lie on the path: pure or compiled."""
    from gin_rules.rummy import play
    from gin_rules.rummy.cards import SUIT_MASK, mask_of
    from gin_rules.rummy.deadwood import least_deadwood, least_of_suits
    from gin_rules.rummy.match import new_match
    from gin_rules.rummy.rules import STANDARD
    from gin_rules.shuffle import SeededDeals

    hands: Any = random_hands()
    suits = [
        (mask & SUIT_MASK, mask >> 13 & SUIT_MASK, mask >> 26 & SUIT_MASK, mask >> 39)
        for mask in (mask_of(hand) for hand in hands)
    ]
    legal_actions, apply = play.legal_actions, play.apply

    def deadwoods(_: int) -> int:
        for c, d, h, s in suits:
            least_of_suits(c, d, h, s)
        return HANDS

    def deadwoods_of_lists(_: int) -> int:
        for hand in hands:
            least_deadwood(hand)
        return HANDS

    def match(number: int) -> int:
        bits = Random(number).getrandbits
        state = new_match(STANDARD, 2, SeededDeals(bytes(32), (), f"speed {number}"))
        while actions := legal_actions(state):
            state = apply(state, actions[bits(30) % len(actions)])
        return len(state.table.results)

    return {
        "deadwoods": rate(deadwoods, seconds),
        "deadwoods of lists": rate(deadwoods_of_lists, seconds),
        "random play": rate(match, seconds),
        "compiled": float(not (play.__file__ or "").endswith(".py")),
    }


def open_spiel(seconds: float) -> dict[str, float]:
    """OpenSpiel's C++ engine from Python; its cards are suit x 13 + rank too."""
    import pyspiel

    utils = pyspiel.gin_rummy.GinRummyUtils(13, 4, HAND_SIZE)
    game = pyspiel.load_game("gin_rummy")
    hands = random_hands()

    def deadwoods(_: int) -> int:
        for hand in hands:
            utils.min_deadwood(hand)
        return HANDS

    def hand(number: int) -> int:
        bits = Random(number).getrandbits
        state = game.new_initial_state()
        while not state.is_terminal():
            actions: Sequence[int] = state.legal_actions()  # of a chance node, its outcomes
            state.apply_action(actions[bits(30) % len(actions)])
        return 1

    return {"deadwoods": rate(deadwoods, seconds), "random play": rate(hand, seconds)}


def rlcard(seconds: float) -> dict[str, float]:
    """RLCard's environment with its own random agents."""
    import rlcard as library
    from rlcard.agents import RandomAgent

    env = library.make("gin-rummy", config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def hand(_: int) -> int:
        env.run(is_training=False)
        return 1

    return {"random play": rate(hand, seconds)}


if __name__ == "__main__":
    SIDES: dict[str, Callable[[float], dict[str, float]]] = {
        "ginhall": ginhall,
        "open_spiel": open_spiel,
        "rlcard": rlcard,
    }
    print(json.dumps(SIDES[sys.argv[1]](float(sys.argv[2]))))

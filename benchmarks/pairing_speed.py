"""CPU seconds to pair rounds 1, 5 and 9 of a nine-round Swiss tournament, and to rank it afterwards.

Run from the repository root: `PYTHONPATH=shared python benchmarks/pairing_speed.py [entrants ...]`
"""

from __future__ import annotations

import random
import sys
import time

from gin_tournament.model import DecidedPairing, Entrant, EntrantId, Outcome, Pairing, Round, Tally
from gin_tournament.standings import rank
from gin_tournament.swiss import Paired, pair_round

SIZES = (64, 1_024, 4_096, 10_000)
ROUNDS = 9
REPEATS = 3
TIE_BREAKS = (
    "buchholz_cut_1",
    "buchholz",
    "sonneborn_berger",
    "direct_encounter",
    "game_points_difference",
)


def play(pairing: Pairing, rng: random.Random) -> DecidedPairing:
    """One result: a draw in ten, a forfeit in a hundred, else the better seed wins three times of five."""
    chance = rng.random()
    if chance < 0.1:
        outcome = Outcome.DRAW
    elif chance < 0.11:
        outcome = Outcome.SECOND_FORFEITS
    else:
        first_is_better = int(pairing.first[1:]) < int(pairing.second[1:])
        better_wins = rng.random() < 0.6
        outcome = Outcome.FIRST_WINS if first_is_better == better_wins else Outcome.SECOND_WINS
    return DecidedPairing(pairing, outcome, Tally(rng.randrange(150)), Tally(rng.randrange(150)))


def measure(size: int) -> tuple[list[float], float]:
    """Least CPU seconds out of some repeats: for each round, and for the final standings."""
    rng = random.Random(size)
    entrants = [Entrant(EntrantId(f"e{seed}"), seed) for seed in range(1, size + 1)]
    history: list[Round] = []
    seconds = []
    for number in range(1, ROUNDS + 1):
        spent = []
        for _ in range(REPEATS):
            start = time.process_time()
            answer = pair_round(entrants, history, round_number=number)
            spent.append(time.process_time() - start)
        if not isinstance(answer, Paired):
            raise SystemExit(f"{size} entrants, round {number}: {answer}")
        seconds.append(min(spent))
        decided = tuple(play(pairing, rng) for pairing in answer.pairings)
        history.append(Round(number, decided, (answer.bye,) if answer.bye else ()))
    ranking = []
    for _ in range(REPEATS):
        start = time.process_time()
        rank(entrants, history, TIE_BREAKS)
        ranking.append(time.process_time() - start)
    return seconds, min(ranking)


def main(sizes: list[int]) -> None:
    print(f"{'entrants':>8} {'round 1':>9} {'round 5':>9} {'round 9':>9} {'slowest':>9} {'standings':>9}")
    for size in sizes:
        seconds, ranking = measure(size)
        shown = (seconds[0], seconds[4], seconds[8], max(seconds), ranking)
        print(f"{size:>8} " + " ".join(f"{value:>9.4f}" for value in shown))


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or list(SIZES))

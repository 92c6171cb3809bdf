"""CPU seconds to pair rounds 1, 5 and 9 of a nine-round Swiss tournament, and to rank it afterwards; then, for
every other format, for the slowest round to be opened, for all of them, and for the final standings.

Run from the repository root: `PYTHONPATH=shared python benchmarks/pairing_speed.py [entrants ...]`
"""

from __future__ import annotations

import random
import sys
import time
from dataclasses import replace

from gin_tournament.arena import Arena
from gin_tournament.double_elimination import DoubleElimination
from gin_tournament.duplicate import Duplicate
from gin_tournament.format import Finished, Fixture, Format, Open, Result, Situation
from gin_tournament.model import DecidedPairing, Entrant, EntrantId, Outcome, Pairing, Round, Tally
from gin_tournament.pods import Pods
from gin_tournament.round_robin import RoundRobin
from gin_tournament.single_elimination import SingleElimination
from gin_tournament.stages import Stage, Stages
from gin_tournament.standings import rank
from gin_tournament.swiss import Paired, pair_round
from gin_tournament.swiss_rounds import Swiss

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


OTHERS: tuple[tuple[str, Format, int], ...] = (
    ("round robin", RoundRobin(), 64),
    ("round robin", RoundRobin(), 256),
    ("single elimination", SingleElimination(third_place=True), 1_024),
    ("double elimination", DoubleElimination(), 1_024),
    ("arena, 260 rounds", Arena(), 256),
    ("pods, 5 rounds", Pods(rounds=5), 64),
    ("pods, 5 rounds", Pods(rounds=5), 1_024),
    ("duplicate Swiss, 9 rounds", Duplicate(Swiss(rounds=9)), 1_024),
    ("16 groups, knockout", Stages((Stage(RoundRobin(), groups=16), Stage(SingleElimination()))), 128),
)
MOST_ROUNDS = 260  # an arena would go on until its time is up


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


def end(fixture: Fixture, rng: random.Random) -> Result:
    """How an encounter of any format ends."""
    if len(fixture.seats) != 2:
        return Result(places=tuple(rng.sample(range(1, len(fixture.seats) + 1), len(fixture.seats))))
    _, outcome, *tallies = play(Pairing(*fixture.seats), rng)
    return Result(outcome, tallies=tuple(tallies))


def run(format_: Format, size: int) -> tuple[int, list[float], float]:
    """Rounds opened, CPU seconds for each answer that opened one, and for the standings."""
    rng = random.Random(size)
    entrants = tuple(Entrant(EntrantId(f"e{seed}"), seed, 2000 - seed) for seed in range(1, size + 1))
    situation = Situation(entrants)
    spent: list[float] = []
    while len(spent) < MOST_ROUNDS:
        start = time.process_time()
        answer = format_.next_round(situation)
        seconds = time.process_time() - start
        if isinstance(answer, Finished):
            break
        if not isinstance(answer, Open):
            raise SystemExit(f"{format_.kind}, {size} entrants: {answer}")
        spent.append(seconds)
        opened = answer.opened()
        played = tuple(e if e.is_decided else e._replace(result=end(e.fixture, rng)) for e in opened.encounters)
        situation = replace(situation, rounds=(*situation.rounds, opened._replace(encounters=played)))
    start = time.process_time()
    format_.standings(situation)
    return len(spent), spent, time.process_time() - start


def main(sizes: list[int]) -> None:
    print(f"{'entrants':>8} {'round 1':>9} {'round 5':>9} {'round 9':>9} {'slowest':>9} {'standings':>9}")
    for size in sizes:
        seconds, ranking = measure(size)
        shown = (seconds[0], seconds[4], seconds[8], max(seconds), ranking)
        print(f"{size:>8} " + " ".join(f"{value:>9.4f}" for value in shown))
    print(f"\n{'format':<26} {'entrants':>8} {'rounds':>9} {'slowest':>9} {'all':>9} {'standings':>9}")
    for name, format_, size in OTHERS:
        rounds, spent, standings = run(format_, size)
        print(f"{name:<26} {size:>8} {rounds:>9} {max(spent):>9.4f} {sum(spent):>9.4f} {standings:>9.4f}")


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or list(SIZES))

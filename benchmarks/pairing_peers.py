"""CPU seconds to pair the middle round of nine, ours beside gacrux' (the Dutch rules of 2026).

    python -m benchmarks.pairing_peers [ENTRANTS …]

gacrux comes with the development tools; it gets the report that we write, read beforehand. The rules differ in what
they do about colours (docs/tournaments/swiss.md), the work is the same: a best pairing of the whole field.
"""

from __future__ import annotations

import contextlib
import io
import random
import sys
import time
from dataclasses import replace

from gacrux.pairingdutch import pairing_dutch
from gacrux.trf2json import trf2json

from benchmarks.pairing_speed import end
from gin_tournament.document import TournamentDocument
from gin_tournament.format import Open, Situation
from gin_tournament.model import Entrant, EntrantId
from gin_tournament.swiss_rounds import Swiss
from gin_tournament.trf_writer import write_trf

SIZES = (64, 256, 1_024)
ROUNDS = 9
MIDDLE = 5


def middle_round(size: int) -> Situation:
    """A tournament in which the middle round is to be paired."""
    rng = random.Random(size)
    format_ = Swiss(rounds=ROUNDS)
    situation = Situation(tuple(Entrant(EntrantId(f"e{seed}"), seed) for seed in range(1, size + 1)))
    while len(situation.rounds) < MIDDLE - 1:
        answer = format_.next_round(situation)
        assert isinstance(answer, Open)
        opened = answer.opened()
        played = tuple(e if e.is_decided else e._replace(result=end(e.fixture, rng)) for e in opened.encounters)
        situation = replace(situation, rounds=(*situation.rounds, opened._replace(encounters=played)))
    return situation


def ours(situation: Situation) -> float:
    start = time.process_time()
    answer = Swiss(rounds=ROUNDS).next_round(situation)
    seconds = time.process_time() - start
    assert isinstance(answer, Open)
    return seconds


def gacrux(situation: Situation) -> float:
    chessfile = trf2json()
    chessfile.parse_file(write_trf(TournamentDocument(Swiss(rounds=ROUNDS), situation, {})), 0)
    tournament = chessfile.get_tournament(1)
    tournament["pairingSystem"], tournament["maxMeets"] = ["dutch"], 1
    start = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        brackets = pairing_dutch(tournament, MIDDLE, {"verbose": 0, "experimental": []}).compute_pairing(False)
    seconds = time.process_time() - start
    assert sum(len(bracket.get("pairs", ())) for bracket in brackets if bracket) == len(situation.entrants) // 2
    return seconds


def main(sizes: list[int]) -> None:
    print(f"{'entrants':>8} {'ours':>9} {'gacrux':>9} {'ratio':>7}")
    for size in sizes:
        situation = middle_round(size)
        mine, theirs = min(ours(situation) for _ in range(3)), gacrux(situation)
        print(f"{size:>8} {mine:>9.4f} {theirs:>9.3f} {theirs / mine:>7.0f}", flush=True)


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or list(SIZES))

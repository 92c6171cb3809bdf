"""CPU seconds to pair the middle round of nine, ours beside gacrux' (the Dutch rules of 2026).

    python -m benchmarks.pairing_peers [ENTRANTS …]

gacrux comes with the development tools. py4swiss, of which the kernel is C++, is measured too where it is on the path
(`pip install --target FOLDER py4swiss`, and FOLDER in PYTHONPATH). Both get the report that we write, read beforehand.
The rules differ in what they do about colours (docs/tournaments/swiss.md), the work is the same: a best pairing of the
whole field.
"""

from __future__ import annotations

import contextlib
import io
import random
import sys
import tempfile
import time
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

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


def py4swiss(situation: Situation) -> float:
    engines, trf = import_module("py4swiss.engines"), import_module("py4swiss.trf")
    report = write_trf(TournamentDocument(Swiss(rounds=ROUNDS), situation, {}))
    known = [line for line in report.splitlines() if line[:3] in ("001", "012", "062", "092")]
    with tempfile.NamedTemporaryFile("w", suffix=".trf") as file:
        file.write("\n".join([*known, f"XXR {ROUNDS}", "XXC white1", ""]))
        file.flush()
        parsed = trf.TrfParser.parse(Path(file.name))
    start = time.process_time()
    pairings = engines.DutchEngine.generate_pairings(parsed)
    seconds = time.process_time() - start
    assert len(pairings) == len(situation.entrants) // 2
    return seconds


def main(sizes: list[int]) -> None:
    peers = {"gacrux": gacrux} | ({"py4swiss": py4swiss} if find_spec("py4swiss") else {})
    print(f"{'entrants':>8} {'ours':>9} " + " ".join(f"{name:>9} {'ratio':>7}" for name in peers))
    for size in sizes:
        situation = middle_round(size)
        mine = min(ours(situation) for _ in range(3))
        figures = [f"{theirs:>9.3f} {theirs / mine:>7.0f}" for theirs in (peer(situation) for peer in peers.values())]
        print(f"{size:>8} {mine:>9.4f} " + " ".join(figures), flush=True)


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or list(SIZES))

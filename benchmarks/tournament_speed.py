"""How long a tournament of bots takes through the whole house, beside the same matches in a bare loop.

    python -m benchmarks.tournament_speed [PLAYERS] [ROUNDS]

The bare loop plays as many matches with the same rules and bots, on as many processes as there are cores, and
writes nothing down. The tournament goes through the task queue, Postgres, ratings and standings. Both in one run.
"""

from __future__ import annotations

import os
import random
import resource
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psutil

from gin_bots import bot_named
from gin_local.folders import Folders
from gin_local.house import House
from gin_local.ports import free_ports
from gin_local.rest import Client
from gin_rules.game import game_named
from gin_rules.shuffle import SeededDeals

BOT = "simple"
LEAD_SECONDS = 10


def play_bare(numbers: range) -> int:
    """Plays one match a number and returns how many hands that took."""
    game, bot = game_named("rummy"), bot_named(BOT)
    rules = game.rules_from_json({"preset": "standard"})
    hands = 0
    for number in numbers:
        deals = SeededDeals(number.to_bytes(32, "big"), (b"a" * 16, b"b" * 16), f"bench {number}", 52)
        state, rng = game.new_match(rules, 2, deals), random.Random(number)
        while (seat := game.to_act(state)) is not None:
            state = game.apply(state, bot.choose_action(game.view(state, seat), rng))
        outcome = game.outcome(state)
        assert outcome is not None
        hands += outcome.hands_played
    return hands


@dataclass(frozen=True)
class Bare:
    """What the matches alone take: wall-clock and CPU seconds, and how many hands they had."""

    seconds: float
    cpu: float
    hands: int


def bare_loop(matches: int, cores: int) -> Bare:
    """That many matches, spread over the cores."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with ProcessPoolExecutor(cores) as pool:
        list(pool.map(play_bare, [range(2)] * cores))  # tables are built before the clock starts
        started = time.perf_counter()
        chunks = [range(start, min(start + 25, matches)) for start in range(0, matches, 25)]
        hands = sum(pool.map(play_bare, chunks))
        seconds = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Bare(seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, hands)


def tournament(house: House, url: str, players: int, rounds: int) -> dict[str, Any]:
    """Runs a Swiss of bots; seconds from the first pairing to the end, CPU seconds by process, and the standings."""
    person = {"name": "bench", "password": "only for this run"}
    client = Client(url)
    client.post("/api/v1/accounts", person)
    client = client.with_token(client.post("/api/v1/tokens", person)["token"])
    starts_at = datetime.now(UTC) + timedelta(seconds=LEAD_SECONDS + players / 20)
    plan = {"name": "Bench", "rounds": rounds, "starts_at": starts_at.isoformat(), "format": "swiss"}
    created = client.post("/api/v1/tournaments", plan)
    path = f"/api/v1/tournaments/{created['tournament_id']}"
    client.post(f"{path}/registration")

    def enter(number: int) -> None:
        bot = client.post("/api/v1/players", {"name": f"Bot {number}", "kind": "bot", "bot": BOT})
        client.post(f"{path}/entrants", {"player_id": bot["player_id"]})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(enter, range(1, players + 1)))
    before = cpu_seconds(house)
    while (now := client.get(path))["state"] not in ("finished", "cancelled"):
        time.sleep(1)
    after = cpu_seconds(house)
    if now["state"] != "finished" or now["ended_because"]:
        raise SystemExit(f"the tournament ended as {now['state']}: {now['ended_because']}")
    first = client.get(f"{path}/rounds")["rounds"][0]["paired_at"]
    seconds = (datetime.fromisoformat(now["ended_at"]) - datetime.fromisoformat(first)).total_seconds()
    return {"seconds": seconds, "cpu": {name: after[name] - before.get(name, 0.0) for name in after}}


def cpu_seconds(house: House) -> dict[str, float]:
    """CPU seconds so far of every process of the house, its children with it."""
    used = {}
    for process in house.supervisor.processes():
        if process.pid:
            parent = psutil.Process(process.pid)
            used[process.name] = sum(_cpu(p) for p in (parent, *parent.children(recursive=True)))
    return used


def _cpu(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    # A child that has ended is counted with its parent, and one that runs with itself.
    return times.user + times.system + times.children_user + times.children_system


def main(arguments: list[str]) -> None:
    players = int(arguments[0]) if arguments else 1000
    rounds = int(arguments[1]) if len(arguments) > 1 else 9
    cores = len(os.sched_getaffinity(0))
    matches = players // 2 * rounds
    with tempfile.TemporaryDirectory(prefix="ginhall-bench-") as folder:
        Path(folder).chmod(0o711)
        house = House(Folders(Path(__file__).resolve().parents[1], Path(folder) / "data"))
        url = house.up(free_ports(1)[0])
        try:
            before = bare_loop(matches, cores)
            measured = tournament(house, url, players, rounds)
            after = bare_loop(matches, cores)
        finally:
            house.stop()
    bare, bare_cpu = (before.seconds + after.seconds) / 2, (before.cpu + after.cpu) / 2
    house_cpu = sum(measured["cpu"].values())
    print(f"{players} players, {rounds} rounds, {matches} matches, {before.hands} hands, {cores} cores")
    print(f"{'':<18}{'wall s':>8} {'CPU s':>8}")
    print(f"{'bare loop':<18}{bare:8.1f} {bare_cpu:8.1f}   (before {before.seconds:.1f}, after {after.seconds:.1f})")
    print(f"{'tournament':<18}{measured['seconds']:8.1f} {house_cpu:8.1f}")
    print(f"{'ratio':<18}{measured['seconds'] / bare:8.2f} {house_cpu / bare_cpu:8.2f}")
    for name, seconds in sorted(measured["cpu"].items(), key=lambda item: -item[1]):
        print(f"  CPU {name:<16} {seconds:8.1f} s")


if __name__ == "__main__":
    main(sys.argv[1:])

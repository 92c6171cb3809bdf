"""A house is saved in the middle of a tournament and restored elsewhere, where the tournament runs to its end."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gin_local.folders import Folders
from gin_local.house import House
from gin_local.ports import free_ports
from gin_local.rest import Client
from tests.support.folders import passable_folder
from tests.support.house import ROOT, RunningHouse, assert_nothing_lost_or_doubled, eventually, running_house

PLAYERS, ROUNDS = 8, 3


@pytest.fixture
def folder() -> Iterator[Path]:
    with passable_folder() as folder:
        yield folder


def ginhall(*words: str, status: int = 0) -> str:
    """What the command prints; it must end with `status`."""
    ended = subprocess.run(
        [sys.executable, "-m", "gin_local", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "shared"), str(ROOT / "services")))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == status, f"{words}: {ended.returncode}\n{ended.stdout}\n{ended.stderr}"
    return ended.stdout if status == 0 else ended.stderr


def told(*words: str) -> Any:
    return json.loads(ginhall(*words, "--json"))


def begin(running: RunningHouse) -> tuple[str, str, str]:
    """A tournament of built-in bots and a program, which starts: its path, and the program's player and token.

    While the program does not act, its match and so the round go on, however fast everything else is.
    """
    client = running.client
    plan = {"name": "Friday", "rounds": ROUNDS, "starts_at": running.later(), "rules": {"target": 60}}
    path = f"/api/v1/tournaments/{client.post('/api/v1/tournaments', plan)['tournament_id']}"
    client.post(f"{path}/registration")
    players = [{"name": f"Bot {number}", "kind": "bot", "bot": "simple"} for number in range(1, PLAYERS)]
    for player in [*players, {"name": "Program", "kind": "bot"}]:
        player_id = client.post("/api/v1/players", player)["player_id"]
        client.post(f"{path}/entrants", {"player_id": player_id})
    token = client.post(f"/api/v1/players/{player_id}/tokens", {})["token"]
    running.start(path)
    return path, player_id, token


def play(program: Client, player_id: str, round_number: int | None = None) -> None:
    """The program plays what is to be played now, or what is of that round."""
    for match in program.get(f"/api/v1/matches?player_id={player_id}&state=playing")["matches"]:
        if round_number not in (None, match["round"]):
            continue
        seat = program.get(f"/api/v1/matches/{match['match_id']}/seat")
        while seat["state"] == "playing":
            if seat["to_act"] == seat["seat"]:
                action = {"action": seat["legal_actions"][-1], "action_count": seat["action_count"]}
                program.post(f"/api/v1/matches/{match['match_id']}/actions", action)
            seat = program.get(f"/api/v1/matches/{match['match_id']}/seat")


def test_a_tournament_goes_on_where_its_backup_is_restored(folder: Path) -> None:
    file, elsewhere = folder / "house.backup", folder / "elsewhere"
    with running_house(folder) as running:
        data = str(folder / "house")
        assert told("account", "administrator", "organiser", "--data", data)["name"] == "Organiser"
        assert "/reset/" in ginhall("account", "reset-link", "Organiser", "--data", data)
        assert "no account" in ginhall("account", "reset-link", "Nobody", "--data", data, status=1)
        path, player_id, token = begin(running)
        program = running.client.with_token(token)

        def in_second_round() -> bool:
            play(program, player_id, round_number=1)
            return bool(running.client.get(path)["current_round"] == 2)

        eventually(in_second_round, "the second round")
        summary = told("backup", str(file), "--data", data)  # while the bots play that round
        assert "stop it first" in ginhall("restore", str(file), "--force", "--data", data, status=1)
    assert summary["rows"] > 100
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "is there already" in ginhall("backup", str(file), "--data", data, status=1)

    assert told("restore", str(file), "--data", str(elsewhere))["rows"] == summary["rows"]
    assert "--force" in ginhall("restore", str(file), "--data", str(elsewhere), status=1)
    house = House(Folders(ROOT, elsewhere))
    url = house.up(free_ports(1)[0], {**os.environ, "GINHALL_API_PROCESSES": "1", "GINHALL_TICK_SECONDS": "0.5"})
    try:
        restored = RunningHouse(house, Client(url))
        program = Client(url, token)  # the signing keys came along
        assert restored.client.get(path)["state"] == "running"

        def is_over() -> bool:
            play(program, player_id)
            return bool(restored.client.get(path)["state"] == "finished")

        eventually(is_over, "the end of the tournament")
        assert_nothing_lost_or_doubled(restored, path, ROUNDS, PLAYERS)
    finally:
        house.stop()

"""Programs that play: the example of docs/bots.md and `ginhall bot`, in one tournament through the gateway; and the
example of docs/webhooks.md, which is told of it.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from gin_local.ports import free_ports
from tests.support.folders import passable_folder
from tests.support.house import ROOT, RunningHouse, eventually, running_house

ROUNDS = 2
FINISHED_SECONDS = 300


@pytest.fixture
def running() -> Iterator[RunningHouse]:
    with passable_folder() as folder, running_house(folder, GINHALL_WEBHOOKS_LOCAL="1") as running:
        yield running


def started(command: list[str], token: str, **secrets: str) -> subprocess.Popen[str]:
    path = os.pathsep.join((str(ROOT / "shared"), str(ROOT / "services")))
    environment = {**os.environ, "PYTHONPATH": path, "GINHALL_TOKEN": token, "PYTHONUNBUFFERED": "1", **secrets}
    return subprocess.Popen(
        [sys.executable, *command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def is_told(deliveries: list[dict[str, Any]]) -> bool:
    """All of it, ratings included, which come last."""
    rated = sum(delivery["type"] == "rating.changed" for delivery in deliveries)
    return rated >= 4 and all(delivery["state"] == "delivered" for delivery in deliveries)


def test_programs_play_a_tournament_from_entry_to_its_end(running: RunningHouse) -> None:
    client, url = running.client, running.house.running_url()
    assert url is not None
    plan = {"name": "Programs", "rounds": ROUNDS, "starts_at": running.later(), "rules": {"target": 25}}
    tournament_id = client.post("/api/v1/tournaments", plan)["tournament_id"]
    path = f"/api/v1/tournaments/{tournament_id}"
    client.post(f"{path}/registration")
    tokens, players = {}, {}
    for name in ("Example", "Program"):
        players[name] = client.post("/api/v1/players", {"name": name, "kind": "bot"})["player_id"]
        tokens[name] = client.post(f"/api/v1/players/{players[name]}/tokens", {})["token"]
    for number in (1, 2):
        bot = client.post("/api/v1/players", {"name": f"Bot {number}", "kind": "bot", "bot": "simple"})
        client.post(f"{path}/entrants", {"player_id": bot["player_id"]})
    (port,) = free_ports(1)
    wanted = ["tournament.started", "round.paired", "match.waiting", "tournament.finished", "rating.changed"]
    webhook = client.post("/api/v1/webhooks", {"url": f"http://127.0.0.1:{port}/", "events": wanted})
    receiver = started(
        [str(ROOT / "examples" / "webhook_receiver.py"), str(port)], "", GINHALL_WEBHOOK_SECRET=webhook["secret"]
    )
    example = started([str(ROOT / "examples" / "bot.py"), url, tournament_id], tokens["Example"])
    program = started(
        ["-m", "gin_local", "bot", "planner", "--server", url, "--tournament", tournament_id, "--json"],
        tokens["Program"],
    )
    try:
        eventually(lambda: len(client.get(f"{path}/entrants")["entrants"]) == 4, "all have entered")
        running.start(path)
        eventually(lambda: client.get(path)["state"] == "finished", "the end of the tournament", FINISHED_SECONDS)
        told, complaints = program.communicate(timeout=60)
        _, trouble = example.communicate(timeout=60)
        deliveries = f"/api/v1/webhooks/{webhook['webhook_id']}/deliveries?limit=200"
        eventually(lambda: is_told(client.get(deliveries)["deliveries"]), "everything is told to the receiver")
        receiver.terminate()
        heard, _ = receiver.communicate(timeout=60)
    finally:
        for process in (example, program, receiver):
            process.kill()
            process.wait()

    assert (program.returncode, complaints) == (0, "")
    assert (example.returncode, trouble) == (0, "")
    events = [json.loads(line) for line in told.splitlines()]
    assert [event["state"] for event in events if event["event"] == "tournament"][-1] == "finished"
    assert [event["event"] for event in events].count("result") == ROUNDS
    by_type = Counter(line.split()[1] for line in heard.splitlines())
    once = {"tournament.started": 1, "tournament.finished": 1, "round.paired": ROUNDS, "match.waiting": 2 * ROUNDS}
    assert {name: by_type[name] for name in once} == once
    standings = client.get(f"{path}/standings")["standings"]
    assert {players["Example"], players["Program"]} <= {line["player_id"] for line in standings}
    for name, player_id in players.items():
        found = client.get(f"/api/v1/matches?tournament_id={tournament_id}&player_id={player_id}")["matches"]
        assert [match["ending"] for match in found] == ["played"] * ROUNDS, name

"""Every format that the lobby drives, at the same time in one house, each played by bots to its end."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from gin_rules.duplicate import verify_duplicate
from gin_rules.record import record_from_json
from gin_rules.verify import verify
from tests.support.folders import passable_folder
from tests.support.house import RunningHouse, eventually, running_house

SHORT = {"game": "rummy", "rules": {"preset": "short"}}
WORD = {"game": "word", "rules": {"preset": "short"}}
TABLES = {"game": "rummy", "rules": {"target": 20}}
TOURNAMENTS: dict[str, dict[str, Any]] = {
    "swiss": {"format": {"kind": "swiss", "rounds": 3, "best_of": 3}, **SHORT},
    "round robin": {"format": {"kind": "round_robin"}, **SHORT},
    "single elimination": {"format": {"kind": "single_elimination", "best_of_last": [3, 5]}, **SHORT},
    "double elimination": {"format": {"kind": "double_elimination"}, **SHORT},
    "stages": {
        "format": {
            "kind": "stages",
            "stages": [
                {"format": {"kind": "round_robin"}, "groups": 2, "advance": 2},
                {"format": {"kind": "single_elimination", "third_place": True}},
            ],
        },
        **SHORT,
    },
    "word pods": {"format": {"kind": "pods", "rounds": 2}, **WORD},
    "rotation pods": {"format": {"kind": "pods", "rounds": 2}, **TABLES},
    "arena": {"format": {"kind": "arena", "duration_seconds": 60}, **SHORT},
    "ladder": {"format": {"kind": "ladder", "best_of": 3}, **SHORT},
    "duplicate": {"format": {"kind": "duplicate", "format": {"kind": "swiss", "rounds": 2}, "hands": 2}, **SHORT},
    "mirrored duplicate": {
        "format": {
            "kind": "duplicate",
            "format": {"kind": "single_elimination"},
            "hands": 2,
            "mirrored": True,
            "ranking": "format",
        },
        **SHORT,
    },
}
BOTS = 6
ARENA_ROUNDS = 12


@pytest.fixture
def running() -> Iterator[RunningHouse]:
    with passable_folder() as folder, running_house(folder) as running:
        yield running


def entered(running: RunningHouse, name: str, plan: dict[str, Any]) -> str:
    """A tournament with its bots, that starts when it is told to; returns its path."""
    client = running.client
    created = client.post("/api/v1/tournaments", {"name": name, "starts_at": running.later()} | plan)
    path = f"/api/v1/tournaments/{created['tournament_id']}"
    client.post(f"{path}/registration")
    bot = "wordsmith-50" if plan["game"] == "word" else "simple"
    for number in range(1, BOTS + 1):
        made = client.post("/api/v1/players", {"name": f"{name} {number}", "kind": "bot", "bot": bot})
        client.post(f"{path}/entrants", {"player_id": made["player_id"]})
    return path


def test_every_format_runs_itself_to_its_end(running: RunningHouse) -> None:
    client = running.client
    paths = {}
    for name, plan in sorted(TOURNAMENTS.items(), key=lambda item: item[0] != "arena"):  # which lasts a minute
        paths[name] = entered(running, name, plan)
        running.start(paths[name])
    _leave_but_one(running, paths["arena"])
    people = _with_people(running)
    _challenge(running, paths.pop("ladder"))
    for name, path in paths.items():
        eventually(lambda path=path: client.get(path)["state"] in ("finished", "cancelled"), f"the end of {name}", 180)
    for name, path in paths.items():
        tournament = client.get(path)
        assert (name, tournament["state"], tournament["ended_because"]) == (name, "finished", None)
        _assert_whole(running, path, TOURNAMENTS[name])
    kinds = {
        name: Counter(len(p["fixture"]["seats"]) for p in _pairings(running, path)) for name, path in paths.items()
    }
    assert kinds["round robin"] == {2: 15}
    assert kinds["single elimination"] == {1: 2, 2: 5}
    assert kinds["stages"] == {1: 6, 2: 6 + 4}
    assert kinds["word pods"] == kinds["rotation pods"] == {3: 4}
    assert kinds["double elimination"][2] in (10, 11)
    final = _pairings(running, paths["single elimination"])[-1]
    assert (final["fixture"]["best_of"], len(final["matches"]) >= 3) == (5, True)
    assert kinds["duplicate"] == {2: 6}
    assert kinds["mirrored duplicate"] == {1: 2, 2: 5}
    for name in ("duplicate", "mirrored duplicate"):
        _assert_same_cards(running, paths[name])
    _assert_nobody_waits_for_the_absent(running, *people)


def _leave_but_one(running: RunningHouse, path: str) -> None:
    """Once some rounds of the arena are played, nobody is left to be paired: it would play all its minute long."""
    client = running.client
    eventually(lambda: client.get(path)["current_round"] >= ARENA_ROUNDS, "some rounds of the arena")
    for entrant in client.get(f"{path}/entrants")["entrants"][1:]:
        client.delete(f"{path}/entrants/{entrant['player_id']}")


def _with_people(running: RunningHouse) -> tuple[str, str, str]:
    """A Swiss of five bots, of a person who never comes and one who leaves in the first round; its path and those two.

    Ten seconds for an action, so that nobody need wait for a deadline.
    """
    client = running.client
    plan = {
        "format": {"kind": "swiss", "rounds": 3},
        "clock": {"move_seconds": 10, "bank_seconds": 0},
        "name": "people",
        "starts_at": running.later(),
        "check_in_minutes": 0,
        **SHORT,
    }
    path = f"/api/v1/tournaments/{client.post('/api/v1/tournaments', plan)['tournament_id']}"
    client.post(f"{path}/registration")
    players = []
    for name in ("Absent", "Leaving"):
        person = {"name": name, "password": "correct horse battery"}
        player_id = client.post("/api/v1/accounts", person)["player_id"]
        own = client.with_token(client.post("/api/v1/tokens", person)["token"])
        own.post(f"{path}/entrants", {"player_id": player_id})
        players.append((player_id, own))
    for number in range(1, 6):
        made = client.post("/api/v1/players", {"name": f"People {number}", "kind": "bot", "bot": "simple"})
        client.post(f"{path}/entrants", {"player_id": made["player_id"]})
    running.start(path)
    (absent, _), (leaving, own) = players
    eventually(lambda: client.get(path)["state"] == "running", "the start of the tournament with people")
    own.delete(f"{path}/entrants/{leaving}")
    return path, absent, leaving


def _assert_nobody_waits_for_the_absent(running: RunningHouse, path: str, absent: str, leaving: str) -> None:
    """Who does not come forfeits, and after the second time is not paired any more, as who has left."""
    client = running.client
    eventually(lambda: client.get(path)["state"] == "finished", "the end of the tournament with people", 60)
    states = {e["player_id"]: e["state"] for e in client.get(f"{path}/entrants?limit=200")["entrants"]}
    assert (states[absent], states[leaving]) == ("dropped", "withdrawn")
    pairings = _pairings(running, path)
    sat = {player: [p for p in pairings if player in p["fixture"]["seats"]] for player in (absent, leaving)}
    assert ([p["round"] for p in sat[absent]], [p["round"] for p in sat[leaving]]) == ([1, 2], [1])
    for player, encounters in sat.items():
        for pairing in encounters:
            lost = "first_forfeits" if pairing["first_id"] == player else "second_forfeits"
            assert pairing["result"] in (lost, "double_forfeit")
            assert client.get(f"/api/v1/matches/{pairing['match_id']}")["ending"] in ("no_show", "double_forfeit")
    assert [entry["what"] for entry in client.get(f"{path}/log?what=dropped")["entries"]] == ["dropped"]
    assert [len([p for p in pairings if p["round"] == n]) for n in (1, 2, 3)] == [4, 3, 3]
    assert client.get(f"/api/v1/ratings/{absent}")["ratings"] == []


def _assert_same_cards(running: RunningHouse, path: str) -> None:
    """The published records of every round are of the same cards and hold, and the differences follow from them."""
    client = running.client
    for number in range(1, client.get(path)["current_round"] + 1):
        tables = [p for p in _pairings(running, path) if p["round"] == number and p["matches"]]
        records = [
            record_from_json(client.get(f"/api/v1/matches/{match['match_id']}/record"))
            for pairing in tables
            for match in pairing["matches"]
        ]
        assert verify_duplicate(records) is None
        nets = [p["first_score"] - p["second_score"] for p in tables]
        for pairing, net in zip(tables, nets, strict=True):
            others = max(len(nets) - 1, 1)
            gain = net - (sum(nets) - net) / others
            assert pairing["differences"] == pytest.approx([gain, -gain])


def _challenge(running: RunningHouse, path: str) -> None:
    """The last of the ladder challenges whoever stands three places above, and takes the place by winning."""
    client = running.client
    eventually(lambda: client.get(path)["state"] == "running", "the start of the ladder")
    seeds = [entrant["player_id"] for entrant in client.get(f"{path}/entrants")["entrants"]]
    client.post(f"{path}/challenges", {"challenger_id": seeds[5], "opponent_id": seeds[2]})
    eventually(lambda: [r["state"] for r in client.get(f"{path}/rounds")["rounds"]] == ["scored"], "the challenge")
    (pairing,) = _pairings(running, path)
    if (pairing["result"] == "first_wins") == (pairing["first_id"] == seeds[5]) and pairing["result"] != "draw":
        seeds[2], seeds[5] = seeds[5], seeds[2]
    assert [line["player_id"] for line in client.get(f"{path}/standings")["standings"]] == seeds
    _assert_whole(running, path, TOURNAMENTS["ladder"])


def _pairings(running: RunningHouse, path: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = running.client.get(f"{path}/pairings")["pairings"]
    return found


def _assert_whole(running: RunningHouse, path: str, plan: dict[str, Any]) -> None:
    """Everything is decided; engine and lobby agree about every match; the first record replays as it was played."""
    client = running.client
    pairings = _pairings(running, path)
    assert all(pairing["result"] is not None for pairing in pairings)
    assert {round_["state"] for round_ in client.get(f"{path}/rounds")["rounds"]} == {"scored"}
    matches = [match for pairing in pairings for match in pairing["matches"]]
    assert len({match["match_id"] for match in matches}) == len(matches) > 0
    for match in matches[:3]:
        played = client.get(f"/api/v1/matches/{match['match_id']}")
        assert [seat["player_id"] for seat in played["seats"]] == match["seats"]
        assert [seat["score"] for seat in played["seats"]] == [t["game_points"] for t in match["ended"]["tallies"]]
        assert played["game"] == plan["game"]
    assert verify(record_from_json(client.get(f"/api/v1/matches/{matches[0]['match_id']}/record"))) is None
    standings = client.get(f"{path}/standings")
    assert (len(standings["standings"]), standings["complete"]) == (BOTS, True)

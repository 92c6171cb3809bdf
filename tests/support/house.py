"""The whole house on real processes, a tournament in it, and the proof that nothing was lost or counted twice."""

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psutil

from gin_local.errors import HouseError
from gin_local.folders import Folders
from gin_local.house import House
from gin_local.ports import free_ports
from gin_local.rest import Client
from gin_ratings.domain.ledger import Difference, entry_from_json, verify
from gin_tournament.model import Bye, ByeKind, DecidedPairing, Entrant, EntrantId, Outcome, Pairing, Round, Tally
from gin_tournament.standings import rank

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 120.0


def eventually(done: Callable[[], bool], what: str, seconds: float = PATIENCE_SECONDS) -> None:
    """Returns as soon as `done`; asks again while the house cannot answer; fails after `seconds`."""
    deadline = time.monotonic() + seconds
    problem: HouseError | None = None
    while time.monotonic() < deadline:
        try:
            if done():
                return
        except HouseError as error:
            problem = error
        time.sleep(0.1)
    raise AssertionError(f"not within {seconds:.0f} s: {what}" + (f" ({problem})" if problem else ""))


@dataclass
class RunningHouse:
    """A house that stands, with an organiser's token."""

    house: House
    client: Client

    def pids(self, name: str) -> list[int]:
        """The process `name` and all its children; nothing while there is none."""
        for process in self.house.supervisor.processes():
            if process.name == name and process.pid:
                with suppress(psutil.NoSuchProcess):  # it has just died, and the supervisor did not notice yet
                    parent = psutil.Process(process.pid)
                    return [process.pid, *(child.pid for child in parent.children(recursive=True))]
        return []

    def kill(self, name: str, *, children: bool = True) -> None:
        """kill -9, of the process alone or with its children."""
        for pid in self.pids(name)[: None if children else 1]:
            with suppress(ProcessLookupError):  # it died of the one before it
                os.kill(pid, signal.SIGKILL)

    def environment(self, name: str) -> dict[str, str]:
        """The environment in which the process `name` runs."""
        return psutil.Process(self.pids(name)[0]).environ()

    @property
    def redis_url(self) -> str:
        return self.environment("beat")["REDIS_URL"]

    def tournament(self, players: int, rounds: int, target: int) -> str:
        """A Swiss of built-in bots that starts in a moment; returns its path."""
        path = self.entered(players, rounds, target)
        self.start(path)
        return path

    def entered(self, players: int, rounds: int, target: int) -> str:
        """The same, which waits for its start."""
        plan = {"name": "Chaos", "rounds": rounds, "starts_at": self.later(), "rules": {"target": target}}
        created = self.client.post("/api/v1/tournaments", plan)
        path = f"/api/v1/tournaments/{created['tournament_id']}"
        self.client.post(f"{path}/registration")
        for number in range(1, players + 1):
            bot = self.client.post("/api/v1/players", {"name": f"Bot {number}", "kind": "bot", "bot": "simple"})
            self.client.post(f"{path}/entrants", {"player_id": bot["player_id"]})
        return path

    def later(self) -> str:
        """A start that leaves time to enter, however slow the machine is."""
        return (datetime.now(UTC) + timedelta(hours=1)).isoformat()

    def start(self, path: str, organiser: Client | None = None) -> None:
        """Moves the start to the next moment; to a later one where the house hears of that when it is past."""
        client = organiser or self.client

        def is_moved() -> bool:
            client.patch(path, {"starts_at": (datetime.now(UTC) + timedelta(seconds=0.5)).isoformat()})
            return True

        eventually(is_moved, f"a new start of {path}")

    def in_round(self, path: str, number: int) -> None:
        """Returns once the tournament plays this round, or a later one."""
        eventually(lambda: self.client.get(path)["current_round"] >= number, f"round {number} of {path}")

    def finished(self, path: str) -> None:
        eventually(lambda: self.client.get(path)["state"] == "finished", f"the end of {path}")

    def decided(self, path: str) -> int:
        return sum(pairing["result"] is not None for pairing in self.client.get(f"{path}/pairings")["pairings"])


@contextmanager
def running_house(folder: Path, **environment: str) -> Iterator[RunningHouse]:
    """A house in `folder`, small and quick to notice what got lost; stopped at the end."""
    quick = {
        "GINHALL_OUTBOX_RESEND_SECONDS": "2",
        "GINHALL_TICK_SECONDS": "0.5",
        "GINHALL_API_PROCESSES": "1",
        "GINHALL_API_THREADS": "4",
    }
    house = House(Folders(ROOT, folder / "house"))
    url = house.up(free_ports(1)[0], {**os.environ, **quick, **environment})
    try:
        client = Client(url)
        person = {"name": "Organiser", "password": "the organiser's password"}
        client.post("/api/v1/accounts", person)
        yield RunningHouse(house, client.with_token(client.post("/api/v1/tokens", person)["token"]))
    finally:
        house.stop()


def assert_nothing_lost_or_doubled(running: RunningHouse, path: str, rounds: int, players: int) -> None:
    """Every pairing once and decided, every match once in engine and ratings, standings as the results imply."""
    client = running.client
    tournament = client.get(path)
    assert (tournament["state"], tournament["ended_because"]) == ("finished", None)
    pairings = client.get(f"{path}/pairings")["pairings"]
    assert len(pairings) == rounds * players // 2
    assert all(pairing["result"] is not None for pairing in pairings)
    seated = Counter((p["round"], player) for p in pairings for player in (p["first_id"], p["second_id"]))
    assert set(seated.values()) == {1}
    met = Counter(frozenset((p["first_id"], p["second_id"])) for p in pairings)
    assert set(met.values()) == {1}
    _assert_matches_agree(client, tournament["tournament_id"], pairings)
    _assert_ledger_is_whole(client, pairings)
    _assert_standings_follow(client, path, tournament, pairings)


def _assert_matches_agree(client: Client, tournament_id: str, pairings: list[dict[str, Any]]) -> None:
    matches = _pages(client, f"/api/v1/matches?tournament_id={tournament_id}", "matches")
    assert sorted(match["match_id"] for match in matches) == sorted(pairing["match_id"] for pairing in pairings)
    results = {pairing["match_id"]: pairing for pairing in pairings}
    for match in matches:
        assert (match["state"], match["ending"]) == ("finished", "played")
        pairing = results[match["match_id"]]
        scores = [seat["score"] for seat in match["seats"]]
        assert scores == [pairing["first_score"], pairing["second_score"]]
        winner = min(match["seats"], key=lambda seat: seat["place"])["seat"]
        assert pairing["result"] == ("first_wins", "second_wins")[winner]


def _assert_ledger_is_whole(client: Client, pairings: list[dict[str, Any]]) -> None:
    """Each match rated once for each player, and the pool the same as recomputed from the matches."""

    def rated() -> list[dict[str, Any]]:
        return public_ledger(client, "rummy/open")

    eventually(lambda: len(rated()) >= 2 * len(pairings), "every match rated")
    entries = rated()
    counted = Counter((entry["match_id"], entry["player_id"]) for entry in entries)
    assert set(counted.values()) == {1}
    assert {match_id for match_id, _ in counted} == {pairing["match_id"] for pairing in pairings}
    assert verify_public(entries) is None
    newest = {entry["player_id"]: entry["after"] for entry in entries}
    for player_id, rating in newest.items():
        shown = client.get(f"/api/v1/ratings/{player_id}")["ratings"]
        assert [line["rating"] for line in shown if line["pool"] == "rummy/open"] == [rating]


def _assert_standings_follow(
    client: Client, path: str, tournament: Mapping[str, Any], pairings: list[dict[str, Any]]
) -> None:
    entrants = client.get(f"{path}/entrants")["entrants"]
    field = [Entrant(EntrantId(e["player_id"]), e["seed"]) for e in entrants if e["seed"] is not None]
    history = [
        Round(number, *_decided([p for p in pairings if p["round"] == number]))
        for number in sorted({p["round"] for p in pairings})
    ]
    points = {line.entrant: float(line.points) for line in rank(field, history)}
    document = client.get(f"{path}/standings")
    assert (document["round"], document["complete"]) == (tournament["current_round"], True)
    assert {line["player_id"]: line["points"] for line in document["standings"]} == points
    order = [line["points"] for line in document["standings"]]
    assert order == sorted(order, reverse=True)


def _decided(pairings: list[dict[str, Any]]) -> tuple[tuple[DecidedPairing, ...], tuple[Bye, ...]]:
    games = tuple(
        DecidedPairing(
            Pairing(EntrantId(p["first_id"]), EntrantId(p["second_id"])),
            Outcome(p["result"]),
            Tally(p["first_score"]),
            Tally(p["second_score"]),
        )
        for p in pairings
        if p["second_id"]
    )
    byes = tuple(Bye(EntrantId(p["first_id"]), ByeKind.PAIRING_ALLOCATED) for p in pairings if not p["second_id"])
    return games, byes


def public_ledger(client: Client, pool: str) -> list[dict[str, Any]]:
    """Every entry, the oldest first; none while nothing in the pool is rated."""
    entries: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        page = client.get(f"/api/v1/pools/{pool}/ledger?limit=500&after={after}")
        entries += page["entries"]
        after = page["next_after"]
    return entries


def verify_public(entries: list[dict[str, Any]]) -> Difference | None:
    """The first difference between the ledger as published and its recomputation from the matches in it."""
    return verify([entry_from_json(entry) for entry in entries])


def _pages(client: Client, path: str, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor = ""
    while True:
        page = client.get(f"{path}&limit=200{cursor}")
        found += page[name]
        if page["next_cursor"] is None:
            return found
        cursor = f"&cursor={page['next_cursor']}"

"""The main job through the gateway, as an organiser and a program would do it: from opening to published standings."""

import json
import socket
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.error import HTTPError

import psycopg
import pytest

from gin_local.house import House
from gin_local.rest import Client, RefusedError
from gin_rules.record import record_from_json
from gin_rules.verify import verify
from tests.support.folders import passable_folder
from tests.support.house import RunningHouse, eventually, running_house

BOTS, ROUNDS = 7, 3
SLOW = 24  # more than a service of these tests has threads for


@pytest.fixture(scope="module")
def running() -> Iterator[RunningHouse]:
    """A house for all tests that leave it as it was but for what they add."""
    with passable_folder() as folder, running_house(folder) as running:
        yield running


def url_of(running: RunningHouse) -> str:
    url = running.house.running_url()
    assert url is not None
    return url


def fetch(url: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    request = urllib.request.Request(url, headers={name.replace("_", "-"): value for name, value in headers.items()})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, {k.lower(): v for k, v in answer.headers.items()}, answer.read()
    except HTTPError as error:
        with error:
            return error.code, {k.lower(): v for k, v in error.headers.items()}, error.read()


def play_own_seats(client: Client, player_id: str, tournament_id: str) -> None:
    """What a program does that plays as a bot: look for its matches, take the last legal action until they are over."""
    found = client.get(f"/api/v1/matches?tournament_id={tournament_id}&player_id={player_id}&state=playing")
    for match in found["matches"]:
        while True:
            seat = client.get(f"/api/v1/matches/{match['match_id']}/seat")
            if seat["state"] != "playing":
                break
            if seat["to_act"] != seat["seat"]:
                continue
            action = {"action": seat["legal_actions"][-1], "action_count": seat["action_count"]}
            client.post(f"/api/v1/matches/{match['match_id']}/actions", action)


def test_a_tournament_of_bots_and_a_program_runs_itself_to_published_standings(running: RunningHouse) -> None:
    client, url = running.client, url_of(running)
    plan = {
        "name": "Friday",
        "rounds": ROUNDS,
        "starts_at": running.later(),
        "rules": {"preset": "short"},
        "capacity": 9,
    }
    tournament_id = client.post("/api/v1/tournaments", plan)["tournament_id"]
    path = f"/api/v1/tournaments/{tournament_id}"
    own = client.post("/api/v1/players", {"name": "Program", "kind": "bot"})["player_id"]
    with pytest.raises(RefusedError, match="announced"):
        client.post(f"{path}/entrants", {"player_id": own})
    client.post(f"{path}/registration")
    program = Client(url, client.post(f"/api/v1/players/{own}/tokens", {})["token"])
    program.post(f"{path}/entrants", {"player_id": own})
    names = {own: "Program"}
    for number in range(1, BOTS + 1):
        bot = client.post("/api/v1/players", {"name": f"Bot {number}", "kind": "bot", "bot": "simple"})
        client.post(f"{path}/entrants", {"player_id": bot["player_id"]})
        names[bot["player_id"]] = bot["name"]
    leaver = client.post("/api/v1/players", {"name": "Leaver", "kind": "bot", "bot": "simple"})["player_id"]
    client.post(f"{path}/entrants", {"player_id": leaver})
    client.delete(f"{path}/entrants/{leaver}")
    running.start(path)

    def over() -> bool:
        play_own_seats(program, own, tournament_id)
        return bool(client.get(path)["state"] == "finished")

    eventually(over, "the end of the tournament")

    standings = client.get(f"{path}/standings")
    assert {line["player_id"]: line["name"] for line in standings["standings"]} == names
    assert sum(line["points"] for line in standings["standings"]) == ROUNDS * (BOTS + 1) / 2
    assert [round_["state"] for round_ in client.get(f"{path}/rounds")["rounds"]] == ["scored"] * ROUNDS
    pairings = client.get(f"{path}/pairings")["pairings"]
    assert len(pairings) == ROUNDS * (BOTS + 1) // 2

    status, headers, body = fetch(f"{url}{path}/standings")
    assert status == 200
    assert json.loads(body) == standings
    assert fetch(f"{url}{path}/standings", If_None_Match=headers["etag"])[0] == 304
    for what in (f"{path}/rounds", f"{path}/pairings", f"/api/v1/matches/{pairings[0]['match_id']}", "/api/v1/ratings"):
        status, headers, _ = fetch(url + what)
        assert status == 200
        assert fetch(url + what, If_None_Match=headers["etag"])[0] == 304

    for pairing in pairings:
        record = client.get(f"/api/v1/matches/{pairing['match_id']}/record")
        assert verify(record_from_json(record)) is None
    rated = client.get(f"/api/v1/ratings/{own}")["ratings"]
    eventually(lambda: len(client.get("/api/v1/ratings?pool=rummy/open")["ratings"]) == BOTS + 1, "ratings of all")
    assert rated == [] or rated[0]["pool"] == "rummy/open"


def test_documents_pages_and_problems_come_through_the_gateway(running: RunningHouse) -> None:
    url = url_of(running)
    documentation = fetch(f"{url}/docs/")[2].decode()
    documents = [f"/api/v1/openapi/{name}.json" for name in ("lobby", "engine", "ratings")]
    for path in (*documents, "/live/v1/openapi.json"):
        status, _, body = fetch(url + path)
        assert (status, json.loads(body)["openapi"]) == (200, "3.1.0")
        assert f'data-document="{path}"' in documentation
    assert b"Play the computer" in fetch(f"{url}/")[2]
    assert fetch(f"{url}/static/ginhall.css")[0] == 200
    for path in ("/api/v1/tournaments/x", "/api/v1/matches/x", "/api/v1/ratings/x", "/nowhere"):
        status, headers, body = fetch(url + path)
        assert (status, headers["content-type"]) == (404, "application/problem+json")
        assert json.loads(body)["type"].startswith("urn:ginhall:problem:")
    for path in ("/healthz", "/readyz", "/metrics"):
        assert fetch(url + path)[0] == 404


def test_passwords_are_kept_at_a_cost_that_makes_guessing_dear(running: RunningHouse) -> None:
    """At least RFC 9106's second recommendation: argon2id, 64 MiB, three passes, four lanes."""
    with psycopg.connect(running.environment("lobby-api")["DATABASE_URL"]) as connection:
        kept = connection.execute("SELECT password_hash FROM accounts WHERE name = 'Organiser'").fetchone()
    assert kept is not None
    assert kept[0].startswith("$argon2id$v=19$m=65536,t=3,p=4$")


def test_two_dozen_trickling_requests_keep_nobody_else_waiting(running: RunningHouse) -> None:
    """Clients that send a byte now and then occupy the gateway, not the few threads of a service."""
    url = url_of(running)
    host, _, port = url.removeprefix("http://").partition(":")
    with ExitStack() as open_sockets:
        for _ in range(SLOW):
            client = open_sockets.enter_context(socket.create_connection((host, int(port))))
            client.sendall(
                b"POST /api/v1/accounts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                b'Content-Length: 500000\r\n\r\n{"name"'
            )
        for _ in range(3):
            assert fetch(f"{url}/api/v1/tournaments")[0] == 200


def test_a_house_that_was_stopped_in_the_middle_goes_on_where_it_was() -> None:
    with passable_folder() as folder, running_house(folder) as running:
        path = running.tournament(players=16, rounds=4, target=500)
        running.in_round(path, 2)
        before = running.decided(path)
        port = int(url_of(running).rsplit(":", 1)[1])
        running.house.stop()
        House(running.house.folders).up(port)
        assert running.decided(path) >= before
        running.finished(path)
        assert running.decided(path) == 4 * 8

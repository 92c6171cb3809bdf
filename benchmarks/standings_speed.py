"""How many GETs of a 10,000-player standings document a second, beside a bare Flask view with as many bytes.

    python -m benchmarks.standings_speed [SECONDS] [PLAYERS]

Both run under gunicorn with the settings of production and are asked by the same clients, in turns; the best turn of
each counts. A real Postgres holds the document. Then the same with If-None-Match, which answers 304.
"""

from __future__ import annotations

import base64
import hashlib
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from gin_local.ports import free_ports
from tests.support.servers import Servers, create_test_database, drop_test_database, wait_until_ready

ROOT = Path(__file__).resolve().parents[1]
CLIENTS = 4
TURNS = 3
TIE_BREAKS = ("buchholz_cut_1", "buchholz", "direct_encounter", "wins", "game_points_difference")
BARE = """
from pathlib import Path
from flask import Flask, Response, request

app = Flask(__name__)
body = Path({path!r}).read_bytes()


@app.get("/")
def document():
    response = Response(body, content_type="application/json")
    response.set_etag({etag!r})
    return response.make_conditional(request)
"""


def standings(players: int) -> str:
    """A document such as the lobby writes after nine rounds."""
    rng = random.Random(players)
    lines = [
        {
            "rank": rank,
            "movement": rng.randrange(-50, 50),
            "player_id": str(UUID(int=rng.getrandbits(128))),
            "name": f"Player {rank}",
            "kind": "human",
            "withdrawn": False,
            "points": 9 - rank * 9 / players,
            "played": 9,
            "wins": 5,
            "draws": 0,
            "losses": 4,
            "progress": [rng.randrange(2) for _ in range(9)],
            "tie_breaks": {name: rng.randrange(100) / 2 for name in TIE_BREAKS},
        }
        for rank in range(1, players + 1)
    ]
    document = {"tournament_id": "", "round": 9, "complete": True, "tie_breaks": list(TIE_BREAKS)}
    return json.dumps(document | {"standings": lines, "groups": []})


@contextmanager
def gunicorn(
    application: str, port: int, folder: Path, environment: dict[str, str], settings: str = "gunicorn.conf.py"
) -> Iterator[None]:
    """Serves until the block ends, with the settings of production."""
    path = os.pathsep.join((str(ROOT / "shared"), str(ROOT / "services"), str(folder)))
    command = [sys.executable, "-m", "gunicorn", "-c", str(ROOT / "deploy" / settings), application]
    served = {**os.environ, **environment, "PYTHONPATH": path, "GINHALL_BIND": f"127.0.0.1:{port}"}
    process = subprocess.Popen(command, cwd=folder, env=served, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(30)


def wait_until_it_answers(port: int, path: str) -> tuple[int, str]:
    """The length and the ETag of what is served there."""
    deadline = time.monotonic() + 30
    while True:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            connection.request("GET", path)
            answer = connection.getresponse()
            body = answer.read()
            if answer.status != 200:
                raise SystemExit(f"{path}: {answer.status} {body[:200]!r}")
            return len(body), answer.headers["ETag"]
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def rate(port: int, path: str, seconds: float, etag: str | None) -> float:
    """Answers a second to a few clients that each keep their connection."""
    counts = [0] * CLIENTS
    until = time.monotonic() + seconds

    def ask(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        headers = {"If-None-Match": etag} if etag else {}
        while time.monotonic() < until:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == (304 if etag else 200), answer.status
            counts[number] += 1

    clients = [threading.Thread(target=ask, args=(number,)) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    return sum(counts) / seconds


def put(url: str, body: str, etag: str) -> str:
    """Stores the document as that of a tournament; returns its path."""
    tournament_id, account_id = uuid4(), uuid4()
    with psycopg.connect(url) as connection:
        connection.execute(
            "INSERT INTO players (player_id, name, kind, created_at) VALUES (%s, 'Organiser', 'human', now())",
            (account_id,),
        )
        connection.execute(
            "INSERT INTO accounts (account_id, name, password_hash, created_at) VALUES (%s, 'Organiser', '', now())",
            (account_id,),
        )
        connection.execute(
            "INSERT INTO tournaments (tournament_id, organiser_id, name, game, rules, format, admits,"
            " minimum_entrants, starts_at, check_in_minutes, round_minutes, lots_seed, state, current_round,"
            " score_after, created_at)"
            " VALUES (%s, %s, 'Bench', 'rummy', '{}', '{\"kind\": \"swiss\"}', 'mixed', 2, now(), 0, 60, 0, 'running',"
            " 9, now(), now())",
            (tournament_id, account_id),
        )
        connection.execute(
            "INSERT INTO standings (tournament_id, round_number, body, etag) VALUES (%s, 9, %s, %s)",
            (tournament_id, body, etag),
        )
    return f"/api/v1/tournaments/{tournament_id}/standings"


def compare(url: str, redis_url: str, seconds: float, players: int) -> None:
    body = standings(players)
    etag = hashlib.sha256(body.encode()).hexdigest()[:32]
    key = bytes(range(32))
    public = Ed25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw()
    environment = {
        "DATABASE_URL": url,
        "REDIS_URL": redis_url,
        "GINHALL_TOKEN_PRIVATE_KEY": base64.urlsafe_b64encode(key).decode(),
        "GINHALL_TOKEN_PUBLIC_KEY": base64.urlsafe_b64encode(public).decode(),
    }
    path = put(url, body, etag)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "body.json").write_text(body)
        (folder / "bare.py").write_text(BARE.format(path=str(folder / "body.json"), etag=etag))
        ours, bare = free_ports(2)
        with gunicorn("gin_lobby.app:create_app()", ours, folder, environment), gunicorn("bare:app", bare, folder, {}):
            sides = {"lobby": (ours, path), "bare Flask view": (bare, "/")}
            served = {side: wait_until_it_answers(*where) for side, where in sides.items()}
            assert len(set(served.values())) == 1, served
            print(f"{players} players, {len(body.encode()):,} bytes, {CLIENTS} clients, best of {TURNS} turns")
            print(f"{'GETs a second':<16} {'200':>9} {'304':>9}")
            best: dict[str, list[float]] = {side: [0.0, 0.0] for side in sides}
            for _ in range(TURNS):
                for at, tag in enumerate((None, f'"{etag}"')):
                    for side, where in sides.items():
                        best[side][at] = max(best[side][at], rate(*where, seconds, tag))
            for side, rates in best.items():
                print(f"{side:<16} " + " ".join(f"{value:>9.1f}" for value in rates))
            ratios = [best["lobby"][at] / best["bare Flask view"][at] for at in range(2)]
            print(f"{'ratio':<16} " + " ".join(f"{value:>9.2f}" for value in ratios))


def main(seconds: float = 3.0, players: int = 10_000) -> None:
    servers = Servers()
    try:
        addresses = servers.start()
        wait_until_ready(addresses)
        database = create_test_database(addresses.postgres)
        url = database.url("gin_lobby")
        compare(url, f"{addresses.redis}0", seconds, players)
        drop_test_database(addresses.postgres, database)
    finally:
        servers.stop()


if __name__ == "__main__":
    main(*(convert(text) for convert, text in zip((float, int), sys.argv[1:], strict=False)))

"""Moves a second at 500 tables at once, beside a bare Flask view with one committed single-row update.

    python -m benchmarks.moves_speed [TABLES] [SECONDS]

Both stand behind the gateway of production, under gunicorn with the settings of production, on the same Postgres, and
are asked by the same clients, in turns; the best turn of each counts. A move is a POST of an action of a seat that a
client plays, its commit, the answer with what the seat sees then, and the live event that tells the other seat what
that one sees: the clients play both seats of a table, and listen for both. Where they do not listen they have to GET
what the other seat sees; for them there is a bare row with as many GETs of as many bytes, which ask no database. Then
the same with people's pace: every table moves once in five seconds, and the round trip is told.
"""

from __future__ import annotations

import base64
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import psycopg

from benchmarks.moves_clients import Load, Outcome
from benchmarks.standings_speed import ROOT, gunicorn
from gin_engine.use_cases.open_matches import open_matches
from gin_local.plan import executable
from gin_local.ports import free_ports, listens
from gin_messages.match import OpenMatch, SeatPlan
from gin_servicekit.service import Service
from gin_servicekit.settings import Settings
from tests.support.servers import Servers, create_test_database, drop_test_database, wait_until_ready
from tests.support.services import PUBLIC_KEY, token_for

TURNS = 3
SECONDS_A_MOVE = 5.0
PROCESSES = os.environ.get("GINHALL_API_PROCESSES", "2")  # as docker-compose.yml has it
ENGINE, ENGINE_AND_LOOKS = "engine, live events", "engine, GETs"
MOVES_ALONE, MOVES_AND_LOOKS = "bare, moves alone", "bare, moves and GETs"
LEAST_MOVE = "least honest move, GETs"
BARE_TABLES = """
CREATE TABLE bare (id integer PRIMARY KEY, moves integer NOT NULL DEFAULT 0, last text);
INSERT INTO bare SELECT generate_series(0, {last});
CREATE TABLE bare_seats (id integer PRIMARY KEY REFERENCES bare, acted_at timestamptz);
INSERT INTO bare_seats SELECT generate_series(0, {last});
CREATE TABLE bare_log (id integer REFERENCES bare, number integer, action text, PRIMARY KEY (id, number));
"""
BARE = """
import json, os, threading
from collections import Counter
from flask import Flask, Response, jsonify, request
from gin_servicekit.auth import TokenVerifier
from gin_servicekit.settings import read_key
from psycopg_pool import ConnectionPool

app = Flask(__name__)
pool = ConnectionPool(os.environ["DATABASE_URL"], min_size=1, max_size=8, open=False)
single = ConnectionPool(os.environ["DATABASE_URL"], min_size=1, max_size=8, open=False, kwargs={{"autocommit": True}})
answer = {{"filler": "x" * {size}}}
spent, spending = Counter(), threading.Lock()
tokens = TokenVerifier(read_key(os.environ, "GINHALL_TOKEN_PUBLIC_KEY"), os.environ["REDIS_URL"])
STEP = \"\"\"
    WITH done AS (UPDATE bare SET moves = moves + 1, last = %(action)s WHERE id = %(row)s AND moves = %(moves)s
                  RETURNING id, moves),
         acted AS (UPDATE bare_seats SET acted_at = now() FROM done WHERE bare_seats.id = done.id)
    INSERT INTO bare_log SELECT id, moves, %(action)s FROM done
\"\"\"


@app.get("/api/v1/matches/<int:row>/seat")
def seat(row):
    return jsonify(answer)


@app.post("/api/v1/matches/<int:row>/actions")
def move(row):
    pool.open()
    with pool.connection() as connection:
        connection.execute("UPDATE bare SET moves = moves + 1, last = %s WHERE id = %s", (request.json["action"], row))
    return jsonify(answer)


@app.post("/api/v1/matches/<int:row>/least")
def least(row):
    who = tokens.verify(request.headers["Authorization"].removeprefix("Bearer "))
    with spending:
        spent[who.account_id] += 1
    action = request.get_json()["action"]
    single.open()
    with single.connection() as connection:
        (moves,) = connection.execute("SELECT moves FROM bare WHERE id = %s", (row,)).fetchone()
        done = connection.execute(STEP, {{"action": action, "row": row, "moves": moves}}).rowcount
    return Response(json.dumps({{"done": done, **answer}}), content_type="application/json")
"""


@contextmanager
def gateway(port: int, backend: int, live: int, folder: Path) -> Iterator[None]:
    """Production's gateway with the engine's routes leading to `backend`, and live's to `live`."""
    (folder / "caddy").mkdir(exist_ok=True)
    data = str(folder / "caddy")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": data,
        "XDG_DATA_HOME": data,
        "XDG_CONFIG_HOME": data,
        "GATEWAY_SITE": f"http://:{port}",
        "GATEWAY_LISTEN": "127.0.0.1",
        **{f"{name}_API": f"127.0.0.1:{backend}" for name in ("LOBBY", "ENGINE", "RATINGS")},
        "LIVE_API": f"127.0.0.1:{live}",
    }
    command = [executable("caddy"), "run", "--config", "deploy/Caddyfile", "--adapter", "caddyfile"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 30
        while not all(listens(one) for one in (port, backend, live)):
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit("the gateway or what stands behind it does not answer")
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(30)


def open_tables(url: str, redis_url: str, tables: int) -> list[str]:
    """So many matches between two clients each; returns their ids."""
    settings = Settings(url, redis_url, PUBLIC_KEY, None, "", 4, 30, 1)
    service = Service.start("engine", settings)
    ids = [f"bench-{number}" for number in range(tables)]
    wishes = [
        OpenMatch(
            match_id=match_id,
            tournament_id=None,
            round_number=None,
            game="rummy",
            rules={"preset": "standard"},
            seats=[SeatPlan(f"{side}-{match_id}", side, None) for side in ("a", "b")],
            rating_pool=None,
            deadline_at=None,
            first_dealer=0,
        )
        for match_id in ids
    ]
    with service.transaction() as tx:
        open_matches(tx, wishes)
    service.database.close()
    return ids


def measure(url: str, engine_url: str, redis_url: str, tables: int, seconds: float) -> None:
    ids = open_tables(engine_url, redis_url, tables)
    tokens = {seat: token_for(seat, now=datetime.now(UTC)) for match in ids for seat in (f"a-{match}", f"b-{match}")}
    with psycopg.connect(url) as connection:
        connection.execute(BARE_TABLES.format(last=tables - 1))
    environment = {
        "DATABASE_URL": engine_url,
        "REDIS_URL": redis_url,
        "GINHALL_TOKEN_PUBLIC_KEY": base64.urlsafe_b64encode(PUBLIC_KEY).decode(),
        "GINHALL_API_PROCESSES": PROCESSES,
        "GINHALL_LIVE_WATCHERS_PER_ADDRESS": str(10 * tables),  # all clients have the same
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours, bare, live, our_gate, bare_gate = free_ports(5)
        with (
            gunicorn("gin_engine.app:create_app()", ours, folder, environment),
            gunicorn("gin_live.app:create_app()", live, folder, environment, "gunicorn_live.conf.py"),
            gateway(our_gate, ours, live, folder),
        ):
            hearing, looking = Load(our_gate, ids, tokens, hear=True), Load(our_gate, ids, tokens)
            size = looking.answer_size()
            (folder / "bare.py").write_text(BARE.format(size=size))
            bare_environment = {**environment, "DATABASE_URL": url}
            with gunicorn("bare:app", bare, folder, bare_environment), gateway(bare_gate, bare, live, folder):
                print(
                    f"{tables} tables at once, answers of about {size} bytes, API processes: {PROCESSES},"
                    f" best of {TURNS} turns of {seconds:g} s, load of the machine {os.getloadavg()[0]:.1f}"
                )
                bare_load, least = Load(bare_gate, ids, None), Load(bare_gate, ids, tokens, least=True)
                compare(Loads(hearing, looking, bare_load, least), seconds)


class Loads(NamedTuple):
    """Clients of the engine that listen, or look; of the bare view; and of the least honest move."""

    hearing: Load
    looking: Load
    bare: Load
    least: Load


def one_turn(loads: Loads, seconds: float, pace: float | None) -> dict[str, Outcome]:
    """All of them, one after another; to the others come as many GETs as to the engine just before."""
    hearing, looking = loads.hearing.run(seconds, pace), loads.looking.run(seconds, pace)
    return {
        ENGINE: hearing,
        ENGINE_AND_LOOKS: looking,
        MOVES_ALONE: loads.bare.run(seconds, pace),
        MOVES_AND_LOOKS: loads.bare.run(seconds, pace, looking.looks),
        LEAST_MOVE: loads.least.run(seconds, pace, looking.looks),
    }


def compare(loads: Loads, seconds: float) -> None:
    turns = [one_turn(loads, seconds, None) for _ in range(TURNS)]
    best = {name: max((turn[name] for turn in turns), key=lambda outcome: outcome.moves) for name in turns[0]}
    print(f"{'as fast as it goes':<24} {'moves/s':>8} {'requests/s':>11} {'p50 ms':>8} {'p99 ms':>8}")
    for name, outcome in best.items():
        print(f"{name:<24} {outcome.told()}")
    for ours, others in ((ENGINE, MOVES_ALONE), (ENGINE_AND_LOOKS, MOVES_AND_LOOKS), (ENGINE_AND_LOOKS, LEAST_MOVE)):
        print(f"{ours + ' ÷ ' + others:<48} {best[ours].moves / best[others].moves:.2f}")
    print("CPU ms a move")
    for name, outcome in best.items():
        parts = ", ".join(f"{part} {used:.2f}" for part, used in sorted(outcome.cpu_ms.items()))
        print(f"{name:<24} {sum(outcome.cpu_ms.values()):>8.2f}  {parts}")
    print("at people’s pace")
    for name, outcome in one_turn(loads, max(seconds, 2 * SECONDS_A_MOVE), SECONDS_A_MOVE).items():
        print(f"{name:<24} {outcome.told()}")


def main(tables: int = 500, seconds: float = 8.0) -> None:
    servers = Servers()
    try:
        addresses = servers.start()
        wait_until_ready(addresses)
        database = create_test_database(addresses.postgres)
        measure(database.admin_url, database.url("gin_engine"), f"{addresses.redis}0", tables, seconds)
        drop_test_database(addresses.postgres, database)
    finally:
        servers.stop()


if __name__ == "__main__":
    main(*(int(number) for number in sys.argv[1:3]))

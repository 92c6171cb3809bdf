"""Every route of the engine, for everybody who might call it: who has no business with an object changes nothing of it.

ROUTES is complete: a route that is not in it fails the first test.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

import pytest
from werkzeug.test import TestResponse

from gin_messages.match import ArbitersNamed
from gin_servicekit.auth import SESSION_COOKIE, Scope
from tests.integration.engine.house import House, person, table_wish

STRANGER, GUEST, SOMEBODY, BOT = "stranger", "guest", "somebody", "bot"
PLAYER, HOST = "player", "host"
ORGANISER, ARBITER, ELSEWHERE, ADMINISTRATOR = "organiser", "arbiter", "elsewhere", "administrator"
# A bot's token as the lobby gives it; everybody else has signed in. `elsewhere` organises another tournament, in which
# `somebody`, the bot and the guest play.
ROLES: dict[str, dict[str, Any]] = {
    STRANGER: {},
    GUEST: {"guest": True},
    SOMEBODY: {},
    BOT: {"scopes": (Scope.PLAY, Scope.TOURNAMENT_READ, Scope.TOURNAMENT_WRITE)},
    PLAYER: {},
    HOST: {},
    ORGANISER: {},
    ARBITER: {},
    ELSEWHERE: {},
    ADMINISTRATOR: {"administrator": True},
}
EVERYBODY = frozenset(ROLES)
SIGNED_IN = EVERYBODY - {STRANGER}
RULERS = frozenset({ORGANISER, ARBITER, ADMINISTRATOR})
MATCH, OVER, TABLE, WORDS = "match", "match that is over", "table by link", "word list"
NUMBERS = count(1)

Sent = dict[str, Any]


@dataclass
class Objects:
    """What belongs to others than the guest, `somebody`, `elsewhere` and the bot, by the names that paths give it.

    `secrets` are texts that one role alone may read.
    """

    ids: dict[str, str] = field(default_factory=dict)
    secrets: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Route:
    """Who may call it: they get `status`, a stranger `stranger`, and everybody else `refused`."""

    path: str
    allowed: frozenset[str] = EVERYBODY
    status: int = 200
    send: Callable[[], Sent] = field(default=dict)
    """What is sent besides: a new body each time."""
    stranger: int = 401
    refused: int = 403

    def expected(self, role: str) -> int:
        return self.status if role in self.allowed else self.stranger if role == STRANGER else self.refused


def sending(**body: Any) -> Callable[[], Sent]:
    return lambda: {"json": body}


def filling_in(**form: str) -> Callable[[], Sent]:
    return lambda: {"data": form}


def new_words() -> Sent:
    number = next(NUMBERS)
    letters = "".join(chr(97 + int(digit)) for digit in f"{number:06}")
    return {"query_string": {"name": f"list-{number}"}, "data": f"{letters}\n", "content_type": "text/plain"}


player = partial(Route, allowed=frozenset({PLAYER}))
host = partial(Route, allowed=frozenset({HOST}))
rulers = partial(Route, allowed=RULERS)
entropy = sending(entropy="ab" * 16)
ROUTES: dict[tuple[str, str], Route] = {
    ("GET", "/api/v1/bots"): Route("/api/v1/bots"),
    ("GET", "/api/v1/matches"): Route("/api/v1/matches"),
    ("GET", "/api/v1/matches/<match_id>"): Route("/api/v1/matches/{match_id}"),
    ("GET", "/api/v1/matches/<match_id>/seat"): player("/api/v1/matches/{match_id}/seat"),
    ("GET", "/api/v1/matches/<match_id>/advice"): player("/api/v1/matches/{match_id}/advice"),
    ("GET", "/api/v1/matches/<match_id>/scores"): Route("/api/v1/matches/{match_id}/scores"),
    ("GET", "/api/v1/matches/<match_id>/record"): Route("/api/v1/matches/{over_id}/record"),
    ("GET", "/api/v1/matches/<match_id>/seal"): Route("/api/v1/matches/{over_id}/seal"),
    ("GET", "/api/v1/matches/<match_id>/hands/<int:number>"): Route("/api/v1/matches/{over_id}/hands/1"),
    ("GET", "/api/v1/matches/<match_id>/rulings"): Route("/api/v1/matches/{match_id}/rulings"),
    ("POST", "/api/v1/matches/<match_id>/actions"): player(
        "/api/v1/matches/{match_id}/actions", send=sending(action="pass", action_count=0)
    ),
    ("POST", "/api/v1/matches/<match_id>/resignation"): player("/api/v1/matches/{match_id}/resignation"),
    ("POST", "/api/v1/matches/<match_id>/rematch"): player("/api/v1/matches/{over_id}/rematch"),
    # Too late for players, too: the cards are dealt.
    ("POST", "/api/v1/matches/<match_id>/entropy"): player(
        "/api/v1/matches/{match_id}/entropy", send=entropy, status=409
    ),
    ("POST", "/api/v1/matches/<match_id>/rulings"): rulers(
        "/api/v1/matches/{match_id}/rulings", send=sending(kind="redeal", hand=1), status=201
    ),
    ("POST", "/api/v1/matches/<match_id>/forfeits"): rulers(
        "/api/v1/matches/{match_id}/forfeits", send=sending(seat=1, reason="left")
    ),
    ("GET", "/api/v1/tables"): Route("/api/v1/tables"),
    ("POST", "/api/v1/tables"): Route("/api/v1/tables", SIGNED_IN, 201, lambda: {"json": table_wish()}),
    ("GET", "/api/v1/tables/<table_id>"): Route("/api/v1/tables/{table_id}"),
    ("DELETE", "/api/v1/tables/<table_id>"): host("/api/v1/tables/{table_id}"),
    # Who sits there stays seated; nobody else comes in without the link.
    ("POST", "/api/v1/tables/<table_id>/players"): Route(
        "/api/v1/tables/{table_id}/players", frozenset({PLAYER, HOST}), send=sending()
    ),
    ("DELETE", "/api/v1/tables/<table_id>/players"): player("/api/v1/tables/{table_id}/players"),
    ("POST", "/api/v1/tables/<table_id>/entropy"): Route(
        "/api/v1/tables/{table_id}/entropy", frozenset({PLAYER, HOST}), send=entropy
    ),
    ("GET", "/api/v1/word-lists"): Route("/api/v1/word-lists"),
    ("GET", "/api/v1/word-lists/<sha256>"): Route("/api/v1/word-lists/{sha256}"),
    ("POST", "/api/v1/word-lists"): Route("/api/v1/word-lists", SIGNED_IN - {GUEST}, 201, new_words),
    ("GET", "/api/v1/openapi/engine.json"): Route("/api/v1/openapi/engine.json"),
    ("GET", "/bots"): Route("/bots"),
    ("GET", "/bots/<string:name>"): Route("/bots/simple"),
    ("GET", "/play"): Route("/play"),
    ("POST", "/play"): Route("/play", SIGNED_IN, 303, filling_in(opponent="open"), stranger=307),
    ("GET", "/play/computer"): Route("/play/computer", status=303),
    ("POST", "/play/computer"): Route("/play/computer", SIGNED_IN, 303, filling_in(game="rummy"), stranger=307),
    ("GET", "/rules"): Route("/rules"),
    ("GET", "/rules/gin-rummy"): Route("/rules/gin-rummy"),
    ("GET", "/rules/word-gin"): Route("/rules/word-gin"),
    ("GET", "/replays/<string:match_id>"): Route("/replays/{over_id}"),
    ("GET", "/tables/<string:table_id>"): Route("/tables/{table_id}"),
    ("POST", "/tables/<string:table_id>/players"): Route(
        "/tables/{table_id}/players", frozenset({PLAYER, HOST}), 303, stranger=307
    ),
    # A stranger has no seat to leave and is led back to the tables.
    ("POST", "/tables/<string:table_id>/closing"): host("/tables/{table_id}/closing", status=303, stranger=303),
    ("POST", "/tables/<string:table_id>/leaving"): player("/tables/{table_id}/leaving", status=303, stranger=303),
    ("GET", "/tables/<string:match_id>/arbiter"): rulers("/tables/{match_id}/arbiter", stranger=303),
    ("POST", "/tables/<string:match_id>/arbiter/<string:kind>"): rulers(
        "/tables/{match_id}/arbiter/redeal", send=filling_in(hand="1"), status=303, stranger=303
    ),
    ("POST", "/tables/<string:match_id>/arbiter/forfeit"): rulers(
        "/tables/{match_id}/arbiter/forfeit", send=filling_in(seat="1", reason="left"), status=303, stranger=303
    ),
    ("GET", "/static/<path:filename>"): Route("/static/ginhall.css"),
    ("GET", "/healthz"): Route("/healthz"),
    ("GET", "/readyz"): Route("/readyz"),
    ("GET", "/metrics"): Route("/metrics"),
}
METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}


def objects(house: House, path: str) -> Objects:
    """New ones, as the path asks for: what is allowed changes them."""
    made = Objects()
    if "{match_id}" in path:
        wish = {"first_dealer": 1, "tournament_id": "t1", "arbiters": [ORGANISER], "rules": {}}
        made.ids["match_id"] = match_id = house.open(person(PLAYER), person("opponent"), **wish)
        house.receive(ArbitersNamed("t1", [ORGANISER, ARBITER], house.clock()))
        hands = [house.seat(match_id, account)["view"]["hand"] for account in (PLAYER, "opponent")]
        owners = (PLAYER, "nobody here")
        made.secrets = [(owner, json.dumps(hand)[1:-1]) for owner, hand in zip(owners, hands, strict=True)]
    if "{over_id}" in path:
        made.ids["over_id"] = over_id = house.open_table(PLAYER)["table_id"]
        assert house.join(over_id, "opponent").status_code == 200
        assert house.ask("POST", f"/matches/{over_id}/resignation", PLAYER).status_code == 200
    if "{table_id}" in path:
        table = house.open_table(HOST, game="word", rules={}, seats=3, opponent="link")
        made.ids["table_id"] = table["table_id"]
        assert house.join(table["table_id"], PLAYER, invitation=table["invitation"]).status_code == 200
        made.secrets.append((HOST, table["invitation"]))
    if "{sha256}" in path:
        made.ids["sha256"] = ask(house, ADMINISTRATOR, "POST", "/api/v1/word-lists", new_words()).json["sha256"]
    return made


def ask(house: House, role: str, method: str, path: str, sent: Sent, *, session: bool = False) -> TestResponse:
    """By bearer token, or as the page of a browser sends it."""
    headers = {"Accept": "text/html" if session else "application/json", "Sec-Fetch-Site": "same-origin"}
    if role != STRANGER:
        token = house.token(role, **({"scopes": tuple(Scope)} | ROLES[role]))
        value = token["Authorization"].removeprefix("Bearer ")
        headers |= {"Cookie": f"{SESSION_COOKIE}={value}"} if session else token
    client = house.client.application.test_client(use_cookies=False)
    return client.open(path, method=method, headers=headers, **sent)


def stored(house: House) -> dict[str, Any]:
    """A fingerprint of every table of the database."""
    with house.service.transaction() as tx:
        names = tx.scalars(
            "SELECT table_name FROM information_schema.tables"
            " WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY 1"
        )
        return {
            name: tx.scalar(f"SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM {name} t")
            for name in names
        }


def test_every_route_is_in_the_table_of_roles(house: House) -> None:
    rules = house.client.application.url_map.iter_rules()
    served = {(method, rule.rule) for rule in rules for method in (rule.methods or set()) & METHODS}
    assert set(ROUTES) == served


@pytest.mark.parametrize(("method", "rule"), ROUTES, ids=[" ".join(route) for route in ROUTES])
def test_route_lets_in_whom_it_concerns_and_nobody_else(house: House, method: str, rule: str) -> None:
    route, is_page = ROUTES[method, rule], not rule.startswith("/api/")
    house.open(person(SOMEBODY), person(BOT), tournament_id="t2", arbiters=[ELSEWHERE])
    house.open(person(GUEST), person("another"), tournament_id="t2", arbiters=[ELSEWHERE])
    theirs, before = objects(house, route.path), stored(house)
    assert len(before) >= 10
    # First those who are refused.
    for role in sorted(ROLES, key=lambda role: role in route.allowed):
        changes = role in route.allowed and method != "GET"
        if changes:
            theirs = objects(house, route.path)
        path = route.path.format(**theirs.ids)
        answer = ask(house, role, method, path, route.send(), session=is_page)
        assert answer.status_code == route.expected(role), (method, path, role, answer.text)
        for owner, secret in theirs.secrets:
            assert role == owner or secret.replace(" ", "") not in answer.text.replace(" ", ""), (path, role)
        if changes:
            before = stored(house)
        assert stored(house) == before, (method, path, role)

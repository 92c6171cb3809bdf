"""Taint: matches are played at random through the engine, and no event of any stream holds what is hidden.

What a seat sees is told to its player alone; tests of the views say that it holds nothing else.
"""

import base64
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from gin_engine.app import new_engine_app
from gin_servicekit.announcements import Announcer
from gin_servicekit.service import utc_now
from tests.integration.engine.house import House, bot, open_match, person
from tests.integration.live.conftest import Live
from tests.support.live import Listener, until
from tests.support.services import Clock, start_service, token_for

PLAYERS = ("ann", "bob")  # by seat
FIELDS = {"topic", "match_id", "action_count", "tournament_id", "round", "table_id", "topics"}
MATCHES = (
    ("rummy", {"target": 30}, lambda: (person("ann"), person("bob"))),
    ("rummy", {"target": 20}, lambda: (person("ann"), bot("robin"))),
    ("word", {"fixed_hands": 1}, lambda: (person("ann"), person("bob"))),
)


@pytest.fixture
def house(database_url: Callable[[str], str], live: Live) -> Iterator[House]:
    """An engine that announces to the Redis of the live process, by the clock on the wall."""
    service = start_service("engine", database_url, live.redis_url, Clock())
    service = replace(service, clock=utc_now, announcer=Announcer(live.redis_url))
    yield House(service, Clock(), new_engine_app(service).test_client())
    service.database.close()


def play_at_random(house: House, match_id: str, rng: random.Random, most: int) -> set[str]:
    """Plays until the match is over or `most` actions were taken; returns every action that anybody took."""
    taken: set[str] = set()
    for _ in range(most):
        for account in ("ann", "bob"):
            answer = house.get(f"/{match_id}/seat", account)
            seat: Any = answer.json
            if answer.status_code != 200 or not seat["legal_actions"]:
                continue
            action = rng.choice(seat["legal_actions"])
            taken.add(action)
            assert house.act(match_id, account, action, seat["action_count"]).status_code == 200
            house.play()
            if seat["state"] != "playing":
                return taken
    return taken


@pytest.mark.parametrize("seed", range(2))
def test_no_hint_holds_a_card_an_action_or_a_seed(live: Live, house: House, seed: int) -> None:
    rng = random.Random(seed)
    tokens = {name: token_for(name) for name in ("ann", "bob")}
    listeners = [live.listen(f"player:{name}", f"seat:{name}", "tables", token=token) for name, token in tokens.items()]
    hidden: set[str] = set()  # what nobody is told of another's action
    seeds: set[str] = set()
    for game, rules, seats in MATCHES:
        wish = open_match(*seats(), game=game, rules=rules, rating_pool=None, first_dealer=0)
        watching = Listener(live.process.port, (f"table:{wish.match_id}",))
        live.listeners.append(watching)
        listeners.append(watching)
        house.receive(wish)
        kept = house.secrets(wish.match_id)
        for secret in (kept["server_seed"], kept["salt"]):
            seeds |= {secret.hex(), base64.b64encode(secret).decode(), base64.urlsafe_b64encode(secret).decode()}
        hidden |= play_at_random(house, wish.match_id, rng, 60)
        house.cancel(wish.match_id)
    until(lambda: sum(event.event == "finished" for event in listeners[0].events) >= len(MATCHES), "every end")
    until(lambda: listeners[-1].events[-1].event == "finished", "the end for spectators")
    events = [event for listener in listeners for event in listener.events]
    assert len(events) > 100
    seen = [event.data for event in events if event.event == "seen"]
    assert {data["topic"] for data in seen} == {"seat:ann", "seat:bob"}
    for data in seen:
        assert data["topic"] == f"seat:{PLAYERS[data['seat']]}", data
        assert not any(secret in str(data) for secret in seeds), data
    for event in (event for event in events if event.event != "seen"):
        assert set(event.data) <= FIELDS, event
        assert all(not isinstance(value, list | dict) for value in event.data.values()), event
        text = " ".join(str(value) for name, value in event.data.items() if name not in ("topic", "match_id"))
        assert not re.search(r"\b(10|[2-9TJQKA])[cdhs♣♦♥♠]\b", text), event
        assert not any(secret in f"{event.event} {text}" for secret in hidden | seeds), event

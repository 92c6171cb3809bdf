"""Every route of accounts, tokens and players that names an object: what is somebody else's stays untouched."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.integration.lobby.browsing import SAME, signed_up
from tests.integration.lobby.conftest import Lobby

OURS = ("Accounts", "Guests", "Players", "Tokens", "account", "sessions", "taking_part")
# Whoever may enter at all enters for themselves: these touch nobody else's entry.
BODIES = {"PATCH": {"name": "Another"}}
FOR_ONESELF = {"taking_part.enter", "taking_part.check_in", "taking_part.withdraw", "taking_part.challenge"}


@dataclass(frozen=True)
class Theirs:
    """What the organiser has, by the name that routes give it."""

    player_id: str
    token_id: str


@pytest.fixture
def theirs(lobby: Lobby) -> Theirs:
    bot = lobby.organiser.post("/api/v1/players", {"name": "Mine", "kind": "bot"}).json["player_id"]
    token = lobby.organiser.post(f"/api/v1/players/{bot}/tokens", {}).json["token_id"]
    return Theirs(bot, token)


def writes(lobby: Lobby, ids: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Method and path of every route of ours that changes what it names."""
    for rule in lobby.anonymous.client.application.url_map.iter_rules():
        if rule.endpoint.partition(".")[0] in OURS and rule.arguments and rule.endpoint not in FOR_ONESELF:
            path = rule.rule
            for argument in rule.arguments:
                path = path.replace(f"<string:{argument}>", ids[argument])
            for method in sorted((rule.methods or set()) & {"POST", "PUT", "PATCH", "DELETE"}):
                yield method, path


def kept(lobby: Lobby) -> Any:
    with lobby.service.transaction() as tx:
        return tx.dicts("SELECT * FROM tokens WHERE NOT session ORDER BY token_id"), tx.dicts(
            "SELECT * FROM players WHERE kind = 'bot' ORDER BY player_id"
        )


@pytest.mark.parametrize("by", ["token", "session"])
def test_what_is_somebody_elses_is_refused_and_stays_as_it_is(lobby: Lobby, theirs: Theirs, by: str) -> None:
    page, _ = signed_up(lobby, "Ada")
    api, _ = lobby.sign_up("Bob")
    before, walked = kept(lobby), 0
    for method, path in writes(lobby, {"player_id": theirs.player_id, "token_id": theirs.token_id}):
        if by == "session":
            answer = page.open(path, method=method, headers=SAME, json=BODIES.get(method, {}))
        else:
            answer = lobby.anonymous.client.open(
                path, method=method, json=BODIES.get(method, {}), headers={"Authorization": f"Bearer {api.token}"}
            )
        assert answer.status_code in (403, 404), (method, path, answer.status_code)
        walked += 1
    assert walked >= 4
    assert kept(lobby) == before


def test_by_the_same_walk_the_owner_is_let_in(lobby: Lobby, theirs: Theirs) -> None:
    """Else the walk above would prove nothing."""
    ids = {"player_id": theirs.player_id, "token_id": theirs.token_id}
    headers = {"Authorization": f"Bearer {lobby.organiser.token}"}
    answers = [
        lobby.anonymous.client.open(path, method=method, json=BODIES.get(method, {}), headers=headers).status_code
        for method, path in writes(lobby, ids)
    ]
    assert all(status in (200, 201, 204, 303) for status in answers)


def test_a_bots_token_manages_no_account(lobby: Lobby, theirs: Theirs) -> None:
    token = lobby.organiser.post(f"/api/v1/players/{theirs.player_id}/tokens", {}).json["token"]
    headers = {"Authorization": f"Bearer {token}"}
    for method, path in writes(lobby, {"player_id": theirs.player_id, "token_id": theirs.token_id}):
        answer = lobby.anonymous.client.open(path, method=method, json=BODIES.get(method, {}), headers=headers)
        assert answer.status_code == 403, (method, path)

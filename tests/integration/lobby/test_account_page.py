"""/account: bots and their tokens, sessions, the password; and whose they are."""

import re

import pytest

from gin_servicekit.auth import SESSION_COOKIE
from tests.integration.lobby.browsing import PASSWORD, SAME, browser, send, signed_up
from tests.integration.lobby.conftest import Lobby
from tests.support.services import Api


def token_ids(api: Api) -> set[str]:
    return {token["token_id"] for token in api.get("/api/v1/tokens").json["tokens"] if token["revoked_at"] is None}


def test_a_stranger_signs_in_first_and_comes_back(lobby: Lobby) -> None:
    answer = browser(lobby).get("/account", headers=SAME)
    assert (answer.status_code, answer.location) == (303, "/sign-in?next=/account")
    elsewhere = send(browser(lobby), "/account/bots", {**SAME, "Referer": "http://elsewhere.example/x"}, bot_name="B")
    assert elsewhere.location == "/sign-in"


def test_the_token_of_an_own_bot_is_shown_once_and_plays_as_it(lobby: Lobby) -> None:
    page, owner = signed_up(lobby, "Ada")
    assert send(page, "/account/bots", bot_name="Robbie", plays="").status_code == 303
    (bot,) = lobby.anonymous.get(f"/api/v1/players?owner_id={owner}").json["players"]
    made = send(page, f"/account/bots/{bot['player_id']}/tokens")
    assert (made.status_code, made.headers["Cache-Control"]) == (201, "no-store")
    token = re.search(r"eyJ[\w.-]+", made.text)
    assert token is not None
    entered = lobby.anonymous.as_(token[0]).post(
        f"/api/v1/tournaments/{lobby.tournament()}/entrants", {"player_id": bot["player_id"]}
    )
    assert entered.status_code == 201
    assert "Bot Robbie" in page.get("/account").text
    assert token[0] not in page.get("/account").text


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"bot_name": ""}, "bot_name"),
        ({"bot_name": "x" * 41}, "bot_name"),
        ({"bot_name": "R\u200bobbie"}, "bot_name"),
        ({"bot_name": "Robbie", "plays": "genius"}, "plays"),
    ],
)
def test_what_is_wrong_with_a_bot_is_told_at_its_field(lobby: Lobby, form: dict[str, str], field: str) -> None:
    page, owner = signed_up(lobby, "Ada")
    answer = send(page, "/account/bots", **form)
    assert answer.status_code == 422
    assert f'id="{field}-error"' in answer.text
    assert lobby.anonymous.get(f"/api/v1/players?owner_id={owner}").json["players"] == []


def test_nobody_gets_a_token_for_the_bot_of_another_or_revokes_theirs(lobby: Lobby) -> None:
    own = lobby.organiser.post("/api/v1/players", {"name": "Mine", "kind": "bot"}).json["player_id"]
    token = lobby.organiser.post(f"/api/v1/players/{own}/tokens", {}).json["token_id"]
    page, _ = signed_up(lobby, "Ada")
    assert send(page, f"/account/bots/{own}/tokens").status_code == 403
    assert send(page, f"/account/tokens/{token}/revocation").status_code == 404
    assert token_ids(lobby.organiser) == {token}


def test_another_browser_is_signed_out_from_here(lobby: Lobby) -> None:
    here, _ = signed_up(lobby, "Ada")
    there = browser(lobby)
    send(there, "/sign-in", name="ada", password=PASSWORD)
    (other,) = re.findall(r"/account/tokens/(\w+)/revocation", here.get("/account").text)
    assert send(here, f"/account/tokens/{other}/revocation").location == "/account#tokens"
    cookie = there.get_cookie(SESSION_COOKIE)
    assert cookie is not None
    fresh = browser(lobby)
    fresh.set_cookie(SESSION_COOKIE, cookie.value)
    assert fresh.get("/api/v1/accounts/me").status_code == 401
    assert here.get("/account").status_code == 200


def test_a_new_password_ends_every_other_session_and_program_but_no_bot(lobby: Lobby) -> None:
    page, owner = signed_up(lobby, "Ada")
    program = lobby.anonymous.post("/api/v1/tokens", {"name": "Ada", "password": PASSWORD}).json
    send(page, "/account/bots", bot_name="Robbie", plays="")
    (bot,) = lobby.anonymous.get(f"/api/v1/players?owner_id={owner}").json["players"]
    send(page, f"/account/bots/{bot['player_id']}/tokens")
    changed = send(page, "/account/password", old_password=PASSWORD, new_password="another long one")
    assert "is changed" in changed.text
    tokens = page.get("/api/v1/tokens").json["tokens"]
    assert {t["player_name"] for t in tokens if t["revoked_at"] is None} == {"Ada", "Robbie"}
    assert [t["token_id"] for t in tokens if t["revoked_at"]] == [program["token_id"]]
    assert send(browser(lobby), "/sign-in", name="Ada", password=PASSWORD).status_code == 401
    assert send(browser(lobby), "/sign-in", name="Ada", password="another long one").status_code == 303


@pytest.mark.parametrize(
    ("form", "field", "status"),
    [
        ({"old_password": "a guess", "new_password": "another long one"}, "old_password", 401),
        ({"old_password": PASSWORD, "new_password": "short"}, "new_password", 422),
        ({"new_password": "another long one"}, "old_password", 422),
    ],
)
def test_a_password_stays_when_something_is_wrong(lobby: Lobby, form: dict[str, str], field: str, status: int) -> None:
    page, _ = signed_up(lobby, "Ada")
    answer = send(page, "/account/password", **form)
    assert answer.status_code == status
    assert f'id="{field}-error"' in answer.text
    assert send(browser(lobby), "/sign-in", name="Ada", password=PASSWORD).status_code == 303


def test_a_guest_has_no_password_to_change_and_is_asked_to_sign_up(lobby: Lobby) -> None:
    page = browser(lobby)
    page.post("/api/v1/guests")
    assert "/sign-up?next=/account" in page.get("/account").text
    assert send(page, "/account/password", old_password="x", new_password="another long one").status_code == 403

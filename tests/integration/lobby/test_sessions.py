"""Sessions of the page: signing in, up and out in a browser, guests, and what other sites cannot do."""

import dataclasses
from datetime import timedelta

import pytest

from gin_lobby.app import lobby_app
from gin_lobby.tasks import follow_players
from gin_servicekit.auth import RENEW_AFTER, SESSION_COOKIE, SESSION_LIFETIME
from tests.integration.lobby.browsing import SAME, browser, me, send
from tests.integration.lobby.conftest import Lobby
from tests.support.services import token_for

ADA = {"name": "Ada", "password": "correct horse battery"}


def test_whoever_signs_up_is_signed_in_and_comes_back_to_where_they_were(lobby: Lobby) -> None:
    page = browser(lobby)
    answer = send(page, "/sign-up", **ADA, next="/tournaments/7?round=2")
    assert (answer.status_code, answer.location) == (303, "/tournaments/7?round=2")
    cookie = page.get_cookie(SESSION_COOKIE)
    assert cookie is not None
    assert (cookie.http_only, cookie.same_site, cookie.secure, cookie.path) == (True, "Lax", False, "/")
    assert me(page)["name"] == "Ada"
    assert "Ada" in page.get("/").text


def test_where_the_public_address_is_https_the_cookie_is_never_sent_without(lobby: Lobby) -> None:
    settings = dataclasses.replace(lobby.service.settings, public_url="https://gin.example")
    page = lobby_app(dataclasses.replace(lobby.service, settings=settings)).test_client()
    assert "Secure" in send(page, "/sign-up", **ADA).headers["Set-Cookie"]


@pytest.mark.parametrize(
    "wish",
    ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "/\t/elsewhere.example", "x", ""],
)
def test_nobody_is_led_to_another_site(lobby: Lobby, wish: str) -> None:
    page = browser(lobby)
    assert send(page, "/sign-up", **ADA, next=wish).location == "/"
    assert page.get("/sign-in", query_string={"next": wish}).location == "/"


def test_a_wrong_password_is_told_at_its_field_and_what_was_typed_stays(lobby: Lobby) -> None:
    lobby.sign_up("Ada")
    answer = send(browser(lobby), "/sign-in", name="Ada", password="a guess")
    assert answer.status_code == 401
    assert 'id="password-error"' in answer.text
    assert 'value="Ada"' in answer.text
    assert "a guess" not in answer.text


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"name": "", "password": "long enough"}, "name"),
        ({"password": "long enough"}, "name"),
        ({"name": "a" * 41, "password": "long enough"}, "name"),
        ({"name": " Ada", "password": "long enough"}, "name"),
        ({"name": "A\u200bda", "password": "long enough"}, "name"),
        ({"name": "Guest 17", "password": "long enough"}, "name"),
        ({"name": "organiser", "password": "long enough"}, "name"),
        ({"name": "Ada", "password": "short"}, "password"),
        ({"name": "Ada", "password": "x" * 1025}, "password"),
        ({"name": "Ada"}, "password"),
    ],
)
def test_what_is_wrong_with_a_sign_up_is_told_at_its_field(lobby: Lobby, form: dict[str, str], field: str) -> None:
    page = browser(lobby)
    answer = send(page, "/sign-up", **form)
    assert answer.status_code in (409, 422)
    assert f'id="{field}-error"' in answer.text
    assert page.get_cookie(SESSION_COOKIE) is None


def test_signing_out_ends_the_session_everywhere(lobby: Lobby) -> None:
    page = browser(lobby)
    send(page, "/sign-up", **ADA)
    kept = page.get_cookie(SESSION_COOKIE)
    assert kept is not None
    assert send(page, "/sign-out").status_code == 303
    assert page.get_cookie(SESSION_COOKIE) is None
    thief = browser(lobby)
    thief.set_cookie(SESSION_COOKIE, kept.value)
    assert thief.get("/api/v1/accounts/me").status_code == 401
    assert "Sign in" in thief.get("/").text


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"},
    ],
    ids=str,
)
def test_another_site_changes_nothing_with_somebodys_session(lobby: Lobby, headers: dict[str, str]) -> None:
    page = browser(lobby)
    send(page, "/sign-up", **ADA)
    bot = {"name": "Robbie", "kind": "bot", "bot": "simple"}
    refused = page.post("/api/v1/players", json=bot, headers=headers)
    assert (refused.status_code, refused.json["type"]) == (403, "urn:ginhall:problem:cross-site")
    assert lobby.anonymous.get("/api/v1/players?kind=bot").json["players"] == []
    for path in ("/sign-in", "/sign-up", "/sign-out", "/guest-session"):
        assert page.post(path, data=ADA, headers=headers).status_code == 403
    assert me(page)["name"] == "Ada"


@pytest.mark.parametrize("headers", [SAME, {"Origin": "http://localhost"}], ids=str)
def test_a_page_of_this_house_acts_with_the_session(lobby: Lobby, headers: dict[str, str]) -> None:
    page = browser(lobby)
    send(page, "/sign-up", headers, **ADA)
    bot = {"name": "Robbie", "kind": "bot", "bot": "simple"}
    assert page.post("/api/v1/players", json=bot, headers=headers).status_code == 201


def test_a_bearer_token_goes_before_the_session_and_needs_no_origin(lobby: Lobby) -> None:
    page = browser(lobby)
    send(page, "/sign-up", **ADA)
    headers = {"Authorization": f"Bearer {lobby.organiser.token}"}
    assert page.get("/api/v1/accounts/me", headers=headers).json["name"] == "Organiser"
    bot = {"name": "Robbie", "kind": "bot", "bot": "simple"}
    assert page.post("/api/v1/players", json=bot, headers=headers).json["owner_id"] == lobby.organiser_id


def test_a_guest_is_made_for_a_form_which_then_goes_on(lobby: Lobby) -> None:
    page = browser(lobby)
    answer = page.post("/guest-session?next=/play/computer", data={"bot": "simple"}, headers=SAME)
    assert (answer.status_code, answer.location) == (307, "/play/computer")
    guest = me(page)
    assert guest["name"].startswith("Guest ")
    again = page.post("/guest-session?next=/play/computer", headers=SAME)
    assert (again.status_code, me(page)) == (307, guest)
    assert page.post("/guest-session?next=//elsewhere.example", headers=SAME).location == "/"


def test_every_guest_has_a_name_of_its_own_that_nobody_can_take_or_sign_in_to(lobby: Lobby) -> None:
    guests = [browser(lobby).post("/api/v1/guests") for _ in range(3)]
    names = {guest.json["name"] for guest in guests}
    assert len(names) == 3
    assert all(SESSION_COOKIE in guest.headers["Set-Cookie"] for guest in guests)
    name = names.pop()
    assert lobby.anonymous.post("/api/v1/accounts", ADA | {"name": name}).status_code == 422
    assert lobby.anonymous.post("/api/v1/tokens", {"name": name, "password": "x"}).status_code == 401


def test_a_guest_who_signs_up_keeps_account_and_player(lobby: Lobby) -> None:
    page = browser(lobby)
    guest = page.post("/api/v1/guests", headers=SAME).json
    assert "You keep the games" in page.get("/sign-up").text
    assert send(page, "/sign-up", **ADA).status_code == 303
    assert me(page) == guest | {"name": "Ada"}
    changed = [m for m in lobby.outbox("player_changed") if m["player_id"] == guest["player_id"]]
    assert [(m["player_name"], m["revision"]) for m in changed] == [(guest["name"], 1)] * 2 + [("Ada", 2)] * 2
    assert lobby.anonymous.post("/api/v1/tokens", ADA).json["account_id"] == guest["player_id"]


def test_tournaments_show_the_new_name_of_a_guest_who_signed_up(lobby: Lobby) -> None:
    page, tournament = browser(lobby), lobby.with_bots(3)
    guest = page.post("/api/v1/guests", headers=SAME).json["player_id"]
    entered = page.post(f"/api/v1/tournaments/{tournament}/entrants", json={"player_id": guest}, headers=SAME)
    assert entered.status_code == 201
    lobby.start(tournament)
    assert send(page, "/sign-up", **ADA).status_code == 303
    follow_players(lobby.service)
    (line,) = [line for line in lobby.see(tournament, "/standings")["standings"] if line["player_id"] == guest]
    assert line["name"] == "Ada"


@pytest.mark.parametrize("by_form", [True, False])
def test_whoever_knew_the_session_of_a_guest_does_not_get_the_account(lobby: Lobby, by_form: bool) -> None:
    page, thief = browser(lobby), browser(lobby)
    page.post("/api/v1/guests", headers=SAME)
    known = page.get_cookie(SESSION_COOKIE)
    assert known is not None
    if by_form:
        assert send(page, "/sign-up", **ADA).status_code == 303
    else:
        assert page.post("/api/v1/accounts", json=ADA, headers=SAME).status_code == 201
    thief.set_cookie(SESSION_COOKIE, known.value)
    assert thief.get("/api/v1/accounts/me").status_code == 401
    assert me(page)["name"] == "Ada"
    (token,) = [token for token in page.get("/api/v1/tokens").json["tokens"] if token["revoked_at"] is None]
    assert token["session"]


def test_a_guest_signs_up_through_the_api_as_well_but_only_once(lobby: Lobby) -> None:
    page = browser(lobby)
    guest = page.post("/api/v1/guests", headers=SAME).json
    made = page.post("/api/v1/accounts", json=ADA, headers=SAME)
    assert (made.status_code, made.json["player_id"]) == (201, guest["player_id"])
    not_told_yet = lobby.anonymous.as_(token_for(guest["player_id"], guest=True))
    again = not_told_yet.post("/api/v1/accounts", ADA | {"name": "Bob"})
    assert (again.status_code, again.json["type"]) == (409, "urn:ginhall:problem:already-signed-up")


def test_a_guest_whose_wish_is_taken_stays_a_guest(lobby: Lobby) -> None:
    page = browser(lobby)
    guest = page.post("/api/v1/guests", headers=SAME).json
    assert send(page, "/sign-up", name="ORGANISER", password="long enough").status_code == 409
    assert me(page) == guest
    assert send(page, "/sign-up", **ADA).status_code == 303


def test_the_session_of_an_active_visitor_is_renewed_and_revoked_as_one(lobby: Lobby) -> None:
    lobby.clock.move(days=-RENEW_AFTER.days * 3)
    page = browser(lobby)
    send(page, "/sign-up", **ADA)
    first = page.get_cookie(SESSION_COOKIE)
    assert first is not None
    assert "Set-Cookie" not in page.get("/").headers
    lobby.clock.move(days=RENEW_AFTER.days * 2)
    assert SESSION_COOKIE in page.get("/").headers["Set-Cookie"]
    second = page.get_cookie(SESSION_COOKIE)
    assert second is not None
    assert second.value != first.value
    (token,) = page.get("/api/v1/tokens").json["tokens"]
    assert token["session"]
    assert token["expires_at"] == (lobby.clock() + SESSION_LIFETIME).isoformat()
    send(page, "/sign-out")
    for cookie in (first, second):
        thief = browser(lobby)
        thief.set_cookie(SESSION_COOKIE, cookie.value)
        assert thief.get("/api/v1/accounts/me").status_code == 401


def test_a_session_that_nobody_used_for_long_is_over(lobby: Lobby) -> None:
    lobby.clock.move(seconds=-(SESSION_LIFETIME + timedelta(minutes=1)).total_seconds())
    page = browser(lobby)
    send(page, "/sign-up", **ADA)
    with lobby.service.transaction() as tx:
        assert tx.scalar("SELECT expires_at FROM tokens WHERE session") == lobby.clock() + SESSION_LIFETIME
    lobby.clock.move(seconds=(SESSION_LIFETIME + timedelta(minutes=1)).total_seconds())
    assert "expired" in me(page)["detail"]
    assert "Sign in" in page.get("/").text


def test_what_is_answered_to_somebody_is_kept_by_no_shared_cache(lobby: Lobby) -> None:
    page = browser(lobby)
    assert page.get("/").headers["Cache-Control"] == "no-cache"
    send(page, "/sign-up", **ADA)
    assert page.get("/").headers["Cache-Control"] == "private, no-cache"

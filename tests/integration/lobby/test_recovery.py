"""Getting back into an account: recovery codes, links of whoever runs the server, and what ends then."""

import re

import pytest

from gin_lobby.administration import Administration
from gin_lobby.domain.problems import LinkOver
from gin_lobby.use_cases import accounts, recovery
from tests.integration.lobby.browsing import PASSWORD, browser, me, send, signed_up
from tests.integration.lobby.conftest import Lobby

NEW = "a new long password"


def codes_of(page: object) -> list[str]:
    return re.findall(r"<code>([0-9A-Z-]{19})</code>", page.text)  # type: ignore[attr-defined]  # a response


def can_sign_in(lobby: Lobby, password: str) -> bool:
    return lobby.anonymous.post("/api/v1/tokens", {"name": "Ada", "password": password}).status_code == 201


def test_a_code_sets_a_new_password_once_and_ends_every_other_session_and_program(lobby: Lobby) -> None:
    page, owner = signed_up(lobby, "Ada")
    program = lobby.anonymous.post("/api/v1/tokens", {"name": "Ada", "password": PASSWORD}).json
    send(page, "/account/bots", bot_name="Robbie", plays="")
    (bot,) = lobby.anonymous.get(f"/api/v1/players?owner_id={owner}").json["players"]
    send(page, f"/account/bots/{bot['player_id']}/tokens")
    made = send(page, "/account/recovery-codes", codes_password=PASSWORD)
    assert (made.status_code, made.headers["Cache-Control"], len(codes_of(made))) == (201, "no-store", 8)
    code = codes_of(made)[3]

    elsewhere = browser(lobby)
    typed = code.lower().replace("-", " ").replace("0", "o").replace("1", "l")
    back = send(elsewhere, "/forgotten-password", name="ADA", recovery_code=typed, new_password=NEW)
    assert (back.status_code, me(elsewhere)["name"]) == (303, "Ada")
    assert can_sign_in(lobby, NEW)
    assert not can_sign_in(lobby, PASSWORD)
    tokens = {t["token_id"]: t for t in elsewhere.get("/api/v1/tokens").json["tokens"]}
    assert tokens[program["token_id"]]["revoked_at"] is not None
    assert [t["revoked_at"] for t in tokens.values() if t["player_name"] == "Robbie"] == [None]
    assert elsewhere.get("/api/v1/accounts/me/recovery-codes").json == {"left": 7}
    again = send(browser(lobby), "/forgotten-password", name="Ada", recovery_code=code, new_password="and another one")
    assert again.status_code == 401


@pytest.mark.parametrize("way", ["sign in", "change the password"])
def test_the_old_password_is_no_good_any_more_if_a_new_one_is_set_while_it_is_checked(
    lobby: Lobby, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    page, _ = signed_up(lobby, "Ada")
    is_password = accounts._is_password

    def overtaken(password_hash: str, password: str) -> bool:
        answer = is_password(password_hash, password)
        monkeypatch.undo()
        with lobby.service.transaction() as tx:
            recovery.reset_by_link(tx, recovery.make_link(tx, "Ada"), NEW)
        return answer

    monkeypatch.setattr(accounts, "_is_password", overtaken)
    if way == "sign in":
        assert not can_sign_in(lobby, PASSWORD)
    else:
        send(page, "/account/password", old_password=PASSWORD, new_password="a third long one")
    assert can_sign_in(lobby, NEW)


def test_new_codes_void_the_old_ones_and_nobody_makes_them_without_the_password(lobby: Lobby) -> None:
    ada, _ = lobby.sign_up("Ada")
    path = "/api/v1/accounts/me/recovery-codes"
    assert ada.post(path, {"password": "a guess"}).status_code == 401
    assert ada.get(path).json == {"left": 0}
    old = ada.post(path, {"password": PASSWORD}).json["recovery_codes"]
    new = ada.post(path, {"password": PASSWORD}).json["recovery_codes"]
    reset = {"name": "Ada", "new_password": NEW}
    assert lobby.anonymous.post("/api/v1/password-resets", reset | {"recovery_code": old[0]}).status_code == 401
    assert lobby.anonymous.post("/api/v1/password-resets", reset | {"recovery_code": new[0]}).status_code == 204
    assert can_sign_in(lobby, NEW)


def test_an_unknown_name_and_a_wrong_code_get_the_same_answer(lobby: Lobby) -> None:
    ada, _ = lobby.sign_up("Ada")
    (code, *_) = ada.post("/api/v1/accounts/me/recovery-codes", {"password": PASSWORD}).json["recovery_codes"]
    lobby.sign_up("Bob")
    answers = [
        lobby.anonymous.post("/api/v1/password-resets", {"name": n, "recovery_code": c, "new_password": NEW})
        for n, c in (("Nobody", code), ("Bob", code), ("Ada", "0000-0000-0000-0000"), ("Guest 1001", code))
    ]
    assert {answer.status_code for answer in answers} == {401}
    assert len({answer.data for answer in answers}) == 1
    assert answers[0].json["type"] == "urn:ginhall:problem:wrong-recovery-code"


def test_who_wishes_gets_codes_at_sign_up_and_goes_on_from_there(lobby: Lobby) -> None:
    page = browser(lobby)
    made = send(page, "/sign-up", name="Ada", password=PASSWORD, recovery="on", next="/play")
    assert made.status_code == 201
    assert 'href="/play"' in made.text
    assert me(page)["name"] == "Ada"
    answer = send(browser(lobby), "/forgotten-password", name="Ada", recovery_code=codes_of(made)[0], new_password=NEW)
    assert answer.status_code == 303


def test_what_is_wrong_is_told_at_its_field_and_uses_no_code_up(lobby: Lobby) -> None:
    page, _ = signed_up(lobby, "Ada")
    code = codes_of(send(page, "/account/recovery-codes", codes_password=PASSWORD))[0]
    short = send(browser(lobby), "/forgotten-password", name="Ada", recovery_code=code, new_password="short")
    assert (short.status_code, 'id="new_password-error"' in short.text) == (422, True)
    assert page.get("/api/v1/accounts/me/recovery-codes").json == {"left": 8}


def test_a_guest_has_nothing_to_recover(lobby: Lobby) -> None:
    page = browser(lobby)
    page.post("/api/v1/guests")
    assert send(page, "/account/recovery-codes", codes_password="x").status_code == 403


def test_a_link_of_the_server_sets_a_password_once_within_a_day(lobby: Lobby) -> None:
    signed_up(lobby, "Ada")
    link = Administration(lobby.service).reset_link("ada").removeprefix("http://localhost")
    elsewhere = browser(lobby)
    shown = elsewhere.get(link)
    assert (shown.headers["Referrer-Policy"], shown.headers["Cache-Control"]) == ("no-referrer", "no-store")
    assert "For Ada" in shown.text
    assert send(elsewhere, link, new_password="short").status_code == 422
    assert send(elsewhere, link, new_password=NEW).status_code == 303
    assert me(elsewhere)["name"] == "Ada"
    assert can_sign_in(lobby, NEW)
    assert send(browser(lobby), link, new_password="and another one").status_code == 404
    assert browser(lobby).get(link).status_code == 404


def test_a_link_ends_after_a_day_and_a_newer_one_ends_it_at_once(lobby: Lobby) -> None:
    lobby.sign_up("Ada")
    with lobby.service.transaction() as tx:
        first, second = (recovery.make_link(tx, "Ada") for _ in range(2))
    with lobby.service.transaction() as tx, pytest.raises(LinkOver):
        recovery.reset_by_link(tx, first, NEW)
    lobby.clock.move(hours=24)
    with lobby.service.transaction() as tx, pytest.raises(LinkOver):
        recovery.reset_by_link(tx, second, NEW)
    assert can_sign_in(lobby, PASSWORD)


def test_a_server_makes_administrators_and_what_it_takes_back_ends_at_once(lobby: Lobby) -> None:
    ada, _ = lobby.sign_up("Ada")
    administration, person = Administration(lobby.service), {"name": "Ada", "password": PASSWORD}
    tournament = f"/api/v1/tournaments/{lobby.tournament()}"
    assert ada.post(f"{tournament}/cancellation", {"reason": "no"}).status_code == 403
    administration.administrator("ada", on=True)
    administrator = lobby.anonymous.as_(lobby.anonymous.post("/api/v1/tokens", person).json["token"])
    assert administrator.patch(tournament, {"name": "Saturday"}, headers={"If-Match": "*"}).status_code == 200
    administration.administrator("Ada", on=False)
    fresh = browser(lobby)
    headers = {"Authorization": f"Bearer {administrator.token}"}
    assert fresh.get("/api/v1/accounts/me", headers=headers).status_code == 401

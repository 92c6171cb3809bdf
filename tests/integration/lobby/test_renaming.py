"""Another name for an account: who learns it, how often, and what becomes of the old one."""

from typing import Any

import pytest

from gin_lobby.tasks import follow_players
from tests.integration.lobby.browsing import browser, me, send, signed_up
from tests.integration.lobby.conftest import Lobby
from tests.integration.lobby.correcting import SECOND, correct, wish
from tests.support.services import Api


def rename(api: Api, name: str, **headers: str) -> Any:
    return api.patch("/api/v1/accounts/me", {"name": name}, headers=headers)


def test_everything_shows_the_new_name_and_the_other_services_hear_of_it(lobby: Lobby) -> None:
    ada, player = lobby.sign_up("Ada")
    tournament = lobby.with_bots(3)
    ada.post(f"/api/v1/tournaments/{tournament}/entrants", {"player_id": player})
    lobby.start(tournament)
    lobby.play_round(tournament)
    before = lobby.anonymous.get(f"/api/v1/tournaments/{tournament}/standings")
    assert rename(ada, "Lovelace").json["name"] == "Lovelace"
    follow_players(lobby.service)
    for number in (0, 1):
        lines = lobby.see(tournament, f"/standings?round={number}")["standings"]
        assert [line["name"] for line in lines if line["player_id"] == player] == ["Lovelace"]
    after = lobby.anonymous.get(f"/api/v1/tournaments/{tournament}/standings")
    assert after.headers["ETag"] != before.headers["ETag"]
    assert {**after.json, "standings": 0} == {**before.json, "standings": 0}
    names = {e["name"] for e in lobby.see(tournament, "/entrants")["entrants"]}
    assert "Lovelace" in names
    assert "Ada" not in names
    told = [body for body in lobby.outbox("player_changed") if body["player_id"] == player]
    assert [(body["player_name"], body["revision"]) for body in told] == [("Ada", 1)] * 2 + [("Lovelace", 2)] * 2


def test_a_name_can_be_changed_once_in_thirty_days(lobby: Lobby) -> None:
    ada, _ = lobby.sign_up("Ada")
    assert rename(ada, "Ada").status_code == 200  # is no change
    assert rename(ada, "Lovelace").status_code == 200
    refused = rename(ada, "Byron")
    assert (refused.status_code, refused.json["type"]) == (409, "urn:ginhall:problem:renamed-recently")
    assert refused.json["errors"][0]["field"] == "name"
    lobby.clock.move(days=30)
    assert rename(ada, "Byron").status_code == 200


@pytest.mark.parametrize(
    ("name", "status"), [("0rganiser", 409), ("Guest 7", 422), ("Deleted player 1001", 422), ("Аda", 422), ("", 422)]
)
def test_the_rules_of_names_hold_for_new_ones(lobby: Lobby, name: str, status: int) -> None:
    ada, player = lobby.sign_up("Ada")
    answer = rename(ada, name)
    assert (answer.status_code, answer.json["errors"][0]["field"]) == (status, "name")
    assert lobby.anonymous.get(f"/api/v1/players/{player}").json["name"] == "Ada"


def test_nobody_else_gets_the_old_name_for_half_a_year_and_it_leads_on(lobby: Lobby) -> None:
    ada, player = lobby.sign_up("Ada")
    rename(ada, "Lovelace")
    sign_up = {"name": "ADA", "password": "correct horse battery"}
    assert lobby.anonymous.post("/api/v1/accounts", sign_up).status_code == 409
    bob, _ = lobby.sign_up("Bob")
    assert rename(bob, "ada").status_code == 409
    for name in ("Lovelace", "ada"):
        answer = lobby.anonymous.get(f"/people/{name}")
        assert (answer.status_code, answer.location) == (302, f"/players/{player}")
    assert lobby.anonymous.get("/people/Nobody").status_code == 404
    lobby.clock.move(days=30)
    lobby.clock.move(days=150)
    assert lobby.anonymous.post("/api/v1/accounts", sign_up).status_code == 201


def test_who_gave_a_name_up_may_have_it_again(lobby: Lobby) -> None:
    ada, _ = lobby.sign_up("Ada")
    rename(ada, "Lovelace")
    lobby.clock.move(days=30)
    assert rename(ada, "Ada").status_code == 200
    assert lobby.anonymous.get("/people/Lovelace").status_code == 302


def test_the_same_key_changes_the_name_once(lobby: Lobby) -> None:
    ada, _ = lobby.sign_up("Ada")
    first, second = (rename(ada, "Lovelace", **{"Idempotency-Key": "k"}) for _ in range(2))
    assert (first.json, second.headers["Idempotent-Replayed"]) == (second.json, "true")


def test_the_page_changes_it_and_its_head_shows_it_at_once(lobby: Lobby) -> None:
    page, _ = signed_up(lobby, "Ada")
    assert 'id="new_name-error"' in send(page, "/account/name", new_name="organiser").text
    assert send(page, "/account/name", new_name="Lovelace").status_code == 303
    assert me(page)["name"] == "Lovelace"
    assert ">Lovelace</a>" in page.get("/").text
    assert "once in 30 days" in send(page, "/account/name", new_name="Byron").text


def test_a_guest_has_no_name_to_change(lobby: Lobby) -> None:
    page = browser(lobby)
    page.post("/api/v1/guests")
    assert send(page, "/account/name", new_name="Ada").status_code == 403


def test_a_bot_gets_another_name_from_its_owner_once_a_day_and_everything_shows_it(lobby: Lobby) -> None:
    bot, tournament = lobby.bot("Robbie"), lobby.with_bots(3)
    lobby.enter(tournament, bot)
    lobby.start(tournament)
    path = f"/api/v1/players/{bot}"
    assert lobby.organiser.patch(path, {"name": "Robin"}).json["name"] == "Robin"
    follow_players(lobby.service)
    names = {line["player_id"]: line["name"] for line in lobby.see(tournament, "/standings")["standings"]}
    assert names[bot] == "Robin"
    told = [body for body in lobby.outbox("player_changed") if body["player_id"] == bot]
    assert [(body["player_name"], body["revision"], body["kind"]) for body in told[-2:]] == [("Robin", 2, "bot")] * 2
    assert lobby.organiser.patch(path, {"name": "Robin"}).status_code == 200, "it is called so already"
    refused = lobby.organiser.patch(path, {"name": "Rowan"})
    assert (refused.status_code, refused.json["errors"][0]["field"]) == (409, "name")
    lobby.clock.move(days=1)
    assert lobby.organiser.patch(path, {"name": "Rowan"}).status_code == 200


def test_only_its_owner_renames_a_bot_and_people_are_no_bots(lobby: Lobby) -> None:
    bot = lobby.bot("Robbie")
    ada, ada_id = lobby.sign_up("Ada")
    assert ada.patch(f"/api/v1/players/{bot}", {"name": "Mine"}).status_code == 403
    assert ada.patch(f"/api/v1/players/{ada_id}", {"name": "Lovelace"}).status_code == 404
    assert lobby.organiser.patch(f"/api/v1/players/{bot}", {"name": " "}).status_code == 422
    assert lobby.anonymous.get(f"/api/v1/players/{bot}").json["name"] == "Robbie"


def test_the_page_renames_a_bot_and_tells_what_is_wrong_at_its_field(lobby: Lobby) -> None:
    page, owner = signed_up(lobby, "Ada")
    send(page, "/account/bots", bot_name="Robbie", plays="")
    (bot,) = lobby.anonymous.get(f"/api/v1/players?owner_id={owner}").json["players"]
    form = {"renamed_bot": bot["player_id"], "new_bot_name": "Robin"}
    assert 'id="new_bot_name-error"' in send(page, "/account/bot-names", **(form | {"new_bot_name": ""})).text
    assert 'id="renamed_bot-error"' in send(page, "/account/bot-names", new_bot_name="Robin").text
    assert send(page, "/account/bot-names", **form).status_code == 303
    assert ">Robin</a>" in page.get("/account").text
    assert "once a day" in send(page, "/account/bot-names", **(form | {"new_bot_name": "Rowan"})).text
    other, _ = signed_up(lobby, "Bob")
    assert send(other, "/account/bot-names", **form).status_code == 403


def test_the_log_of_a_tournament_calls_people_as_they_are_called_now(lobby: Lobby) -> None:
    ada, player = lobby.sign_up("Ada")
    tournament = lobby.tournament()
    lobby.enter(tournament, player)
    rename(ada, "Lovelace")
    entries = lobby.see(tournament, "/log")["entries"]
    assert [e["details"]["name"] for e in entries if e["what"] == "invited"] == ["Lovelace"]


def test_what_a_correction_changed_is_told_of_people_as_they_are_called_now(lobby: Lobby) -> None:
    ada, player = lobby.sign_up("Ada")
    tournament = lobby.with_bots(3)
    ada.post(f"/api/v1/tournaments/{tournament}/entrants", {"player_id": player})
    lobby.start(tournament)
    lobby.play_round(tournament)
    (own,) = [p for p in lobby.see(tournament, "/pairings?round=1")["pairings"] if player in p["fixture"]["seats"]]
    correct(lobby, tournament, wish(own["slot"], SECOND))
    assert "Ada" in str(lobby.see(tournament, "/log"))
    rename(ada, "Lovelace")
    for entries in (lobby.see(tournament, "/log")["entries"], ada.get("/api/v1/notices").json["entries"]):
        (told,) = [entry["details"]["standings"] for entry in entries if entry["what"] == "result_corrected"]
        assert [line["name"] for line in told if line["player_id"] == player] == ["Lovelace"]
        assert "Ada" not in str(told)

"""Deleting an account: nobody gets in, nobody sees who it was, and tournaments go on."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest

from gin_lobby.domain.problems import NoAccount
from gin_lobby.pages import account as account_pages
from gin_lobby.tasks import follow_players, remove_lost_guests
from gin_lobby.use_cases import departures, entrants
from gin_servicekit.auth import Caller
from tests.integration.lobby.browsing import PASSWORD, SAME, browser, send, signed_up
from tests.integration.lobby.conftest import Lobby
from tests.support.locks import wait_for_lock
from tests.support.services import Api, token_for


def delete(api: Api, password: str = PASSWORD, **headers: str) -> Any:
    return api.post("/api/v1/accounts/me/deletion", {"password": password}, headers=headers)


def entrant(lobby: Lobby, tournament: str, player: str) -> dict[str, Any]:
    (found,) = [e for e in lobby.see(tournament, "/entrants")["entrants"] if e["player_id"] == player]
    return dict(found)


def enter(api: Api, tournament: str, player: str) -> None:
    assert api.post(f"/api/v1/tournaments/{tournament}/entrants", {"player_id": player}).status_code == 201


def test_who_deletes_their_account_is_out_of_every_tournament_under_a_neutral_name(lobby: Lobby) -> None:
    ada, player = lobby.sign_up("Ada")
    running, later, full = lobby.with_bots(3), lobby.tournament(), lobby.tournament(capacity=2)
    waits = lobby.bot("Waits")
    for tournament in (running, later, full):
        enter(ada, tournament, player)
    for bot in (lobby.bot("Has a place"), waits):
        enter(lobby.organiser, full, bot)
    lobby.organiser.patch(
        f"/api/v1/tournaments/{later}", {"starts_at": "2030-01-01T00:00:00Z"}, headers={"If-Match": "*"}
    )
    lobby.organiser.patch(
        f"/api/v1/tournaments/{full}", {"starts_at": "2030-01-01T00:00:00Z"}, headers={"If-Match": "*"}
    )
    lobby.start(running)
    neutral = delete(ada).json["name"]
    assert neutral.startswith("Deleted player ")
    follow_players(lobby.service)
    for tournament in (running, later, full):
        found = entrant(lobby, tournament, player)
        assert (found["state"], found["name"]) == ("withdrawn", neutral)
    assert entrant(lobby, full, waits)["state"] == "registered"
    (line,) = [s for s in lobby.see(running, "/standings")["standings"] if s["player_id"] == player]
    assert (line["name"], line["withdrawn"]) == (neutral, True)
    assert [m["shown_name"] for m in lobby.outbox("player_left")] == [neutral]
    lobby.play_round(running)
    assert all(player not in (p["first_id"], p["second_id"]) for p in lobby.undecided(running))


def test_nobody_gets_in_any_more_by_any_way(lobby: Lobby) -> None:
    page, owner = signed_up(lobby, "Ada")
    ada = lobby.anonymous.as_(
        lobby.anonymous.post("/api/v1/tokens", {"name": "Ada", "password": PASSWORD}).json["token"]
    )
    codes = ada.post("/api/v1/accounts/me/recovery-codes", {"password": PASSWORD}).json["recovery_codes"]
    bot = ada.post("/api/v1/players", {"name": "Robbie", "kind": "bot"}).json["player_id"]
    robbie = ada.post(f"/api/v1/players/{bot}/tokens", {}).json["token"]
    gone = send(page, "/account/deletion", deletion_password=PASSWORD)
    assert "is deleted" in gone.text
    fresh = browser(lobby)
    for token in (ada.token, robbie):
        assert fresh.get("/api/v1/tokens", headers={"Authorization": f"Bearer {token}"}).status_code == 401
    neutral = lobby.anonymous.get(f"/api/v1/players/{owner}").json["name"]
    for name in ("Ada", neutral):
        assert lobby.anonymous.post("/api/v1/tokens", {"name": name, "password": PASSWORD}).status_code == 401
        reset = {"name": name, "recovery_code": codes[0], "new_password": "another long one"}
        assert lobby.anonymous.post("/api/v1/password-resets", reset).status_code == 401
    assert page.get("/account", headers=SAME).location.startswith("/sign-in")
    assert lobby.anonymous.post("/api/v1/accounts", {"name": "ada", "password": PASSWORD}).status_code == 409
    assert lobby.anonymous.get("/people/Ada").status_code == 404


def test_a_wrong_password_deletes_nothing(lobby: Lobby) -> None:
    ada, player = lobby.sign_up("Ada")
    refused = delete(ada, "a guess")
    assert (refused.status_code, refused.json["errors"][0]["field"]) == (401, "password")
    page, _ = signed_up(lobby, "Bob")
    assert 'id="deletion_password-error"' in send(page, "/account/deletion", deletion_password="a guess").text
    assert lobby.anonymous.get(f"/api/v1/players/{player}").json["name"] == "Ada"
    assert ada.get("/api/v1/accounts/me").status_code == 200


def test_bots_of_who_is_gone_stop_and_keep_their_names_and_nobody_enters_them(lobby: Lobby) -> None:
    ada, player = lobby.sign_up("Ada")
    bot = ada.post("/api/v1/players", {"name": "Robbie", "kind": "bot", "bot": "simple"}).json["player_id"]
    tournament = lobby.with_bots(3)
    enter(ada, tournament, bot)
    lobby.start(tournament)
    delete(ada)
    follow_players(lobby.service)
    found = entrant(lobby, tournament, bot)
    assert (found["state"], found["name"]) == ("withdrawn", "Robbie")
    assert {(m["player_id"], m["shown_name"] is None) for m in lobby.outbox("player_left")} == {
        (bot, True),
        (player, False),
    }
    for gone in (bot, player):
        assert lobby.enter(lobby.tournament(), gone).status_code == 422


def test_what_nobody_could_enter_is_cancelled_and_the_rest_takes_place(lobby: Lobby) -> None:
    ada, _ = lobby.sign_up("Ada")
    plan = {"name": "Ada's", "starts_at": "2030-01-01T00:00:00Z", "rounds": 3}
    announced, opened = (ada.post("/api/v1/tournaments", plan).json["tournament_id"] for _ in range(2))
    ada.post(f"/api/v1/tournaments/{opened}/registration")
    series = {
        "name": "Fridays",
        "rule": "FREQ=WEEKLY",
        "first_at": "2030-01-04T19:00:00",
        "zone": "UTC",
        "tournament": {"rounds": 3},
    }
    series_id = ada.post("/api/v1/series", series).json["series_id"]
    assert delete(ada).status_code == 200
    assert lobby.see(announced)["state"] == "cancelled"
    assert lobby.see(announced)["ended_because"] == "its organiser has left"
    assert lobby.see(opened)["state"] == "registration"
    assert lobby.anonymous.get(f"/api/v1/series/{series_id}").json["state"] == "ended"


def test_two_deletions_at_once_are_one(lobby: Lobby) -> None:
    ada, player = lobby.sign_up("Ada")

    def go() -> str:
        try:
            with lobby.service.transaction() as tx:
                return departures.delete_account(tx, UUID(player), PASSWORD).name
        except NoAccount:
            return "deleted already"

    with ThreadPoolExecutor(1) as pool:
        with lobby.service.transaction() as tx:
            departures.delete_account(tx, UUID(player), PASSWORD)
            other = pool.submit(go)
            wait_for_lock(lobby.service)
        assert other.result(timeout=30) == "deleted already"
    assert delete(ada).status_code in (401, 403)
    assert len(lobby.outbox("player_left")) == 1


def test_who_enters_while_the_account_is_being_deleted_is_out_again_or_never_in(lobby: Lobby) -> None:
    ada, player = lobby.sign_up("Ada")
    tournament = lobby.tournament()
    caller = Caller(player, frozenset(), administrator=False, token_id="")
    with ThreadPoolExecutor(1) as pool:
        with lobby.service.transaction() as tx:
            entrants.enter(tx, caller, UUID(tournament), UUID(player))
            deleting = pool.submit(delete, ada)
            wait_for_lock(lobby.service)
        assert deleting.result(timeout=30).status_code == 200
    follow_players(lobby.service)
    assert entrant(lobby, tournament, player)["state"] == "withdrawn"


def test_a_token_that_is_not_known_to_be_revoked_yet_gets_no_other_for_a_bot(lobby: Lobby) -> None:
    ada, player = lobby.sign_up("Ada")
    bot = ada.post("/api/v1/players", {"name": "Robbie", "kind": "bot"}).json["player_id"]
    delete(ada)
    late = lobby.anonymous.as_(token_for(player))
    assert late.post(f"/api/v1/players/{bot}/tokens", {}).status_code == 403
    assert late.patch(f"/api/v1/players/{bot}", {"name": "Robin"}).status_code == 403


def test_what_a_page_ends_is_told_to_the_services_once_it_is_true(
    lobby: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, player = signed_up(lobby, "Ada")
    good: list[int] = []

    def look(*_: object) -> None:
        with lobby.service.transaction() as tx:
            good.append(
                int(tx.scalar("SELECT count(*) FROM tokens WHERE account_id = %s AND revoked_at IS NULL", (player,)))
            )

    monkeypatch.setattr(account_pages, "publish_revocations", look)
    assert "is deleted" in send(page, "/account/deletion", deletion_password=PASSWORD).text
    assert good == [0]


def test_a_guest_who_cannot_come_back_is_removed_with_every_way_in(lobby: Lobby) -> None:
    page, kept = browser(lobby), browser(lobby)
    lost = page.post("/api/v1/guests").json["player_id"]
    lobby.clock.move(days=20)
    stays = kept.post("/api/v1/guests").json["player_id"]
    lobby.clock.move(days=14)
    remove_lost_guests(lobby.service)
    assert lobby.anonymous.get(f"/api/v1/players/{lost}").status_code == 200  # a session may be a day older
    lobby.clock.move(days=2)
    remove_lost_guests(lobby.service)
    assert lobby.anonymous.get(f"/api/v1/players/{lost}").status_code == 404
    assert lobby.anonymous.get(f"/api/v1/players/{stays}").status_code == 200


def test_a_lost_guest_stays_while_a_tournament_needs_them_and_afterwards_by_name(lobby: Lobby) -> None:
    page = browser(lobby)
    guest = page.post("/api/v1/guests").json
    tournament = lobby.with_bots(3)
    entered = page.post(
        f"/api/v1/tournaments/{tournament}/entrants", json={"player_id": guest["player_id"]}, headers=SAME
    )
    assert entered.status_code == 201
    lobby.start(tournament)
    lobby.clock.move(days=40)
    remove_lost_guests(lobby.service)
    assert accounts(lobby) == 2
    lobby.organiser.post(f"/api/v1/tournaments/{tournament}/cancellation", {"reason": "too long"})
    remove_lost_guests(lobby.service)
    assert accounts(lobby) == 1
    assert entrant(lobby, tournament, guest["player_id"])["name"] == guest["name"]
    later = lobby.tournament()
    assert lobby.enter(later, guest["player_id"]).status_code == 422
    named = lobby.organiser.put(f"/api/v1/tournaments/{later}/arbiters/{guest['player_id']}")
    assert (named.status_code, named.json["errors"][0]["field"]) == (422, "account_id")


def test_a_token_that_was_over_long_ago_is_removed(lobby: Lobby) -> None:
    """Another that is still good lets in as before."""
    _, player = lobby.sign_up("Ada")
    lobby.clock.move(days=20)
    remove_lost_guests(lobby.service)
    assert tokens(lobby, player) == 1
    issued = lobby.anonymous.post("/api/v1/tokens", {"name": "Ada", "password": PASSWORD})
    lobby.clock.move(days=14)
    remove_lost_guests(lobby.service)
    assert tokens(lobby, player) == 2  # the first has been over for less than five days
    lobby.clock.move(days=2)
    remove_lost_guests(lobby.service)
    assert tokens(lobby, player) == 1
    assert lobby.anonymous.as_(issued.json["token"]).get("/api/v1/tokens").status_code == 200


def tokens(lobby: Lobby, player: str) -> int:
    with lobby.service.transaction() as tx:
        return int(tx.scalar("SELECT count(*) FROM tokens WHERE account_id = %s", (player,)))


def accounts(lobby: Lobby) -> int:
    with lobby.service.transaction() as tx:
        return int(tx.scalar("SELECT count(*) FROM accounts"))

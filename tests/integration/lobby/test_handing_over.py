"""A tournament gets another organiser: given by the one before, or taken over where that one is gone."""

from typing import Any

from flask.testing import FlaskClient

from gin_lobby.tasks import follow_players
from tests.integration.lobby.browsing import PASSWORD, send, signed_up
from tests.integration.lobby.conftest import Lobby
from tests.support.services import Api, token_for


def at(tournament_id: str, what: str = "") -> str:
    return f"/api/v1/tournaments/{tournament_id}{what}"


def hand_over(api: Api, tournament_id: str, account_id: str) -> Any:
    return api.put(at(tournament_id, "/organiser"), {"account_id": account_id})


def cancel(api: Api, tournament_id: str) -> int:
    status: int = api.post(at(tournament_id, "/cancellation"), {"reason": "no light"}).status_code
    return status


def left_behind(lobby: Lobby) -> tuple[str, str]:
    """A tournament that can be entered, whose organiser has deleted their account: its id and theirs."""
    gone, gone_id = lobby.sign_up("Gone")
    plan = {"name": "Left behind", "starts_at": "2030-01-01T00:00:00Z", "rounds": 3}
    tournament_id: str = gone.post("/api/v1/tournaments", plan).json["tournament_id"]
    gone.post(at(tournament_id, "/registration"))
    for arbiter in (lobby.sign_up("Arbiter")[1], lobby.sign_up("Other")[1]):
        assert gone.put(at(tournament_id, f"/arbiters/{arbiter}")).status_code == 200
    assert gone.post("/api/v1/accounts/me/deletion", {"password": PASSWORD}).status_code == 200
    follow_players(lobby.service)
    return tournament_id, gone_id


def signed_in(lobby: Lobby, name: str) -> Api:
    return lobby.anonymous.as_(
        lobby.anonymous.post("/api/v1/tokens", {"name": name, "password": PASSWORD}).json["token"]
    )


def test_who_hands_it_over_stays_as_an_arbiter_whom_the_new_organiser_may_dismiss(lobby: Lobby) -> None:
    ada, ada_id = lobby.sign_up("Ada")
    tournament_id = lobby.tournament()
    lobby.organiser.put(at(tournament_id, f"/arbiters/{ada_id}"))
    handed = hand_over(lobby.organiser, tournament_id, ada_id)
    assert (handed.status_code, handed.json["organiser_id"]) == (200, ada_id)
    named = [arbiter["account_id"] for arbiter in lobby.see(tournament_id, "/arbiters")["arbiters"]]
    assert named == [lobby.organiser_id]
    assert lobby.outbox("arbiters_named")[-1]["arbiters"] == [ada_id, lobby.organiser_id]
    assert hand_over(lobby.organiser, tournament_id, lobby.organiser_id).status_code == 403
    assert cancel(lobby.organiser, tournament_id) == 403
    assert lobby.organiser.post(at(tournament_id, "/pause"), {"reason": "tea"}).status_code == 200
    assert ada.delete(at(tournament_id, f"/arbiters/{lobby.organiser_id}")).status_code == 200
    assert cancel(ada, tournament_id) == 200
    (told,) = [entry for entry in lobby.see(tournament_id, "/log")["entries"] if entry["what"] == "handed_over"]
    assert (told["details"]["name"], told["actor_id"]) == ("Ada", lobby.organiser_id)


def test_it_goes_to_nobody_but_an_account_and_nobody_takes_it_by_themselves(lobby: Lobby) -> None:
    ada, ada_id = lobby.sign_up("Ada")
    tournament_id = lobby.tournament()
    lobby.organiser.put(at(tournament_id, f"/arbiters/{ada_id}"))
    assert hand_over(ada, tournament_id, ada_id).status_code == 403
    assert hand_over(lobby.sign_up("Eve")[0], tournament_id, ada_id).status_code == 403
    for nobody in (lobby.bot("Bot"), "01990000-0000-7000-8000-000000000001", left_behind(lobby)[1]):
        refused = hand_over(lobby.organiser, tournament_id, nobody)
        assert (refused.status_code, refused.json["errors"][0]["field"]) == (422, "account_id")
    assert hand_over(lobby.organiser, tournament_id, lobby.organiser_id).status_code == 200
    assert lobby.see(tournament_id)["organiser_id"] == lobby.organiser_id
    assert lobby.see(tournament_id, "/arbiters")["arbiters"][0]["account_id"] == ada_id


def test_an_arbiter_takes_over_what_its_organiser_left_behind_and_for_themselves_alone(lobby: Lobby) -> None:
    tournament_id, _ = left_behind(lobby)
    arbiter, other = signed_in(lobby, "Arbiter"), signed_in(lobby, "Other")
    ids = {api.token: api.get("/api/v1/accounts/me").json["player_id"] for api in (arbiter, other)}
    assert cancel(arbiter, tournament_id) == 403
    assert hand_over(arbiter, tournament_id, ids[other.token]).status_code == 403
    assert hand_over(lobby.organiser, tournament_id, lobby.organiser_id).status_code == 403
    assert hand_over(arbiter, tournament_id, ids[arbiter.token]).json["organiser_id"] == ids[arbiter.token]
    assert hand_over(other, tournament_id, ids[other.token]).status_code == 403
    named = [one["account_id"] for one in lobby.see(tournament_id, "/arbiters")["arbiters"]]
    assert named == [ids[other.token]], "who is gone does not come back as an arbiter"
    assert cancel(arbiter, tournament_id) == 200


def test_an_administrator_gives_it_to_whom_they_will(lobby: Lobby) -> None:
    _, chief = lobby.sign_up("Chief")
    _, ada_id = lobby.sign_up("Ada")
    tournament_id, _ = left_behind(lobby)
    administrator = lobby.anonymous.as_(token_for(chief, administrator=True))
    assert hand_over(administrator, tournament_id, ada_id).json["organiser_id"] == ada_id
    assert chief not in str(lobby.see(tournament_id, "/arbiters"))


def test_by_the_desk_it_is_handed_over_and_taken_over(lobby: Lobby) -> None:
    tournament_id, _ = left_behind(lobby)
    page = desk_of(lobby, "Arbiter")
    desk = f"/tournaments/{tournament_id}/desk"
    assert "Become its organiser" in page.get(desk).text
    assert "Hand it over" not in page.get(desk).text
    assert send(page, f"{desk}/taking-over").location == f"{desk}?done=taking-over"
    assert "Become its organiser" not in page.get(desk).text
    unsure = send(page, f"{desk}/organiser", account_id="Other")
    assert (unsure.status_code, "please say that you are sure" in unsure.text.lower()) == (422, True)
    assert send(page, f"{desk}/organiser", account_id="Nobody", sure="on").status_code == 422
    assert send(page, f"{desk}/organiser", account_id="Other", sure="on").status_code == 303
    assert "It is handed over" in page.get(f"{desk}?done=organiser").text
    assert "made Other the organiser" in page.get(f"/tournaments/{tournament_id}/log").text
    assert send(page, f"{desk}/taking-over").status_code == 403


def test_one_of_a_series_that_was_handed_over_stays_when_the_series_moves(lobby: Lobby) -> None:
    _, ada_id = lobby.sign_up("Ada")
    first_at = lobby.clock().strftime("%Y-%m-%dT23:00:00")
    plan = {"name": "Daily", "rule": "FREQ=DAILY", "first_at": first_at, "zone": "UTC", "tournament": {"rounds": 3}}
    series = lobby.organiser.post("/api/v1/series", plan).json["series_id"]
    listed = f"/api/v1/series/{series}/occurrences"
    mine, theirs = [o for o in lobby.anonymous.get(listed).json["occurrences"] if o["tournament_id"]][-2:]
    assert hand_over(lobby.organiser, theirs["tournament_id"], ada_id).status_code == 200
    changes = {"first_at": lobby.clock().strftime("%Y-%m-%dT23:30:00")}
    changed = lobby.organiser.patch(f"/api/v1/series/{series}", changes, headers={"If-Match": "*"})
    assert changed.status_code == 200, changed.json
    starts = {o["tournament_id"]: o["starts_at"] for o in lobby.anonymous.get(listed).json["occurrences"]}
    assert starts[mine["tournament_id"]] != mine["starts_at"]
    assert starts[theirs["tournament_id"]] == theirs["starts_at"]


def test_who_is_called_otherwise_now_is_so_in_the_log(lobby: Lobby) -> None:
    ada, ada_id = lobby.sign_up("Ada")
    tournament_id = lobby.tournament()
    hand_over(lobby.organiser, tournament_id, ada_id)
    neutral = ada.post("/api/v1/accounts/me/deletion", {"password": PASSWORD}).json["name"]
    (told,) = [entry for entry in lobby.see(tournament_id, "/log")["entries"] if entry["what"] == "handed_over"]
    assert told["details"]["name"] == neutral


def desk_of(lobby: Lobby, name: str) -> FlaskClient:
    """The browser of somebody who has signed up before."""
    page, _ = signed_up(lobby, f"Not {name}")
    send(page, "/sign-out")
    assert send(page, "/sign-in", name=name, password=PASSWORD).status_code == 303
    return page

"""Who may enter a tournament, and what happens when it is full."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from tests.integration.lobby.conftest import Lobby


def states(lobby: Lobby, tournament_id: str) -> dict[str, str]:
    return {e["name"]: e["state"] for e in lobby.see(tournament_id, "/entrants")["entrants"]}


def test_nobody_enters_before_registration_opens(lobby: Lobby) -> None:
    plan = {"name": "Later", "rounds": 3, "starts_at": (lobby.clock() + timedelta(days=1)).isoformat()}
    tournament_id = lobby.organiser.post("/api/v1/tournaments", plan).json["tournament_id"]
    answer = lobby.enter(tournament_id, lobby.bot("Early"))
    assert answer.status_code == 409
    assert answer.json["type"] == "urn:ginhall:problem:wrong-tournament-state"


def test_a_person_enters_alone_and_nobody_enters_for_another(lobby: Lobby) -> None:
    tournament_id = lobby.tournament()
    ada, ada_id = lobby.sign_up("Ada")
    bob, _ = lobby.sign_up("Bob")
    path = f"/api/v1/tournaments/{tournament_id}/entrants"
    assert bob.post(path, {"player_id": ada_id}).status_code == 403
    assert ada.post(path, {"player_id": ada_id}).status_code == 201
    assert bob.delete(f"{path}/{ada_id}").status_code == 403
    assert states(lobby, tournament_id) == {"Ada": "registered"}


def test_nobody_enters_twice(lobby: Lobby) -> None:
    """Whoever asks again is told so also later: a program that starts anew in the middle goes on by that."""
    tournament_id = lobby.with_bots(3)
    bot = lobby.bot("Bot")
    lobby.enter(tournament_id, bot)
    for starts in (False, True):
        if starts:
            lobby.start(tournament_id)
        again = lobby.enter(tournament_id, bot)
        assert again.status_code == 409
        assert again.json["type"] == "urn:ginhall:problem:already-entered"
    late = lobby.enter(tournament_id, lobby.bot("Late"))
    assert (late.status_code, late.json["type"]) == (409, "urn:ginhall:problem:wrong-tournament-state")


def test_a_tournament_for_people_admits_no_bot(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(admits="humans")
    answer = lobby.enter(tournament_id, lobby.bot("Bot"))
    assert answer.status_code == 422
    assert answer.json["type"] == "urn:ginhall:problem:not-admitted"


def test_the_waitlist_moves_up_in_the_order_of_entry_when_somebody_withdraws(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4, capacity=2)
    assert states(lobby, tournament_id) == {
        "Bot 1": "registered",
        "Bot 2": "registered",
        "Bot 3": "waitlisted",
        "Bot 4": "waitlisted",
    }
    first = lobby.see(tournament_id, "/entrants")["entrants"][0]["player_id"]
    lobby.organiser.delete(f"/api/v1/tournaments/{tournament_id}/entrants/{first}")
    assert states(lobby, tournament_id)["Bot 3"] == "registered"
    assert states(lobby, tournament_id)["Bot 4"] == "waitlisted"
    assert states(lobby, tournament_id)["Bot 1"] == "withdrawn"


def test_who_withdraws_and_comes_back_stands_at_the_end_of_the_line(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(3, capacity=2)
    first = lobby.see(tournament_id, "/entrants")["entrants"][0]["player_id"]
    lobby.organiser.delete(f"/api/v1/tournaments/{tournament_id}/entrants/{first}")
    lobby.enter(tournament_id, first)
    assert states(lobby, tournament_id) == {"Bot 2": "registered", "Bot 3": "registered", "Bot 1": "waitlisted"}


def test_of_forty_who_want_the_last_place_at_once_one_gets_it(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(capacity=2)
    lobby.enter(tournament_id, lobby.bot("There before"))
    bots = [lobby.bot(f"Bot {number}") for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda bot: lobby.enter(tournament_id, bot).status_code, bots))
    assert set(answers) == {201}
    assert sorted(states(lobby, tournament_id).values()).count("registered") == 2
    assert sorted(states(lobby, tournament_id).values()).count("waitlisted") == 39


def test_a_double_click_enters_once(lobby: Lobby) -> None:
    tournament_id = lobby.tournament()
    bot = lobby.bot("Bot")
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: lobby.enter(tournament_id, bot).status_code, range(4)))
    assert sorted(answers) == [201, 409, 409, 409]

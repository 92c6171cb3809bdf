"""Who stays away again and again is taken out; who comes in between is not."""

from gin_lobby.tasks import advance_due
from gin_messages.match import MatchFinished, SeatResult
from tests.integration.lobby.conftest import Lobby, Match, ended
from tests.support.services import Api

SWISS = {"kind": "swiss", "rounds": 4}


def people(lobby: Lobby, tournament_id: str, *names: str) -> dict[str, tuple[Api, str]]:
    found = {name: lobby.sign_up(name) for name in names}
    for api, player_id in found.values():
        answer = api.post(f"/api/v1/tournaments/{tournament_id}/entrants", {"player_id": player_id})
        assert answer.status_code in (200, 201), answer.json
    return found


def play(lobby: Lobby, tournament_id: str, *absent: str) -> None:
    """Every match in play ends: the absent do not come, and elsewhere the first seat wins."""
    lobby.finish(*(without(lobby, match, absent) for match in lobby.in_play(tournament_id)))
    advance_due(lobby.service)


def without(lobby: Lobby, match: Match, absent: tuple[str, ...]) -> MatchFinished:
    away = [seat for seat in match.seats if seat in absent]
    here = [seat for seat in match.seats if seat not in absent]
    if not away:
        return ended(lobby, match, match.seats)
    seats = [SeatResult(seat, 1 if not here or seat in here else 2, 0, 0, 0) for seat in match.seats]
    return ended(lobby, match, match.seats, ending="no_show" if here else "double_forfeit", seats=seats)


def withdrawn(lobby: Lobby, tournament_id: str) -> set[str]:
    return {line["player_id"] for line in lobby.see(tournament_id, "/standings")["standings"] if line["withdrawn"]}


def entries(lobby: Lobby, tournament_id: str) -> list[dict[str, object]]:
    return [e for e in lobby.see(tournament_id, "/log")["entries"] if e["what"] == "dropped_for_absence"]


def test_who_does_not_come_twice_running_is_out_and_told(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(format=SWISS)
    house = people(lobby, tournament_id, "Ada", "Bea", "Cyd", "Dee", "Eve", "Fay")
    ada, ada_id = house["Ada"]
    lobby.start(tournament_id)
    play(lobby, tournament_id, ada_id)
    assert withdrawn(lobby, tournament_id) == set()
    play(lobby, tournament_id, ada_id)
    assert withdrawn(lobby, tournament_id) == {ada_id}
    assert lobby.see(tournament_id)["current_round"] == 3
    assert ada_id not in {seat for match in lobby.in_play(tournament_id) for seat in match.seats}
    (entry,) = entries(lobby, tournament_id)
    assert (entry["details"], entry["actor_id"]) == ({"name": "Ada", "absences": 2}, None)
    assert "dropped_for_absence" in [notice["what"] for notice in ada.get("/api/v1/notices").json["entries"]]


def test_who_comes_in_between_stays(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(format=SWISS)
    house = people(lobby, tournament_id, "Ada", "Bea", "Cyd", "Dee", "Eve", "Fay")
    ada_id = house["Ada"][1]
    lobby.start(tournament_id)
    play(lobby, tournament_id, ada_id)
    play(lobby, tournament_id)
    play(lobby, tournament_id, ada_id)
    assert withdrawn(lobby, tournament_id) == set()
    assert entries(lobby, tournament_id) == []


def test_a_rest_between_two_absences_counts_as_neither(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(format=SWISS)
    house = people(lobby, tournament_id, "Ada", "Bea", "Cyd", "Dee", "Eve", "Fay")
    ada, ada_id = house["Ada"]
    lobby.start(tournament_id)
    rest = ada.put(f"/api/v1/tournaments/{tournament_id}/entrants/{ada_id}/rest", {"rounds": [2]})
    assert rest.status_code == 200, rest.json
    play(lobby, tournament_id, ada_id)
    play(lobby, tournament_id)
    play(lobby, tournament_id, ada_id)
    assert withdrawn(lobby, tournament_id) == {ada_id}


def test_of_two_who_both_stay_away_both_are_out(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(format=SWISS)
    house = people(lobby, tournament_id, "Ada", "Bea", "Cyd", "Dee")
    everybody = tuple(player_id for _, player_id in house.values())
    lobby.start(tournament_id)
    play(lobby, tournament_id, *everybody)
    play(lobby, tournament_id, *everybody)
    assert withdrawn(lobby, tournament_id) == set(everybody)
    assert lobby.see(tournament_id)["state"] == "finished"


def test_an_absence_told_three_times_is_one(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(format=SWISS)
    ada_id = people(lobby, tournament_id, "Ada", "Bea", "Cyd", "Dee")["Ada"][1]
    lobby.start(tournament_id)
    match = next(m for m in lobby.in_play(tournament_id) if ada_id in m.seats)
    for _ in range(3):
        lobby.finish(without(lobby, match, (ada_id,)))
    assert withdrawn(lobby, tournament_id) == set()


def test_who_stays_away_from_two_tables_of_a_pod_is_out(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(game="word", format={"kind": "pods", "rounds": 3})
    ada_id = people(lobby, tournament_id, "Ada", "Bea", "Cyd", "Dee")["Ada"][1]
    lobby.start(tournament_id)
    play(lobby, tournament_id, ada_id)
    assert withdrawn(lobby, tournament_id) == set()
    play(lobby, tournament_id, ada_id)
    assert withdrawn(lobby, tournament_id) == {ada_id}


def test_a_bot_of_the_house_is_never_taken_out(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4, format=SWISS)
    bot = lobby.see(tournament_id, "/entrants")["entrants"][0]["player_id"]
    lobby.start(tournament_id)
    play(lobby, tournament_id, bot)
    play(lobby, tournament_id, bot)
    assert withdrawn(lobby, tournament_id) == set()

"""Whoever does not come to two matches in a row is not paired any more."""

from typing import Any

import pytest

from gin_lobby.tasks import advance_due
from gin_messages.match import SeatResult
from tests.integration.lobby.conftest import Lobby, Match, ended, won_by_first

SWISS = {"kind": "swiss", "rounds": 4, "late_entry_rounds": 4}


def state(lobby: Lobby, tournament_id: str, player: str) -> str:
    entrants = lobby.see(tournament_id, "/entrants")["entrants"]
    return str(next(e["state"] for e in entrants if e["player_id"] == player))


def without(lobby: Lobby, match: Match, *absent: str) -> Any:
    """The match ends because these did not come."""
    seats = [SeatResult(player, 2 if player in absent else 1, 0, 0, 0) for player in match.seats]
    ending = "double_forfeit" if set(absent) == set(match.seats) else "no_show"
    return ended(lobby, match, list(match.seats), ending=ending, hands_played=0, seats=seats)


def play_without(lobby: Lobby, tournament_id: str, *absent: str) -> None:
    """The round is played, and these do not come to their matches."""
    for match in lobby.in_play(tournament_id):
        missing = [player for player in match.seats if player in absent]
        pairing = {"match_id": match.match_id, "tournament_id": tournament_id, "round": match.round}
        named = pairing | {"first_id": match.seats[0], "second_id": match.seats[-1]}
        lobby.finish(without(lobby, match, *missing) if missing else won_by_first(lobby, named))
    advance_due(lobby.service)


@pytest.fixture
def field(lobby: Lobby) -> tuple[str, list[str]]:
    tournament_id = lobby.with_bots(6, format=SWISS)
    lobby.start(tournament_id)
    return tournament_id, lobby.seeds(tournament_id)


def test_one_absence_is_a_forfeit_and_two_in_a_row_end_the_tournament_for_somebody(
    lobby: Lobby, field: tuple[str, list[str]]
) -> None:
    tournament_id, (gone, *_) = field
    play_without(lobby, tournament_id, gone)
    assert state(lobby, tournament_id, gone) == "registered"
    play_without(lobby, tournament_id, gone)
    assert state(lobby, tournament_id, gone) == "dropped"
    third = [p for p in lobby.see(tournament_id, "/pairings")["pairings"] if p["round"] == 3]
    assert gone not in {seat for p in third for seat in p["fixture"]["seats"]}
    (entry,) = lobby.see(tournament_id, "/log?what=dropped")["entries"]
    assert "did not come to two matches in a row" in entry["reason"]
    assert lobby.enter(tournament_id, gone).status_code == 409


def test_who_comes_in_between_stays(lobby: Lobby, field: tuple[str, list[str]]) -> None:
    tournament_id, (careless, *_) = field
    play_without(lobby, tournament_id, careless)
    play_without(lobby, tournament_id)
    play_without(lobby, tournament_id, careless)
    assert state(lobby, tournament_id, careless) == "registered"


def test_both_absent_at_one_table_are_both_absent(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2, format={"kind": "round_robin", "legs": 2})
    lobby.start(tournament_id)
    one, other = lobby.seeds(tournament_id)
    play_without(lobby, tournament_id, one, other)
    play_without(lobby, tournament_id, one, other)
    assert [state(lobby, tournament_id, player) for player in (one, other)] == ["dropped", "dropped"]
    assert lobby.see(tournament_id)["state"] == "finished"


def test_who_does_not_come_to_a_table_of_three_or_four_is_absent_there(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4, format={"kind": "pods", "rounds": 3})
    lobby.start(tournament_id)
    gone = lobby.seeds(tournament_id)[2]
    play_without(lobby, tournament_id, gone)
    assert state(lobby, tournament_id, gone) == "registered"
    play_without(lobby, tournament_id, gone)
    assert state(lobby, tournament_id, gone) == "dropped"
    (third,) = lobby.in_play(tournament_id)
    assert gone not in third.seats


def test_an_annulled_match_is_no_absence(lobby: Lobby, field: tuple[str, list[str]]) -> None:
    tournament_id, (gone, *_) = field
    play_without(lobby, tournament_id, gone)
    for _ in range(3):
        for match in lobby.in_play(tournament_id):
            lobby.finish(ended(lobby, match, list(match.seats), ending="void"))
        advance_due(lobby.service)
    assert state(lobby, tournament_id, gone) == "registered"
    play_without(lobby, tournament_id, gone)
    assert state(lobby, tournament_id, gone) == "dropped", "what was annulled is passed over"

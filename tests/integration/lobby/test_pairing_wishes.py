"""Pairs set by hand, pairs that may not be, rests, pairing anew, and the organiser's answer where nothing is legal."""

from typing import Any

import pytest

from gin_lobby.tasks import advance_due
from tests.integration.lobby.conftest import Lobby, won_by_first


def at(tournament_id: str, what: str) -> str:
    return f"/api/v1/tournaments/{tournament_id}{what}"


def wish(lobby: Lobby, tournament_id: str, number: int, *pairs: tuple[str, str], **more: Any) -> Any:
    body = {"manual_pairs": [list(pair) for pair in pairs]} | more
    return lobby.organiser.put(at(tournament_id, f"/rounds/{number}/wishes"), body)


def met(lobby: Lobby, tournament_id: str, number: int) -> set[frozenset[str]]:
    pairings = lobby.see(tournament_id, f"/pairings?round={number}")["pairings"]
    return {frozenset(p["fixture"]["seats"]) for p in pairings}


def test_manual_pairs_are_kept_and_everybody_else_is_paired_as_always(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(6)
    entered = lobby.seeds(tournament_id)
    assert wish(lobby, tournament_id, 1, (entered[5], entered[0])).status_code == 200
    lobby.start(tournament_id)
    first = lobby.see(tournament_id, "/pairings")["pairings"]
    assert [entered[5], entered[0]] in [p["fixture"]["seats"] for p in first], "the first named deals first"
    assert len(first) == 3
    assert wish(lobby, tournament_id, 1).status_code == 409, "it is paired already"


def test_a_manual_pair_of_which_one_has_left_is_passed_over(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(6)
    one, other, *_ = lobby.seeds(tournament_id)
    wish(lobby, tournament_id, 2, (one, other))
    lobby.start(tournament_id)
    lobby.organiser.delete(at(tournament_id, f"/entrants/{one}"))
    lobby.play_round(tournament_id)
    second = met(lobby, tournament_id, 2)
    assert other in {seat for seats in second for seat in seats}
    assert one not in {seat for seats in second for seat in seats}


def test_pairs_that_are_forbidden_do_not_meet(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(6)
    entered = lobby.seeds(tournament_id)
    pairs = [[entered[0], other] for other in entered[1:5]]
    answer = lobby.organiser.put(at(tournament_id, "/forbidden-pairs"), {"pairs": pairs})
    assert answer.json["forbidden_pairs"] == pairs
    lobby.start(tournament_id)
    assert frozenset((entered[0], entered[5])) in met(lobby, tournament_id, 1)


def test_wishes_that_cannot_be_are_refused(lobby: Lobby) -> None:
    tournament_id, knockout = lobby.with_bots(4), lobby.with_bots(4, format={"kind": "single_elimination"})
    a, b, c, _ = lobby.seeds(tournament_id)
    stranger = lobby.bot("Stranger")
    assert wish(lobby, tournament_id, 1, (a, stranger)).status_code == 422
    assert wish(lobby, tournament_id, 1, (a, a)).status_code == 422
    assert wish(lobby, tournament_id, 1, (a, b), (b, c)).status_code == 422
    assert wish(lobby, tournament_id, 1, allow=["end_early"]).status_code == 422
    assert wish(lobby, tournament_id, 9).status_code == 422
    assert wish(lobby, knockout, 1).status_code == 409


def test_who_asks_for_a_rest_has_a_bye_of_half_a_point(lobby: Lobby) -> None:
    tournament_id = lobby.tournament()
    ada, ada_id = lobby.sign_up("Ada")
    ada.post(at(tournament_id, "/entrants"), {"player_id": ada_id})
    for number in range(5):
        lobby.enter(tournament_id, lobby.bot(f"Bot {number}"))
    rest = at(tournament_id, f"/entrants/{ada_id}/rest")
    assert ada.put(rest, {"rounds": [1, 3]}).json == {"rounds": [1, 3]}
    lobby.start(tournament_id)
    assert frozenset((ada_id,)) in met(lobby, tournament_id, 1)
    lines = lobby.see(tournament_id, "/standings")["standings"]
    assert next(line["points"] for line in lines if line["player_id"] == ada_id) == 0.5
    assert ada.put(rest, {"rounds": [1]}).status_code == 409
    assert ada.delete(rest).json == {"rounds": [1]}
    lobby.play_round(tournament_id)
    lobby.play_round(tournament_id)
    assert frozenset((ada_id,)) not in met(lobby, tournament_id, 3)


def test_who_rests_in_an_arena_is_not_paired_until_they_are_back(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4, format={"kind": "arena", "duration_seconds": 600})
    seeds = lobby.seeds(tournament_id)
    rest = at(tournament_id, f"/entrants/{seeds[0]}/rest")
    assert lobby.organiser.put(rest, {}).json == {"rounds": [0]}
    lobby.start(tournament_id)
    assert seeds[0] not in {seat for match in lobby.in_play(tournament_id) for seat in match.seats}
    assert lobby.organiser.delete(rest).json == {"rounds": []}
    advance_due(lobby.service)
    assert {seat for match in lobby.in_play(tournament_id) for seat in match.seats} == set(seeds)


def test_nobody_rests_in_a_knockout(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4, format={"kind": "single_elimination"})
    player = lobby.seeds(tournament_id)[0]
    assert lobby.organiser.put(at(tournament_id, f"/entrants/{player}/rest"), {}).status_code == 409


def pair_again(lobby: Lobby, tournament_id: str, number: int, **body: Any) -> Any:
    return lobby.organiser.post(at(tournament_id, f"/rounds/{number}/pairing"), {"reason": "he left"} | body)


def test_a_round_that_nobody_has_played_is_paired_again_without_who_has_left(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(6)
    lobby.start(tournament_id)
    old = {p["match_id"] for p in lobby.undecided(tournament_id)}
    leaver = lobby.undecided(tournament_id)[0]["first_id"]
    lobby.organiser.delete(at(tournament_id, f"/entrants/{leaver}"))
    assert pair_again(lobby, tournament_id, 1).status_code == 200
    assert {c["match_id"] for c in lobby.outbox("cancel_match")} == old
    now = met(lobby, tournament_id, 1)
    assert sorted(map(len, now)) == [1, 2, 2]
    assert leaver not in {seat for seats in now for seat in seats}
    lobby.play_round(tournament_id)
    assert lobby.see(tournament_id)["current_round"] == 2


def test_a_round_is_paired_again_by_hand(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(6)
    lobby.start(tournament_id)
    first, second, _ = (p["fixture"]["seats"] for p in lobby.undecided(tournament_id))
    assert pair_again(lobby, tournament_id, 1, manual_pairs=[[first[0], second[0]]]).status_code == 200
    assert frozenset((first[0], second[0])) in met(lobby, tournament_id, 1)


def test_a_round_of_which_something_was_played_is_not_paired_again(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    lobby.finish(won_by_first(lobby, lobby.undecided(tournament_id)[0]))
    before = lobby.see(tournament_id, "/pairings")
    refused = pair_again(lobby, tournament_id, 1)
    assert (refused.status_code, refused.json["type"]) == (409, "urn:ginhall:problem:pairing-refused")
    assert pair_again(lobby, tournament_id, 2).status_code == 409
    assert lobby.see(tournament_id, "/pairings") == before


def everybody_has_met(lobby: Lobby) -> str:
    tournament_id = lobby.with_bots(4, rounds=5)
    lobby.start(tournament_id)
    for _ in range(3):
        lobby.play_round(tournament_id)
    assert lobby.see(tournament_id)["question"]["choices"] == ["allow_rematch", "end_early"]
    return tournament_id


def decide(lobby: Lobby, tournament_id: str, *choices: str) -> Any:
    return lobby.organiser.post(at(tournament_id, "/decision"), {"choices": list(choices)})


def test_the_organiser_allows_a_rematch_where_everybody_has_met(lobby: Lobby) -> None:
    tournament_id = everybody_has_met(lobby)
    assert decide(lobby, tournament_id, "allow_rematch").json["question"] is None
    advance_due(lobby.service)
    assert (lobby.see(tournament_id)["current_round"], len(lobby.undecided(tournament_id))) == (4, 2)
    lobby.play_round(tournament_id)
    assert lobby.see(tournament_id)["question"] is not None, "each round is asked about by itself"


def test_the_organiser_ends_it_early_where_everybody_has_met(lobby: Lobby) -> None:
    tournament_id = everybody_has_met(lobby)
    ended = decide(lobby, tournament_id, "end_early").json
    assert (ended["state"], ended["question"]) == ("finished", None)
    assert "rematch" in ended["ended_because"]
    assert decide(lobby, tournament_id, "end_early").status_code == 409


@pytest.mark.parametrize("choices", [["allow_second_bye"], ["allow_rematch", "end_early"], ["nonsense"], []])
def test_an_answer_that_does_not_help_is_refused(lobby: Lobby, choices: list[str]) -> None:
    tournament_id = everybody_has_met(lobby)
    assert decide(lobby, tournament_id, *choices).status_code == 422
    assert lobby.see(tournament_id)["question"] is not None


def test_nothing_is_answered_that_was_not_asked(lobby: Lobby) -> None:
    assert decide(lobby, lobby.with_bots(4), "end_early").status_code == 409

"""Results: once, whatever comes twice, late or at the same moment."""

from concurrent.futures import ThreadPoolExecutor

from gin_lobby.tasks import advance_due
from gin_lobby.use_cases import results
from gin_messages.match import MatchFinished, SeatResult
from tests.integration.lobby.conftest import Lobby, won_by_first


def report(lobby: Lobby, finished: MatchFinished) -> None:
    with lobby.service.transaction() as tx:
        results.report_results(tx, [finished])


def points(lobby: Lobby, tournament_id: str) -> dict[str, float]:
    return {line["player_id"]: line["points"] for line in lobby.see(tournament_id, "/standings")["standings"]}


def test_standings_move_with_each_result(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    first, _ = lobby.undecided(tournament_id)
    before = lobby.see(tournament_id, "/standings")
    lobby.finish(won_by_first(lobby, first))
    after = lobby.see(tournament_id, "/standings")
    assert (before["complete"], after["complete"]) == (False, False)
    assert after["standings"][0]["player_id"] == first["first_id"]
    assert points(lobby, tournament_id)[first["first_id"]] == 1


def test_a_result_that_comes_three_times_counts_once(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    pairing = lobby.undecided(tournament_id)[0]
    for _ in range(3):
        lobby.finish(won_by_first(lobby, pairing))
    assert points(lobby, tournament_id)[pairing["first_id"]] == 1


def test_a_second_different_result_changes_nothing(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    pairing = lobby.undecided(tournament_id)[0]
    lobby.finish(won_by_first(lobby, pairing))
    other = [SeatResult(pairing["first_id"], 2, 0, 0, 0), SeatResult(pairing["second_id"], 1, 100, 5, 0)]
    lobby.finish(won_by_first(lobby, pairing, seats=other))
    assert points(lobby, tournament_id)[pairing["first_id"]] == 1
    assert points(lobby, tournament_id)[pairing["second_id"]] == 0


def test_results_of_a_round_at_the_same_moment_make_one_next_round(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(8)
    lobby.start(tournament_id)
    pairings = lobby.undecided(tournament_id)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda pairing: lobby.finish(won_by_first(lobby, pairing)), pairings))
        list(pool.map(lambda _: advance_due(lobby.service), range(4)))
    assert [r["number"] for r in lobby.see(tournament_id, "/rounds")["rounds"]] == [1, 2]
    assert sum(points(lobby, tournament_id).values()) == 4
    assert len(lobby.undecided(tournament_id)) == 4


def test_results_that_follow_a_scoring_closely_wait_and_are_scored_together(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(8)
    lobby.start(tournament_id)
    first, second, third, last = (won_by_first(lobby, pairing) for pairing in lobby.undecided(tournament_id))
    report(lobby, first)
    advance_due(lobby.service)
    assert sum(points(lobby, tournament_id).values()) == 1
    report(lobby, second)
    report(lobby, third)
    advance_due(lobby.service)
    assert sum(points(lobby, tournament_id).values()) == 1
    lobby.clock.move(seconds=30)
    advance_due(lobby.service)
    assert sum(points(lobby, tournament_id).values()) == 3
    report(lobby, last)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["current_round"] == 2


def test_a_forfeit_without_play_counts_as_one_and_a_match_given_up_as_a_loss(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    absent, gave_up = lobby.undecided(tournament_id)
    lobby.finish(
        won_by_first(lobby, absent, ending="no_show", hands_played=1),
        won_by_first(lobby, gave_up, ending="forfeit", hands_played=2),
    )
    results = {p["match_id"]: p["result"] for p in lobby.see(tournament_id, "/pairings")["pairings"]}
    assert results[absent["match_id"]] == "second_forfeits"
    assert results[gave_up["match_id"]] == "first_wins"


def test_a_double_forfeit_gives_nobody_a_point_and_the_round_goes_on(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2, rounds=1)
    lobby.start(tournament_id)
    pairing = lobby.undecided(tournament_id)[0]
    lobby.finish(won_by_first(lobby, pairing, ending="double_forfeit", hands_played=0))
    advance_due(lobby.service)
    assert set(points(lobby, tournament_id).values()) == {0}
    assert lobby.see(tournament_id)["state"] == "finished"


def test_a_result_of_a_match_that_no_tournament_knows_is_passed_over(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2, rounds=1)
    lobby.start(tournament_id)
    pairing = lobby.undecided(tournament_id)[0]
    stranger = won_by_first(lobby, pairing, match_id="01990000-0000-7000-8000-000000000000")
    lobby.finish(stranger)
    assert len(lobby.undecided(tournament_id)) == 1


def test_standings_of_an_earlier_round_stay_as_they_were(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    first = lobby.see(tournament_id, "/standings?round=1")
    lobby.play_round(tournament_id)
    assert lobby.see(tournament_id, "/standings?round=1") == first
    assert first["complete"] is True
    assert sorted(line["points"] for line in first["standings"]) == [0, 0, 1, 1]
    assert {line["points"] for line in lobby.see(tournament_id, "/standings?round=0")["standings"]} == {0}


def test_unchanged_standings_answer_304_and_changed_ones_do_not(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    path = f"/api/v1/tournaments/{tournament_id}/standings"
    tag = lobby.anonymous.get(path).headers["ETag"]
    same = lobby.anonymous.get(path, headers={"If-None-Match": tag})
    assert (same.status_code, same.data) == (304, b"")
    lobby.finish(won_by_first(lobby, lobby.undecided(tournament_id)[0]))
    assert lobby.anonymous.get(path, headers={"If-None-Match": tag}).status_code == 200


def test_the_page_shows_the_figures_of_the_api(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    page = lobby.anonymous.get(f"/tournaments/{tournament_id}").text
    for line in lobby.see(tournament_id, "/standings")["standings"]:
        assert f'<td class="name"><a href="/players/{line["player_id"]}">{line["name"]}</a>' in page
    assert "default-src 'none'" in lobby.anonymous.get("/").headers["Content-Security-Policy"]


def test_a_match_from_a_casual_table_is_none_of_the_lobbys_business(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    pairing = lobby.undecided(tournament_id)[0]
    people = [SeatResult(f"bot-simple-{seat}", seat, 0, 0, 0) for seat in range(1, 5)]
    casual = won_by_first(
        lobby, pairing, match_id="01990000-0000-7000-8000-00000000000c", tournament_id=None, seats=people
    )
    with lobby.service.transaction() as tx:
        results.report_results(tx, [casual, won_by_first(lobby, pairing)])
    advance_due(lobby.service)
    assert points(lobby, tournament_id)[pairing["first_id"]] == 1

"""Every format that the lobby drives, from its settings to its standings."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from gin_lobby.tasks import advance_due
from gin_messages.match import SeatResult
from tests.integration.lobby.conftest import Lobby, ended

PLAN: dict[str, Any] = {"name": "Friday", "starts_at": (datetime.now(UTC) + timedelta(days=1)).isoformat()}
GROUPS: dict[str, Any] = {
    "kind": "stages",
    "stages": [
        {"format": {"kind": "round_robin"}, "groups": 2, "advance": 2},
        {"format": {"kind": "single_elimination", "best_of_last": [3]}},
    ],
}


def started(lobby: Lobby, bots: int, format_: dict[str, Any], **plan: Any) -> tuple[str, list[str]]:
    """A tournament that has just started, and its players by seed."""
    tournament_id = lobby.with_bots(bots, format=format_, **plan)
    lobby.start(tournament_id)
    return tournament_id, lobby.seeds(tournament_id)


def pairings(lobby: Lobby, tournament_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = lobby.see(tournament_id, "/pairings")["pairings"]
    return found


def test_the_short_form_means_a_swiss_and_the_answer_shows_all_settings(lobby: Lobby) -> None:
    shown = lobby.see(lobby.tournament(rounds=4, tie_breaks=["wins"]))
    assert (shown["format"]["kind"], shown["format"]["rounds"], shown["format"]["tie_breaks"]) == ("swiss", 4, ["wins"])
    assert (shown["rounds"], shown["tie_breaks"]) == (4, ["wins"])
    again = lobby.see(lobby.tournament(format=shown["format"]))
    assert again["format"] == shown["format"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"format": {}}, "format.kind"),
        ({"format": {"kind": "roulette"}}, "format.kind"),
        ({"format": {"kind": "swiss", "rounds": 0}}, "format.rounds"),
        ({"format": {"kind": "swiss", "beauty": 1}}, "format.beauty"),
        ({"format": {"kind": "round_robin", "best_of": 2}}, "format.best_of"),
        ({"format": {"kind": "swiss"}, "rounds": 5}, "rounds"),
        ({"format": {"kind": "swiss"}, "tie_breaks": []}, "tie_breaks"),
        ({"format": "swiss"}, "rounds"),
        ({"format": 3}, "format"),
        ({"format": GROUPS | {"stages": [*GROUPS["stages"], GROUPS["stages"][0]]}}, "format.stages[2].groups"),
        ({"format": {"kind": "ladder", "reach": 0}}, "format.reach"),
        ({"format": {"kind": "single_elimination"}, "capacity": 1025}, "capacity"),
        ({"format": {"kind": "round_robin"}, "rules": {"preset": "rotation4"}}, "rules.seats"),
    ],
)
def test_a_format_that_cannot_be_is_refused_with_its_field(lobby: Lobby, change: dict[str, Any], field: str) -> None:
    answer = lobby.organiser.post("/api/v1/tournaments", PLAN | change)
    assert (answer.status_code, [error["field"] for error in answer.json["errors"]]) == (422, [field])
    assert lobby.anonymous.get("/api/v1/tournaments").json["tournaments"] == []


def test_in_a_round_robin_everybody_meets_everybody_and_rests_once(lobby: Lobby) -> None:
    tournament_id, seeds = started(lobby, 5, {"kind": "round_robin"})
    assert lobby.see(tournament_id)["rounds"] == 5
    assert lobby.play_out(tournament_id, seeds)["current_round"] == 5
    played = pairings(lobby, tournament_id)
    met = {frozenset((p["first_id"], p["second_id"])) for p in played if p["second_id"]}
    assert (len(met), sorted(p["first_id"] for p in played if not p["second_id"])) == (10, sorted(seeds))
    assert lobby.ranking(tournament_id) == list(enumerate(seeds, start=1))


def test_who_leaves_a_round_robin_late_forfeits_the_rest_without_play(lobby: Lobby) -> None:
    tournament_id, seeds = started(lobby, 4, {"kind": "round_robin"})
    lobby.play_matches(tournament_id, seeds)
    lobby.play_matches(tournament_id, seeds)
    lobby.organiser.delete(f"/api/v1/tournaments/{tournament_id}/entrants/{seeds[0]}")
    lobby.play_matches(tournament_id, seeds)  # round 3 was opened before the withdrawal
    assert lobby.see(tournament_id)["state"] == "finished"
    assert lobby.ranking(tournament_id)[0] == (1, seeds[0])


def test_a_round_that_is_settled_without_play_is_passed_at_once(lobby: Lobby) -> None:
    tournament_id, seeds = started(lobby, 3, {"kind": "round_robin", "annul_below_half": False})
    for gone in seeds[:2]:
        lobby.organiser.delete(f"/api/v1/tournaments/{tournament_id}/entrants/{gone}")
    lobby.play_matches(tournament_id, seeds)
    assert lobby.see(tournament_id)["state"] == "finished"
    assert all(not p["matches"] for p in pairings(lobby, tournament_id) if p["round"] > 1)
    assert [r["state"] for r in lobby.see(tournament_id, "/rounds")["rounds"]] == ["scored"] * 3


def test_a_knockout_of_six_gives_two_byes_and_ranks_by_how_far_everybody_got(lobby: Lobby) -> None:
    tournament_id, seeds = started(lobby, 6, {"kind": "single_elimination", "third_place": True})
    byes = {p["first_id"] for p in pairings(lobby, tournament_id) if p["result"] == "bye"}
    assert byes == set(seeds[:2])
    assert lobby.play_out(tournament_id, seeds)["ended_because"] is None
    assert lobby.ranking(tournament_id)[:4] == list(enumerate(seeds[:4], start=1))
    assert [rank for rank, _ in lobby.ranking(tournament_id)[4:]] == [5, 5]


def test_in_a_double_elimination_the_second_loss_is_the_end(lobby: Lobby) -> None:
    tournament_id, seeds = started(lobby, 5, {"kind": "double_elimination"})
    lobby.play_out(tournament_id, seeds)
    lost = [s for p in pairings(lobby, tournament_id) if p["second_id"] for s in (loser(p),)]
    assert {player: lost.count(player) for player in seeds} == dict.fromkeys(seeds[1:], 2) | {seeds[0]: 0}
    assert lobby.ranking(tournament_id)[:3] == list(enumerate(seeds[:3], start=1))


def loser(pairing: dict[str, Any]) -> str:
    name: str = pairing["second_id" if pairing["result"] == "first_wins" else "first_id"]
    return name


def test_best_of_three_ends_with_the_second_win_and_first_deals_alternate(lobby: Lobby) -> None:
    tournament_id, (one, two) = started(lobby, 2, {"kind": "single_elimination", "best_of": 3})
    (first,) = lobby.in_play(tournament_id)
    lobby.play_matches(tournament_id, [two, one])
    (second,) = lobby.in_play(tournament_id)
    assert second.seats == first.seats[::-1]
    assert lobby.see(tournament_id, "/standings")["complete"] is False
    lobby.play_matches(tournament_id, [one, two])
    (third,) = lobby.in_play(tournament_id)
    assert third.seats == first.seats
    lobby.play_matches(tournament_id, [one, two])
    assert lobby.see(tournament_id)["state"] == "finished"
    assert lobby.ranking(tournament_id) == [(1, one), (2, two)]
    (pairing,) = pairings(lobby, tournament_id)
    assert [m["number"] for m in pairing["matches"]] == [1, 2, 3]
    assert pairing["match_id"] == pairing["matches"][0]["match_id"]
    assert sorted((pairing["first_score"], pairing["second_score"])) == [260, 280]
    deadline = lobby.see(tournament_id, "/rounds")["rounds"][0]["deadline_at"]
    assert {wish["deadline_at"] for wish in lobby.wishes()} == {deadline}


def test_best_of_five_that_is_decided_after_three_plays_no_more(lobby: Lobby) -> None:
    tournament_id, seeds = started(lobby, 2, {"kind": "swiss", "rounds": 1, "best_of": 5})
    lobby.play_out(tournament_id, seeds)
    (pairing,) = pairings(lobby, tournament_id)
    assert (len(pairing["matches"]), len(lobby.wishes())) == (3, 3)
    page = lobby.anonymous.get(f"/tournaments/{tournament_id}").text
    assert ("3–0" in page) or ("0–3" in page)


def test_a_result_that_comes_twice_opens_one_next_match(lobby: Lobby) -> None:
    tournament_id, seeds = started(lobby, 2, {"kind": "swiss", "rounds": 1, "best_of": 3})
    (match,) = lobby.in_play(tournament_id)
    for _ in range(3):
        lobby.finish(ended(lobby, match, seeds))
        advance_due(lobby.service)
    assert [m["number"] for m in pairings(lobby, tournament_id)[0]["matches"]] == [1, 2]


def test_who_does_not_come_to_a_match_loses_the_whole_pairing(lobby: Lobby) -> None:
    tournament_id, seeds = started(lobby, 2, {"kind": "single_elimination", "best_of": 5})
    (match,) = lobby.in_play(tournament_id)
    lobby.finish(ended(lobby, match, seeds, ending="no_show", hands_played=0))
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "finished"
    assert lobby.ranking(tournament_id)[0] == (1, seeds[0])


def test_an_annulled_match_is_played_again_at_most_twice(lobby: Lobby) -> None:
    tournament_id, _ = started(lobby, 2, {"kind": "swiss", "rounds": 1})
    for _ in range(3):
        (match,) = lobby.in_play(tournament_id)
        level = [SeatResult(player, 1, 0, 0, 0) for player in match.seats]
        lobby.finish(ended(lobby, match, list(match.seats), ending="void", seats=level))
        advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "finished"
    assert pairings(lobby, tournament_id)[0]["result"] == "void"


def test_cancelling_takes_back_the_match_that_is_being_played(lobby: Lobby) -> None:
    tournament_id, seeds = started(lobby, 2, {"kind": "swiss", "rounds": 1, "best_of": 3})
    lobby.play_matches(tournament_id, seeds)
    (second,) = lobby.in_play(tournament_id)
    lobby.organiser.post(f"/api/v1/tournaments/{tournament_id}/cancellation", {"reason": "Power cut"})
    with lobby.service.transaction() as tx:
        cancelled = tx.scalars("SELECT payload->'body'->>'match_id' FROM outbox WHERE name = 'cancel_match'")
    assert cancelled == [second.match_id]
    lobby.finish(ended(lobby, second, seeds, ending="void"))
    advance_due(lobby.service)
    assert (lobby.in_play(tournament_id), lobby.see(tournament_id)["state"]) == ([], "cancelled")


def test_groups_play_at_the_same_time_and_their_first_two_meet_crosswise_in_the_knockout(lobby: Lobby) -> None:
    tournament_id, seeds = started(lobby, 6, GROUPS)
    assert {match.slot.split("/")[0] for match in lobby.in_play(tournament_id)} == {"S1A", "S1B"}
    for _ in range(3):
        lobby.play_matches(tournament_id, seeds)
    semifinals = {frozenset(match.seats) for match in lobby.in_play(tournament_id)}
    assert semifinals == {frozenset((seeds[0], seeds[2])), frozenset((seeds[1], seeds[3]))}
    lobby.play_out(tournament_id, seeds)
    assert [player for _, player in lobby.ranking(tournament_id)][:2] == seeds[:2]
    final = max(pairings(lobby, tournament_id), key=lambda p: p["round"])
    assert len(final["matches"]) == 2
    groups = lobby.see(tournament_id, "/standings")["groups"]
    assert [(g["stage"], g["group"], len(g["standings"])) for g in groups] == [(1, "A", 3), (1, "B", 3), (2, "", 4)]
    assert "Stage 1, group B" in lobby.anonymous.get(f"/tournaments/{tournament_id}").text


def test_too_few_for_the_groups_end_the_tournament_with_its_reason(lobby: Lobby) -> None:
    tournament_id, _ = started(lobby, 3, GROUPS)
    ended_with = lobby.see(tournament_id)
    assert (ended_with["state"], ended_with["current_round"]) == ("finished", 0)
    assert "too few" in ended_with["ended_because"]


def word_bots(lobby: Lobby, tournament_id: str, count: int) -> None:
    for number in range(count):
        bot = {"name": f"Word {number}", "kind": "bot", "bot": "wordsmith-50"}
        entered = lobby.enter(tournament_id, lobby.organiser.post("/api/v1/players", bot).json["player_id"])
        assert entered.status_code == 201


def test_seven_at_word_gin_sit_at_a_table_of_four_and_one_of_three(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(format={"kind": "pods", "rounds": 2}, game="word")
    word_bots(lobby, tournament_id, 7)
    lobby.start(tournament_id)
    seeds = lobby.seeds(tournament_id)
    assert sorted(len(match.seats) for match in lobby.in_play(tournament_id)) == [3, 4]
    assert [len(wish["seats"]) for wish in lobby.wishes()] == [
        len(match.seats) for match in lobby.in_play(tournament_id)
    ]
    assert lobby.play_out(tournament_id, seeds)["state"] == "finished"
    four = next(p for p in pairings(lobby, tournament_id) if len(p["fixture"]["seats"]) == 4)
    assert (four["result"], sorted(four["ended"]["places"])) == ("places", [1, 2, 3, 4])
    points = sum(line["points"] for line in lobby.see(tournament_id, "/standings")["standings"])
    assert points == 2 * (3 + 2 + 1 + 1) + 2 * (3 + 1.5 + 1)
    page = lobby.anonymous.get(f"/tournaments/{tournament_id}").text
    assert "4th, 40" in page


def test_five_at_pods_leave_one_to_rest(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(format={"kind": "pods", "rounds": 1}, game="word")
    word_bots(lobby, tournament_id, 5)
    lobby.start(tournament_id)
    assert sorted(len(p["fixture"]["seats"]) for p in pairings(lobby, tournament_id)) == [1, 4]


def test_an_absent_player_of_a_table_gets_nothing_and_an_annulled_table_does_not_count(lobby: Lobby) -> None:
    tournament_id, seeds = started(lobby, 7, {"kind": "pods", "rounds": 1})
    four, three = sorted(lobby.in_play(tournament_id), key=lambda match: -len(match.seats))
    seats = [SeatResult(player, 2 if at == 1 else 1, 0, 0, 0) for at, player in enumerate(four.seats)]
    lobby.finish(
        ended(lobby, four, seeds, ending="no_show", hands_played=0, seats=seats),
        ended(lobby, three, seeds, ending="void"),
    )
    advance_due(lobby.service)
    lines = {line["player_id"]: line for line in lobby.see(tournament_id, "/standings")["standings"]}
    assert lines[four.seats[1]]["points"] == 0
    assert lines[four.seats[0]]["points"] == pytest.approx(2 + 1 / 3)
    assert {lines[player]["points"] for player in three.seats} == {0}
    assert lobby.see(tournament_id)["state"] == "finished"


def test_tables_of_gin_rummy_rotate_by_their_size(lobby: Lobby) -> None:
    started(lobby, 7, {"kind": "pods", "rounds": 1})
    assert {(len(w["seats"]), w["rules"]["seating"]) for w in lobby.wishes()} == {(4, "rotation4"), (3, "rotation3")}


def test_tables_of_four_may_play_as_pairs(lobby: Lobby) -> None:
    started(lobby, 4, {"kind": "pods", "rounds": 1, "tables_of_two": True}, rules={"preset": "pairs4"})
    assert [w["rules"]["seating"] for w in lobby.wishes()] == ["pairs4"]


ARENA = {"kind": "arena", "duration_seconds": 600}


def test_in_an_arena_whoever_is_free_is_paired_while_others_still_play(lobby: Lobby) -> None:
    tournament_id, seeds = started(lobby, 6, ARENA)
    one, two, three = lobby.in_play(tournament_id)
    lobby.finish(ended(lobby, one, seeds))
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["current_round"] == 1  # the two who are free have just met
    lobby.clock.move(minutes=1)
    lobby.finish(ended(lobby, two, seeds))
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["current_round"] == 2
    again = [match for match in lobby.in_play(tournament_id) if match.round == 2]
    assert {player for match in again for player in match.seats} == {*one.seats, *two.seats}
    assert {frozenset(match.seats) for match in again}.isdisjoint({frozenset(one.seats), frozenset(two.seats)})
    assert three in lobby.in_play(tournament_id)
    assert [r["state"] for r in lobby.see(tournament_id, "/rounds")["rounds"]] == ["playing", "playing"]


def test_an_arena_ends_by_the_clock_when_the_last_match_is_played(lobby: Lobby) -> None:
    tournament_id, seeds = started(lobby, 4, ARENA)
    lobby.clock.move(minutes=9, seconds=59)
    lobby.play_matches(tournament_id, seeds)
    assert lobby.see(tournament_id)["current_round"] == 2
    lobby.clock.move(seconds=1)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "running"
    lobby.play_matches(tournament_id, seeds)
    ended_with = lobby.see(tournament_id)
    assert (ended_with["state"], ended_with["current_round"]) == ("finished", 2)
    assert [r["state"] for r in lobby.see(tournament_id, "/rounds")["rounds"]] == ["scored", "scored"]


def test_an_arena_in_which_nobody_can_be_paired_ends_by_the_clock_alone(lobby: Lobby) -> None:
    tournament_id, seeds = started(lobby, 2, ARENA)
    lobby.organiser.delete(f"/api/v1/tournaments/{tournament_id}/entrants/{seeds[1]}")
    lobby.play_matches(tournament_id, seeds)
    assert lobby.see(tournament_id)["state"] == "running"
    lobby.clock.move(minutes=10)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "finished"


def test_whoever_enters_an_arena_late_is_paired_with_whoever_is_free(lobby: Lobby) -> None:
    tournament_id, seeds = started(lobby, 3, ARENA)
    late = lobby.bot("Late")
    assert lobby.enter(tournament_id, late).json["seed"] == 4
    advance_due(lobby.service)
    assert late in {player for match in lobby.in_play(tournament_id) for player in match.seats}
    lobby.clock.move(minutes=10)
    assert lobby.enter(tournament_id, lobby.bot("Too late")).status_code == 409
    assert len(seeds) == 3


def test_a_swiss_admits_late_entry_for_as_many_rounds_as_it_says(lobby: Lobby) -> None:
    tournament_id, seeds = started(lobby, 4, {"kind": "swiss", "rounds": 3, "late_entry_rounds": 1})
    late = lobby.bot("Late")
    assert lobby.enter(tournament_id, late).status_code == 201
    lobby.play_matches(tournament_id, seeds)
    second = [p for p in pairings(lobby, tournament_id) if p["round"] == 2]
    assert late in {player for p in second for player in p["fixture"]["seats"]}
    assert lobby.enter(tournament_id, lobby.bot("Too late")).status_code == 409


def test_who_left_a_swiss_may_come_back_with_the_old_seed_while_late_entry_is_open(lobby: Lobby) -> None:
    tournament_id, seeds = started(lobby, 4, {"kind": "swiss", "rounds": 3, "late_entry_rounds": 1})
    lobby.organiser.delete(f"/api/v1/tournaments/{tournament_id}/entrants/{seeds[0]}")
    back = lobby.enter(tournament_id, seeds[0]).json
    assert (back["seed"], back["state"]) == (1, "registered")


def test_nobody_enters_a_knockout_that_runs_nor_a_full_arena(lobby: Lobby) -> None:
    knockout, _ = started(lobby, 2, {"kind": "single_elimination"})
    arena, _ = started(lobby, 2, ARENA, capacity=2)
    for tournament_id in (knockout, arena):
        answer = lobby.enter(tournament_id, lobby.bot("Late"))
        assert (answer.status_code, answer.json["type"]) == (409, "urn:ginhall:problem:wrong-tournament-state")


def challenge(lobby: Lobby, tournament_id: str, challenger: str, opponent: str) -> Any:
    body = {"challenger_id": challenger, "opponent_id": opponent}
    return lobby.organiser.post(f"/api/v1/tournaments/{tournament_id}/challenges", body)


def test_a_challenger_who_wins_changes_places_and_one_who_loses_does_not(lobby: Lobby) -> None:
    tournament_id, (one, two, three, four) = started(lobby, 4, {"kind": "ladder", "reach": 2})
    opened = challenge(lobby, tournament_id, three, one)
    assert (opened.status_code, opened.json["matches"][0]["seats"]) == (201, [three, one])
    assert challenge(lobby, tournament_id, four, two).status_code == 201
    lobby.play_matches(tournament_id, [three, two, one, four])
    assert lobby.ranking(tournament_id) == [(1, three), (2, two), (3, one), (4, four)]
    assert lobby.see(tournament_id)["state"] == "running"


def test_a_challenge_that_may_not_be_is_refused_with_its_reason(lobby: Lobby) -> None:
    ada, _ = lobby.sign_up("Ada")
    tournament_id, (one, two, three, four) = started(lobby, 4, {"kind": "ladder", "reach": 2})
    assert "too far above" in challenge(lobby, tournament_id, four, one).json["detail"]
    assert "somebody above" in challenge(lobby, tournament_id, one, two).json["detail"]
    assert "not on the ladder" in challenge(lobby, tournament_id, two, lobby.bot("Stranger")).json["detail"]
    challenge(lobby, tournament_id, two, one)
    refused = challenge(lobby, tournament_id, three, two)
    assert (refused.status_code, refused.json["type"]) == (409, "urn:ginhall:problem:challenge-refused")
    assert len(lobby.in_play(tournament_id)) == 1
    body = {"challenger_id": three, "opponent_id": one}
    assert ada.post(f"/api/v1/tournaments/{tournament_id}/challenges", body).status_code == 403


def test_whoever_enters_a_ladder_late_starts_at_the_bottom_and_may_challenge(lobby: Lobby) -> None:
    tournament_id, (_, two) = started(lobby, 2, {"kind": "ladder"})
    late = lobby.bot("Late")
    lobby.enter(tournament_id, late)
    assert challenge(lobby, tournament_id, late, two).status_code == 201
    assert lobby.ranking(tournament_id)[2] == (3, late)


def test_challenges_are_for_ladders_that_run(lobby: Lobby) -> None:
    swiss, (one, two) = started(lobby, 2, {"kind": "swiss"})
    assert "ladder only" in challenge(lobby, swiss, two, one).json["detail"]
    ladder = lobby.with_bots(2, format={"kind": "ladder"})
    one, two = lobby.seeds(ladder)
    assert "registration" in challenge(lobby, ladder, two, one).json["detail"]

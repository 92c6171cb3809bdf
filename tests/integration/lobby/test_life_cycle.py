"""From registration to the last round, by the clock alone."""

from datetime import datetime, timedelta

from gin_lobby.tasks import advance_due
from gin_lobby.use_cases import results
from tests.integration.lobby.conftest import Lobby, won_by_first


def test_a_tournament_does_not_start_before_its_time(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.clock.move(minutes=59)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "registration"
    lobby.clock.move(minutes=1)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "running"


def test_it_runs_its_rounds_by_itself_and_finishes(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(6)
    lobby.start(tournament_id)
    for number in (1, 2, 3):
        assert lobby.see(tournament_id)["current_round"] == number
        assert len(lobby.undecided(tournament_id)) == 3
        lobby.play_round(tournament_id)
    ended = lobby.see(tournament_id)
    assert (ended["state"], ended["ended_because"]) == ("finished", None)
    assert [r["state"] for r in lobby.see(tournament_id, "/rounds")["rounds"]] == ["scored"] * 3
    met = [frozenset((p["first_id"], p["second_id"])) for p in lobby.see(tournament_id, "/pairings")["pairings"]]
    assert len(met) == len(set(met)) == 9


def test_the_player_that_a_pairing_names_first_deals_first(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(6)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    with lobby.service.transaction() as tx:
        wishes = tx.scalars("SELECT payload->'body' FROM outbox WHERE name = 'open_match'")
    paired = {(p["first_id"], p["second_id"]) for p in lobby.see(tournament_id, "/pairings")["pairings"]}
    assert {tuple(seat["player_id"] for seat in wish["seats"]) for wish in wishes} == paired
    assert [wish["first_dealer"] for wish in wishes] == [0] * 6


def test_an_odd_field_gives_each_round_one_bye_and_nobody_two(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(5)
    lobby.start(tournament_id)
    for _ in range(3):
        lobby.play_round(tournament_id)
    byes = [p["first_id"] for p in lobby.see(tournament_id, "/pairings")["pairings"] if p["second_id"] is None]
    assert len(byes) == len(set(byes)) == 3


def test_a_field_below_the_minimum_is_cancelled_with_its_reason(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(3, minimum_entrants=4)
    lobby.start(tournament_id)
    ended = lobby.see(tournament_id)
    assert ended["state"] == "cancelled"
    assert ended["ended_because"] == "3 entrants came, and 4 were needed"


def test_more_rounds_than_opponents_end_early_and_say_why(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4, rounds=9)
    lobby.start(tournament_id)
    for _ in range(3):
        lobby.play_round(tournament_id)
    ended = lobby.see(tournament_id)
    assert (ended["state"], ended["current_round"]) == ("finished", 3)
    assert "rematch" in ended["ended_because"]


def test_who_does_not_check_in_is_dropped_and_the_waitlist_takes_the_place(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(check_in_minutes=30, capacity=2)
    path = f"/api/v1/tournaments/{tournament_id}/entrants"
    people = dict(lobby.sign_up(name)[::-1] for name in ("Ada", "Bob", "Cy"))
    for player_id, person in people.items():
        person.post(path, {"player_id": player_id})
    ada, bob, cy = people
    too_early = people[ada].post(f"{path}/{ada}/check-in")
    assert too_early.status_code == 409
    lobby.clock.move(minutes=30)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "check_in"
    for player_id in (ada, cy):
        assert people[player_id].post(f"{path}/{player_id}/check-in").status_code == 200
    lobby.clock.move(minutes=30)
    advance_due(lobby.service)
    entrants = {e["player_id"]: e["state"] for e in lobby.see(tournament_id, "/entrants")["entrants"]}
    assert entrants == {ada: "registered", bob: "dropped", cy: "registered"}
    assert {lobby.undecided(tournament_id)[0][key] for key in ("first_id", "second_id")} == {ada, cy}


def test_built_in_bots_need_no_check_in(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2, check_in_minutes=30)
    lobby.clock.move(minutes=30)
    advance_due(lobby.service)
    lobby.clock.move(minutes=30)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "running"


def test_a_machine_that_was_off_through_the_check_in_opens_it_now(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2, check_in_minutes=30)
    lobby.clock.move(hours=5)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "check_in"
    lobby.clock.move(minutes=29)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "check_in"
    lobby.clock.move(minutes=1)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "running"


def test_registration_that_was_never_opened_is_cancelled_at_the_start(lobby: Lobby) -> None:
    starts_at = (lobby.clock() + timedelta(minutes=5)).isoformat()
    plan = {"name": "Forgotten", "rounds": 3, "starts_at": starts_at}
    tournament_id = lobby.organiser.post("/api/v1/tournaments", plan).json["tournament_id"]
    lobby.clock.move(minutes=5)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["ended_because"] == "registration was never opened"


def test_who_withdraws_is_not_paired_again_and_keeps_what_was_played(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    leaver = lobby.undecided(tournament_id)[0]["first_id"]
    lobby.organiser.delete(f"/api/v1/tournaments/{tournament_id}/entrants/{leaver}")
    lobby.play_round(tournament_id)
    second = [p for p in lobby.see(tournament_id, "/pairings")["pairings"] if p["round"] == 2]
    assert leaver not in {p["first_id"] for p in second} | {p["second_id"] for p in second}
    line = next(s for s in lobby.see(tournament_id, "/standings")["standings"] if s["player_id"] == leaver)
    assert (line["points"], line["withdrawn"]) == (1, True)


def test_everybody_withdrawing_ends_the_tournament(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    for entrant in lobby.see(tournament_id, "/entrants")["entrants"]:
        lobby.organiser.delete(f"/api/v1/tournaments/{tournament_id}/entrants/{entrant['player_id']}")
    lobby.play_round(tournament_id)
    ended = lobby.see(tournament_id)
    assert (ended["state"], ended["current_round"]) == ("finished", 1)
    assert "too few" in ended["ended_because"]


def test_a_cancelled_tournament_keeps_what_was_played_and_voids_the_rest(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(6)
    lobby.start(tournament_id)
    played, reported, open_ = lobby.undecided(tournament_id)
    lobby.finish(won_by_first(lobby, played))
    with lobby.service.transaction() as tx:
        results.report_results(tx, [won_by_first(lobby, reported)])
    answer = lobby.organiser.post(f"/api/v1/tournaments/{tournament_id}/cancellation", {"reason": "Power cut"})
    assert answer.json["state"] == "cancelled"
    assert lobby.outbox("cancel_match") == [{"match_id": open_["match_id"], "reason": "Power cut"}]
    lobby.finish(won_by_first(lobby, open_))
    advance_due(lobby.service)
    pairings = {p["match_id"]: p["result"] for p in lobby.see(tournament_id, "/pairings")["pairings"]}
    assert pairings[played["match_id"]] == pairings[reported["match_id"]] == "first_wins"
    assert pairings[open_["match_id"]] == "void"
    standings = lobby.see(tournament_id, "/standings")
    assert (standings["complete"], sum(line["points"] for line in standings["standings"])) == (True, 2)
    assert [r["state"] for r in lobby.see(tournament_id, "/rounds")["rounds"]] == ["scored"]
    assert lobby.see(tournament_id)["ended_because"] == "Power cut"


def test_every_pairing_opens_a_match_with_the_deadline_of_its_round(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4, round_minutes=7)
    lobby.start(tournament_id)
    (round_,) = lobby.see(tournament_id, "/rounds")["rounds"]
    assert datetime.fromisoformat(round_["deadline_at"]) == lobby.clock() + timedelta(minutes=7)
    opened = lobby.outbox("open_match")
    assert sorted(o["match_id"] for o in opened) == sorted(p["match_id"] for p in lobby.undecided(tournament_id))
    for request in opened:
        assert datetime.fromisoformat(request["deadline_at"]) == lobby.clock() + timedelta(minutes=7)
        assert (request["first_dealer"], request["rating_pool"], request["round_number"]) == (0, "rummy/open", 1)
        assert [seat["bot"] for seat in request["seats"]] == ["simple", "simple"]


def test_who_withdraws_is_shown_as_withdrawn_at_once(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    leaver = lobby.undecided(tournament_id)[0]["first_id"]
    lobby.organiser.delete(f"/api/v1/tournaments/{tournament_id}/entrants/{leaver}")
    standings = lobby.see(tournament_id, "/standings")["standings"]
    assert [line["player_id"] for line in standings if line["withdrawn"]] == [leaver]


def test_who_is_absent_on_the_waitlist_is_dropped_too(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(check_in_minutes=30, capacity=2)
    path = f"/api/v1/tournaments/{tournament_id}/entrants"
    people = dict(lobby.sign_up(name)[::-1] for name in ("Ada", "Bob", "Cy"))
    for player_id, person in people.items():
        person.post(path, {"player_id": player_id})
    ada, bob, cy = people
    lobby.clock.move(minutes=30)
    advance_due(lobby.service)
    for player_id in (ada, bob):
        people[player_id].post(f"{path}/{player_id}/check-in")
    lobby.clock.move(minutes=30)
    advance_due(lobby.service)
    entrants = {e["player_id"]: e["state"] for e in lobby.see(tournament_id, "/entrants")["entrants"]}
    assert entrants == {ada: "registered", bob: "registered", cy: "dropped"}


def test_only_the_organiser_opens_and_cancels(lobby: Lobby) -> None:
    tournament_id = lobby.tournament()
    ada, _ = lobby.sign_up("Ada")
    answer = ada.post(f"/api/v1/tournaments/{tournament_id}/cancellation", {"reason": "I want to"})
    assert answer.status_code == 403
    assert answer.json["type"] == "urn:ginhall:problem:not-the-organiser"
    assert lobby.see(tournament_id)["state"] == "registration"


def test_a_tournament_that_cannot_step_holds_up_no_other(lobby: Lobby) -> None:
    broken, sound = lobby.with_bots(4), lobby.with_bots(4)
    with lobby.service.transaction() as tx:
        tx.execute("""UPDATE tournaments SET format = '{"kind": "nonsense"}' WHERE tournament_id = %s""", (broken,))
    lobby.start(sound)
    assert lobby.see(sound)["state"] == "running"
    with lobby.service.transaction() as tx:
        assert tx.scalar("SELECT state FROM tournaments WHERE tournament_id = %s", (broken,)) == "registration"


def test_the_engine_hears_the_clock_and_who_may_rule(lobby: Lobby) -> None:
    clock = {"move_seconds": 30, "bank_seconds": 180}
    tournament_id = lobby.with_bots(4, clock=clock)
    assert lobby.see(tournament_id)["clock"] == clock
    lobby.start(tournament_id)
    assert [(w["clock"], w["arbiters"]) for w in lobby.wishes()] == [(clock, [lobby.organiser_id])] * 2


def test_a_tournament_has_no_clock_unless_it_is_asked_for(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    assert lobby.see(tournament_id)["clock"] is None
    lobby.start(tournament_id)
    assert all("clock" not in wish for wish in lobby.wishes())

"""Pauses, more time, late starts, drafts and changes before the start: nothing passes by that should not."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from gin_lobby.tasks import advance_due, keep_presence
from tests.integration.lobby.conftest import Lobby, won_by_first
from tests.support.services import Api


def at(lobby: Lobby, tournament_id: str, what: str = "") -> str:
    return f"/api/v1/tournaments/{tournament_id}{what}"


def pause(lobby: Lobby, tournament_id: str, who: Api | None = None) -> Any:
    return (who or lobby.organiser).post(at(lobby, tournament_id, "/pause"), {"reason": "fire alarm"})


def resume(lobby: Lobby, tournament_id: str) -> Any:
    return lobby.organiser.delete(at(lobby, tournament_id, "/pause"))


def time_of(text: str) -> datetime:
    return datetime.fromisoformat(text)


def whats(lobby: Lobby, tournament_id: str) -> list[str]:
    return [entry["what"] for entry in lobby.see(tournament_id, "/log")["entries"]][::-1]


def test_no_start_passes_while_it_is_paused_and_it_lies_as_far_ahead_afterwards(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    starts_at = time_of(lobby.see(tournament_id)["starts_at"])
    assert pause(lobby, tournament_id).status_code == 200
    assert time_of(lobby.see(tournament_id)["paused_at"]) == lobby.clock()
    lobby.clock.move(hours=10)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "registration"
    assert resume(lobby, tournament_id).status_code == 200
    assert time_of(lobby.see(tournament_id)["starts_at"]) == starts_at + timedelta(hours=10)
    lobby.clock.move(minutes=59)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "registration"
    lobby.clock.move(minutes=1)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "running"
    assert whats(lobby, tournament_id)[:3] == ["registration_opened", "paused", "resumed"]


def test_check_in_that_is_paused_stays_open_and_gets_its_whole_time(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(check_in_minutes=30)
    ada, ada_id = lobby.sign_up("Ada")
    for person in (ada_id,):
        ada.post(at(lobby, tournament_id, "/entrants"), {"player_id": person})
    lobby.enter(tournament_id, lobby.bot("Bot"))
    lobby.clock.move(minutes=30)
    advance_due(lobby.service)
    lobby.clock.move(minutes=10)
    pause(lobby, tournament_id)
    lobby.clock.move(hours=2)
    resume(lobby, tournament_id)
    lobby.clock.move(minutes=19)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "check_in"
    assert ada.post(at(lobby, tournament_id, f"/entrants/{ada_id}/check-in")).status_code == 200
    lobby.clock.move(minutes=1)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "running"


def test_a_paused_round_has_no_deadline_and_the_rest_of_its_time_afterwards(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4, round_minutes=10)
    lobby.start(tournament_id)
    lobby.clock.move(minutes=3)
    pause(lobby, tournament_id)
    matches = sorted(p["match_id"] for p in lobby.undecided(tournament_id))
    told = lobby.outbox("deadline_moved")
    assert sorted(m["match_id"] for m in told) == matches
    assert {m["deadline_at"] for m in told} == {None}
    lobby.clock.move(hours=1)
    resume(lobby, tournament_id)
    told = lobby.outbox("deadline_moved")[2:]
    assert {time_of(m["deadline_at"]) for m in told} == {lobby.clock() + timedelta(minutes=7)}
    (round_,) = lobby.see(tournament_id, "/rounds")["rounds"]
    assert time_of(round_["deadline_at"]) == lobby.clock() + timedelta(minutes=7)


def test_results_count_while_it_is_paused_but_no_round_is_opened(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    pause(lobby, tournament_id)
    lobby.play_round(tournament_id)
    assert lobby.see(tournament_id, "/standings")["complete"] is True
    assert lobby.see(tournament_id)["current_round"] == 1
    resume(lobby, tournament_id)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["current_round"] == 2


def test_the_next_match_of_a_best_of_three_has_no_deadline_before_it_goes_on(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2, format={"kind": "swiss", "rounds": 1, "best_of": 3}, round_minutes=10)
    lobby.start(tournament_id)
    pause(lobby, tournament_id)
    lobby.play_matches(tournament_id, lobby.seeds(tournament_id))
    (match,) = lobby.in_play(tournament_id)
    assert next(w["deadline_at"] for w in lobby.wishes() if w["match_id"] == match.match_id) is None
    assert match.match_id in {told["match_id"] for told in lobby.outbox("deadline_moved")}, "its clocks stand as well"
    lobby.clock.move(minutes=5)
    resume(lobby, tournament_id)
    moved = [m for m in lobby.outbox("deadline_moved") if m["match_id"] == match.match_id]
    assert time_of(moved[-1]["deadline_at"]) == lobby.clock() + timedelta(minutes=10)


def test_an_arena_does_not_lose_the_time_in_which_it_is_paused(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4, format={"kind": "arena", "duration_seconds": 600})
    lobby.start(tournament_id)
    lobby.clock.move(minutes=5)
    pause(lobby, tournament_id)
    lobby.play_matches(tournament_id, lobby.seeds(tournament_id))
    assert lobby.in_play(tournament_id) == []
    lobby.clock.move(minutes=30)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "running"
    resume(lobby, tournament_id)
    advance_due(lobby.service)
    assert len(lobby.in_play(tournament_id)) == 2
    lobby.clock.move(minutes=4, seconds=59)
    lobby.play_matches(tournament_id, lobby.seeds(tournament_id))
    assert len(lobby.in_play(tournament_id)) == 2
    lobby.clock.move(seconds=1)
    lobby.play_matches(tournament_id, lobby.seeds(tournament_id))
    assert lobby.see(tournament_id)["state"] == "finished"


def test_nobody_is_challenged_on_a_ladder_that_is_paused(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4, format={"kind": "ladder"})
    lobby.start(tournament_id)
    seeds = lobby.seeds(tournament_id)
    challenge = {"challenger_id": seeds[1], "opponent_id": seeds[0]}
    pause(lobby, tournament_id)
    assert lobby.organiser.post(at(lobby, tournament_id, "/challenges"), challenge).status_code == 409
    resume(lobby, tournament_id)
    assert lobby.organiser.post(at(lobby, tournament_id, "/challenges"), challenge).status_code == 201


def test_it_is_paused_once_and_resumed_once(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    assert resume(lobby, tournament_id).status_code == 409
    assert pause(lobby, tournament_id).status_code == 200
    assert pause(lobby, tournament_id).status_code == 409
    assert resume(lobby, tournament_id).status_code == 200
    assert resume(lobby, tournament_id).status_code == 409
    lobby.organiser.post(at(lobby, tournament_id, "/cancellation"), {"reason": "no room"})
    assert pause(lobby, tournament_id).status_code == 409


def test_a_round_gets_more_time(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4, round_minutes=10)
    lobby.start(tournament_id)
    body = {"minutes": 15, "reason": "long hands"}
    path = at(lobby, tournament_id, "/rounds/1/extension")
    assert lobby.organiser.post(path, body).status_code == 200
    told = lobby.outbox("deadline_moved")
    assert {time_of(m["deadline_at"]) for m in told} == {lobby.clock() + timedelta(minutes=25)}
    assert len(told) == 2
    assert lobby.organiser.post(at(lobby, tournament_id, "/rounds/2/extension"), body).status_code == 404
    lobby.play_round(tournament_id)
    assert lobby.organiser.post(path, body).status_code == 409
    assert lobby.organiser.post(path, {"minutes": 0, "reason": "x"}).status_code == 422


def test_what_the_organiser_has_to_say_is_found_by_everybody_in_it(lobby: Lobby) -> None:
    tournament_id = lobby.tournament()
    ada, ada_id = lobby.sign_up("Ada")
    ada.post(at(lobby, tournament_id, "/entrants"), {"player_id": ada_id})
    said = lobby.organiser.post(at(lobby, tournament_id, "/announcements"), {"text": "Bring your own tea"})
    assert said.status_code == 201
    notice = ada.get("/api/v1/notices").json["entries"][0]
    assert (notice["what"], notice["reason"], notice["number"]) == (
        "announcement",
        "Bring your own tea",
        said.json["number"],
    )


def test_the_log_and_the_notices_are_read_page_by_page(lobby: Lobby) -> None:
    tournament_id = lobby.tournament()
    ada, ada_id = lobby.sign_up("Ada")
    ada.post(at(lobby, tournament_id, "/entrants"), {"player_id": ada_id})
    for number in range(5):
        lobby.organiser.post(at(lobby, tournament_id, "/announcements"), {"text": f"text {number}"})
    for get, path in ((lobby.anonymous.get, at(lobby, tournament_id, "/log")), (ada.get, "/api/v1/notices")):
        texts, cursor = [], ""
        while cursor is not None:
            page = get(f"{path}?limit=2{cursor and '&cursor='}{cursor.replace('+', '%2B')}").json
            texts += [entry["reason"] for entry in page["entries"] if entry["what"] == "announcement"]
            cursor = page["next_cursor"]
        assert texts == [f"text {number}" for number in (4, 3, 2, 1, 0)]
    assert ada.get("/api/v1/notices?cursor=nonsense").status_code == 422


def test_it_starts_late_within_its_grace_and_is_missed_beyond(lobby: Lobby) -> None:
    late, missed = lobby.with_bots(2), lobby.with_bots(2, late_start_grace_minutes=59)
    lobby.clock.move(hours=2)
    advance_due(lobby.service)
    assert lobby.see(late)["state"] == "running"
    ended = lobby.see(missed)
    assert (ended["state"], ended["ended_because"]) == (
        "cancelled",
        "missed: it would have started more than 59 minutes late",
    )
    assert whats(lobby, missed)[-1] == "cancelled"


def test_a_check_in_of_which_the_last_minutes_were_missed_is_made_longer(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(check_in_minutes=30)
    ada, ada_id = lobby.sign_up("Ada")
    ada.post(at(lobby, tournament_id, "/entrants"), {"player_id": ada_id})
    lobby.enter(tournament_id, lobby.bot("Bot"))
    lobby.clock.move(minutes=30)
    advance_due(lobby.service)
    lobby.clock.move(minutes=20)
    keep_presence(lobby.service)
    lobby.clock.move(minutes=15)  # the machine is off in the last ten minutes, and five more
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "check_in"
    keep_presence(lobby.service)
    keep_presence(lobby.service)
    assert time_of(lobby.see(tournament_id)["starts_at"]) == lobby.clock() + timedelta(minutes=10)
    lobby.clock.move(seconds=20)
    assert ada.post(at(lobby, tournament_id, f"/entrants/{ada_id}/check-in")).status_code == 200
    for _ in range(40):
        lobby.clock.move(seconds=30)
        keep_presence(lobby.service)
        advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "running"
    assert whats(lobby, tournament_id).count("check_in_prolonged") == 1


def test_a_draft_is_seen_by_its_organiser_alone_until_it_is_announced(lobby: Lobby) -> None:
    plan = {"name": "Idea", "rounds": 3, "draft": True, "starts_at": (lobby.clock() + timedelta(hours=1)).isoformat()}
    made = lobby.organiser.post("/api/v1/tournaments", plan).json
    path = at(lobby, made["tournament_id"])
    assert made["state"] == "draft"
    ada, _ = lobby.sign_up("Ada")
    for stranger in (ada, lobby.anonymous):
        assert stranger.get(path).status_code == 404
        assert stranger.get("/api/v1/tournaments").json["tournaments"] == []
        assert stranger.get(f"{path}/log").status_code == 404
    assert lobby.organiser.get(path).status_code == 200
    assert len(lobby.organiser.get("/api/v1/tournaments").json["tournaments"]) == 1
    assert lobby.organiser.post(f"{path}/registration").status_code == 409
    assert ada.post(f"{path}/publication").status_code == 403
    assert lobby.organiser.post(f"{path}/publication").json["state"] == "announced"
    assert lobby.organiser.post(f"{path}/publication").status_code == 409
    assert lobby.anonymous.get(path).status_code == 200


def edit(lobby: Lobby, tournament_id: str, who: Api | None = None, tag: str | None = None, **changes: Any) -> Any:
    api = who or lobby.organiser
    tag = tag or lobby.anonymous.get(at(lobby, tournament_id)).headers["ETag"]
    return api.patch(at(lobby, tournament_id), changes, headers={"If-Match": tag})


def test_a_start_that_is_postponed_is_told_and_kept(lobby: Lobby) -> None:
    tournament_id = lobby.tournament()
    ada, ada_id = lobby.sign_up("Ada")
    ada.post(at(lobby, tournament_id, "/entrants"), {"player_id": ada_id})
    lobby.enter(tournament_id, lobby.bot("Bot"))
    later = lobby.clock() + timedelta(hours=3)
    answer = edit(lobby, tournament_id, starts_at=later.isoformat(), reason="the hall opens later")
    assert answer.status_code == 200, answer.json
    notice = ada.get("/api/v1/notices").json["entries"][0]
    assert (notice["what"], notice["reason"]) == ("edited", "the hall opens later")
    assert set(notice["details"]["changes"]) == {"starts_at"}
    lobby.clock.move(hours=2)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "registration"
    lobby.clock.move(hours=1)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "running"


def test_clock_and_delay_are_changed_before_the_start_and_hold_for_its_matches(lobby: Lobby) -> None:
    long = {"move_seconds": 30, "bank_seconds": 60}
    tournament_id = lobby.with_bots(2, clock=long, spectator_delay_seconds=60)
    assert edit(lobby, tournament_id, clock=None, spectator_delay_seconds=0).status_code == 200
    told = lobby.see(tournament_id)
    assert (told["clock"], told["spectator_delay_seconds"]) == (None, 0)
    half = edit(lobby, tournament_id, clock={"move_seconds": 10})
    assert (half.status_code, half.json["errors"][0]["field"]) == (422, "clock.bank_seconds")
    clock = {"move_seconds": 10, "bank_seconds": 0}
    assert edit(lobby, tournament_id, clock=clock, spectator_delay_seconds=30).status_code == 200
    lobby.start(tournament_id)
    (wish,) = lobby.wishes()
    assert (wish["clock"], wish["spectator_delay_seconds"]) == (clock, 30)


def test_whoever_edits_must_have_seen_what_is_there_now(lobby: Lobby) -> None:
    tournament_id = lobby.tournament()
    tag = lobby.anonymous.get(at(lobby, tournament_id)).headers["ETag"]
    assert lobby.organiser.patch(at(lobby, tournament_id), {"name": "Monday"}).status_code == 428
    assert edit(lobby, tournament_id, tag=tag, name="Monday").status_code == 200
    assert edit(lobby, tournament_id, tag=tag, name="Tuesday").status_code == 412
    assert lobby.see(tournament_id)["name"] == "Monday"
    ada, _ = lobby.sign_up("Ada")
    assert edit(lobby, tournament_id, ada, name="Mine").status_code == 403


@pytest.mark.parametrize(
    ("state", "changes", "status"),
    [
        ("announced", {"format": {"kind": "round_robin"}, "game": "rummy"}, 200),
        ("announced", {"rounds": 7}, 200),
        ("registration", {"capacity": 10, "round_minutes": 5}, 200),
        ("registration", {"capacity": 2}, 422),
        ("registration", {"rounds": 7}, 409),
        ("registration", {"admits": "bots"}, 409),
        ("registration", {"starts_at": "2020-01-01T00:00:00Z"}, 422),
        ("registration", {"minimum_entrants": 20, "capacity": 10}, 422),
        ("registration", {"surprise": 1}, 422),
        ("check_in", {"check_in_minutes": 5}, 409),
        ("check_in", {"clock": {"move_seconds": 9, "bank_seconds": 9}}, 409),
        ("check_in", {"name": "Later"}, 200),
        ("running", {"spectator_delay_seconds": 9}, 409),
        ("running", {"name": "Later"}, 409),
    ],
)
def test_what_may_change_depends_on_how_far_it_is(
    lobby: Lobby, state: str, changes: dict[str, Any], status: int
) -> None:
    if state == "announced":
        plan = {"name": "Plan", "rounds": 3, "starts_at": (lobby.clock() + timedelta(hours=1)).isoformat()}
        tournament_id = lobby.organiser.post("/api/v1/tournaments", plan).json["tournament_id"]
    else:
        tournament_id = lobby.with_bots(3, check_in_minutes=30)
        lobby.clock.move(minutes={"registration": 0, "check_in": 30, "running": 60}[state])
        advance_due(lobby.service)
        advance_due(lobby.service)
        if state == "running":
            lobby.clock.move(minutes=60)
            advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == state
    before = lobby.see(tournament_id)
    answer = edit(lobby, tournament_id, **changes)
    assert answer.status_code == status, answer.json
    assert (lobby.see(tournament_id) == before) == (status != 200)


def test_more_places_let_the_waitlist_in(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4, capacity=2)
    assert edit(lobby, tournament_id, capacity=3).status_code == 200
    states = [e["state"] for e in lobby.see(tournament_id, "/entrants")["entrants"]]
    assert states == ["registered"] * 3 + ["waitlisted"]


def test_no_limit_any_more_lets_the_whole_waitlist_in(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(5, capacity=2)
    assert edit(lobby, tournament_id, capacity=None).status_code == 200
    assert [e["state"] for e in lobby.see(tournament_id, "/entrants")["entrants"]] == ["registered"] * 5


def test_a_pause_takes_nothing_from_the_time_to_answer_a_question(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2, round_minutes=10)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    assert lobby.see(tournament_id)["question"]["reason"] == "no_legal_pairing"
    lobby.clock.move(minutes=4)
    pause(lobby, tournament_id)
    lobby.clock.move(hours=1)
    resume(lobby, tournament_id)
    advance_due(lobby.service)
    asked = lobby.see(tournament_id)["question"]
    assert time_of(asked["answer_by"]) == lobby.clock() + timedelta(minutes=6)
    lobby.clock.move(minutes=5)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "running"
    lobby.clock.move(minutes=1)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "finished"


def test_an_unchanged_tournament_answers_304(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2)
    tag = lobby.anonymous.get(at(lobby, tournament_id)).headers["ETag"]
    assert lobby.anonymous.get(at(lobby, tournament_id), headers={"If-None-Match": tag}).status_code == 304
    lobby.start(tournament_id)
    lobby.finish(won_by_first(lobby, lobby.undecided(tournament_id)[0]))
    assert lobby.anonymous.get(at(lobby, tournament_id), headers={"If-None-Match": tag}).status_code == 200

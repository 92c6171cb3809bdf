"""Corrections: seen with all that follows, then done exactly so, once, and told to those whom it touches."""

from typing import Any

import psycopg
import pytest

from gin_lobby.tasks import advance_due
from gin_lobby.use_cases import results
from tests.integration.lobby.conftest import Lobby, ended, won_by_first
from tests.integration.lobby.correcting import FIRST, KNOCKOUT, SECOND, by_slot, correct, do, log, look, wish
from tests.support.services import token_for


def test_a_preview_changes_nothing(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    before = [lobby.see(tournament_id, what) for what in ("", "/pairings", "/standings", "/log")]
    seen = look(lobby, tournament_id, wish("1.1")).json
    assert seen["standings"]
    assert {line["movement"] for line in seen["standings"]} != {0}
    assert before == [lobby.see(tournament_id, what) for what in ("", "/pairings", "/standings", "/log")]


def test_a_correction_moves_the_standings_of_its_round_and_all_later_ones(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    for _ in range(3):
        lobby.play_round(tournament_id)
    seats = by_slot(lobby, tournament_id)["1.1"]["fixture"]["seats"]
    points = [
        {line["player_id"]: line["points"] for line in lobby.see(tournament_id, f"/standings?round={n}")["standings"]}
        for n in (1, 2, 3)
    ]
    correct(lobby, tournament_id, wish("1.1"))
    for number in (1, 2, 3):
        found = lobby.see(tournament_id, f"/standings?round={number}")["standings"]
        now = {line["player_id"]: line["points"] for line in found}
        assert now[seats[0]] == points[number - 1][seats[0]] - 1
        assert now[seats[1]] == points[number - 1][seats[1]] + 1
    assert lobby.see(tournament_id)["state"] == "finished"


def test_the_ratings_are_told_how_the_match_counts_now(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    pairing = by_slot(lobby, tournament_id)["1.1"]
    assert correct(lobby, tournament_id, wish("1.1"))["ratings"] == [
        {"match_id": pairing["match_id"], "effect": "compensated"}
    ]
    assert correct(lobby, tournament_id, wish("1.1", {"outcome": "void"}))["ratings"][0]["effect"] == "reversed"
    assert correct(lobby, tournament_id, wish("1.1", FIRST))["ratings"][0]["effect"] == "rated"
    told = lobby.outbox("result_corrected")
    first, second = pairing["fixture"]["seats"]
    assert [(t["match_id"], t["revision"], t["ending"]) for t in told] == [
        (pairing["match_id"], 1, "played"),
        (pairing["match_id"], 2, "void"),
        (pairing["match_id"], 3, "played"),
    ]
    assert told[0]["seats"] == [{"player_id": first, "place": 2}, {"player_id": second, "place": 1}]


def test_scores_stay_unless_others_are_given(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    correct(lobby, tournament_id, wish("1.1"))
    assert (by_slot(lobby, tournament_id)["1.1"]["first_score"]) == 100
    figures = [{"game_points": 40, "hands_won": 2}, {"game_points": 103, "hands_won": 5}]
    found = correct(lobby, tournament_id, wish("1.1", SECOND | {"tallies": figures}))
    assert found["ratings"][0]["effect"] == "none"
    pairing = by_slot(lobby, tournament_id)["1.1"]
    assert (pairing["first_score"], pairing["second_score"]) == (40, 103)


def test_it_is_written_into_the_log_with_who_and_why_and_found_by_those_it_touches(lobby: Lobby) -> None:
    tournament_id = lobby.tournament(rounds=1)
    ada, ada_id = lobby.sign_up("Ada")
    stranger, _ = lobby.sign_up("Stranger")
    ada.post(f"/api/v1/tournaments/{tournament_id}/entrants", {"player_id": ada_id})
    lobby.enter(tournament_id, lobby.bot("Bot"))
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    done = correct(lobby, tournament_id, wish("1.1"))
    (entry,) = log(lobby, tournament_id)
    assert (entry["actor_id"], entry["actor_name"]) == (lobby.organiser_id, "Organiser")
    assert (entry["what"], entry["reason"]) == ("result_corrected", "the slip was misread")
    assert entry["details"] == done
    assert ada_id in entry["touched"]
    assert ada.get("/api/v1/notices").json["entries"][0] == entry
    assert stranger.get("/api/v1/notices").json["entries"] == []


def test_the_log_can_only_grow(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    correct(lobby, tournament_id, wish("1.1"))
    for statement in ("UPDATE tournament_log SET reason = 'none'", "DELETE FROM tournament_log"):
        with pytest.raises(psycopg.errors.RestrictViolation), lobby.service.transaction() as tx:
            tx.connection.execute(statement.encode())


def test_what_was_seen_must_be_what_is_done(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    digest = look(lobby, tournament_id, wish("1.1")).json["digest"]
    lobby.finish(won_by_first(lobby, lobby.undecided(tournament_id)[0]))
    before = lobby.see(tournament_id, "/standings")
    late = do(lobby, tournament_id, wish("1.1"), digest)
    assert (late.status_code, late.json["type"]) == (412, "urn:ginhall:problem:preview-outdated")
    assert lobby.see(tournament_id, "/standings") == before
    assert log(lobby, tournament_id) == []


def test_a_swiss_round_that_nobody_has_played_is_paired_anew(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(8)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    old = {p["match_id"]: p for p in lobby.undecided(tournament_id)}
    done = correct(lobby, tournament_id, wish("1.1"))
    (later,) = done["later_rounds"]
    assert (later["round"], later["stands"]) == (2, [])
    new = {p["match_id"]: p for p in lobby.undecided(tournament_id)}
    cancelled = {c["match_id"] for c in lobby.outbox("cancel_match")}
    assert cancelled == set(old) - set(new)
    assert {w["match_id"] for w in lobby.wishes()} >= set(new)
    assert sorted(p["slot"] for p in new.values()) == [f"2.{n}" for n in range(1, 5)]
    assert sorted(s for p in new.values() for s in p["fixture"]["seats"]) == sorted(lobby.seeds(tournament_id))
    lobby.play_round(tournament_id)
    lobby.play_round(tournament_id)
    assert lobby.see(tournament_id)["state"] == "finished"


def test_a_match_taken_back_and_played_all_the_same_counts_for_nobody(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(8)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    old = {p["match_id"]: p for p in lobby.undecided(tournament_id)}
    correct(lobby, tournament_id, wish("1.1"))
    gone = sorted(set(old) - {p["match_id"] for p in lobby.undecided(tournament_id)})[0]
    before = lobby.see(tournament_id, "/standings")
    for _ in range(2):
        lobby.finish(won_by_first(lobby, old[gone]))
    assert lobby.see(tournament_id, "/standings") == before
    voided = [t for t in lobby.outbox("result_corrected") if t["match_id"] == gone]
    assert [(t["revision"], t["ending"]) for t in voided] == [(1, "void")]


def test_the_engine_s_word_that_a_match_taken_back_is_void_is_no_news(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(8)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    old = {p["match_id"]: p for p in lobby.undecided(tournament_id)}
    correct(lobby, tournament_id, wish("1.1"))
    gone = sorted(set(old) - {p["match_id"] for p in lobby.undecided(tournament_id)})[0]
    lobby.finish(won_by_first(lobby, old[gone], ending="void"))
    assert [t["match_id"] for t in lobby.outbox("result_corrected") if t["match_id"] == gone] == []


def test_who_advanced_wrongly_comes_back_and_the_other_takes_the_place(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4, format=KNOCKOUT)
    lobby.start(tournament_id)
    lobby.play_matches(tournament_id, lobby.seeds(tournament_id))
    s1, s2, _, s4 = lobby.seeds(tournament_id)
    assert set(by_slot(lobby, tournament_id)["R2M1"]["fixture"]["seats"]) == {s1, s2}
    semifinal = by_slot(lobby, tournament_id)["R1M1"]
    upset = SECOND if semifinal["first_id"] == s1 else FIRST
    correct(lobby, tournament_id, wish("R1M1", upset))
    assert set(by_slot(lobby, tournament_id)["R2M1"]["fixture"]["seats"]) == {s2, s4}
    lobby.play_matches(tournament_id, lobby.seeds(tournament_id))
    assert lobby.see(tournament_id)["state"] == "finished"
    assert lobby.ranking(tournament_id)[:2] == [(1, s2), (2, s4)]


def test_a_final_that_was_played_stands_and_the_preview_says_so(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4, format=KNOCKOUT)
    lobby.start(tournament_id)
    lobby.play_out(tournament_id, lobby.seeds(tournament_id))
    s1, s2, _, s4 = lobby.seeds(tournament_id)
    final = by_slot(lobby, tournament_id)["R2M1"]
    upset = SECOND if by_slot(lobby, tournament_id)["R1M1"]["first_id"] == s1 else FIRST
    (later,) = correct(lobby, tournament_id, wish("R1M1", upset))["later_rounds"]
    assert set(later["stands"][0]["seats"]) == {s1, s2}
    assert set(later["would_be"][0]["seats"]) == {s2, s4}
    assert (later["replaced"], later["opened"]) == ([], [])
    assert by_slot(lobby, tournament_id)["R2M1"] == final
    assert lobby.see(tournament_id)["state"] == "finished"


def test_a_finished_tournament_runs_again_where_a_correction_calls_for_more_play(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2, format={"kind": "double_elimination"})
    lobby.start(tournament_id)
    lobby.play_out(tournament_id, lobby.seeds(tournament_id))
    finals = lobby.see(tournament_id, "/pairings")["pairings"]
    grand_final = finals[-1]
    s1 = lobby.seeds(tournament_id)[0]
    upset = SECOND if grand_final["first_id"] == s1 else FIRST
    assert correct(lobby, tournament_id, wish(grand_final["slot"], upset))["reopens"] is True
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "running"
    assert len(lobby.undecided(tournament_id)) == 1
    lobby.play_out(tournament_id, lobby.seeds(tournament_id))
    assert lobby.see(tournament_id)["state"] == "finished"


def test_a_result_that_waits_to_be_scored_is_counted_before_it_is_corrected(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    pairing = next(p for p in lobby.undecided(tournament_id) if p["slot"] == "1.1")
    with lobby.service.transaction() as tx:
        results.report_results(tx, [won_by_first(lobby, pairing)])
    assert correct(lobby, tournament_id, wish("1.1"))["was"]["outcome"] == "first_wins"


def test_a_final_of_which_a_match_has_been_played_stands(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4, format={"kind": "single_elimination", "best_of": 3})
    lobby.start(tournament_id)
    strength = lobby.seeds(tournament_id)
    for _ in range(3):
        lobby.play_matches(tournament_id, strength)
    (final,) = lobby.in_play(tournament_id)
    semifinal = next(p for p in lobby.see(tournament_id, "/pairings")["pairings"] if p["round"] == 1)
    loser_wins = FIRST if strength.index(semifinal["first_id"]) > strength.index(semifinal["second_id"]) else SECOND
    (later,) = correct(lobby, tournament_id, wish(semifinal["slot"], loser_wins))["later_rounds"]
    assert ([f["slot"] for f in later["stands"]], later["replaced"], later["opened"]) == ([final.slot], [], [])
    assert lobby.in_play(tournament_id) == [final]


def test_an_annulled_match_that_was_played_again_is_not_corrected(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2, rounds=1)
    lobby.start(tournament_id)
    (annulled,) = lobby.in_play(tournament_id)
    lobby.finish(ended(lobby, annulled, annulled.seats, ending="void"))
    lobby.play_matches(tournament_id, annulled.seats)
    body = {"match_id": annulled.match_id, "result": SECOND, "reason": "the slip was misread"}
    refused = look(lobby, tournament_id, body)
    assert (refused.status_code, refused.json["errors"][0]["field"]) == (409, "match_id")


def test_one_match_of_a_best_of_three_is_corrected_where_the_rest_still_decides(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(2, format={"kind": "swiss", "rounds": 1, "best_of": 3})
    lobby.start(tournament_id)
    s1, s2 = lobby.seeds(tournament_id)
    for strength in ([s1, s2], [s2, s1], [s1, s2]):
        lobby.play_matches(tournament_id, strength)
    pairing = by_slot(lobby, tournament_id)["1.1"]
    first, _, last = pairing["matches"]
    turned = {"match_id": last["match_id"], "reason": "misread", "result": SECOND if last["seats"][0] == s1 else FIRST}
    correct(lobby, tournament_id, turned)
    assert lobby.ranking(tournament_id) == [(1, s2), (2, s1)]
    drawn = {"match_id": first["match_id"], "reason": "misread", "result": {"outcome": "draw"}}
    seen = look(lobby, tournament_id, drawn)
    assert seen.status_code == 200
    even = {"match_id": last["match_id"], "reason": "misread", "result": {"outcome": "void"}}
    refused = look(lobby, tournament_id, even)
    assert (refused.status_code, refused.json["type"]) == (409, "urn:ginhall:problem:correction-refused")
    assert "another match would have to be played" in refused.json["detail"]


def test_a_table_of_three_is_corrected_by_places(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(3, format={"kind": "pods", "rounds": 1})
    lobby.start(tournament_id)
    seeds = lobby.seeds(tournament_id)
    lobby.play_matches(tournament_id, seeds)
    seats = by_slot(lobby, tournament_id)["1.1"]["fixture"]["seats"]
    reverse = {"places": [3 - seeds.index(seat) for seat in seats]}
    correct(lobby, tournament_id, wish("1.1", reverse))
    assert [player for _, player in lobby.ranking(tournament_id)] == seeds[::-1]
    for wrong in ({"outcome": "first_wins"}, {"places": [1, 2]}, {"places": [1, 2, 4]}, {}):
        assert look(lobby, tournament_id, wish("1.1", wrong)).status_code == 422, wrong


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (wish("9.9"), 404),
        (wish("2.1"), 409),
        (wish("1.1", FIRST), 409),
        (wish("1.1", {}), 422),
        (wish("1.1", {"outcome": "bye"}), 422),
        (wish("1.1", {"places": [1, 2]}), 422),
        (wish("1.1", {"outcome": "draw", "tallies": [{}]}), 422),
        (wish("1.1", SECOND, match_id="01990000-0000-7000-8000-000000000000"), 422),
        (wish("1.1", SECOND, reason=""), 422),
        ({"result": SECOND, "reason": "x"}, 422),
        ({"match_id": "no id", "result": SECOND, "reason": "x"}, 404),
    ],
)
def test_what_cannot_be_corrected_is_refused_and_changes_nothing(lobby: Lobby, body: Any, status: int) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    before = lobby.see(tournament_id, "/pairings")
    answer = look(lobby, tournament_id, body)
    assert answer.status_code == status, answer.json
    assert do(lobby, tournament_id, body, "0" * 64).status_code == status
    assert lobby.see(tournament_id, "/pairings") == before


def test_only_the_organiser_an_arbiter_and_an_administrator_correct(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4)
    ada, ada_id = lobby.sign_up("Ada")
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    assert look(lobby, tournament_id, wish("1.1"), ada).status_code == 403
    assert look(lobby, tournament_id, wish("1.1"), lobby.anonymous).status_code == 401
    lobby.organiser.put(f"/api/v1/tournaments/{tournament_id}/arbiters/{ada_id}")
    chief = lobby.anonymous.as_(token_for(lobby.sign_up("Chief")[1], administrator=True))
    assert [look(lobby, tournament_id, wish("1.1"), who).status_code for who in (ada, chief)] == [200, 200]


@pytest.mark.parametrize("by_bot", [False, True])
def test_an_arbiter_corrects_no_encounter_of_their_own_or_of_a_bot_of_theirs(lobby: Lobby, by_bot: bool) -> None:
    tournament_id = lobby.with_bots(3)
    ada, ada_id = lobby.sign_up("Ada")
    player = ada.post("/api/v1/players", {"name": "Robbie", "kind": "bot"}).json["player_id"] if by_bot else ada_id
    assert ada.post(f"/api/v1/tournaments/{tournament_id}/entrants", {"player_id": player}).status_code == 201
    lobby.organiser.put(f"/api/v1/tournaments/{tournament_id}/arbiters/{ada_id}")
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    pairings = lobby.see(tournament_id, "/pairings?round=1")["pairings"]
    own = {p["slot"]: player in (p["first_id"], p["second_id"]) for p in pairings}
    assert sorted(own.values()) == [False, True]
    for slot, is_own in own.items():
        body = wish(slot)
        assert look(lobby, tournament_id, body, ada).status_code == (403 if is_own else 200)
        digest = look(lobby, tournament_id, body).json["digest"]
        path = f"/api/v1/tournaments/{tournament_id}/corrections"
        assert ada.post(path, body | {"digest": digest}).status_code == (403 if is_own else 201)


def test_an_arena_s_pairings_stand_whatever_is_corrected(lobby: Lobby) -> None:
    tournament_id = lobby.with_bots(4, format={"kind": "arena", "duration_seconds": 600})
    lobby.start(tournament_id)
    seeds = lobby.seeds(tournament_id)
    lobby.finish(*(ended(lobby, match, seeds) for match in lobby.in_play(tournament_id)))
    advance_due(lobby.service)
    before = {p["slot"]: p["fixture"] for p in lobby.see(tournament_id, "/pairings")["pairings"]}
    slot = next(iter(before))
    outcome = lobby.see(tournament_id, "/pairings")["pairings"][0]["result"]
    upset = SECOND if outcome == "first_wins" else FIRST
    assert correct(lobby, tournament_id, wish(slot, upset))["later_rounds"] == []
    assert {p["slot"]: p["fixture"] for p in lobby.see(tournament_id, "/pairings")["pairings"]} == before

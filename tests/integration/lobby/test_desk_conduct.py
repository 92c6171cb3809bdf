"""The desk while a tournament goes on: entrants, lists, pairings, corrections; series; log and notices."""

import re
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from flask.testing import FlaskClient

from gin_servicekit.auth import SESSION_COOKIE
from tests.integration.lobby.browsing import SAME, browser, signed_up
from tests.integration.lobby.conftest import Lobby
from tests.integration.lobby.test_desk import desk, post, typed

__all__ = ["desk"]  # the fixture


def states(lobby: Lobby, tournament_id: str) -> dict[str, str]:
    return {e["name"]: e["state"] for e in lobby.see(tournament_id, "/entrants")["entrants"]}


def pairs(lobby: Lobby, tournament_id: str, number: int) -> set[frozenset[str]]:
    found = lobby.see(tournament_id, f"/pairings?round={number}")["pairings"]
    return {frozenset(p["fixture"]["seats"]) for p in found}


def test_players_are_invited_by_name_and_own_bots_entered(lobby: Lobby, desk: FlaskClient) -> None:
    page, _ = signed_up(lobby, "Ada")
    bot = lobby.bot("Mine")
    tournament_id = lobby.tournament()
    path = f"/tournaments/{tournament_id}/desk/entrants"
    assert post(desk, f"{path}/invitation", {"player_id": "ada"}).status_code == 303
    unknown = post(desk, f"{path}/invitation", {"player_id": "Nobody"})
    assert (unknown.status_code, 'value="Nobody"' in unknown.text) == (422, True)
    assert typed(desk.get(path).text, f"{path}/bot")["player_id"] == [bot]
    assert post(desk, f"{path}/bot", {"player_id": bot}).status_code == 303
    assert states(lobby, tournament_id) == {"Ada": "invited", "Mine": "registered"}
    assert post(page, f"/tournaments/{tournament_id}/entry", {}).status_code == 303
    assert states(lobby, tournament_id)["Ada"] == "registered"
    ada = next(e["player_id"] for e in lobby.see(tournament_id, "/entrants")["entrants"] if e["name"] == "Ada")
    assert post(desk, f"{path}/withdrawal", {"player_id": ada}).status_code == 303
    assert states(lobby, tournament_id)["Ada"] == "withdrawn"


def test_a_list_is_first_tried_and_then_entered(lobby: Lobby, desk: FlaskClient) -> None:
    for name in ("One", "Two"):
        lobby.bot(name)
    tournament_id = lobby.tournament()
    path = f"/tournaments/{tournament_id}/desk/entrants/list"
    text = "name\nOne\nNobody\nTwo\n"
    tried = post(desk, path, {"list": text, "step": "look"})
    assert "2 of the list can be entered, 1 cannot" in tried.text
    assert "Line 3, column 1: there is no player called Nobody" in tried.text
    assert states(lobby, tournament_id) == {}
    whole = post(desk, path, {"list": text, "step": "all"})
    assert (whole.status_code, states(lobby, tournament_id)) == (422, {})
    assert "there is no player called Nobody" in whole.text
    done = post(desk, path, {"list": text, "step": "good"})
    assert done.location.endswith("entered=2")
    assert states(lobby, tournament_id) == {"One": "registered", "Two": "registered"}


def test_a_list_may_be_a_file(lobby: Lobby, desk: FlaskClient) -> None:
    lobby.bot("One")
    path = f"/tournaments/{lobby.tournament()}/desk/entrants/list"
    sent = {"list": "", "step": "look", "file": (BytesIO(b"\xef\xbb\xbfname\nOne\n"), "list.csv")}
    answer = desk.post(path, data=sent, headers=SAME)
    assert "1 of the list can be entered." in answer.text
    assert typed(answer.text, path)["list"] == ["name\nOne\n"]
    broken = {"list": "", "step": "look", "file": (BytesIO(b"name\n\xff\n"), "list.csv")}
    refused = desk.post(path, data=broken, headers=SAME)
    assert (refused.status_code, "must be UTF-8" in refused.text) == (422, True)


def test_rests_and_forbidden_pairs_are_set_and_taken_back(lobby: Lobby, desk: FlaskClient) -> None:
    tournament_id = lobby.with_bots(5)
    path = f"/tournaments/{tournament_id}/desk/entrants"
    ids = {e["name"]: e["player_id"] for e in lobby.see(tournament_id, "/entrants")["entrants"]}
    assert post(desk, f"{path}/rest", {"who": "bot 1", "rounds": "1, 3"}).status_code == 303
    assert "round 1, 3" in desk.get(path).text
    assert post(desk, f"{path}/rest", {"who": "Bot 1", "rounds": "soon"}).status_code == 422
    assert post(desk, f"{path}/forbidden-pairs", {"first": "Bot 2", "second": "Bot 4"}).status_code == 303
    assert post(desk, f"{path}/forbidden-pairs", {"first": "Bot 2", "second": ids["Bot 5"]}).status_code == 303
    same = post(desk, f"{path}/forbidden-pairs", {"first": "Bot 2", "second": "Bot 2"})
    assert (same.status_code, "Nobody meets themselves" in same.text) == (422, True)
    assert len(lobby.see(tournament_id)["forbidden_pairs"]) == 2
    assert post(desk, f"{path}/allowed-pairs", {"pair": f"{ids['Bot 2']} {ids['Bot 5']}"}).status_code == 303
    assert lobby.see(tournament_id)["forbidden_pairs"] == [[ids["Bot 2"], ids["Bot 4"]]]
    lobby.start(tournament_id)
    assert frozenset([ids["Bot 2"], ids["Bot 4"]]) not in pairs(lobby, tournament_id, 1)
    assert ids["Bot 1"] not in set().union(*(p for p in pairs(lobby, tournament_id, 1) if len(p) == 2))
    assert post(desk, f"{path}/rest-no-more", {"player_id": ids["Bot 1"]}).status_code == 303
    lobby.play_round(tournament_id)
    assert "round 3" not in desk.get(path).text


def test_pairs_of_the_next_round_are_set_by_hand(lobby: Lobby, desk: FlaskClient) -> None:
    tournament_id = lobby.with_bots(6)
    path = f"/tournaments/{tournament_id}/desk/pairings"
    form = typed(desk.get(path).text, f"{path}/wishes")
    ids = {e["name"]: e["player_id"] for e in lobby.see(tournament_id, "/entrants")["entrants"]}
    assert post(desk, f"{path}/wishes", form | {"first": "Bot 1", "second": "Bot 2"}).status_code == 303
    form = typed(desk.get(path).text, f"{path}/wishes")
    twice = post(desk, f"{path}/wishes", form | {"first": "Bot 2", "second": "Bot 3"})
    assert (twice.status_code, "stands in another pair" in twice.text) == (422, True)
    half = post(desk, f"{path}/wishes", form | {"first": "Bot 5"})
    assert (half.status_code, 'value="Bot 5"' in half.text) == (422, True)
    second = form | {"first": "Bot 3", "second": "Bot 4", "allow": ["allow_rematch"]}
    assert post(desk, f"{path}/wishes", second).status_code == 303
    lobby.start(tournament_id)
    found = pairs(lobby, tournament_id, 1)
    assert {frozenset([ids["Bot 1"], ids["Bot 2"]]), frozenset([ids["Bot 3"], ids["Bot 4"]])} <= found


def test_a_round_is_paired_again_as_long_as_nothing_is_played(lobby: Lobby, desk: FlaskClient) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    path = f"/tournaments/{tournament_id}/desk/pairings"
    ids = {e["name"]: e["player_id"] for e in lobby.see(tournament_id, "/entrants")["entrants"]}
    (one, *_), *_ = sorted(map(sorted, pairs(lobby, tournament_id, 1)))
    other = next(p for p in ids.values() if frozenset([one, p]) not in pairs(lobby, tournament_id, 1) and p != one)
    form = typed(desk.get(path).text, f"{path}/again") | {"first": one, "second": other}
    assert post(desk, f"{path}/again", form | {"reason": ""}).status_code == 422
    assert post(desk, f"{path}/again", form | {"reason": "They share a car"}).status_code == 303
    assert frozenset([one, other]) in pairs(lobby, tournament_id, 1)
    lobby.play_round(tournament_id)
    assert post(desk, f"{path}/again", form | {"reason": "Once more"}).status_code == 409


@pytest.mark.parametrize("choice", ["allow_rematch", "end_early"])
def test_the_question_of_a_round_that_cannot_be_paired_is_answered(
    lobby: Lobby, desk: FlaskClient, choice: str
) -> None:
    tournament_id = lobby.with_bots(2)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    path = f"/tournaments/{tournament_id}/desk"
    assert lobby.see(tournament_id)["question"]["choices"] == ["allow_rematch", "end_early"]
    assert "no further round is possible without a rematch" in desk.get(path).text
    assert f'action="{path}/decision"' in desk.get(f"{path}/pairings").text
    both = post(desk, f"{path}/decision", {"choices": ["allow_rematch", "end_early"]})
    assert (both.status_code, "Either it ends" in both.text) == (422, True)
    assert post(desk, f"{path}/decision", {"choices": choice}).status_code == 303
    assert lobby.see(tournament_id)["question"] is None
    assert lobby.see(tournament_id)["state"] == ("finished" if choice == "end_early" else "running")


def correction(lobby: Lobby, desk: FlaskClient, tournament_id: str, change: dict[str, Any]) -> Any:
    """The preview's page and its form."""
    path = f"/tournaments/{tournament_id}/desk"
    link = re.findall(rf'href="({path}/correction[^"]*)"', desk.get(f"{path}/pairings?round=1").text)[0]
    form = typed(desk.get(link.replace("&amp;", "&")).text, f"{path}/correction")
    seen = post(desk, f"{path}/correction", form | {"reason": "The slip was misread"} | change)
    return seen, (typed(seen.text, f"{path}/correction/confirmation") if "confirmation" in seen.text else {})


def test_a_result_is_corrected_after_all_that_follows_was_seen(lobby: Lobby, desk: FlaskClient) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    path = f"/tournaments/{tournament_id}/desk"
    before = lobby.see(tournament_id, "/pairings")
    seen, form = correction(lobby, desk, tournament_id, {"result.outcome": "second_wins"})
    assert seen.status_code == 200
    assert "made up for" in seen.text
    assert lobby.see(tournament_id, "/pairings") == before
    again = post(desk, f"{path}/correction/confirmation", form | {"back": "1"})
    assert typed(again.text, f"{path}/correction")["reason"] == ["The slip was misread"]
    stale = post(desk, f"{path}/correction/confirmation", form | {"digest": "0" * 64})
    assert (stale.status_code, "look at the preview again" in stale.text) == (412, True)
    assert lobby.see(tournament_id, "/pairings") == before
    assert post(desk, f"{path}/correction/confirmation", form).status_code == 303
    assert lobby.see(tournament_id, "/pairings")["pairings"][0]["result"] == "second_wins"
    (entry,) = lobby.see(tournament_id, "/log?what=result_corrected")["entries"]
    assert entry["reason"] == "The slip was misread"
    refused, _ = correction(lobby, desk, tournament_id, {"result.outcome": "second_wins"})
    assert (refused.status_code, "has already" in refused.text) == (409, True)


def test_places_of_a_table_are_corrected(lobby: Lobby, desk: FlaskClient) -> None:
    tournament_id = lobby.with_bots(4, format={"kind": "pods", "rounds": 1})
    lobby.start(tournament_id)
    lobby.play_matches(tournament_id, lobby.seeds(tournament_id))
    change = {f"result.places[{at}]": str(4 - at) for at in range(4)}
    _, form = correction(lobby, desk, tournament_id, change)
    path = f"/tournaments/{tournament_id}/desk/correction/confirmation"
    assert post(desk, path, form).status_code == 303
    assert lobby.see(tournament_id, "/pairings")["pairings"][0]["ended"]["places"] == [4, 3, 2, 1]


def test_one_match_of_several_is_corrected(lobby: Lobby, desk: FlaskClient) -> None:
    tournament_id = lobby.with_bots(2, format={"kind": "single_elimination", "best_of": 3})
    lobby.start(tournament_id)
    lobby.play_out(tournament_id, lobby.seeds(tournament_id))
    shown = desk.get(f"/tournaments/{tournament_id}/desk/pairings").text
    assert "Correct match 1" in shown
    (link,) = re.findall(r'href="([^"]*match_id=[^"]*)">Correct match 1', shown)
    form = typed(desk.get(link).text, f"/tournaments/{tournament_id}/desk/correction")
    undecided = post(
        desk,
        f"/tournaments/{tournament_id}/desk/correction",
        form | {"result.outcome": "second_wins", "reason": "Misread"},
    )
    assert (undecided.status_code, "would not be decided then" in undecided.text) == (409, True)


def weekly(lobby: Lobby, desk: FlaskClient, **change: Any) -> Any:
    form = typed(desk.get("/series/new").text, "/series/new") | {"name": "Weekly", "format.rounds": "3"} | change
    return post(desk, "/series/new", form)


def test_a_series_is_made_changed_skipped_and_ended(lobby: Lobby, desk: FlaskClient) -> None:
    first = lobby.clock() + timedelta(days=3)
    answer = weekly(lobby, desk, start_date=f"{first:%Y-%m-%d}", start_time="19:00", zone="Europe/Vienna")
    assert answer.status_code == 303
    series_id = answer.location.split("/")[2]
    series = lobby.anonymous.get(f"/api/v1/series/{series_id}").json
    assert series["rule"].startswith("FREQ=WEEKLY;BYDAY=")
    assert (series["zone"], series["tournament"]["format"]["rounds"]) == ("Europe/Vienna", 3)
    path = f"/series/{series_id}/desk"
    keys = [o["key"] for o in lobby.anonymous.get(f"/api/v1/series/{series_id}/occurrences").json["occurrences"]]
    for key in (keys[0], keys[-1]):
        assert post(desk, f"{path}/skips", {"key": key, "reason": "Holidays"}).status_code == 303
    assert post(desk, f"{path}/skips", {"key": "never", "reason": "Holidays"}).status_code == 404
    found = lobby.anonymous.get(f"/api/v1/series/{series_id}/occurrences").json["occurrences"]
    assert [o["state"] for o in found if o["reason"] == "Holidays"] == ["skipped", "skipped"]
    assert post(desk, f"{path}/skips/undone", {"key": keys[-1]}).status_code == 303
    edit = f"{path}/edit"
    form = typed(desk.get(edit).text, edit) | {"name": "Every week", "capacity": "20"}
    assert post(desk, edit, form).status_code == 303
    series = lobby.anonymous.get(f"/api/v1/series/{series_id}").json
    assert (series["name"], series["tournament"]["capacity"]) == ("Every week", 20)
    assert post(desk, edit, form).status_code == 412
    assert post(desk, f"{path}/end", {}).status_code == 422
    assert post(desk, f"{path}/end", {"sure": "on"}).status_code == 303
    assert lobby.anonymous.get(f"/api/v1/series/{series_id}").json["state"] == "ended"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"repeats": "own", "rule": "FREQ=SECONDLY"}, "rule"),
        ({"repeats": "own", "rule": ""}, "rule"),
        ({"zone": "Nowhere/Else"}, "zone"),
        ({"start_date": "soon"}, "start_date"),
        ({"format.rounds": "none"}, "format.rounds"),
        ({"capacity": "3", "minimum_entrants": "8"}, "capacity"),
    ],
)
def test_what_is_wrong_with_a_series_is_told_at_the_field(
    lobby: Lobby, desk: FlaskClient, change: dict[str, str], field: str
) -> None:
    answer = weekly(lobby, desk, **change)
    assert (answer.status_code, f'id="{field}-error"' in answer.text) == (422, True)
    assert typed(answer.text, "/series/new")["name"] == ["Weekly"]
    assert lobby.anonymous.get("/api/v1/series").json["series"] == []


def test_notices_are_counted_until_they_are_read(lobby: Lobby, desk: FlaskClient) -> None:
    page, _ = signed_up(lobby, "Ada")
    tournament_id = lobby.tournament()
    post(desk, f"/tournaments/{tournament_id}/desk/entrants/invitation", {"player_id": "Ada"})
    post(page, f"/tournaments/{tournament_id}/entry", {})
    post(desk, f"/tournaments/{tournament_id}/desk/announcements", {"text": "Bring pens"})
    assert 'class="count">2<' in page.get("/").text
    shown = page.get("/notices").text
    assert "Bring pens" in shown
    assert "Friday" in shown
    assert 'class="count"' not in page.get("/").text
    assert "Bring pens" not in signed_up(lobby, "Bob")[0].get("/notices").text
    assert browser(lobby).get("/notices", headers=SAME).location == "/sign-in?next=/notices"


def test_the_public_page_leads_on(lobby: Lobby, desk: FlaskClient) -> None:
    tournament_id = lobby.with_bots(4, format={"kind": "single_elimination"})
    lobby.start(tournament_id)
    path = f"/tournaments/{tournament_id}"
    public = browser(lobby).get(path).text
    assert f"{path}/desk" not in public
    for found in (f"{path}/print", f"{path}/log", "bracket.svg"):
        assert found in public
    assert f'href="{path}/desk"' in desk.get(path).text
    shared = desk.get(f"{path}/desk/share").text
    assert "standings.csv" in shared
    assert "&lt;img src=" in shared
    assert f'href="{path}/desk"' in desk.get("/account").text
    assert SESSION_COOKIE not in shared


@pytest.mark.parametrize(
    ("action", "form"),
    [
        ("extension", {"round": "one", "minutes": "5", "reason": "Slow"}),
        ("extension", {"minutes": "5", "reason": "Slow"}),
        ("extension", {"round": "1", "minutes": "5", "reason": "\x00"}),
        (
            "postponement",
            {"start_date": "9999-12-31", "start_time": "23:59", "zone": "UTC", "reason": "x", "version": "x"},
        ),
        ("arbiters", {"account_id": "\x00"}),
        ("arbiters/dismissal", {"account_id": "nobody"}),
        ("entrants/invitation", {"player_id": "01990000-0000-7000-8000-000000000000"}),
        ("entrants/withdrawal", {"player_id": "nobody"}),
        ("entrants/rest", {"who": "Bot 1", "rounds": "0"}),
        ("entrants/list", {"list": "name\nA\x00B\n", "step": "all"}),
        ("pairings/wishes", {"round": "2", "pair": ["x", "y z"]}),
        ("pairings/wishes", {"round": "2", "allow": ["anything"]}),
        ("pairings/again", {"round": "99", "reason": "x"}),
        ("correction", {"slot": "1.1", "round": "1", "result.outcome": "first_wins", "reason": "x"}),
        ("correction", {}),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(
    lobby: Lobby, desk: FlaskClient, action: str, form: dict[str, Any]
) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    seen = ("", "/pairings", "/entrants", "/log", "/arbiters", "/rounds")
    before = [lobby.see(tournament_id, what) for what in seen]
    answer = post(desk, f"/tournaments/{tournament_id}/desk/{action}", form)
    assert 400 <= answer.status_code < 500
    assert before == [lobby.see(tournament_id, what) for what in seen]

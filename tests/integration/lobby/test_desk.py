"""The organiser's desk: what its forms do is what REST does, and what is refused is told beside the field."""

import html
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient

from gin_lobby.pages.desk.formats import offers
from gin_lobby.tasks import advance_due
from gin_servicekit.auth import SESSION_COOKIE
from tests.integration.lobby.browsing import SAME, browser, signed_up
from tests.integration.lobby.conftest import Lobby

SWISS = {"kind": "swiss", "rounds": 3}


@pytest.fixture
def desk(lobby: Lobby) -> FlaskClient:
    """The organiser's browser."""
    page = browser(lobby)
    page.set_cookie(SESSION_COOKIE, lobby.organiser.token or "", domain="localhost")
    return page


def typed(page_text: str, action: str) -> dict[str, list[str]]:
    """All that a browser would send of the form with this action, as the page holds it."""
    form = page_text[page_text.index(f'action="{action}"') :].partition("</form>")[0]
    found: dict[str, list[str]] = {}
    for tag, inside in re.findall(r"<(input|textarea|select)\b([^>]*)>", form):
        attributes = dict(re.findall(r'([a-z]+)="([^"]*)"', inside))
        name = html.unescape(attributes.get("name", ""))
        if not name or (attributes.get("type") in ("checkbox", "radio") and not re.search(r"\bchecked\b", inside)):
            continue
        if tag == "input" and attributes.get("type") != "file":
            found.setdefault(name, []).append(html.unescape(attributes.get("value", "")))
    for name, inside in re.findall(r'<textarea[^>]*name="([^"]*)"[^>]*>([^<]*)</textarea>', form):
        found[html.unescape(name)] = [html.unescape(inside)]
    for name, inside in re.findall(r'<select[^>]*name="([^"]*)"[^>]*>(.*?)</select>', form, re.DOTALL):
        options = re.findall(r'<option value="([^"]*)"( selected)?', inside)
        chosen = [value for value, selected in options if selected] or [value for value, _ in options[:1]]
        found.setdefault(html.unescape(name), []).append(html.unescape(chosen[0]))
    return found


def post(page: FlaskClient, path: str, form: dict[str, Any]) -> Any:
    return page.post(path, data=form, headers=SAME)


def blank(desk: FlaskClient, game: str = "rummy", kind: str = "swiss") -> dict[str, Any]:
    """The form of a new tournament as it is at first."""
    return typed(desk.get(f"/tournaments/new?game={game}&format={kind}").text, "/tournaments/new")


def made(lobby: Lobby, answer: Any) -> Any:
    assert answer.status_code == 303, re.findall(r'class="error"[^>]*>([^<]*)', answer.text)
    tournament_id = answer.location.split("/")[2]
    return lobby.organiser.get(f"/api/v1/tournaments/{tournament_id}").json


def announced(lobby: Lobby, **plan: Any) -> str:
    starts_at = (lobby.clock() + timedelta(hours=1)).isoformat()
    body = {"name": "Friday", "starts_at": starts_at, "format": SWISS} | plan
    found: str = lobby.organiser.post("/api/v1/tournaments", body).json["tournament_id"]
    return found


def state(lobby: Lobby, tournament_id: str) -> str:
    found: str = lobby.organiser.get(f"/api/v1/tournaments/{tournament_id}").json["state"]
    return found


@pytest.mark.parametrize("kind", sorted(offers()))
def test_every_format_is_made_with_its_defaults(lobby: Lobby, desk: FlaskClient, kind: str) -> None:
    found = made(lobby, post(desk, "/tournaments/new", blank(desk, kind=kind) | {"name": "Cup"}))
    assert found["format"]["kind"] == offers()[kind].skeleton["kind"]
    assert (found["name"], found["state"]) == ("Cup", "announced")
    assert "T19:00:00" in found["starts_at"]


def test_a_word_tournament_with_changed_rules_and_settings(lobby: Lobby, desk: FlaskClient) -> None:
    form = blank(desk, "word", "groups_knockout") | {
        "name": "Words",
        "rules.preset": "short",
        "rules.min_word": "3",
        "rules.return_ban": "yes",
        "format.stages[0].groups": "2",
        "format.stages[1].format.best_of_last": "3,5",
        "start_date": "2027-07-01",
        "start_time": "20:30",
        "zone": "Europe/Vienna",
        "rating_min": "1400,5",
        "clock.move_seconds": "30",
        "clock.bank_seconds": "120",
        "draft": "on",
    }
    lobby.clock.now = datetime(2027, 6, 1, tzinfo=UTC)
    desk.set_cookie(SESSION_COOKIE, lobby.organiser.token or "", domain="localhost")
    found = made(lobby, post(desk, "/tournaments/new", form))
    assert (found["game"], found["state"], found["rating_min"]) == ("word", "draft", 1400.5)
    assert (found["rules"]["target"], found["rules"]["min_word"], found["rules"]["return_ban"]) == (100, 3, True)
    groups, knockout = found["format"]["stages"]
    assert (groups["groups"], groups["advance"], knockout["format"]["best_of_last"]) == (2, 2, [3, 5])
    assert found["starts_at"].startswith("2027-07-01T18:30:00")
    assert found["clock"] == {"move_seconds": 30, "bank_seconds": 120}


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"name": ""}, "name", "fill this in"),
        ({"capacity": "many"}, "capacity", "whole number"),
        ({"capacity": "1"}, "capacity", "From 2"),
        ({"minimum_entrants": "9", "capacity": "8"}, "capacity", "Fewer places"),
        ({"format.rounds": "0"}, "format.rounds", "From 1"),
        ({"format.scoring.win": "0"}, "format.scoring.win", "more than 0"),
        ({"rules.fixed_hands": "5", "rules.win_margin": "3", "rules.target": "90"}, "rules.target", "no target"),
        ({"start_date": "2020-01-01"}, "start_date", "in the past"),
        ({"start_date": "soon"}, "start_date", "A day such as"),
        ({"zone": "Nowhere/Else"}, "zone", "no such time zone"),
        ({"start_date": "2027-03-28", "start_time": "02:30", "zone": "Europe/Vienna"}, "start_time", "put forward"),
        ({"rating_min": "high"}, "rating_min", "A number"),
        ({"rating_min": "1900", "rating_max": "1500"}, "rating_min", "highest rating"),
        ({"clock.move_seconds": "30"}, "clock.bank_seconds", "fill this in"),
        ({"admits": "cats"}, "admits", "choose"),
    ],
)
def test_what_is_wrong_is_told_at_the_field_and_nothing_typed_is_lost(
    lobby: Lobby, desk: FlaskClient, change: dict[str, str], field: str, words: str
) -> None:
    form = blank(desk) | {"name": "Keep me", "invitation_code": "sesame"} | change
    answer = post(desk, "/tournaments/new", form)
    assert answer.status_code == 422
    assert words in answer.text.partition(f'id="{field}-error">')[2].partition("</p>")[0]
    again = typed(answer.text, "/tournaments/new")
    again.pop("admits")  # of a choice that there is not, nothing can be kept
    assert again == {name: [text] if isinstance(text, str) else text for name, text in form.items() if name in again}
    assert lobby.anonymous.get("/api/v1/tournaments").json["tournaments"] == []


def test_another_format_shows_its_settings_and_keeps_what_was_typed(desk: FlaskClient) -> None:
    form = blank(desk) | {"name": "Half done", "format": "arena", "game": "word", "capacity": "20", "show": "1"}
    again = typed(post(desk, "/tournaments/new", form).text, "/tournaments/new")
    assert (again["name"], again["capacity"], again["format.duration_seconds"]) == (["Half done"], ["20"], ["60"])
    assert "format.rounds" not in again
    assert "rules.min_word" in again


def test_a_copy_has_all_that_the_earlier_one_had(lobby: Lobby, desk: FlaskClient) -> None:
    plan = {
        "rules": {"preset": "oklahoma", "oklahoma_spades": "all"},
        "format": SWISS | {"tie_breaks": ["wins"], "scoring": {"win": 3, "draw": 1}},
        "admits": "bots",
        "capacity": 12,
        "round_minutes": 45,
        "rating_max": 1800,
        "invitation_code": "sesame",
        "clock": {"move_seconds": 20, "bank_seconds": 60},
    }
    first = lobby.organiser.get(f"/api/v1/tournaments/{announced(lobby, **plan)}").json
    assert first["tournament_id"] in desk.get("/tournaments/new").text
    form = typed(desk.get(f"/tournaments/new?from={first['tournament_id']}").text, "/tournaments/new")
    copy = made(lobby, post(desk, "/tournaments/new", form))
    own = {"tournament_id", "created_at", "starts_at"}
    assert {k: v for k, v in copy.items() if k not in own} == {k: v for k, v in first.items() if k not in own}


def test_a_draft_of_others_cannot_be_copied(lobby: Lobby) -> None:
    page, _ = signed_up(lobby, "Ada")
    assert page.get(f"/tournaments/new?from={announced(lobby, draft=True)}").status_code == 404


def test_a_draft_is_announced_opened_and_cancelled(lobby: Lobby, desk: FlaskClient) -> None:
    tournament_id = announced(lobby, draft=True)
    path = f"/tournaments/{tournament_id}/desk"
    for step, then in (("publication", "announced"), ("registration", "registration")):
        assert f'action="{path}/{step}"' in desk.get(path).text
        assert post(desk, f"{path}/{step}", {}).location == f"{path}?done={step}"
        assert state(lobby, tournament_id) == then
    unsure = post(desk, f"{path}/cancellation", {"reason": "Rain, much of it"})
    assert unsure.status_code == 422
    assert "Rain, much of it" in unsure.text
    assert state(lobby, tournament_id) == "registration"
    assert post(desk, f"{path}/cancellation", {"reason": "Rain", "sure": "on"}).status_code == 303
    assert lobby.see(tournament_id)["ended_because"] == "Rain"
    late = post(desk, f"{path}/cancellation", {"reason": "Rain", "sure": "on"})
    assert late.status_code == 409


def test_the_start_is_moved_for_the_version_that_was_seen(lobby: Lobby, desk: FlaskClient) -> None:
    tournament_id = lobby.tournament()
    path = f"/tournaments/{tournament_id}/desk"
    later = lobby.clock() + timedelta(days=2)
    change = {"start_date": f"{later:%Y-%m-%d}", "start_time": "10:00", "reason": "The hall is taken"}
    form = typed(desk.get(path).text, f"{path}/postponement") | change
    assert post(desk, f"{path}/postponement", form).status_code == 303
    assert lobby.see(tournament_id)["starts_at"].startswith(f"{later:%Y-%m-%d}T10:00")
    outdated = post(desk, f"{path}/postponement", form | {"start_time": "11:00"})
    assert (outdated.status_code, "changed since" in outdated.text) == (412, True)
    form = typed(desk.get(path).text, f"{path}/postponement") | change
    past = post(desk, f"{path}/postponement", form | {"start_date": "2020-01-01"})
    assert (past.status_code, "in the past" in past.text) == (422, True)


def test_a_running_tournament_is_paused_extended_announced_to_and_goes_on(lobby: Lobby, desk: FlaskClient) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    path = f"/tournaments/{tournament_id}/desk"
    before = lobby.see(tournament_id, "/rounds")["rounds"][0]["deadline_at"]
    form = typed(desk.get(path).text, f"{path}/extension") | {"minutes": "30", "reason": "Slow cards"}
    assert post(desk, f"{path}/extension", form).status_code == 303
    assert lobby.see(tournament_id, "/rounds")["rounds"][0]["deadline_at"] > before
    assert post(desk, f"{path}/announcements", {"text": "Tea\r\nis served"}).status_code == 303
    assert post(desk, f"{path}/pause", {"reason": "Fire drill"}).status_code == 303
    assert lobby.see(tournament_id)["paused_at"]
    assert "paused" in desk.get(path).text
    assert post(desk, f"{path}/resumption", {}).status_code == 303
    assert lobby.see(tournament_id)["paused_at"] is None
    entries = lobby.see(tournament_id, "/log")["entries"]
    assert [e["what"] for e in entries][:4] == ["resumed", "paused", "announcement", "round_extended"]
    assert entries[2]["reason"] == "Tea is served"
    shown = browser(lobby).get(f"/tournaments/{tournament_id}/log").text
    assert "Fire drill" in shown
    assert "gave round 1 30 minutes more" in shown


def test_arbiters_are_named_by_name_and_sit_at_the_desk(lobby: Lobby, desk: FlaskClient) -> None:
    page, ada = signed_up(lobby, "Ada")
    tournament_id = lobby.with_bots(4)
    path = f"/tournaments/{tournament_id}/desk"
    nobody = post(desk, f"{path}/arbiters", {"account_id": "Nobody at all"})
    assert (nobody.status_code, "nobody here is called" in nobody.text.lower()) == (422, True)
    assert page.get(path).status_code == 403
    assert post(desk, f"{path}/arbiters", {"account_id": "ada"}).status_code == 303
    shown = page.get(path)
    assert shown.status_code == 200
    assert f"{path}/cancellation" not in shown.text, "an arbiter cancels nothing"
    assert f'href="{path}"' in page.get(f"/tournaments/{tournament_id}").text
    assert post(page, f"{path}/pause", {"reason": "Wait"}).status_code == 303
    assert post(page, f"{path}/cancellation", {"reason": "Wait", "sure": "on"}).status_code == 403
    assert post(desk, f"{path}/arbiters/dismissal", {"account_id": ada}).status_code == 303
    assert page.get(path).status_code == 403


def test_the_plan_is_changed_and_only_what_differs(lobby: Lobby, desk: FlaskClient) -> None:
    tournament_id = announced(lobby, rules={"preset": "oklahoma"})
    path = f"/tournaments/{tournament_id}/desk/edit"
    form = typed(desk.get(path).text, path) | {"name": "Saturday", "format.rounds": "7", "reason": "More came"}
    assert post(desk, path, form).status_code == 303
    found = lobby.see(tournament_id)
    assert (found["name"], found["rounds"], found["rules"]["oklahoma"]) == ("Saturday", 7, True)
    (entry,) = lobby.see(tournament_id, "/log?what=edited")["entries"]
    assert (sorted(entry["details"]["changes"]), entry["reason"]) == (["format", "name", "rounds"], "More came")
    assert post(desk, path, form | {"name": "Sunday"}).status_code == 412


def test_what_registration_fixed_is_not_asked(lobby: Lobby, desk: FlaskClient) -> None:
    tournament_id = lobby.tournament()
    path = f"/tournaments/{tournament_id}/desk/edit"
    form = typed(desk.get(path).text, path)
    assert not {name for name in form if name == "admits" or name.startswith(("rules.", "format", "game"))}
    assert post(desk, path, form | {"capacity": "16"}).status_code == 303
    assert lobby.see(tournament_id)["capacity"] == 16
    lobby.enter(tournament_id, lobby.bot("One"))
    lobby.enter(tournament_id, lobby.bot("Two"))
    lobby.start(tournament_id)
    advance_due(lobby.service)
    assert desk.get(path).status_code == 409


def desk_routes(lobby: Lobby) -> Iterator[tuple[str, str]]:
    for rule in lobby.anonymous.client.application.url_map.iter_rules():
        if "/desk" in rule.rule:
            for method in sorted((rule.methods or set()) & {"GET", "POST"}):
                yield method, rule.rule


def test_the_desk_of_others_is_closed_to_players_and_nothing_changes(lobby: Lobby) -> None:
    page, _ = signed_up(lobby, "Ada")
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    plan = {"name": "Weekly", "rule": "FREQ=WEEKLY", "first_at": "2027-03-07T20:00:00", "zone": "UTC"}
    series_id = lobby.organiser.post("/api/v1/series", plan | {"tournament": {"rounds": 3}}).json["series_id"]
    form = {
        "reason": "Because",
        "sure": "on",
        "text": "Hello",
        "minutes": "5",
        "round": "1",
        "slot": "1.1",
        "player_id": lobby.seeds(tournament_id)[0],
        "account_id": "Ada",
        "choices": "end_early",
        "who": "Bot 1",
        "first": "Bot 1",
        "second": "Bot 2",
        "pair": "a b",
        "key": "2027-03-07T20:00:00",
        "result.outcome": "second_wins",
        "digest": "0" * 64,
        "start_date": "2030-01-01",
        "start_time": "10:00",
        "zone": "UTC",
        "version": "x",
        "list": "name\nBot 1\n",
    }
    form |= {f"result.tallies[{at}].{n}": "1" for at in (0, 1) for n in ("game_points", "hands_won", "undercuts")}
    before = [lobby.see(tournament_id, what) for what in ("", "/pairings", "/entrants", "/log", "/arbiters")]
    walked = 0
    for method, rule in desk_routes(lobby):
        path = rule.replace("<string:tournament_id>", tournament_id).replace("<string:series_id>", series_id)
        sent = form | ({"player_id": "Bot 1"} if path.endswith("invitation") else {})
        answer = page.open(path, method=method, headers=SAME, data=sent if method == "POST" else None)
        assert answer.status_code == 403, (method, path, answer.status_code)
        walked += 1
    assert walked >= 30
    assert before == [lobby.see(tournament_id, what) for what in ("", "/pairings", "/entrants", "/log", "/arbiters")]


def test_a_desk_that_is_none_or_a_draft_of_others_is_not_found(lobby: Lobby) -> None:
    page, _ = signed_up(lobby, "Ada")
    for tournament_id in ("nothing", "01990000-0000-7000-8000-000000000000", announced(lobby, draft=True)):
        assert page.get(f"/tournaments/{tournament_id}/desk", headers=SAME).status_code == 404


def test_nothing_is_done_for_a_page_of_another_site(lobby: Lobby, desk: FlaskClient) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    for method, rule in [*desk_routes(lobby), ("POST", "/tournaments/new"), ("POST", "/series/new")]:
        if method == "POST":
            path = rule.replace("<string:tournament_id>", tournament_id).replace("<string:series_id>", tournament_id)
            for headers in ({}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://elsewhere.example"}):
                assert desk.post(path, data={"reason": "x"}, headers=headers).status_code == 403, path

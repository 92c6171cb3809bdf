"""The buttons of a tournament's page, and pages that tell errors."""

from gin_lobby.tasks import advance_due
from tests.integration.lobby.browsing import SAME, browser, send, signed_up
from tests.integration.lobby.conftest import Lobby


def states(lobby: Lobby, tournament_id: str) -> dict[str, str]:
    return {e["name"]: e["state"] for e in lobby.see(tournament_id, "/entrants")["entrants"]}


def test_a_visitor_enters_and_withdraws(lobby: Lobby) -> None:
    page, _ = signed_up(lobby, "Ada")
    path = f"/tournaments/{lobby.tournament()}"
    assert f'action="{path}/entry"' in page.get(path).text
    assert send(page, f"{path}/entry").location == path
    assert f'action="{path}/withdrawal"' in page.get(path).text
    assert states(lobby, path.rpartition("/")[2]) == {"Ada": "registered"}
    assert send(page, f"{path}/withdrawal").location == path
    assert states(lobby, path.rpartition("/")[2]) == {"Ada": "withdrawn"}


def test_a_stranger_is_led_to_signing_in_and_back(lobby: Lobby) -> None:
    path = f"/tournaments/{lobby.tournament()}"
    stranger = browser(lobby)
    assert f"/sign-in?next={path}" in stranger.get(path).text
    answer = send(stranger, f"{path}/entry", {**SAME, "Referer": f"http://localhost{path}"})
    assert (answer.status_code, answer.location) == (303, f"/sign-in?next={path}")
    assert states(lobby, path.rpartition("/")[2]) == {}


def test_what_cannot_be_done_is_told_on_the_page_and_changes_nothing(lobby: Lobby) -> None:
    page, _ = signed_up(lobby, "Ada")
    bots, people = lobby.tournament(admits="bots"), lobby.tournament()
    refused = send(page, f"/tournaments/{bots}/entry")
    assert (refused.status_code, states(lobby, bots)) == (422, {})
    assert 'role="alert"' in refused.text
    early = send(page, f"/tournaments/{people}/check-in")
    assert (early.status_code, states(lobby, people)) == (409, {})
    assert send(page, f"/tournaments/{people}/withdrawal").status_code == 409
    assert send(page, "/tournaments/nothing/entry").status_code == 404


def test_a_visitor_checks_in_when_it_is_time(lobby: Lobby) -> None:
    page, _ = signed_up(lobby, "Ada")
    tournament_id = lobby.tournament(check_in_minutes=30)
    path = f"/tournaments/{tournament_id}"
    send(page, f"{path}/entry")
    assert "30 minutes before the start" in page.get(path).text
    lobby.clock.move(minutes=30)
    advance_due(lobby.service)
    assert f'action="{path}/check-in"' in page.get(path).text
    assert send(page, f"{path}/check-in").status_code == 303
    assert f'action="{path}/check-in"' not in page.get(path).text
    assert [e["checked_in"] for e in lobby.see(tournament_id, "/entrants")["entrants"]] == [True]


def test_whose_match_is_open_finds_the_way_to_the_table(lobby: Lobby) -> None:
    page, player_id = signed_up(lobby, "Ada")
    tournament_id = lobby.with_bots(3)
    send(page, f"/tournaments/{tournament_id}/entry")
    lobby.start(tournament_id)
    (match,) = [match for match in lobby.in_play(tournament_id) if player_id in match.seats]
    assert f'href="/tables/{match.match_id}"' in page.get(f"/tournaments/{tournament_id}").text
    assert "Go to your table" not in browser(lobby).get(f"/tournaments/{tournament_id}").text


def test_errors_are_pages_for_people_and_problems_for_programs(lobby: Lobby) -> None:
    page = browser(lobby)
    for path in ("/nothing", "/tournaments/nothing", "/tournaments/01990000-0000-7000-8000-000000000000"):
        shown = page.get(path, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
        assert (shown.status_code, shown.mimetype) == (404, "text/html")
        assert "no such page" in shown.text
        assert "Content-Security-Policy" in shown.headers
        assert page.get(path).mimetype == "application/problem+json"
    api = page.get("/api/v1/tournaments/nothing", headers={"Accept": "text/html"})
    assert (api.status_code, api.mimetype) == (404, "application/problem+json")
    wrong = page.delete("/tournaments", headers={"Accept": "text/html"})
    assert (wrong.status_code, wrong.mimetype) == (405, "text/html")
    assert "GET" in wrong.headers["Allow"]


def test_the_list_of_tournaments_goes_back_in_time(lobby: Lobby) -> None:
    names = [f"Cup {number}" for number in range(50)]
    for name in names:
        tournament_id = lobby.tournament(name=name)
        lobby.organiser.post(f"/api/v1/tournaments/{tournament_id}/cancellation", {"reason": "Rain"})
    page = browser(lobby)
    first = page.get("/tournaments").text
    older = first.partition("/tournaments?before=")[2].partition('"')[0]
    second = page.get(f"/tournaments?before={older}").text
    shown = [name for name in names if f"<strong>{name}</strong>" in first]
    rest = [name for name in names if f"<strong>{name}</strong>" in second]
    assert sorted(shown + rest) == sorted(names)
    assert "before=" not in second


def test_who_is_within_reach_on_a_ladder_is_challenged_on_its_page(lobby: Lobby) -> None:
    page, ada = signed_up(lobby, "Ada")
    ladder = lobby.with_bots(3, format={"kind": "ladder", "reach": 2})
    path = f"/tournaments/{ladder}"
    send(page, f"{path}/entry")
    lobby.start(ladder)
    first, second, third = lobby.seeds(ladder)[:3]
    assert lobby.seeds(ladder)[3] == ada
    shown = page.get(path).text
    assert [f'value="{player}"' in shown for player in (first, second, third, ada)] == [False, True, True, False]
    assert "too far above" in send(page, f"{path}/challenge", opponent_id=first).text
    assert send(page, f"{path}/challenge", opponent_id=second).location == path
    assert [list(match.seats) for match in lobby.in_play(ladder)] == [[ada, second]]
    assert f"{path}/challenge" not in page.get(path).text, "one challenge at a time"

"""The pages as a person sees them: in a real browser, wide and narrow, light and dark."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from werkzeug.serving import make_server

from gin_lobby.app import lobby_app
from gin_servicekit.auth import SESSION_COOKIE
from tests.integration.lobby.conftest import Lobby, lobby

__all__ = ["lobby"]  # the fixture


@contextmanager
def served(application: Any) -> Iterator[str]:
    """The address at which a WSGI application answers for as long as this lasts."""
    server = make_server("127.0.0.1", 0, application, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def site(lobby: Lobby) -> Iterator[str]:
    """The address at which the lobby of this test serves its pages."""
    with served(lobby_app(lobby.service)) as url:
        yield url


@pytest.fixture(params=[(1280, "light"), (390, "dark")], ids=["desktop", "phone"])
def page(browser: Browser, site: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page that fails the test when it logs an error, asks another host, or is wider than the screen."""
    width, scheme = request.param
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, base_url=site)
    page = context.new_page()
    # Nobody serves live events here; the browser would complain about that.
    page.route(
        "**/live/v1/events?*", lambda route: route.fulfill(content_type="text/event-stream", body="retry: 60000\n\n")
    )
    # Nor is there an engine that knows of matches and tables.
    page.route("**/api/v1/matches?*", lambda route: route.fulfill(json={"matches": [], "next_cursor": None}))
    page.route("**/api/v1/tables?*", lambda route: route.fulfill(json={"tables": [], "next_cursor": None}))
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request",
        lambda asked: None if asked.url.startswith((site, "data:", "blob:")) else complaints.append(asked.url),
    )
    yield page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert complaints == []
    context.close()


def test_front_page_leads_to_what_is_announced_running_and_finished(lobby: Lobby, page: Page) -> None:
    announced, running, finished = (lobby.with_bots(2, name=name, rounds=1) for name in ("Later", "Now", "Before"))
    lobby.organiser.post(f"/api/v1/tournaments/{announced}/cancellation", {"reason": "The hall is closed"})
    lobby.start(finished)
    lobby.play_round(finished)
    page.goto("/")
    for name in ("Later", "Now", "Before"):
        expect(page.get_by_role("link", name=name)).to_have_count(1)
    page.get_by_role("link", name="Later").click()
    expect(page.get_by_text("The hall is closed")).to_be_visible()
    assert running in page.request.get("/").text()


def test_tournament_page_shows_standings_and_rounds(lobby: Lobby, page: Page) -> None:
    tournament_id = lobby.with_bots(5)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    page.goto(f"/tournaments/{tournament_id}")
    leader = lobby.see(tournament_id, "/standings")["standings"][0]["name"]
    expect(page.get_by_role("heading", name="Friday")).to_be_visible()
    assert leader in page.locator("tbody tr").first.inner_text()
    expect(page.locator("#round-2").get_by_text("bye")).to_be_visible()
    page.locator("#round-1 summary").click()
    expect(page.locator("#round-1").get_by_text("100–40").first).to_be_visible()


def test_a_page_that_is_open_moves_by_itself_when_a_round_is_decided(lobby: Lobby, page: Page) -> None:
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    page.goto(f"/tournaments/{tournament_id}")
    expect(page.get_by_text("Round 1 of 3: 0 of 2 pairings decided")).to_be_visible()
    lobby.play_round(tournament_id)
    page.get_by_text("Round 2 of 3: 0 of 2 pairings decided").wait_for()


def test_a_notice_is_counted_as_it_comes(lobby: Lobby, page: Page, site: str) -> None:
    page.context.add_cookies([{"name": SESSION_COOKIE, "value": lobby.organiser.token or "", "url": site}])
    told = 'event: noticed\nid: 1\ndata: {"topic": "player:1", "tournament_id": "1", "what": "paused"}\n\n'
    page.route(
        "**/live/v1/events?*",
        lambda route: route.fulfill(content_type="text/event-stream", body=f"retry: 60000\n\n{told}{told}"),
    )
    page.goto("/account")
    expect(page.get_by_role("link", name="Notices 2 new")).to_be_visible(timeout=20_000)


@pytest.mark.parametrize("path", ["/", "/account", "/tournaments"])
def test_whoever_comes_back_is_called_to_the_match_that_waits_least(
    lobby: Lobby, page: Page, site: str, path: str
) -> None:
    seats = [[{"player_id": lobby.organiser_id, "name": "Organiser"}, {"player_id": "2", "name": n}] for n in "ABC"]
    event = lobby.tournament(name="Evening")
    matches = [
        {"match_id": f"m-{number}", "tournament_id": tournament, "seats": seats[number]}
        for number, tournament in enumerate((None, event, None))
    ]
    page.context.add_cookies([{"name": SESSION_COOKIE, "value": lobby.organiser.token or "", "url": site}])

    def some(route: Route) -> None:
        limit = int(parse_qs(urlsplit(route.request.url).query)["limit"][0])
        route.fulfill(json={"matches": matches[:limit], "next_cursor": None})

    page.route("**/api/v1/matches?*", some)
    page.goto(path)
    expect(page.locator("#call")).to_contain_text("Your match against B goes on: Evening.", timeout=20_000)
    del matches[1]
    page.goto(path)
    expect(page.locator("#call")).to_contain_text("Your match against C goes on.", timeout=20_000)


def test_a_tab_that_nobody_sees_is_called_by_its_title(lobby: Lobby, page: Page, site: str) -> None:
    tournament_id = lobby.tournament(name="Evening")
    seats = [{"player_id": lobby.organiser_id, "name": "Organiser"}, {"player_id": "2", "name": "Ada"}]
    playing = {"match_id": "m-1", "tournament_id": tournament_id, "seats": seats}
    found: list[dict[str, Any]] = []
    page.context.add_cookies([{"name": SESSION_COOKIE, "value": lobby.organiser.token or "", "url": site}])
    page.route("**/api/v1/matches?*", lambda route: route.fulfill(json={"matches": found, "next_cursor": None}))
    page.add_init_script("Object.defineProperty(document, 'hidden', { get: () => true })")
    page.clock.install()
    page.goto("/account")
    page.wait_for_load_state("networkidle")
    found.append(playing)
    page.clock.fast_forward(61_000)
    expect(page).to_have_title(re.compile("^● Your match waits"), timeout=20_000)
    expect(page.locator("#call")).to_contain_text("Your match against Ada goes on: Evening.")
    found.clear()
    page.clock.fast_forward(61_000)
    expect(page).not_to_have_title(re.compile("●"), timeout=20_000)


def test_a_name_cannot_smuggle_in_markup(lobby: Lobby, page: Page) -> None:
    tournament_id = lobby.tournament(name="<script>document.title='owned'</script><b>bold</b>")
    page.goto(f"/tournaments/{tournament_id}")
    assert page.title().startswith("<script>")
    assert page.locator("h1 b").count() == 0


def test_api_documentation_is_served_from_here(page: Page) -> None:
    page.goto("/docs/")
    page.get_by_text("Ginhall lobby").first.wait_for()
    expect(page.get_by_text("/api/v1/tournaments").first).to_be_visible()

"""Pages that stay current: at a hint, slowly without one, and without taking anything away from their reader."""

import json
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.hall import module_with
from tests.browser.test_pages import site  # the fixtures
from tests.integration.lobby.conftest import Lobby, lobby

__all__ = ["lobby", "site"]

LIVE_MODULE = "**/static/live.js*"


class Hints:
    """Stands for the live service in the browser: every connection hears what is given here, and ends."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._frames: list[str] = []
        self.addresses: list[str] = []
        self.status = 200

    def give(self, event: str, **data: object) -> None:
        with self._lock:
            self._frames.append(f"event: {event}\nid: x\ndata: {json.dumps(data)}\n\n")

    def answer(self, route: Route) -> None:
        self.addresses.append(route.request.url)
        with self._lock:
            body, self._frames = "retry: 100\n\n" + "".join(self._frames), []
        route.fulfill(status=self.status, content_type="text/event-stream", body=body)


@pytest.fixture
def hints() -> Hints:
    return Hints()


@pytest.fixture
def page(browser: Browser, site: str, hints: Hints) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 500}, base_url=site)
    context.route("**/live/v1/events?*", hints.answer)
    # It does not look every few seconds: what is shown came by a hint, however long that took.
    context.route(LIVE_MODULE, module_with("const WITHOUT_EVENTS = 5000;", "const WITHOUT_EVENTS = 3600000;"))
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    assert errors == []
    context.close()


def running_tournament(lobby: Lobby, bots: int = 8) -> str:
    tournament_id = lobby.with_bots(bots)
    lobby.start(tournament_id)
    return tournament_id


def test_a_hint_brings_the_new_round_and_leaves_all_else_to_the_reader(lobby: Lobby, page: Page, hints: Hints) -> None:
    tournament_id = running_tournament(lobby)
    page.goto(f"/tournaments/{tournament_id}")
    page.locator("#round-1 summary").click()  # it was open
    page.get_by_role("link", name="The same figures as JSON").focus()
    page.evaluate("scrollTo(0, 120)")
    page.evaluate("document.querySelector('#round-1').mark = document.querySelector('h1').mark = 'still the same'")
    lobby.play_round(tournament_id)
    hints.give("changed", topic=f"tournament:{tournament_id}")
    expect(page.get_by_text("Round 2 of 3: 0 of 4 pairings decided")).to_be_visible()
    assert f"topic=tournament%3A{tournament_id}" in hints.addresses[0]
    assert page.locator("#round-1").get_attribute("open") is None
    assert page.locator("#round-2").get_attribute("open") is not None
    assert page.evaluate("document.activeElement.textContent") == "The same figures as JSON"
    assert page.evaluate("scrollY") >= 120
    marks = page.evaluate("[document.querySelector('#round-1').mark, document.querySelector('h1').mark]")
    assert marks == ["still the same"] * 2
    assert page.locator("tbody").first.inner_text().count("1–0–0") == 4


def test_the_page_is_the_same_as_one_that_is_loaded_anew(lobby: Lobby, page: Page, hints: Hints) -> None:
    tournament_id = running_tournament(lobby)
    page.goto(f"/tournaments/{tournament_id}")
    shape = "document.querySelector('main').innerText"
    for number in (2, 3, None):
        lobby.play_round(tournament_id)
        hints.give("changed")
        expected = f"Round {number} of 3: 0 of 4" if number else "Ended"
        page.get_by_text(expected).first.wait_for()
    page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
    moved = page.evaluate(shape)
    page.reload()
    page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
    assert page.evaluate(shape) == moved


def test_the_front_page_shows_what_is_announced_when_it_is(lobby: Lobby, page: Page, hints: Hints) -> None:
    page.goto("/")
    lobby.tournament(name="Tomorrow's cup")
    hints.give("changed", topic="tournaments")
    expect(page.get_by_role("link", name="Tomorrow's cup")).to_be_visible()


def test_after_a_reset_everything_is_asked_for_anew(lobby: Lobby, page: Page, hints: Hints) -> None:
    page.goto("/")
    lobby.tournament(name="Missed")
    hints.give("reset", topics=["tournaments"])
    expect(page.get_by_role("link", name="Missed")).to_be_visible()


def test_without_live_events_the_page_asks_slowly_by_itself(lobby: Lobby, page: Page, hints: Hints) -> None:
    hints.status = 503
    page.context.unroute(LIVE_MODULE)
    page.goto("/")
    lobby.tournament(name="Slowly")
    expect(page.get_by_role("link", name="Slowly")).to_be_visible()


def test_what_is_over_is_asked_for_no_more(lobby: Lobby, page: Page, hints: Hints) -> None:
    tournament_id = running_tournament(lobby, 2)
    page.goto(f"/tournaments/{tournament_id}")
    lobby.organiser.post(f"/api/v1/tournaments/{tournament_id}/cancellation", {"reason": "The hall is closed"})
    hints.give("changed")
    expect(page.get_by_text("The hall is closed")).to_be_visible()
    heard = len(hints.addresses)
    page.goto(f"/tournaments/{tournament_id}")
    page.wait_for_load_state("networkidle")
    assert len(hints.addresses) == heard

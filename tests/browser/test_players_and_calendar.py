"""Players, leaderboards and calendars as a person sees them: wide and light, narrow and dark, by screen readers too."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, Page

from gin_lobby.app import lobby_app
from gin_ratings.app import app_of
from gin_ratings.tasks import follow_ledgers
from gin_servicekit.service import Service
from tests.browser.accessibility import assert_accessible
from tests.browser.test_pages import CHROMIUM, browser, served
from tests.integration.lobby.conftest import Lobby, lobby
from tests.integration.ratings.conftest import service
from tests.integration.ratings.deliveries import deliver, finished, renamed

__all__ = ["browser", "lobby", "service"]  # fixtures

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here: apt-get install chromium")
LONG = "Wilhelmina Featherstonehaugh-Cholmondeley of X"
SCREENS = pytest.mark.parametrize("screen", [(1280, "light"), (390, "dark")], ids=["desktop", "phone"])


@contextmanager
def looking(browser: Browser, site: str, screen: tuple[int, str]) -> Iterator[Page]:
    """A page of `site`, of which nothing may log an error or ask another host."""
    width, scheme = screen
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, base_url=site)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request",
        lambda asked: None if asked.url.startswith((site, "data:", "blob:")) else complaints.append(asked.url),
    )
    page.route(
        "**/live/v1/events?*", lambda route: route.fulfill(content_type="text/event-stream", body="retry: 60000\n\n")
    )
    yield page
    assert complaints == []
    context.close()


def look(page: Page, path: str) -> None:
    """Opens a page, which must fit on the screen and hold nothing that axe-core finds wrong."""
    page.goto(path)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("window.innerWidth"), path
    assert_accessible(page)


@pytest.fixture
def season(service: Service) -> Service:
    """Ann has won often, Ben is a bot with a long name, Cid nobody was ever told the name of."""
    deliver(service, renamed("ann", "Ann", 1), renamed("ben", LONG, 1, kind="bot"), renamed("dot", "Dot", 1))
    deliver(service, *(finished(f"m{n}", ("ann", 1), ("ben", 2), target=250) for n in range(30)))
    deliver(service, finished("tie", ("ben", 1), ("cid", 1)), finished("up", ("cid", 1), ("ann", 2), ending="forfeit"))
    follow_ledgers(service)
    return service


@SCREENS
def test_a_player_is_shown_with_curve_opponents_and_matches(
    browser: Browser, season: Service, screen: tuple[int, str]
) -> None:
    with served(app_of(season)) as site, looking(browser, site, screen) as page:
        look(page, "/players/ann")
        curve = page.get_by_role("img", name="Rating of Ann over 31 matches")
        assert curve.is_visible()
        assert curve.evaluate("picture => picture.complete && picture.naturalWidth") > 0
        assert page.get_by_role("row", name=f"{LONG} Gin Rummy, people and bots 30 0 0").is_visible()
        page.get_by_text("Glicko-2").click()
        assert page.get_by_text("Shown for comparison").is_visible()
        assert_accessible(page)
        page.get_by_role("link", name="Earlier matches").click()
        assert page.get_by_role("heading", name="Earlier matches").is_visible()
        assert_accessible(page)
        look(page, "/players/ben")
        look(page, "/players/dot")
        assert page.get_by_text("No match has been played yet.").is_visible()


@SCREENS
def test_leaderboards_lead_to_the_lists_and_these_to_players(
    browser: Browser, season: Service, screen: tuple[int, str]
) -> None:
    with served(app_of(season)) as site, looking(browser, site, screen) as page:
        look(page, "/leaderboards")
        page.get_by_role("link", name="Gin Rummy, people and bots").click()
        assert page.get_by_role("link", name="Established").get_attribute("aria-current") == "page"
        assert page.get_by_role("link", name="Ann").is_visible()
        assert_accessible(page)
        page.get_by_role("link", name="Provisional").click()
        assert page.get_by_role("link", name="cid").is_visible()
        assert page.get_by_role("link", name="Ann").count() == 0
        assert_accessible(page)
        look(page, "/leaderboards/rummy/open?active=1")
        look(page, "/leaderboards/rummy/people")
        assert page.get_by_text("Nobody stands on this list yet.").is_visible()


@SCREENS
def test_the_calendar_shows_what_comes_and_a_series_what_was_skipped(
    browser: Browser, lobby: Lobby, screen: tuple[int, str]
) -> None:
    first = (lobby.clock() + timedelta(days=1)).replace(tzinfo=None, microsecond=0)
    weekly = {
        "name": "Evening of " + LONG[:30],
        "rule": "FREQ=DAILY",
        "first_at": first.isoformat(),
        "zone": "UTC",
        "ahead_days": 3,
        "tournament": {"rounds": 3},
    }
    series = lobby.organiser.post("/api/v1/series", weekly).json["series_id"]
    made = lobby.anonymous.get(f"/api/v1/series/{series}/occurrences").json["occurrences"]
    skipped = lobby.organiser.post(
        f"/api/v1/series/{series}/occurrences/{made[1]['key']}/skip", {"reason": "The hall is closed"}
    )
    assert skipped.status_code == 200, skipped.json
    alone = lobby.tournament(name="A single evening")
    with served(lobby_app(lobby.service)) as site, looking(browser, site, screen) as page:
        look(page, "/calendar")
        assert page.get_by_role("link", name="A single evening").get_attribute("href") == f"/tournaments/{alone}"
        assert page.get_by_text("The hall is closed").is_visible()
        page.get_by_role("link", name="every time").first.click()
        assert page.get_by_role("heading", name=weekly["name"]).is_visible()
        assert page.get_by_text("FREQ=DAILY").is_visible()
        assert_accessible(page)
        look(page, f"/series/{series}")
        assert lobby.organiser.post(f"/api/v1/series/{series}/end").status_code == 200
        look(page, f"/series/{series}")
        assert page.get_by_text("This series has ended.").is_visible()

"""Every page of the site, on a whole house behind its gateway: wide and light, narrow and dark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Response, expect

from gin_local.rest import Client
from gin_servicekit.auth import SESSION_COOKIE
from tests.browser.accessibility import assert_accessible
from tests.support.folders import passable_folder
from tests.support.house import RunningHouse, eventually, running_house

PASSWORD = "correct horse battery"
PATIENCE_MS = 30_000
# What is ready only after scripts have run: until it is there, the page is not looked at.
DRAWN_BY_OTHERS = "/docs/"  # its program sets styles as attributes, and what it writes is not ours to mend
READY = {"/tables/": ".hand .card, #waiting, #hands", "/replays/": ".open-hand", "/docs/": ".opblock"}


@pytest.fixture(scope="module")
def running() -> Iterator[RunningHouse]:
    with passable_folder() as folder, running_house(folder) as running:
        yield running


class Ada(NamedTuple):
    """Somebody who signed up: the token of her session, and every page that she may see."""

    token: str
    pages: list[str]


@pytest.fixture(scope="module")
def ada(running: RunningHouse) -> Ada:
    token, player = session(running, "Ada")
    return Ada(token, pages_of(running, player))


def url_of(running: RunningHouse) -> str:
    url = running.house.running_url()
    assert url is not None
    return url


def session(running: RunningHouse, name: str) -> tuple[str, Client]:
    """A person who signed up: the token of their session, and the API in their name."""
    client = Client(url_of(running))
    client.post("/api/v1/accounts", {"name": name, "password": PASSWORD})
    token = client.post("/api/v1/tokens", {"name": name, "password": PASSWORD})["token"]
    return token, client.with_token(token)


def tournament(running: RunningHouse, bots: int, organiser: Client | None = None, **plan: Any) -> str:
    """The path of a tournament that bots have entered; it starts later, or when it is told to."""
    client = organiser or running.client
    plan = {"starts_at": running.later(), "rules": {"target": 30}} | plan
    path = f"/api/v1/tournaments/{client.post('/api/v1/tournaments', plan)['tournament_id']}"
    client.post(f"{path}/registration")
    for number in range(bots):
        bot = client.post("/api/v1/players", {"name": f"{plan['name']} {number}", "kind": "bot", "bot": "simple"})
        client.post(f"{path}/entrants", {"player_id": bot["player_id"]})
    return path


def pages_of(running: RunningHouse, player: Client) -> list[str]:
    """The address of every page, with something on it."""
    swiss = tournament(running, 4, name="Swiss", format="swiss", rounds=2)
    knockout = tournament(running, 4, name="Knockout", format={"kind": "single_elimination"})
    announced = tournament(running, 2, name="Announced", format="swiss", rounds=3)
    empty = tournament(running, 0, name="Empty", format="swiss", rounds=3)
    own = tournament(running, 0, player, name="Own", format="swiss", rounds=3)
    judged = tournament(running, 2, player, name="Judged", format="swiss", rounds=1)
    for path in (swiss, knockout):
        running.start(path)
    running.start(judged, player)
    for path in (swiss, knockout, judged):
        running.finished(path)
    match_id = running.client.get(f"{swiss}/pairings")["pairings"][0]["match_id"]
    winner = running.client.get(f"{swiss}/standings")["standings"][0]["player_id"]
    board = "/api/v1/leaderboards/rummy/open?standing=provisional"
    eventually(lambda: running.client.get(board)["players"] != [], "ratings")
    tables = [
        player.post("/api/v1/tables", {"opponent": {"bot": bot}, "game": game})["table_id"]
        for game, bot in (("rummy", "simple"), ("word", "wordsmith"))
    ]
    tables.append(player.post("/api/v1/tables", {"opponent": "open", "game": "rummy"})["table_id"])
    desk = f"{own.removeprefix('/api/v1')}/desk"
    judged_match = player.get(f"{judged}/pairings")["pairings"][0]["match_id"]
    first_at = running.later()[:19]
    series = {"name": "Daily", "rule": "FREQ=DAILY", "first_at": first_at, "zone": "UTC", "tournament": {"rounds": 3}}
    series_id = player.post("/api/v1/series", series)["series_id"]
    wanted = {"url": "https://club.example/hook", "events": ["match.waiting"]}
    webhook = player.post("/api/v1/webhooks", wanted)["webhook_id"]
    player.post(f"/api/v1/webhooks/{webhook}/ping")
    return [
        "/",
        "/tournaments",
        "/tournaments/new",
        "/tournaments/new?game=word&format=single_elimination",
        *(f"{desk}{part}" for part in ("", "/entrants", "/pairings", "/edit", "/share")),
        f"{judged.removeprefix('/api/v1')}/desk/correction?slot=1.1&round=1",
        f"/tables/{judged_match}/arbiter",
        f"/series/{series_id}",
        f"/series/{series_id}/desk",
        "/series/new",
        "/notices",
        "/bots",
        "/bots/expert",
        *(path.removeprefix("/api/v1") for path in (swiss, knockout, announced, empty)),
        *(f"{swiss.removeprefix('/api/v1')}{part}" for part in ("/print", "/log")),
        "/calendar",
        "/play",
        *(f"/tables/{table}" for table in tables),
        f"/replays/{match_id}?hand=1&step=3",
        f"/players/{winner}",
        "/leaderboards",
        "/leaderboards/rummy/open",
        "/leaderboards/rummy/open?standing=provisional",
        "/leaderboards/word/people",
        "/rules",
        "/rules/gin-rummy",
        "/rules/word-gin",
        "/account",
        "/account/webhooks",
        f"/account/webhooks/{webhook}",
        "/sign-in",
        "/sign-up",
        "/forgotten-password",
        "/docs/",
    ]


def context_of(browser: Browser, running: RunningHouse, token: str | None, width: int, scheme: Any) -> BrowserContext:
    viewport: Any = {"width": width, "height": 844}
    context = browser.new_context(base_url=url_of(running), viewport=viewport, color_scheme=scheme)
    context.set_default_timeout(PATIENCE_MS)
    if token:
        context.add_cookies([{"name": SESSION_COOKIE, "value": token, "url": url_of(running)}])
    return context


def fault_of(page: Page, path: str, width: int, complaints: list[str]) -> str:
    """What is wrong with the page at `path`, or nothing."""
    complaints.clear()
    answer = page.goto(path)
    assert answer is not None
    for prefix, ready in READY.items():
        if path.startswith(prefix) and not path.endswith("/arbiter"):
            page.locator(ready).first.wait_for(state="attached")
    found = [*complaints, *policy_faults(answer)]
    if answer.status != 200:
        found.append(f"answers {answer.status}")
    if page.evaluate("document.documentElement.scrollWidth") > width:
        found.append("is wider than the screen")
    own = not path.startswith(DRAWN_BY_OTHERS)
    if own and (page.locator("h1").count(), page.locator("main").count()) != (1, 1):
        found.append("has not one heading and one main part")
    try:
        if own:
            assert_accessible(page)
    except AssertionError as broken:
        found.append(str(broken))
    return "\n".join(f"{path} {fault}" for fault in found)


def policy_faults(answer: Response) -> list[str]:
    policy = answer.headers.get("content-security-policy", "")
    parts = {part.split()[0]: part.split()[1:] for part in policy.split(";") if part.strip()}
    strict = (parts.get("default-src"), parts.get("script-src")) == (["'none'"], ["'self'"])
    if urlsplit(answer.url).path != DRAWN_BY_OTHERS:
        strict = strict and parts.get("style-src") == ["'self'"]
    return [] if strict else [f"has the policy {policy!r}"]


def watched(page: Page, host: str) -> list[str]:
    """Errors in the console and requests to other hosts, as they come."""
    complaints: list[str] = []
    page.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request",
        lambda asked: (
            None
            if asked.url.startswith(("data:", "blob:")) or urlsplit(asked.url).netloc == host
            else complaints.append(asked.url)
        ),
    )
    return complaints


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")], ids=["desktop", "phone"])
def test_every_page_is_accessible_quiet_of_this_host_and_fits(
    running: RunningHouse, ada: Ada, browser: Browser, width: int, scheme: str
) -> None:
    context = context_of(browser, running, ada.token, width, scheme)
    page = context.new_page()
    complaints = watched(page, urlsplit(url_of(running)).netloc)
    faults = [fault for path in ada.pages if (fault := fault_of(page, path, width, complaints))]
    context.close()
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("path", ["/nothing", "/tables/nothing", "/players/nothing", "/tournaments/nothing"])
def test_what_is_not_there_is_told_on_a_page_of_the_site(running: RunningHouse, browser: Browser, path: str) -> None:
    context = context_of(browser, running, None, 390, "light")
    page = context.new_page()
    answer = page.goto(path)
    assert answer is not None
    assert (answer.status, policy_faults(answer)) == (404, [])
    expect(page.get_by_role("navigation", name="Site").get_by_role("link", name="Play")).to_be_visible()
    assert_accessible(page)
    context.close()

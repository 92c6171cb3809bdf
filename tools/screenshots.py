"""Take the pictures of the documents: ``make screenshots``; needs Debian's ``chromium`` beside what is locked.

Starts a house in a temporary folder, lets bots play a Swiss and a knockout, opens a table of each game as a guest, and
writes one picture of each page to ``docs/images``. Cards, names and times are those of the day; what is shown is not.
"""

from __future__ import annotations

import base64
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from gin_local.folders import Folders
from gin_local.house import House
from gin_local.ports import free_ports
from gin_local.rest import Client

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs/images"
MOST_BYTES = 150_000
PATIENCE_SECONDS = 180.0
PATIENCE_OF_PAGES_MS = 30_000
STILL = {"reduced_motion": "reduce"}  # no card is caught in its flight
DESKTOP = {"viewport": {"width": 1280, "height": 800}} | STILL
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
} | STILL
DARK = {"color_scheme": "dark"}
NAMES = ("Aster", "Bryony", "Clover", "Dahlia", "Erica", "Fern", "Gentian", "Heather")
PLAYERS = ("simple", "simple", "simple", "random", "simple", "random", "simple", "simple")
# Enough turns that something lies on the discard pile.
TURNS = 4


def tell(line: str) -> None:
    sys.stderr.write(line + "\n")


@contextmanager
def running_house() -> Iterator[str]:
    """The address of a house of its own, gone at the end."""
    folder = Path(tempfile.mkdtemp(prefix="ginhall-"))
    folder.chmod(0o711)  # Postgres's unprivileged account passes through
    house = House(Folders(ROOT, folder / "house"), tell)
    try:
        yield house.up(free_ports(1)[0], {**os.environ, "GINHALL_API_PROCESSES": "1", "GINHALL_TICK_SECONDS": "0.5"})
    finally:
        house.stop()
        shutil.rmtree(folder)


def eventually(done: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not done():
        if time.monotonic() > deadline:
            raise SystemExit(f"not within {PATIENCE_SECONDS:.0f} s: {what}")
        time.sleep(0.2)


def organiser_of(url: str) -> Client:
    person = {"name": "Club", "password": "a password for pictures"}
    client = Client(url)
    client.post("/api/v1/accounts", person)
    return client.with_token(client.post("/api/v1/tokens", person)["token"])


def in_time(**ahead: float) -> str:
    return (datetime.now(UTC) + timedelta(**ahead)).isoformat()


def bots_of(client: Client) -> list[str]:
    """The ids of the eight players of every tournament here."""
    return [
        client.post("/api/v1/players", {"name": name, "kind": "bot", "bot": bot})["player_id"]
        for name, bot in zip(NAMES, PLAYERS, strict=True)
    ]


def announced(client: Client, players: list[str], **plan: Any) -> str:
    """The id of a tournament that is open, with these players entered."""
    tournament = client.post("/api/v1/tournaments", plan)["tournament_id"]
    client.post(f"/api/v1/tournaments/{tournament}/registration")
    for player in players:
        client.post(f"/api/v1/tournaments/{tournament}/entrants", {"player_id": player})
    return str(tournament)


def tournaments_of(client: Client, players: list[str]) -> tuple[str, str]:
    """A Swiss and a knockout that were played to their end; others are announced."""
    short = {"preset": "short"}
    swiss = announced(
        client, players, name="Friday Swiss", rules=short, format="swiss", rounds=3, starts_at=in_time(hours=1)
    )
    knockout = announced(
        client,
        players,
        name="Spring Cup",
        rules=short,
        format={"kind": "single_elimination", "third_place": True},
        starts_at=in_time(hours=1),
    )
    announced(client, [], name="Word Gin Night", game="word", format="swiss", rounds=4, starts_at=in_time(hours=5))
    announced(
        client, players[:5], name="Sunday Arena", rules=short, format="swiss", rounds=5, starts_at=in_time(days=2)
    )
    for tournament in (swiss, knockout):
        client.patch(f"/api/v1/tournaments/{tournament}", {"starts_at": in_time(seconds=2)})
    for tournament in (swiss, knockout):
        eventually(
            lambda path=f"/api/v1/tournaments/{tournament}": client.get(path)["state"] == "finished",  # type: ignore[misc]
            "both tournaments are played",
        )
    return swiss, knockout


def rated(client: Client) -> None:
    """Returns once a rating of every player is known."""
    eventually(
        lambda: len(client.get("/api/v1/leaderboards/rummy/open?standing=provisional")["players"]) >= len(NAMES),
        "ratings",
    )


def picture(page: Page, name: str) -> None:
    """Writes the page as it stands; as good as the largest file allowed."""
    page.evaluate("document.fonts.ready")
    session = page.context.new_cdp_session(page)
    for quality in (90, 80, 65, 50, 35):
        shot = session.send("Page.captureScreenshot", {"format": "webp", "quality": quality})
        data = base64.b64decode(shot["data"])
        if len(data) <= MOST_BYTES:
            (IMAGES / f"{name}.webp").write_bytes(data)
            tell(f"{name}.webp {len(data) // 1000} kB")
            return
    raise SystemExit(f"{name} is too large for a picture in a document")


def at(context: BrowserContext, path: str) -> Page:
    page = context.new_page()
    page.set_default_timeout(PATIENCE_OF_PAGES_MS)
    page.goto(path)
    return page


def to_act(page: Page) -> None:
    page.locator("#table[aria-busy=false] :is(.status.mine, .showdown):visible").first.wait_for()


def take_turns(page: Page) -> None:
    """Plays some turns of the guest's: takes from the stock, gives what melds nothing."""
    for _ in range(TURNS * 2):
        to_act(page)
        stock, deck = page.locator("[data-key=stock].may"), page.get_by_role("button", name="Draw from the deck")
        discard = page.locator(".actions").get_by_role("button", name="Discard", exact=False)
        passing = page.get_by_role("button", name="Pass", exact=True)
        if stock.count():
            stock.click()
        elif deck.count():
            deck.click()
        elif passing.count():
            passing.click()
        elif discard.count() and discard.first.is_enabled():
            discard.first.click()
        else:
            page.locator(".hand .card:not(.kept)").last.click()
    to_act(page)


def tables(browser: Browser, url: str) -> None:
    """A guest plays the computer at both games: on a desktop, and the same table on a phone in the dark."""
    for game, name in (("Gin Rummy", "rummy"), ("Word Gin", "word")):
        desktop = browser.new_context(base_url=url, **DESKTOP)  # type: ignore[arg-type]
        page = at(desktop, "/")
        page.get_by_role("button", name=f"Play {game}").click()
        page.locator(".hand .card").first.wait_for()
        take_turns(page)
        picture(page, f"table-{name}")
        phone = browser.new_context(base_url=url, storage_state=desktop.storage_state(), **PHONE, **DARK)  # type: ignore[arg-type]
        page = at(phone, page.url)
        to_act(page)
        picture(page, f"table-{name}-phone-dark")
        phone.close()
        desktop.close()


def pages(browser: Browser, url: str, client: Client, swiss: str, knockout: str) -> None:
    """Every other page of the documents."""
    standings = client.get(f"/api/v1/tournaments/{swiss}/standings")["standings"]
    match = client.get(f"/api/v1/tournaments/{swiss}/pairings")["pairings"][0]["match_id"]
    wide = browser.new_context(base_url=url, **DESKTOP)  # type: ignore[arg-type]
    for name, path in {
        "front": "/",
        "tournament": f"/tournaments/{swiss}",
        "bracket": f"/tournaments/{knockout}",
        "player": f"/players/{standings[0]['player_id']}",
        "leaderboard": "/leaderboards/rummy/open?standing=provisional",
        "calendar": "/calendar",
    }.items():
        picture(at(wide, path), name)
    replay = at(wide, f"/replays/{match}?hand=1&step=9")
    replay.locator(".card").first.wait_for()
    picture(replay, "replay")
    phone = browser.new_context(base_url=url, **PHONE)  # type: ignore[arg-type]
    picture(at(phone, "/"), "front-phone")
    dark = browser.new_context(base_url=url, **DESKTOP, **DARK)  # type: ignore[arg-type]
    picture(at(dark, f"/tournaments/{swiss}"), "tournament-dark")


def main() -> int:
    """Start, play, take the pictures, stop. 1 where there is no chromium."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        tell("no chromium here: apt-get install chromium")
        return 1
    IMAGES.mkdir(parents=True, exist_ok=True)
    with running_house() as url, sync_playwright() as playwright:
        client = organiser_of(url)
        swiss, knockout = tournaments_of(client, bots_of(client))
        rated(client)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        pages(browser, url, client, swiss, knockout)
        tables(browser, url)
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""The organiser's desk in a real browser: a tournament made and run, a result corrected; accessible at two widths."""

from datetime import datetime

from playwright.sync_api import Browser, Page, expect

from gin_lobby.tasks import advance_due
from gin_servicekit.auth import SESSION_COOKIE
from tests.browser.accessibility import assert_accessible
from tests.browser.test_pages import page, site
from tests.integration.lobby.conftest import Lobby, lobby

__all__ = ["lobby", "page", "site"]  # the fixtures


def sign_in(lobby: Lobby, page: Page, site: str) -> None:
    page.context.add_cookies([{"name": SESSION_COOKIE, "value": lobby.organiser.token or "", "url": site}])


def test_a_tournament_is_set_up_and_run(lobby: Lobby, page: Page, site: str) -> None:
    sign_in(lobby, page, site)
    for name in ("North", "East", "South", "West"):
        lobby.bot(name)
    page.goto("/")
    page.get_by_role("link", name="Set up a tournament").click()
    assert_accessible(page)
    page.get_by_label("Swiss", exact=True).check()
    page.get_by_role("button", name="Go on").click()
    assert_accessible(page)
    page.get_by_label("Name", exact=True).fill("Winter cup")
    page.get_by_label("Rounds", exact=True).fill("2")
    page.get_by_label("Fewest entrants").fill("4")
    page.get_by_role("button", name="Create the tournament").click()
    expect(page.get_by_role("heading", name="Desk: Winter cup")).to_be_visible()
    page.get_by_role("button", name="Open registration").click()
    expect(page.get_by_role("status").get_by_text("Registration is open.")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="Entrants", exact=True).click()
    page.get_by_text("A whole list (CSV)").click()
    page.get_by_label("The list").fill("name\nNorth\nEast\nSouth\nWest\nNobody\n")
    page.get_by_role("button", name="See what would happen").click()
    expect(page.get_by_text("4 of the list can be entered, 1 cannot.")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("button", name="Enter those, without the bad lines").click()
    expect(page.get_by_role("link", name="North")).to_be_visible()
    tournament_id = page.url.split("/")[4]
    page.get_by_role("link", name="Overview").click()
    page.get_by_role("button", name="Start it now").click()
    expect(page.get_by_role("status").get_by_text("within the next minute")).to_be_visible()
    lobby.clock.now = datetime.fromisoformat(lobby.see(tournament_id)["starts_at"])
    sign_in(lobby, page, site)
    advance_due(lobby.service)
    assert lobby.see(tournament_id)["state"] == "running"
    while lobby.see(tournament_id)["state"] == "running":
        lobby.play_round(tournament_id)
    page.goto(f"/tournaments/{tournament_id}/desk")
    expect(page.get_by_text("finished").first).to_be_visible()
    page.get_by_role("link", name="Print and share").click()
    assert_accessible(page)
    page.goto(f"/tournaments/{tournament_id}/log")
    assert_accessible(page)


def test_a_result_is_corrected_by_keyboard_after_a_preview(lobby: Lobby, page: Page, site: str) -> None:
    sign_in(lobby, page, site)
    tournament_id = lobby.with_bots(4)
    lobby.start(tournament_id)
    lobby.play_round(tournament_id)
    page.goto(f"/tournaments/{tournament_id}/desk/pairings?round=1")
    assert_accessible(page)
    page.get_by_role("link", name="Correct of table 1").focus()
    page.keyboard.press("Enter")
    page.get_by_label("How it really ended").select_option("draw")
    page.get_by_label("Why").fill("Both cards were shown at once")
    assert_accessible(page)
    page.get_by_role("button", name="See what follows").press("Enter")
    page.get_by_text("Nothing is done yet.").wait_for()
    assert_accessible(page)
    page.get_by_role("button", name="Correct it so").press("Enter")
    page.get_by_text("The result is corrected").wait_for()
    assert lobby.see(tournament_id, "/pairings")["pairings"][0]["result"] == "draw"
    page.goto("/series/new")
    assert_accessible(page)
    page.goto("/notices")
    assert_accessible(page)


def test_what_is_wrong_is_told_accessibly_and_found_by_its_link(lobby: Lobby, browser: Browser, site: str) -> None:
    page = browser.new_context(viewport={"width": 390, "height": 900}, base_url=site).new_page()
    sign_in(lobby, page, site)
    page.goto("/tournaments/new?game=rummy&format=swiss")
    page.get_by_label("Name", exact=True).fill("Winter cup")
    page.get_by_label("Fewest entrants").fill("20000")
    page.get_by_text("Clock and spectators").click()
    page.get_by_label("Seconds for each action").fill("1")
    page.get_by_role("button", name="Create the tournament").click()
    assert_accessible(page)
    assert page.get_by_label("Name", exact=True).input_value() == "Winter cup"
    expect(page.get_by_label("Seconds for each action"), "a section with a fault in it is open").to_be_visible()
    page.get_by_role("alert").get_by_role("link", name="From 2 to 10000, please.").press("Enter")
    page.wait_for_url("**#minimum_entrants")
    page.context.close()

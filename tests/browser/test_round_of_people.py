"""A round of a tournament that two people play to its end in their browsers, on a whole house with its live events."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.test_every_page import PATIENCE_MS, context_of, running, session
from tests.support.house import RunningHouse

__all__ = ["running"]  # the fixtures

ROUND_MS = 60_000


def person(running: RunningHouse, browser: Browser, name: str) -> Page:
    token, _ = session(running, name)
    return context_of(browser, running, token, 1280, "light").new_page()


def announced(running: RunningHouse) -> str:
    """The page of a tournament that people may enter."""
    plan = {"name": "Evening", "rounds": 1, "starts_at": running.later(), "rules": {"preset": "short"}}
    tournament_id = running.client.post("/api/v1/tournaments", plan)["tournament_id"]
    running.client.post(f"/api/v1/tournaments/{tournament_id}/registration")
    return f"/tournaments/{tournament_id}"


def test_two_people_enter_are_called_play_and_see_the_standings_move(running: RunningHouse, browser: Browser) -> None:
    ada, bea = (person(running, browser, name) for name in ("Ada of one", "Bea of one"))
    path = announced(running)
    for page in (ada, bea):
        page.goto(path)
        page.get_by_role("button", name="Enter").click()
        expect(page.get_by_role("button", name="Withdraw")).to_be_visible(timeout=PATIENCE_MS)
    with bea.expect_response("**/live/v1/events?*", timeout=PATIENCE_MS):
        bea.goto("/leaderboards")
    running.start(f"/api/v1{path}")
    # Wherever somebody is on the site, they are called.
    expect(bea.locator("#call")).to_contain_text("A match of yours begins: Evening.", timeout=ROUND_MS)
    expect(bea).to_have_title(re.compile("Your match begins"))
    taking_part = ada.get_by_role("region", name="Taking part")
    expect(taking_part).to_contain_text("Your match is open", timeout=ROUND_MS)
    taking_part.get_by_role("link", name="Go to your table").click()
    bea.get_by_role("link", name="Go to your table").click()
    for page in (ada, bea):
        expect(page.locator(".hand .card")).to_have_count(10, timeout=PATIENCE_MS)
        expect(page.locator("#call")).to_be_empty()
    looking_on = person(running, browser, "Cleo of one")
    looking_on.goto(path)
    expect(looking_on.get_by_text("Round 1 of 1: 0 of 1 pairings decided")).to_be_visible(timeout=PATIENCE_MS)
    pass_or_draw(ada, bea)
    ada.get_by_role("button", name="Resign").click()
    ada.get_by_role("dialog").get_by_role("button", name="Resign").click()
    for page, result in ((ada, "Bea of one wins the match"), (bea, "You win the match")):
        expect(page.locator(".match-over h2")).to_have_text(result, timeout=PATIENCE_MS)
    expect(looking_on.locator("tbody tr").first).to_contain_text("Bea of one", timeout=ROUND_MS)
    expect(looking_on.locator("tbody tr").first).to_contain_text("1–0–0", timeout=ROUND_MS)
    expect(looking_on.locator(".badge").first).to_have_text("finished", timeout=ROUND_MS)
    bea.get_by_role("link", name="Back to the tournament").click()
    expect(bea.get_by_role("heading", name="Evening")).to_be_visible(timeout=PATIENCE_MS)
    for page in (ada, bea, looking_on):
        page.context.close()


def test_a_rematch_begins_for_both_when_the_second_agrees(running: RunningHouse, browser: Browser) -> None:
    ada, bea = (person(running, browser, name) for name in ("Ada of two", "Bea of two"))
    ada.goto("/play")
    ada.get_by_label("Opponent").last.select_option("open")
    ada.get_by_role("button", name="Lay the table").click()
    first = ada.url
    bea.goto("/")
    bea.get_by_role("button", name="Sit down with Ada of two").click()
    for page in (ada, bea):
        expect(page.locator(".hand .card")).to_have_count(10, timeout=PATIENCE_MS)
    ada.get_by_role("button", name="Resign").click()
    ada.get_by_role("dialog").get_by_role("button", name="Resign").click()
    ada.get_by_role("button", name="Rematch").click()
    expect(ada.get_by_role("button", name="Waiting for the others")).to_be_disabled(timeout=PATIENCE_MS)
    bea.get_by_role("button", name="Agree to a rematch").click(timeout=PATIENCE_MS)
    for page in (ada, bea):
        page.wait_for_url(lambda url: "/tables/" in url and url != first, timeout=PATIENCE_MS)
        expect(page.locator(".hand .card")).to_have_count(10, timeout=PATIENCE_MS)
    assert ada.url == bea.url
    for page in (ada, bea):
        page.context.close()


def pass_or_draw(*players: Page) -> None:
    """Whoever is to act passes the first card, and the other sees it without doing anything."""
    mine = [page.locator(".status.mine") for page in players]
    expect(mine[0].or_(players[0].locator(".status:not(.mine)")).first).to_be_visible(timeout=PATIENCE_MS)
    acting, waiting = players if mine[0].count() else players[::-1]
    acting.get_by_role("button", name="Pass", exact=True).click()
    expect(waiting.locator(".status.mine")).to_be_visible(timeout=PATIENCE_MS)

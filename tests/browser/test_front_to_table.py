"""From the front page to a table, through lobby and engine as they are: the way of a stranger."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import assert_accessible
from tests.browser.hall import Hall, hall, house

__all__ = ["hall", "house"]  # the fixtures


@pytest.mark.parametrize(("game", "width"), [("Gin Rummy", 1280), ("Word Gin", 390)])
def test_one_click_on_the_front_page_deals_the_cards_and_signing_up_keeps_the_game(
    hall: Hall, game: str, width: int
) -> None:
    page = hall.page(width=width)
    page.goto("/")
    assert_accessible(page)
    page.get_by_role("button", name=f"Play {game}").click()
    page.wait_for_url(re.compile("/tables/"))
    table = page.url
    banner = page.get_by_role("banner")
    guest = banner.get_by_role("link", name=re.compile("Guest [0-9]+")).inner_text()
    expect(page.get_by_role("main")).to_contain_text(guest)
    seat = page.evaluate("fetch('/api/v1/matches/' + location.pathname.split('/')[2] + '/seat').then((a) => a.status)")
    assert seat == 200
    banner.get_by_role("link", name="Sign up").click()
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    page.wait_for_url(table)
    expect(banner.get_by_role("link", name="Ada")).to_be_visible()
    seat = page.evaluate("fetch('/api/v1/matches/' + location.pathname.split('/')[2] + '/seat').then((a) => a.status)")
    assert seat == 200
    assert hall.complaints == []
    page.context.close()

"""The ladder of the bots, one of them, and the way from it to a table."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from gin_bots import FRIENDLY, bots_for
from gin_web.presets import presets_for_two
from tests.browser.hall import Hall, hall, house

__all__ = ["hall", "house"]  # the fixtures


def test_from_the_ladder_to_a_table_with_the_bot(hall: Hall) -> None:
    page = hall.page()
    page.goto("/bots")
    page.get_by_role("link", name="Planner").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Planner")
    page.get_by_label("Rules").select_option("oklahoma")
    page.get_by_role("button", name="Play against it").click()
    page.wait_for_url("**/tables/*")
    expect(page.locator(".hand .card")).to_have_count(10)
    expect(page.locator("main")).to_contain_text("Planner")
    assert hall.complaints == []


@pytest.mark.parametrize("path", ["/", "/play"])
def test_the_forms_offer_every_bot_in_order_of_strength_and_every_preset(hall: Hall, path: str) -> None:
    page = hall.page()
    page.goto(path)
    for game, friendly in FRIENDLY.items():
        form = page.locator("form[action='/play/computer']", has=page.locator(f"input[value='{game}']"))
        values = "options => options.map(each => each.value)"
        assert form.locator("[name=bot] option").evaluate_all(values) == [bot.name for bot in bots_for(game)]
        assert form.locator("[name=preset] option").evaluate_all(values) == [one.name for one in presets_for_two(game)]
        expect(form.locator("[name=bot]")).to_have_value(friendly)
        expect(form.locator("[name=preset]")).to_have_value("standard")

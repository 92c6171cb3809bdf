"""Cards move where something is laid off, once, and not for readers who asked for less motion."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import Hall, hall, house
from tests.browser.playing import knock_with_layoffs

__all__ = ["hall", "house"]  # the fixtures


# Notes every motion of a card: by script with the way it comes, and by style sheet with its name.
WATCH = """
  window.motions = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    window.motions.push([this.dataset.card, frames[0].transform]);
    return animate.call(this, frames, options);
  };
  document.addEventListener("animationstart", (event) =>
    window.motions.push([event.target.dataset.card, event.animationName]));
"""
# How far below its place a card begins, how visible it is then, and both at the end.
COURSE = """
  (card) => {
    const [motion] = card.getAnimations();
    const now = () => [card.getBoundingClientRect().top, Number(getComputedStyle(card).opacity)];
    motion.pause();
    motion.currentTime = motion.effect.getTiming().delay;
    const [from, faint] = now();
    motion.finish();
    const [to, clear] = now();
    return { below: from - to, faint, clear };
  }
"""


def motions(page: Page, card: str) -> Any:
    return page.evaluate("card => window.motions.filter(([moved]) => moved === card).map(([, how]) => how)", card)


def lay_off(hall: Hall, **options: Any) -> tuple[Page, str]:
    """The page of a defender who has just laid off a card, and the card."""
    match_id, defender = knock_with_layoffs(hall)
    page = hall.page(defender, **options)
    page.add_init_script(WATCH)
    page.goto(f"/tables/{match_id}")
    expect(page.locator(".status")).to_contain_text("Lay cards off", timeout=15_000)
    legal = hall.house.seat(match_id, defender)["legal_actions"]
    card = str(next(action for action in legal if action.startswith("layoff")).split(" ")[1])
    assert motions(page, card) == []
    page.locator(".actions").get_by_role("button", name="Lay ").first.click()
    expect(page.locator(f'.shown .meld [data-card="{card}"]')).to_be_visible()
    expect(page.locator("#table")).to_have_attribute("aria-busy", "false")
    return page, card


def end_the_hand(page: Page, card: str) -> None:
    page.get_by_role("button", name="Done", exact=True).click()
    expect(page.locator(f'.showdown .laid-off[data-card="{card}"]')).to_be_visible(timeout=15_000)
    # The page looks at the table again and again; what has moved lies still.
    for _ in range(3):
        with page.expect_response(lambda answer: answer.url.endswith("/seat")):
            page.evaluate("dispatchEvent(new Event('online'))")


def test_card_that_is_laid_off_glides_to_its_meld_and_rises_into_it_at_the_end(hall: Hall) -> None:
    page, card = lay_off(hall)
    ways = motions(page, card)  # more than one where the page looked again while the card was on its way
    assert [way.partition("(")[0] for way in ways] == ["translate"] * len(ways) != []
    assert ways[0] != "translate(0px, 0px)"
    end_the_hand(page, card)
    page.wait_for_function(
        "card => window.motions.some(([moved, how]) => moved === card && how === 'lay-off')", arg=card
    )
    assert [how for how in motions(page, card) if not how.startswith("translate")] == ["lay-off"]
    seen = page.locator(f'.showdown .laid-off[data-card="{card}"]').evaluate(COURSE)
    assert seen == {"below": pytest.approx(60, abs=1), "faint": 0, "clear": 1}
    expect(page.locator(".showdown h2")).to_be_focused()
    assert hall.complaints == []


def test_nothing_moves_for_readers_who_asked_for_less_motion(hall: Hall) -> None:
    page, card = lay_off(hall, reduced_motion="reduce")
    end_the_hand(page, card)
    assert page.evaluate("window.motions") == []
    laid = page.locator(f'.showdown .laid-off[data-card="{card}"]')
    assert laid.evaluate("card => card.getAnimations().length") == 0
    expect(laid).to_have_css("opacity", "1")
    assert hall.complaints == []

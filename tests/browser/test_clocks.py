"""Clocks at the table as people see and hear them run, in a browser whose time the test moves with the house's."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, expect

from tests.browser.hall import Hall, hall, house

__all__ = ["hall", "house"]  # the fixtures

CLOCK = {"move_seconds": 30, "bank_seconds": 60}
OWN, OTHER, SAID = ".player.own .clock", ".player:not(.own) .clock", "#table > [role=status]"
START = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


class TimedTable:
    """Ann and Bob at a table with clocks, each with a page; `first` is to act. Time stands still unless it is moved."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        hall.house.tick()
        self.match_id = hall.house.open_table("ann", rules={}, clock=CLOCK)["table_id"]
        hall.house.join(self.match_id, "bob")
        self.first, self.second = ("ann", "bob") if self._to_act() == 0 else ("bob", "ann")
        self.page, self.waiting = self._page(self.first), self._page(self.second)

    def _to_act(self) -> int:
        return int(self.hall.house.seat(self.match_id, "ann")["to_act"])

    def _page(self, player: str) -> Page:
        page = self.hall.page(player)
        page.clock.install(time=START)
        page.clock.pause_at(START + timedelta(hours=1))
        page.goto(f"/tables/{self.match_id}")
        expect(page.locator(".hand .card")).to_have_count(10)
        return page

    def act(self, player: str, action: str) -> None:
        count = self.hall.house.seat(self.match_id, player)["action_count"]
        assert self.hall.house.act(self.match_id, player, action, count).status_code == 200

    def house_goes_on(self, seconds: float) -> None:
        """The house looks at the clocks as often as its worker does."""
        self.hall.house.clock.move(seconds=seconds)
        self.hall.house.tick()

    def goes_by(self, seconds: int) -> None:
        """Time for the house and in both browsers, which then look at the table anew.

        The house comes last: a page that looks in between, and counts on from what it heard, is never ahead of it.
        """
        for _ in range(seconds):
            for page in (self.page, self.waiting):
                page.clock.run_for(1_000)
            self.house_goes_on(1)
        self.look()
        for page in (self.page, self.waiting):
            page.clock.run_for(200)  # its clocks tick so often

    def look(self) -> None:
        for page in (self.page, self.waiting):
            with page.expect_response(lambda answer: answer.url.endswith("/seat")):
                page.evaluate("dispatchEvent(new Event('online'))")


def test_clock_goes_down_takes_from_the_bank_and_warns_before_it_is_over(hall: Hall) -> None:
    table = TimedTable(hall)
    page, waiting = table.page, table.waiting
    expect(page.locator(OWN)).to_have_text("0:30 + 1:00")
    expect(waiting.locator(OTHER)).to_have_text("0:30 + 1:00")
    # Between two answers of the hall the page counts by itself; the clock of who waits stands.
    page.clock.run_for(3_000)
    expect(page.locator(OWN)).to_have_text("0:27 + 1:00")
    expect(page.locator(OTHER)).to_have_text("0:30 + 1:00")
    table.house_goes_on(3)
    table.goes_by(26)
    expect(page.locator(OWN)).to_have_text("0:01 + 1:00")
    expect(page.locator(SAID)).not_to_contain_text("bank")
    # The time for the move is over: from now on it is taken from the bank, and that is said, to its player alone.
    table.goes_by(6)
    expect(page.locator(OWN)).to_have_text("0:55")
    expect(waiting.locator(OTHER)).to_have_text("0:55")
    bank = re.compile("^The time for this move is used up[.] Your bank runs: (1 minute|5[0-9] seconds) left[.]$")
    expect(page.locator(SAID)).to_have_text(bank)
    expect(waiting.locator(SAID)).not_to_contain_text("bank")
    page.get_by_role("button", name="Pass", exact=True).click()
    expect(page.locator(OWN)).to_have_text("0:30 + 0:55")
    table.goes_by(10)
    expect(page.locator(OWN)).to_have_text("0:30 + 0:55")
    expect(waiting.locator(OWN)).to_have_text("0:20 + 1:00")
    # Little is left: it turns red and is said once more.
    table.act(table.second, "pass")
    table.look()
    table.goes_by(76)
    expect(page.locator(OWN)).to_have_text("0:09")
    expect(page.locator(OWN)).to_have_class("clock running late")
    expect(page.locator(SAID)).to_have_text(re.compile("^Hurry: (10|9) seconds left, then the time is over[.]$"))
    expect(page.locator(".match-over")).to_be_hidden()
    assert hall.complaints == []


def test_who_runs_out_of_time_loses_and_both_see_it(hall: Hall) -> None:
    table = TimedTable(hall)
    table.goes_by(89)
    for each in (table.page, table.waiting):
        expect(each.locator(".match-over")).to_be_hidden()
    expect(table.page.locator(OWN)).to_have_text("0:01")
    table.goes_by(2)
    winner, loser = table.second.title(), table.first.title()
    expect(table.page.locator(".match-over")).to_contain_text("You ran out of time.")
    expect(table.page.locator(".match-over h2")).to_have_text(f"{winner} wins the match")
    expect(table.page.locator(SAID)).to_contain_text("You ran out of time.")
    expect(table.waiting.locator(".match-over h2")).to_have_text("You win the match")
    expect(table.waiting.locator(".match-over")).to_contain_text(f"{loser} ran out of time.")
    assert hall.complaints == []

"""What was played in the hand, as the table tells it: to players and spectators, after a reload, and nothing hidden."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.accessibility import assert_accessible
from tests.browser.hall import Hall, hall, house
from tests.integration.engine.house import bot, person

__all__ = ["hall", "house"]  # the fixtures

SYMBOLS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def shown(card: str) -> str:
    """`7♥` for `7h`."""
    return f"{card[0].replace('T', '10')}{SYMBOLS[card[1]]}"


class Players:
    """Ann and Bob at a table: `first` acts first. They act by the API."""

    def __init__(self, hall: Hall, **wish: Any) -> None:
        self.hall = hall
        self.match_id = hall.house.open(person("ann"), person("bob"), **wish)
        self.first, self.second = ("ann", "bob") if self._to_act() == 0 else ("bob", "ann")

    def _to_act(self) -> int:
        seen = self.hall.house.seat(self.match_id, "ann")
        return int(seen["to_act"])

    def act(self, action: str) -> None:
        player = ("ann", "bob")[self._to_act()]
        count = self.hall.house.seat(self.match_id, player)["action_count"]
        answer = self.hall.house.act(self.match_id, player, action, count)
        assert answer.status_code == 200, answer.text

    def throw(self) -> str:
        """Whoever is to act throws the last card that they may; which one it was."""
        player = ("ann", "bob")[self._to_act()]
        legal = self.hall.house.seat(self.match_id, player)["legal_actions"]
        action = [action for action in legal if action.startswith("discard")][-1]
        self.act(action)
        return str(action.removeprefix("discard "))

    def page(self, player: str | None, **options: Any) -> Page:
        page = self.hall.page(player, **options)
        page.goto(f"/tables/{self.match_id}")
        expect(page.locator(".player")).to_have_count(2)
        return page


def moves(page: Page) -> Any:
    """The list of moves, the last one first; it is opened by keyboard where it is closed."""
    course = page.get_by_role("region", name="This hand")
    course.locator("summary").wait_for()
    if not course.locator("ol").is_visible():
        course.locator("summary").focus()
        page.keyboard.press("Enter")
    return course.get_by_role("listitem")


def test_players_read_what_was_just_done_and_what_is_buried_is_not_named(hall: Hall) -> None:
    players = Players(hall, rules={})
    page = players.page(players.first)
    for action in ("pass", "pass", "draw"):
        players.act(action)
    one = players.throw()
    players.act("take")
    two = players.throw()
    other = players.second.title()
    took, threw = f"{other} took {shown(one)} from the pile", f"{other} discarded {shown(two)}"
    expect(page.locator(".last")).to_have_text(f"{took} and discarded {shown(two)}", timeout=15_000)
    expect(page.locator("#table > [role=status]")).to_contain_text(f"discarded {shown(two)}.")
    listed = [threw, took, f"You discarded {shown(one)}", "You drew from the stock", f"{other} passed", "You passed"]
    expect(moves(page)).to_have_text(listed)
    assert_accessible(page)
    page.reload()
    expect(page.locator(".last")).to_have_text(f"{took} and discarded {shown(two)}")
    expect(page.get_by_role("region", name="This hand").locator("ol")).to_be_visible()
    expect(moves(page)).to_have_text(listed)
    # A turn later the card that was taken and those below the top of the pile are nameless, for everybody.
    players.act("draw")
    three = players.throw()
    buried = ["discarded a card", "took the top discard", "discarded a card", "drew from the stock", "passed", "passed"]
    for looking in (page, players.page(players.second), players.page(None), players.page(players.first, width=390)):
        told = moves(looking)
        expect(told.first).to_contain_text(f"discarded {shown(three)}", timeout=15_000)
        assert [text.split(" ", 1)[1] for text in told.all_inner_texts()[2:]] == buried
        words = looking.get_by_role("region", name="This hand").inner_text() + looking.locator(".last").inner_text()
        assert re.findall(r"(?:10|[A2-9JQK])[♣♦♥♠]", words.replace(shown(three), "")) == []
    assert hall.complaints == []


def test_moves_of_a_player_at_the_page_and_of_the_computer_are_listed_and_come_back(hall: Hall) -> None:
    match_id = hall.house.open(person("ann"), bot("robin"), rules={"knock_limit": 0}, first_dealer=1)
    page = hall.page("ann")
    page.goto(f"/tables/{match_id}")
    page.get_by_role("button", name="Take ", exact=False).last.click()
    taken = page.locator(".hand .card.kept").get_attribute("data-card")
    expect(moves(page)).to_have_text([f"You took {shown(str(taken))} from the pile"])
    thrown = page.locator(".hand .card:not(.kept)").first
    thrown.click()
    page.locator(".actions .primary").click()
    expect(moves(page)).to_have_count(4, timeout=15_000)
    history = hall.house.seat(match_id, "ann")["view"]["history"]
    way = f"took {shown(history[2]['card'])} from the pile" if history[2]["card"] else "drew from the stock"
    expect(page.locator(".last")).to_have_text(f"Robin {way} and discarded {shown(history[3]['card'])}")
    texts = moves(page).all_inner_texts()
    page.reload()
    expect(moves(page)).to_have_text(texts)
    assert hall.complaints == []


def test_every_card_is_named_where_the_pile_may_be_looked_through(hall: Hall) -> None:
    players = Players(hall, rules={"discard_view": "spread"})
    players.act("pass")
    players.act("pass")
    cards = []
    for _ in range(4):
        players.act("draw")
        cards.append(players.throw())
    for player in (players.first, None):
        page = players.page(player)
        told = moves(page)
        expect(told).to_have_count(10)
        assert [text.split(" ")[-1] for text in reversed(told.all_inner_texts()) if "discarded" in text] == [
            shown(card) for card in cards
        ]
        expect(page.get_by_role("region", name="This hand")).not_to_contain_text("may not be looked through")


def test_spectators_read_the_moves_with_the_delay_of_the_match(hall: Hall) -> None:
    players = Players(hall, rules={}, spectator_delay_seconds=120)
    page = hall.page()
    page.goto(f"/tables/{players.match_id}")
    expect(page.locator("#table")).to_contain_text("shown later")
    players.act("pass")
    hall.house.clock.move(seconds=60)
    players.act("take")
    hall.house.clock.move(seconds=60)
    expect(moves(page)).to_have_text([f"{players.first.title()} passed"], timeout=15_000)
    hall.house.clock.move(seconds=60)
    upcard = hall.house.seat(players.match_id, "ann")["view"]["upcard"]
    told = f"{players.second.title()} took {shown(upcard)} from the pile"
    expect(moves(page)).to_have_text([told, f"{players.first.title()} passed"], timeout=15_000)
    expect(page.locator(".last")).to_have_text(told)
    page.reload()
    expect(moves(page)).to_have_text([told, f"{players.first.title()} passed"])
    assert hall.complaints == []


def test_moves_of_word_gin_are_told_again_after_a_reload(hall: Hall) -> None:
    players = Players(hall, game="word", rules={})
    page, looker = players.page(players.first), players.page(None, width=390, color_scheme="dark")
    up = hall.house.seat(players.match_id, "ann")["view"]["upcard"]
    players.act("take")
    thrown = players.throw()
    players.act("draw")
    colours = {"r": "red", "g": "green", "b": "blue", "y": "yellow"}
    first, other = players.first.title(), players.second.title()

    def named(card: str) -> str:
        return f"{card[0]} ({colours[card[1]]})"

    expect(page.locator(".last")).to_have_text(f"{other} drew from the deck", timeout=15_000)
    drawn = [f"{other} drew from the deck"]
    expect(moves(page)).to_have_text([*drawn, f"You discarded {named(thrown)}", f"You took {named(up)}"])
    expect(moves(looker)).to_have_text([*drawn, f"{first} discarded {named(thrown)}", f"{first} took {named(up)}"])
    assert_accessible(looker)
    page.reload()
    expect(page.locator(".last")).to_have_text(drawn[0])
    expect(moves(page)).to_have_count(3)
    assert hall.complaints == []

"""Playing at the table in a real browser: mouse, keys, touch, two players, reloads."""

from __future__ import annotations

import re
from contextlib import suppress

from playwright.sync_api import Page, TimeoutError, expect

from tests.browser.accessibility import assert_accessible
from tests.browser.hall import Hall, hall, house
from tests.browser.playing import knock_with_layoffs, play_until_a_knock
from tests.integration.engine.house import bot, person

__all__ = ["hall", "house"]  # the fixtures

MOST_STEPS = 400


def turn(page: Page) -> None:
    """Waits until the player is to act, or the hand is over."""
    page.locator("#table:not([aria-busy=true]) :is(.status.mine, .showdown, .match-over):visible").first.wait_for()


def is_over(page: Page) -> bool:
    return page.locator(":is(.showdown, .match-over):visible").count() > 0


def play_by_mouse(page: Page) -> None:
    """Draws from the stock and throws a card that is in no meld, until somebody ends the hand."""
    for _ in range(MOST_STEPS):
        turn(page)
        if is_over(page):
            return
        discard = page.locator(".actions").get_by_role("button", name="Discard", exact=False)
        if page.locator("[data-key=stock].may").count():
            page.locator("[data-key=stock]").click()
        elif page.get_by_role("button", name="Pass", exact=True).count():
            page.get_by_role("button", name="Pass", exact=True).click()
        elif discard.count():
            discard.click()
        else:
            page.locator(".hand .card:not(.kept)").last.click()
    raise AssertionError("the hand does not end")


def test_hand_is_played_by_mouse_and_its_score_explained(hall: Hall) -> None:
    match_id = hall.house.open(person("ann"), bot("robin"), rules={})
    page = hall.page("ann")
    page.goto(f"/tables/{match_id}")
    expect(page.locator(".hand .card")).to_have_count(10)
    expect(page.get_by_role("group", name="Your hand")).to_be_visible()
    play_by_mouse(page)
    sheet = hall.house.get(f"/{match_id}/scores").json["hands"][0]
    for one in sheet["sums"]:
        expect(page.locator(".showdown")).to_contain_text(one["text"])
    # Nothing of the next hand is said before the end of this one has been looked at.
    expect(page.locator("#table > [role=status]")).to_have_text(page.locator(".showdown h2").inner_text())
    page.locator("[data-key=next]").click()
    expect(page.locator(".hand .card").first).to_be_visible()
    assert hall.complaints == []


def test_hand_is_played_with_keys_alone(hall: Hall) -> None:
    match_id = hall.house.open(person("ann"), bot("robin"), rules={})
    page = hall.page("ann")
    page.goto(f"/tables/{match_id}")
    for _ in range(MOST_STEPS):
        turn(page)
        if is_over(page):
            break
        before = hall.house.seat(match_id, "ann")
        if before["view"]["phase"].startswith("offer"):
            page.keyboard.press("p")
        elif before["view"]["phase"] != "discard":
            page.keyboard.press("d")
        else:
            # From anywhere on the page an arrow leads into the hand, and the focus stays there when a card leaves.
            page.keyboard.press("ArrowRight")
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
            page.keyboard.press("d")
            if before["view"]["taken"]:
                continue
            # The computer's answer may be the end of the hand.
            expect(page.locator(".hand .card:focus, .showdown:visible, .match-over:visible")).not_to_have_count(0)
        expect(page.locator("#table")).to_have_attribute("aria-busy", "false")
    assert is_over(page)
    expect(page.locator(".showdown h2")).to_be_focused()
    page.keyboard.press("n")
    expect(page.locator(".hand")).to_be_visible()
    assert hall.complaints == []


def test_phone_shows_every_card_large_enough_and_plays_by_touch(hall: Hall) -> None:
    match_id = hall.house.open(person("ann"), person("bob"))
    first = "ann" if hall.house.get(f"/{match_id}").json["to_act"] == 0 else "bob"
    page = hall.page(first, width=390, has_touch=True, color_scheme="dark")
    page.goto(f"/tables/{match_id}")
    cards = page.locator(".hand .card")
    expect(cards).to_have_count(10)
    boxes = [cards.nth(at).bounding_box() for at in range(10)]
    assert all(
        box is not None and box["width"] >= 44 and box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="Take ", exact=False).last.tap()
    expect(cards).to_have_count(11)
    page.locator(".hand .card:not(.kept)").first.tap()
    page.locator(".actions .primary").tap()
    expect(cards).to_have_count(10)
    expect(page.locator(".status")).not_to_have_class("status mine")
    assert hall.complaints == []


def test_dragging_orders_the_hand_and_discards(hall: Hall) -> None:
    match_id = hall.house.open(person("ann"), person("bob"))
    first = "ann" if hall.house.get(f"/{match_id}").json["to_act"] == 0 else "bob"
    page = hall.page(first)
    page.goto(f"/tables/{match_id}")
    cards = page.locator(".hand .card")
    expect(cards).to_have_count(10)
    order = cards.evaluate_all("cards => cards.map((card) => card.dataset.card)")
    cards.nth(0).drag_to(cards.nth(4))
    moved = cards.evaluate_all("cards => cards.map((card) => card.dataset.card)")
    assert moved != order
    assert sorted(moved) == sorted(order)
    page.reload()
    expect(cards).to_have_count(10)
    assert cards.evaluate_all("cards => cards.map((card) => card.dataset.card)") == moved
    page.locator(".discard .card").drag_to(cards.nth(3))
    expect(cards).to_have_count(11)
    thrown = cards.nth(2).get_attribute("data-card")
    cards.nth(2).drag_to(page.locator(".discard"))
    expect(cards).to_have_count(10)
    assert hall.house.get(f"/{match_id}").json["view"]["top_discard"] == thrown
    assert hall.complaints == []


def test_two_players_take_turns_and_a_spectator_sees_no_cards(hall: Hall) -> None:
    match_id = hall.house.open(person("ann"), person("bob"))
    pages = {player: hall.page(player, width) for player, width in (("ann", 1280), ("bob", 390))}
    for page in pages.values():
        page.goto(f"/tables/{match_id}")
        expect(page.locator(".hand .card")).to_have_count(10)
    # However often it is whose turn: the cards stay where they are.
    place = "hand => hand.getBoundingClientRect().y + scrollY"
    heights = {player: {page.locator(".hand").evaluate(place)} for player, page in pages.items()}
    for _ in range(6):
        to_act = hall.house.get(f"/{match_id}").json["to_act"]
        page = pages["ann" if to_act == 0 else "bob"]
        expect(page.locator(".status")).to_have_class("status mine")
        if page.get_by_role("button", name="Pass", exact=True).count():
            page.get_by_role("button", name="Pass", exact=True).click()
        elif page.locator("[data-key=stock].may").count():
            page.locator("[data-key=stock]").click()
        else:
            page.locator(".hand .card:not(.kept)").first.click()
            page.locator(".actions .primary").click()
        expect(page.locator("#table")).to_have_attribute("aria-busy", "false")
        for player, each in pages.items():
            heights[player].add(each.locator(".hand").evaluate(place))
    assert [len(found) for found in heights.values()] == [1, 1], heights
    looker = hall.page()
    looker.goto(f"/tables/{match_id}")
    expect(looker.locator(".player")).to_have_count(2)
    expect(looker.locator(".hand .card")).to_have_count(0)
    expect(looker.locator(".actions button")).to_have_count(0)
    assert hall.complaints == []


def test_reload_in_the_middle_of_a_turn_resumes_it(hall: Hall) -> None:
    match_id = hall.house.open(person("ann"), person("bob"))
    first = "ann" if hall.house.get(f"/{match_id}").json["to_act"] == 0 else "bob"
    page = hall.page(first)
    page.goto(f"/tables/{match_id}")
    page.get_by_role("button", name="Take ", exact=False).last.click()
    expect(page.locator(".hand .card")).to_have_count(11)
    page.reload()
    expect(page.locator(".hand .card")).to_have_count(11)
    assert page.title().startswith("● Your turn")
    expect(page.locator(".hand .card.kept")).to_have_count(1)
    assert hall.complaints == []


def test_an_action_in_two_tabs_or_clicked_twice_happens_once(hall: Hall) -> None:
    match_id = hall.house.open(person("ann"), person("bob"))
    first = "ann" if hall.house.get(f"/{match_id}").json["to_act"] == 0 else "bob"
    context = hall.context(first)
    one, other = context.new_page(), context.new_page()
    for page in (one, other):
        page.goto(f"/tables/{match_id}")
        expect(page.locator(".hand .card")).to_have_count(10)
    one.get_by_role("button", name="Pass", exact=True).dblclick()
    # The other tab may not have heard yet: its click is refused, and it shows what stands now.
    stale = other.get_by_role("button", name="Pass", exact=True)
    if stale.count():
        with suppress(TimeoutError):  # it heard just now
            stale.click(timeout=2_000, no_wait_after=True)
    for page in (one, other):
        expect(page.locator(".status")).not_to_have_class("status mine")
    assert hall.house.get(f"/{match_id}").json["action_count"] == 1


def test_what_the_hall_refuses_is_said_in_words(hall: Hall) -> None:
    match_id = hall.house.open(person("ann"), person("bob"))
    first = "ann" if hall.house.get(f"/{match_id}").json["to_act"] == 0 else "bob"
    page = hall.page(first)
    page.goto(f"/tables/{match_id}")
    expect(page.locator(".hand .card")).to_have_count(10)
    page.route("**/actions", lambda route: route.abort())
    page.get_by_role("button", name="Pass", exact=True).click()
    expect(page.locator(".trouble")).to_contain_text("nothing is lost")
    page.unroute("**/actions")
    page.get_by_role("button", name="Pass", exact=True).click()
    expect(page.locator(".status")).not_to_have_class("status mine")
    expect(page.locator(".trouble")).to_be_empty()


def test_knock_shows_the_melds_first_and_both_players_see_the_end(hall: Hall) -> None:
    match_id = hall.house.open(person("ann"), person("bob"), rules={})
    knocker, discard = play_until_a_knock(hall, match_id)
    page, other = hall.page(knocker), hall.page("bob" if knocker == "ann" else "ann", width=390, color_scheme="dark")
    for each in (page, other):
        each.goto(f"/tables/{match_id}")
        expect(each.locator(".hand .card").first).to_be_visible()
    shown = hall.house.get(f"/{match_id}/advice", knocker).json["discards"][discard]
    page.locator(f'.hand [data-card="{discard}"]').click()
    page.get_by_role("button", name=re.compile("^(Knock|Gin) with")).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".meld")).to_have_count(len(shown["melds"]))
    dialog.get_by_role("button", name="Knock" if shown["deadwood"] else "Go gin", exact=True).click()
    for each in (page, other):
        expect(each.locator(".showdown")).to_be_visible()
        explained = hall.house.get(f"/{match_id}/scores").json["hands"][-1]["sums"][0]["text"]
        expect(each.locator(".showdown")).to_contain_text(explained)
        expect(each.locator(".showdown .layout h3")).to_have_count(2)
    assert other.evaluate("document.documentElement.scrollWidth") <= 390
    assert hall.complaints == []


def test_named_melds_that_are_none_are_refused_in_words(hall: Hall) -> None:
    match_id = hall.house.open(person("ann"), person("bob"), rules={})
    knocker, discard = play_until_a_knock(hall, match_id)
    page = hall.page(knocker)
    page.goto(f"/tables/{match_id}")
    page.locator(f'.hand [data-card="{discard}"]').click()
    page.get_by_role("button", name=re.compile("^(Knock|Gin) with")).click()
    dialog = page.get_by_role("dialog")
    if dialog.get_by_role("button", name="Go gin").count():
        return  # gin needs no named melds
    dialog.get_by_text("Choose the melds yourself").click()
    melds = hall.house.get(f"/{match_id}/advice", knocker).json["discards"][discard]["melds"]
    melded = {card for meld in melds for card in meld}
    kept = [card for card in hall.house.seat(match_id, knocker)["view"]["hand"] if card != discard]
    wrong = [next(card for card in kept if card not in melded), *melds[0][:2]]
    for card in wrong:
        dialog.locator(f'.own-melds [data-card="{card}"]').click()
    dialog.get_by_role("button", name="Lay together").click()
    dialog.get_by_role("button", name="Knock with these melds").click()
    expect(page.locator(".trouble")).to_contain_text("is not a meld")
    expect(page.locator(".hand .card")).to_have_count(11)


def test_defender_lays_off_by_hand_where_the_rules_ask_for_it(hall: Hall) -> None:
    match_id, defender = knock_with_layoffs(hall)
    page = hall.page(defender, width=390)
    page.goto(f"/tables/{match_id}")
    expect(page.locator(".status")).to_contain_text("Lay cards off")
    assert_accessible(page)
    page.locator(".actions").get_by_role("button", name="Lay ").first.click()
    page.get_by_role("button", name="Done", exact=True).click()
    expect(page.locator(".showdown")).to_be_visible()
    expect(page.locator(".showdown .laid-off")).to_have_count(1)
    for one in hall.house.get(f"/{match_id}/scores").json["hands"][-1]["sums"]:
        expect(page.locator(".showdown")).to_contain_text(one["text"])
    assert hall.complaints == []


def test_buried_discard_is_taken_with_all_above_it(hall: Hall) -> None:
    match_id = hall.house.open(person("ann"), person("bob"), rules={"buried_draw": True})
    takes: list[str] = []
    while len(takes) < 2:
        player = ("ann", "bob")[hall.house.get(f"/{match_id}").json["to_act"]]
        seat = hall.house.seat(match_id, player)
        takes = [action for action in seat["legal_actions"] if action.startswith("take ")]
        if len(takes) < 2:
            plain = next(action for action in seat["legal_actions"] if action.startswith(("pass", "draw", "discard")))
            hall.house.act(match_id, player, plain, seat["action_count"])
    page = hall.page(player, width=390)
    page.goto(f"/tables/{match_id}")
    expect(page.locator(".hand .card")).to_have_count(10)
    taken = takes[-1].split(" ")[1]
    above = seat["view"]["pile"]
    page.locator(f'.spread [data-card="{taken}"]').click()
    expect(page.locator(".hand .card")).to_have_count(10 + len(above) - above.index(taken))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert_accessible(page)
    assert hall.complaints == []


def test_table_page_needs_at_most_150_kilobytes(hall: Hall) -> None:
    import gzip

    match_id = hall.house.open(person("ann"), bot("robin"), rules={})
    page = hall.page("ann")
    bodies: dict[str, bytes] = {}
    page.on("response", lambda answer: bodies.setdefault(answer.url, answer.body()) if answer.status == 200 else None)
    page.goto(f"/tables/{match_id}")
    expect(page.locator(".hand .card").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    first_load = [body for url, body in bodies.items() if "/api/" not in url or url.endswith(("/seat", match_id))]
    assert sum(len(gzip.compress(body)) for body in first_load) <= 150_000
    assert len(first_load) >= 15

"""What live events tell a seat, and what a table's page makes of it."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Route, expect

from tests.browser.hall import Hall, hall, house
from tests.browser.playing import play_until_a_knock
from tests.integration.engine.house import person
from tests.integration.engine.test_spectators import announced

__all__ = ["hall", "house"]  # the fixtures


def test_what_the_other_one_did_is_shown_as_live_events_tell_it(hall: Hall) -> None:
    match_id = hall.house.open(person("ann"), person("bob"))
    first, second = ("ann", "bob") if hall.house.get(f"/{match_id}").json["to_act"] == 0 else ("bob", "ann")
    context = hall.context(second)
    frames: list[str] = []
    listened: list[str] = []

    def tell(route: Route) -> None:
        """Each connection hears what has been announced to the seat since the one before, and ends."""
        listened.append(route.request.url)
        told = announced(hall.house, f"seat:{second}")[len(frames) :]
        frames.extend(f"event: {event}\nid: x\ndata: {json.dumps(data)}\n\n" for event, data, _ in told)
        body = "retry: 50\n\n" + "".join(frames[len(frames) - len(told) :])
        route.fulfill(content_type="text/event-stream", body=body)

    looked: list[str] = []

    def look_once(route: Route) -> None:
        """What is asked for again is never answered: from then on the page knows what it hears, and nothing else."""
        looked.append(route.request.url)
        if looked.count(route.request.url) == 1:
            route.continue_()

    context.route("**/live/v1/events?*", tell)
    context.route(re.compile(r"/api/v1/matches/"), look_once)
    page = hall.watched(context.new_page())
    page.goto(f"/tables/{match_id}")
    expect(page.locator(".hand .card")).to_have_count(10)
    for choose in ("take", "discard"):
        seat = hall.house.seat(match_id, first)
        action = next(action for action in seat["legal_actions"] if action.startswith(choose))
        assert hall.house.act(match_id, first, action, seat["action_count"]).status_code == 200
    thrown = action.removeprefix("discard ").translate(
        str.maketrans({"T": "10", "c": "♣", "d": "♦", "h": "♥", "s": "♠"})
    )
    expect(page.locator(".status")).to_have_class("status mine")
    expect(page.locator("#table > [role=status]")).to_contain_text(f"{first.title()} discarded {thrown}.")
    assert f"topic=seat%3A{second}" in listened[0]
    assert hall.complaints == []


NEW_SEAT = """async ([match, number]) => {
  const { Seat } = await import("/static/table/seat.js");
  window.troubles = [];
  window.seat = new Seat(match, number, () => {}, (text) => window.troubles.push(text));
  await window.seat.refresh();
}"""


def test_hint_of_the_own_action_asks_for_nothing_but_every_other_does(hall: Hall) -> None:
    match_id = hall.house.open(person("ann"), person("bob"))
    number = hall.house.get(f"/{match_id}").json["to_act"]
    page = hall.page(("ann", "bob")[number])
    page.goto("/rules")
    page.evaluate(NEW_SEAT, [match_id, number])
    look = "count => { seat.hint(count); return seat.lastFetch < 0; }"
    page.evaluate("seat.act('pass')")
    assert page.evaluate(look, 1) is False
    assert page.evaluate(look, 1) is True  # a deadline was moved, or another tab told of it
    page.evaluate("seat.refresh()")
    assert page.evaluate(look, 2) is True
    page.evaluate("seat.refresh()")
    page.evaluate("seat.act('draw')")  # not one's turn: what has happened is not known
    assert page.evaluate(look, 2) is True


def test_trouble_is_settled_by_what_is_heard_as_well_as_by_what_is_fetched(hall: Hall) -> None:
    match_id = hall.house.open(person("ann"), person("bob"))
    acting = hall.house.get(f"/{match_id}").json["to_act"]
    first, second = ("ann", "bob")[acting], ("bob", "ann")[acting]
    page = hall.page(second)
    page.goto("/rules")
    page.evaluate(NEW_SEAT, [match_id, 1 - acting])
    page.route("**/api/v1/matches/**", lambda route: route.abort())
    page.evaluate("seat.refresh()")
    assert "No connection" in page.evaluate("troubles.at(-1)")
    hall.house.act(match_id, first, "pass", 0)
    page.evaluate("seen => seat.see(seen)", hall.house.seat(match_id, second))
    assert page.evaluate("[troubles.at(-1), seat.now.offline, seat.now.seat.action_count]") == [None, False, 1]
    page.unroute("**/api/v1/matches/**")
    busy = json.dumps({"type": "urn:ginhall:problem:rate-limited", "detail": "too many requests"})
    page.route("**/api/v1/matches/**", lambda route: route.fulfill(status=429, body=busy))
    page.evaluate("seat.refresh()")
    assert page.evaluate("troubles.at(-1)") == "too many requests"
    page.unroute("**/api/v1/matches/**")
    page.evaluate("seat.refresh()")
    assert page.evaluate("troubles.at(-1)") is None
    page.evaluate("seat.act('knock Ac')")
    told = page.evaluate("troubles.at(-1)")
    page.evaluate("seat.refresh()")
    assert told
    assert page.evaluate("troubles.at(-1)") == told


def test_who_comes_late_to_look_on_sees_what_is_played_now(hall: Hall) -> None:
    match_id = hall.house.open(person("ann"), person("bob"), rules={})
    knocker, discard = play_until_a_knock(hall, match_id)
    count = hall.house.seat(match_id, knocker)["action_count"]
    hall.house.act(match_id, knocker, f"knock {discard}", count)
    assert hall.house.get(f"/{match_id}").json["state"] == "playing"
    looker = hall.page()
    looker.goto(f"/tables/{match_id}")
    expect(looker.locator(".status")).to_contain_text("may take the upcard")
    expect(looker.locator(".showdown")).to_have_count(0)
    assert hall.complaints == []

"""From the front of the play page to a hand of either game, and back to it in a replay."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from gin_bots import bot_named
from gin_engine.store import matches
from gin_engine.store.states import state_of
from gin_rules.game import game_named
from tests.browser.accessibility import assert_accessible
from tests.browser.hall import Hall, hall, house
from tests.integration.engine.house import bot, person

__all__ = ["hall", "house"]  # the fixtures

MOST_STEPS = 300
PHONE = {"width": 390, "color_scheme": "dark"}


def finished(hall: Hall, game: str = "rummy", **rules: Any) -> str:
    plays = "simple" if game == "rummy" else "wordsmith"
    match_id = hall.house.open(bot("robin", plays), bot("rowan", plays), game=game, rules={"target": 30} | rules)
    while hall.house.get(f"/{match_id}").json["state"] == "playing":
        hall.house.play()
    return match_id


def test_a_stranger_plays_the_computer_with_one_click(hall: Hall) -> None:
    page = hall.page()
    page.goto("/play")
    page.get_by_role("button", name="Deal me in").first.click()
    page.wait_for_url("**/tables/*")
    expect(page.locator(".hand .card")).to_have_count(10)
    expect(page.locator(".player.own")).to_contain_text("You")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".match-over h2")).to_contain_text("wins the match")
    expect(page.locator("#table > [role=status]")).to_contain_text("wins the match. You resigned")
    first = page.url
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: url != first)
    expect(page.locator(".hand .card")).to_have_count(10)
    assert hall.complaints == []


def test_a_form_is_sent_once_while_its_answer_is_on_its_way(hall: Hall) -> None:
    page = hall.page()
    page.goto("/play")
    script = """
    () => {
      const stopped = [];
      addEventListener("submit", (event) => stopped.push(event.defaultPrevented));
      document.forms[0].requestSubmit();
      document.forms[0].requestSubmit();
      return stopped;
    }
    """
    assert page.evaluate(script) == [False, True]
    page.wait_for_url("**/tables/*")


def test_a_friend_comes_by_the_link_and_both_play(hall: Hall) -> None:
    host, friend = hall.page(), hall.page(**PHONE)
    host.goto("/play")
    host.get_by_label("Opponent").last.select_option("link")
    host.get_by_role("button", name="Lay the table").dblclick()
    link = host.get_by_label("Send this link").input_value()
    with hall.house.service.transaction() as tx:
        assert tx.scalar("SELECT count(*) FROM casual_tables") == 1
    friend.goto(link)
    friend.get_by_role("button", name="Sit down").click()
    for page in (host, friend):
        expect(page.locator(".hand .card")).to_have_count(10)
        expect(page.locator(".clock")).to_have_count(2)
    waiting = host if host.locator(".status.mine").count() == 0 else friend
    acting = friend if waiting is host else host
    acting.get_by_role("button", name="Pass", exact=True).click()
    expect(waiting.locator(".status")).to_have_class("status mine")
    assert hall.complaints == []


def test_a_form_that_cannot_be_is_explained(hall: Hall) -> None:
    page = hall.page()
    page.goto("/play")
    page.get_by_label("Game and rules").select_option("word:standard")
    page.get_by_label("Opponent").last.select_option("bot:simple")
    page.get_by_role("button", name="Lay the table").click()
    expect(page.get_by_role("alert")).to_contain_text("does not play Word Gin")


def test_words_are_made_by_choosing_typing_and_shown_when_another_gins(hall: Hall) -> None:
    match_id = hall.house.open(person("ann"), bot("robin", "wordsmith"), game="word", rules={"target": 200})
    page = hall.page("ann", **PHONE)
    page.goto(f"/tables/{match_id}")
    cards = page.locator(".hand .card")
    expect(cards.first).to_be_visible()
    for _ in range(MOST_STEPS):
        page.locator("#table:not([aria-busy=true]) :is(.status.mine, .showdown):visible").first.wait_for()
        if page.locator(".showdown").count():
            break
        view = hall.house.seat(match_id, "ann")["view"]
        if view["phase"] == "draw":
            page.get_by_role("button", name="Draw from the deck").click()
            expect(cards).to_have_count(11)
        elif view["phase"] == "discard":
            cards.last.click()
            page.get_by_role("button", name="Discard").first.click()
        elif view["phase"] == "challenge":
            page.get_by_role("button", name="Let them stand").click()
        else:
            suit = max("rgby", key=lambda suit: sum(card[1] == suit for card in view["hand"]))
            letters = [card for card in view["hand"] if card[1] == suit]
            for card in letters[:2]:
                page.locator(f'.hand [data-card="{card}"]').click()
            page.get_by_role("button", name="Make the word").click()
            page.get_by_role("button", name="Take apart").click()
            word = "".join(card[0] for card in letters[:2])
            page.get_by_label("Type a word").fill(word)
            page.get_by_label("Type a word").press("Enter")
            page.get_by_role("button", name=f"Show {word}").click()
        expect(page.locator("#table")).to_have_attribute("aria-busy", "false")
    sheet = hall.house.get(f"/{match_id}/scores").json["hands"][0]
    for one in sheet["sums"]:
        expect(page.locator(".showdown")).to_contain_text(one["text"])
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert_accessible(page)
    assert hall.complaints == []


def play_until_a_gin(hall: Hall, match_id: str) -> tuple[str, list[str]]:
    """Two good players take their turns until one can go Gin: who it is, and the words of the Gin."""
    game, good, rng = game_named("word"), bot_named("wordsmith"), Random(1)
    while True:
        with hall.house.service.transaction() as tx:
            match = matches.find(tx, match_id)
            assert match is not None
            state = state_of(tx, match)
        seat = game.to_act(state)
        assert seat is not None
        action = good.choose_action(game.view(state, seat), rng)
        if action.startswith("gin "):
            return match.seats[seat].player_id, action.split(" ")[2:]
        hall.house.act(match_id, match.seats[seat].player_id, action, match.action_count)


def test_gin_is_laid_in_words_and_the_other_may_challenge_each(hall: Hall) -> None:
    match_id = hall.house.open(person("ann"), person("bob"), game="word", rules={})
    ginner, words = play_until_a_gin(hall, match_id)
    page, other = hall.page(ginner), hall.page("bob" if ginner == "ann" else "ann", **PHONE)
    for each in (page, other):
        each.goto(f"/tables/{match_id}")
        expect(each.locator(".hand .card").first).to_be_visible()
    for word in words:
        for letter in word[:-1]:
            page.locator(f'.hand [data-card^="{letter}{word[-1]}"][aria-pressed="false"]').first.click()
        page.get_by_role("button", name=f"Make the word {word[:-1]}", exact=True).click()
    page.get_by_role("button", name="face down").click()
    expect(other.get_by_role("button", name="Challenge")).to_have_count(len(words))
    assert_accessible(other)
    other.get_by_role("button", name="Challenge").first.click()
    expect(other.locator(".word-laid.stands")).to_have_count(1)
    if len(words) > 1:
        other.get_by_role("button", name="Let them stand").click()
    other.get_by_role("button", name="Show no words").click()
    for each in (page, other):
        expect(each.locator(".showdown")).to_contain_text("Gin")
    assert hall.complaints == []


def test_replay_steps_by_keys_and_its_address_leads_back(hall: Hall) -> None:
    match_id = finished(hall)
    page = hall.page()
    page.goto(f"/replays/{match_id}")
    expect(page.locator(".open-hand")).to_have_count(2)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".where")).to_contain_text("step 3 of")
    assert page.url.endswith("?hand=1&step=3")
    told = page.locator(".now").inner_text()
    other = hall.page(**PHONE)
    other.goto(page.url)
    expect(other.locator(".now")).to_have_text(told)
    page.keyboard.press("End")
    expect(page.locator(".showdown, .now").last).to_be_visible()
    assert_accessible(page)
    assert hall.complaints == []


@pytest.mark.parametrize("game", ["rummy", "word"])
def test_deals_are_verified_in_the_browser(hall: Hall, game: str) -> None:
    page = hall.page()
    page.goto(f"/replays/{finished(hall, game)}")
    expect(page.locator("[data-place=stock]")).to_contain_text("Deck" if game == "word" else "Stock")
    page.get_by_role("button", name="Verify in this browser").click()
    expect(page.locator(".verdict")).to_contain_text("Everything follows")
    expect(page.locator(".checks .bad")).to_have_count(0)
    assert hall.complaints == []


def test_without_https_a_table_is_played_and_verifying_says_what_it_needs(hall: Hall) -> None:
    context = hall.context("ann")
    # What browsers leave out of pages that come over plain HTTP from another machine.
    context.add_init_script("for (const name of ['randomUUID', 'subtle']) delete Crypto.prototype[name]")
    match_id = hall.house.open(person("ann"), person("bob"))
    if hall.house.get(f"/{match_id}").json["to_act"] == 1:
        hall.house.act(match_id, "bob", "pass", 0)
    page = hall.watched(context.new_page())
    page.goto(f"/tables/{match_id}")
    page.get_by_role("button", name="Pass", exact=True).click()
    expect(page.locator(".status")).not_to_have_class("status mine")
    page.goto(f"/replays/{finished(hall)}")
    page.get_by_role("button", name="Verify in this browser").click()
    expect(page.get_by_role("alert")).to_contain_text("only on pages that come by HTTPS")
    assert hall.complaints == []


@pytest.mark.parametrize(
    ("field", "blamed"),
    [("seed", "Commitment"), ("decks", "Deck of hand 1"), ("actions", "Seal")],
)
def test_a_record_that_was_tampered_with_fails(hall: Hall, field: str, blamed: str) -> None:
    def tamper(route: Route) -> None:
        record = route.fetch().json()
        if field == "seed":
            record["seed"] = "00" + record["seed"][2:] if record["seed"][:2] != "00" else "01" + record["seed"][2:]
        elif field == "decks":
            first, second, *rest = record["decks"][0].split(" ")
            record["decks"][0] = " ".join([second, first, *rest])
        else:
            record["actions"][0]["at"] = "2020-01-01T00:00:00+00:00"
        route.fulfill(body=json.dumps(record), content_type="application/json")

    page = hall.page()
    page.goto(f"/replays/{finished(hall)}")
    page.route("**/record", tamper)
    page.get_by_role("button", name="Verify in this browser").click()
    expect(page.locator(".verdict.bad")).to_contain_text(blamed.lower())
    expect(page.locator(".checks .bad").first).to_contain_text(blamed)


def test_table_is_accessible_while_played_and_with_melds_shown(hall: Hall) -> None:
    match_id = hall.house.open(person("ann"), person("bob"), rules={})
    first = "ann" if hall.house.get(f"/{match_id}").json["to_act"] == 0 else "bob"
    for options in ({}, PHONE):
        page = hall.page(first, **options)
        page.goto(f"/tables/{match_id}")
        expect(page.locator(".hand .card").first).to_be_visible()
        page.get_by_role("button", name="Check my melds").click()
        expect(page.locator(".advice")).to_contain_text("deadwood")
        assert_accessible(page)
    assert hall.complaints == []

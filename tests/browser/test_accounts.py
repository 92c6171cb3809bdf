"""Signing up, playing as a guest and taking part, as a person does it in a browser."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from werkzeug.utils import redirect
from werkzeug.wrappers import Request, Response

from gin_lobby.app import lobby_app
from gin_servicekit.auth import SESSION_COOKIE
from tests.browser.accessibility import assert_accessible
from tests.browser.test_pages import page, served, site
from tests.integration.lobby.conftest import Lobby, lobby

__all__ = ["lobby", "page", "site"]  # the fixtures

PASSWORD = "correct horse battery"


@pytest.fixture
def scriptless(browser: Browser, site: str) -> Iterator[Page]:
    """A browser that runs no scripts."""
    context = browser.new_context(java_script_enabled=False, base_url=site)
    yield context.new_page()
    context.close()


def sign_up(page: Page, name: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()


def test_a_stranger_signs_up_and_comes_back_signed_in(lobby: Lobby, page: Page) -> None:
    path = f"/tournaments/{lobby.tournament(name='Sunday open')}"
    page.goto(path)
    assert_accessible(page)
    page.get_by_role("main").get_by_role("link", name="Sign up").click()
    assert_accessible(page)
    sign_up(page, "Ada")
    expect(page.get_by_role("heading", name="Sunday open")).to_be_visible()
    assert page.url.endswith(path)
    expect(page.get_by_role("banner").get_by_role("link", name="Ada")).to_be_visible()
    assert page.context.cookies()[0]["httpOnly"]
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("banner").get_by_role("link", name="Sign in")).to_be_visible()


def test_what_is_wrong_is_told_at_the_field_which_is_ready_to_be_filled_again(lobby: Lobby, scriptless: Page) -> None:
    page = scriptless
    page.goto("/sign-up")
    sign_up(page, "Organiser")
    name = page.get_by_label("Name")
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(name).to_have_value("Organiser")
    expect(name).to_have_accessible_description(re.compile("is taken"))
    sign_up(page, "Ada")
    expect(page.get_by_role("banner").get_by_role("link", name="Ada")).to_be_visible()


def test_a_wrong_password_does_not_sign_in_and_the_right_one_does(lobby: Lobby, browser: Browser, site: str) -> None:
    lobby.sign_up("Ada")
    context = browser.new_context(base_url=site)
    page = context.new_page()
    page.goto("/sign-in")
    for password in ("a guess", PASSWORD):
        page.get_by_label("Name").fill("ada")
        page.get_by_label("Password").fill(password)
        page.get_by_role("main").get_by_role("button", name="Sign in").click()
        if password == "a guess":
            expect(page.get_by_text("do not fit together")).to_be_visible()
            expect(page.get_by_label("Password")).to_have_value("")
            assert_accessible(page)
    expect(page.get_by_role("banner").get_by_role("link", name="Ada")).to_be_visible()
    context.close()


def test_a_guest_who_signs_up_stays_the_same_player(lobby: Lobby, page: Page) -> None:
    """What a player has done hangs on its id: here, an entry in a tournament."""
    path = f"/tournaments/{lobby.tournament()}"
    page.goto("/sign-in")
    guest = page.evaluate("fetch('/api/v1/guests', {method: 'POST'}).then((answer) => answer.json())")
    page.goto(path)
    expect(page.get_by_role("banner").get_by_role("link", name=guest["name"])).to_be_visible()
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_role("cell", name=guest["name"])).to_be_visible()
    page.get_by_role("banner").get_by_role("link", name="Sign up").click()
    sign_up(page, "Ada")
    expect(page.get_by_role("cell", name="Ada")).to_be_visible()
    (entrant,) = lobby.see(path.removeprefix("/tournaments/"), "/entrants")["entrants"]
    assert (entrant["player_id"], entrant["name"]) == (guest["player_id"], "Ada")


def test_a_form_that_needs_a_player_gets_a_guest_in_one_click_without_scripts(lobby: Lobby, browser: Browser) -> None:
    """Whoever takes the form sends a stranger to /guest-session with 307, which keeps method and body both ways."""
    pages, received = lobby_app(lobby.service), list[tuple[str, str]]()

    def house(environment: Any, start: Any) -> Any:
        if environment["PATH_INFO"] != "/play/computer":
            return pages(environment, start)
        request = Request(environment)
        received.append((request.method, request.get_data(as_text=True)))
        if SESSION_COOKIE in request.cookies:
            return Response("<h1>Your table</h1>", mimetype="text/html")(environment, start)
        return redirect("/guest-session?next=/play/computer", 307)(environment, start)

    with served(house) as url:
        context = browser.new_context(java_script_enabled=False, base_url=url)
        page = context.new_page()
        page.goto("/")
        page.get_by_role("button", name="Play Gin Rummy").click()
        expect(page.get_by_role("heading", name="Your table")).to_be_visible()
        page.goto("/")
        expect(page.get_by_role("banner").get_by_role("link", name=re.compile("Guest [0-9]+"))).to_be_visible()
        context.close()
    assert received == [("POST", "game=rummy&bot=simple&preset=standard")] * 2


def test_a_person_enters_and_withdraws(lobby: Lobby, page: Page) -> None:
    path = f"/tournaments/{lobby.tournament(capacity=2)}"
    page.goto(f"/sign-up?next={path}")
    sign_up(page, "Ada")
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_text("You have entered.")).to_be_visible()
    expect(page.get_by_role("cell", name="Ada")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_text("You have withdrawn.")).to_be_visible()
    expect(page.get_by_role("cell", name="Ada")).to_have_count(0)


def test_the_front_page_offers_the_computer_first_and_then_what_is_on(lobby: Lobby, page: Page) -> None:
    lobby.with_bots(2, name="Friday cup", rounds=1)
    page.goto("/")
    assert_accessible(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Play the computer")
    form = page.get_by_role("form", name="Word Gin")
    form.get_by_text("Strength, rules, length").click()
    form.get_by_label("Opponent, weakest first").select_option("wordsmith")
    expect(page.get_by_role("link", name="Friday cup")).to_be_visible()
    page.get_by_role("link", name="All tournaments").click()
    expect(page.get_by_role("navigation").locator("[aria-current=page]")).to_have_text("Tournaments")
    expect(page.get_by_role("link", name="Friday cup")).to_be_visible()
    assert_accessible(page)


def test_a_bot_and_its_token_are_made_on_the_account_page(lobby: Lobby, page: Page) -> None:
    page.goto("/sign-up?next=/account")
    sign_up(page, "Ada")
    page.get_by_text("Make a bot").click()
    page.get_by_label("Name of the bot").fill("Robbie")
    page.get_by_role("button", name="Make the bot").click()
    page.get_by_role("button", name="New token for Robbie").click()
    assert page.get_by_label("Token", exact=True).input_value().startswith("eyJ")
    assert_accessible(page)
    page.get_by_role("button", name=re.compile("Revoke")).click()
    expect(page.get_by_role("cell", name="Bot Robbie")).to_have_count(0)


def test_an_unknown_page_is_told_as_a_page(lobby: Lobby, browser: Browser, site: str) -> None:
    context = browser.new_context(base_url=site)
    page = context.new_page()
    page.goto("/tournaments/nothing")
    expect(page.get_by_role("heading", name="There is no such page")).to_be_visible()
    assert_accessible(page)
    context.close()

"""The engine's pages without a browser: forms that need no script, and who may do what."""

from __future__ import annotations

import re

import pytest
from werkzeug.test import TestResponse

from gin_servicekit.auth import SESSION_COOKIE, Scope
from tests.integration.engine.house import House, bot, person

EVERYTHING = tuple(Scope)  # as a session in a browser has
SAME_SITE = {"Sec-Fetch-Site": "same-origin"}


def send(
    house: House, path: str, account: str | None, headers: dict[str, str] | None = None, **form: str
) -> TestResponse:
    if account is None:
        house.client.delete_cookie(SESSION_COOKIE)
    else:
        house.client.set_cookie(
            SESSION_COOKIE, house.token(account, EVERYTHING)["Authorization"].removeprefix("Bearer ")
        )
    return house.client.post(path, data=form, headers=SAME_SITE if headers is None else headers)


def see(house: House, path: str, account: str | None = None) -> TestResponse:
    house.client.delete_cookie(SESSION_COOKIE)
    headers = house.token(account, EVERYTHING) if account else {}
    return house.client.get(path, headers={"Accept": "text/html"} | headers)


def test_a_stranger_becomes_a_guest_first_and_keeps_the_form(house: House) -> None:
    for path in ("/play", "/play/computer", "/tables/t-1/players"):
        answer = send(house, path, None, game="rummy")
        assert (answer.status_code, answer.location) == (307, f"/guest-session?next={path}")


def test_one_click_opens_a_table_against_the_computer(house: House) -> None:
    answer = send(house, "/play/computer", "ann")
    assert answer.status_code == 303
    match_id = answer.location.removeprefix("/tables/")
    seats = house.get(f"/{match_id}").json["seats"]
    assert [(seat["player_id"], seat["bot"]) for seat in seats] == [("ann", None), ("bot-simple", "simple")]
    assert f'data-match="{match_id}"' in see(house, answer.location, "ann").text
    assert house.stored(match_id)["bot_pace_seconds"] == 1


@pytest.mark.parametrize("path", ["/play", "/play/computer"])
def test_whoever_lays_the_table_sets_the_pace_of_the_computer(house: House, path: str) -> None:
    answer = send(house, path, "ann", opponent="bot:simple", pace="calm")
    assert house.stored(answer.location.removeprefix("/tables/"))["bot_pace_seconds"] == 3
    assert send(house, path, "ann", opponent="bot:simple", pace="never").status_code == 422


@pytest.mark.parametrize("path", ["/play", "/play/computer", "/tables/t-1/players", "/tables/t-1/closing"])
def test_a_form_of_another_site_does_nothing(house: House, path: str) -> None:
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://elsewhere.example"}, {}):
        assert send(house, path, "ann", headers).status_code == 403
    with house.service.transaction() as tx:
        assert tx.scalars("SELECT count(*) FROM casual_tables") == [0]


def test_a_table_waits_is_joined_by_its_link_and_begins(house: House) -> None:
    waiting = send(house, "/play", "ann", opponent="link", rules="rummy:short", clock="usual").location
    page = see(house, waiting, "ann").text
    invitation = page.split("?invitation=")[1].split('"')[0]
    without = see(house, waiting, "bob").text
    assert invitation not in without
    assert "for whoever has its link" in without
    assert f"{waiting}/players" not in without, "no button that would be refused"
    assert f'value="{invitation}"' in see(house, f"{waiting}?invitation={invitation}", "bob").text
    assert send(house, f"{waiting}/players", "bob", invitation="guessed").status_code == 403
    assert send(house, f"{waiting}/players", "bob", invitation=invitation).location == waiting
    match = house.get(waiting.removeprefix("/tables")).json
    assert [seat["player_id"] for seat in match["seats"]] == ["ann", "bob"]
    assert match["rules"]["target"] == 50


def test_open_tables_are_listed_until_their_host_closes_them(house: House) -> None:
    waiting = send(house, "/play", "ann", opponent="open").location
    assert f"{waiting}/players" in see(house, "/play").text
    assert send(house, f"{waiting}/closing", "bob").status_code == 403
    assert send(house, f"{waiting}/closing", "ann").location == "/play"
    assert waiting not in see(house, "/play").text
    assert "closed" in see(house, waiting).text


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("rules", "chess:blitz"),
        ("rules", "rummy:none"),
        ("seats", "9"),
        ("opponent", "ghost"),
        ("opponent", "bot:ghost"),
        ("opponent", "bot:wordsmith"),
        ("clock", "never"),
    ],
)
def test_a_wish_that_cannot_be_names_the_field_and_opens_nothing(house: House, field: str, value: str) -> None:
    answer = send(house, "/play", "ann", **{field: value})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    with house.service.transaction() as tx:
        assert tx.scalars("SELECT count(*) FROM casual_tables") == [0]


def test_rules_for_three_seat_three_whatever_was_chosen(house: House) -> None:
    waiting = send(house, "/play", "ann", opponent="open", rules="rummy:rotation3", seats="2").location
    assert "1 of 3 seats taken" in see(house, waiting, "ann").text


def test_a_stranger_looks_on_without_a_seat_and_replays_only_what_is_over(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"))
    assert 'data-seat=""' in see(house, f"/tables/{match_id}").text
    assert 'data-seat="0"' in see(house, f"/tables/{match_id}", "ann").text
    assert "replay.js" not in see(house, f"/replays/{match_id}").text
    over = house.open(bot("robin"), bot("rowan"))
    while house.get(f"/{over}").json["state"] == "playing":
        house.play()
    assert "replay.js" in see(house, f"/replays/{over}").text
    for path in ("/tables/none", "/replays/none", "/tables/%00"):
        assert see(house, path).status_code == 404


def test_an_arbiter_decides_on_a_page(house: House) -> None:
    match_id = house.open(
        person("ann"), person("bob"), tournament_id="t1", rules={"fixed_hands": 3}, arbiters=["judge"]
    )
    page = f"/tables/{match_id}/arbiter"
    assert "Hand 1 is being played" in see(house, page, "judge").text
    assert [see(house, page, who).status_code for who in ("ann", "eve")] == [403, 403]
    assert [send(house, f"{page}/void_hand", who, hand="1", reason="x").status_code for who in ("ann", "eve")] == [
        403
    ] * 2
    assert send(house, f"{page}/redeal", "judge", {}, hand="1").status_code == 403
    assert send(house, f"{page}/redeal", "judge", hand="1").location == f"{page}?done=redeal"
    assert send(house, f"{page}/void_hand", "judge", hand="1", reason="a card was seen").status_code == 303
    shown = see(house, page, "judge").text
    assert "Hand 2 is being played" in shown
    assert "a card was seen" in shown


def test_an_arbiter_decides_about_the_hand_that_is_played_where_no_hands_are_shown(house: House) -> None:
    """Of tables that share their cards: which hand it is everybody knows."""
    shared = {"rules": {"fixed_hands": 2}, "first_dealer": 0, "deal_id": "t1/round 1", "deal_tables": 2}
    match_id = house.open(person("ann"), person("bob"), tournament_id="t1", arbiters=["judge"], **shared)
    page = f"/tables/{match_id}/arbiter"
    assert send(house, f"{page}/void_hand", "judge", hand="1", reason="a card was seen").status_code == 303
    shown = see(house, page, "judge").text
    assert "Hand 2 is being played" in shown
    assert "Other tables play the same cards" in shown
    assert re.findall(r'type="hidden" name="hand" value="(\d+)"', shown) == ["2", "2"]
    assert send(house, f"{page}/redeal", "judge", hand="2").status_code == 303


def test_a_match_that_was_void_from_the_start_is_called_so_on_the_arbiters_page(house: House) -> None:
    match_id = house.open(person("ann"), person("bob"), rules={"target": -1}, tournament_id="t1", arbiters=["judge"])
    shown = see(house, f"/tables/{match_id}/arbiter", "judge").text
    assert "no card was dealt" in shown
    assert "Other tables" not in shown


def test_what_an_arbiter_typed_wrong_is_told_and_kept(house: House) -> None:
    match_id = house.open(
        person("ann"), person("bob"), tournament_id="t1", rules={"fixed_hands": 3}, arbiters=["judge"]
    )
    page = f"/tables/{match_id}/arbiter"
    wrong = [
        ("void_hand", {"hand": "9", "reason": "kept"}),
        ("void_hand", {"hand": "-1", "reason": "kept"}),
        ("void_hand", {"hand": "", "reason": "kept"}),
        ("correct", {"hand": "1", "points": "4", "reason": "kept"}),
        ("correct", {"hand": "1", "points": "four", "reason": "kept"}),
        ("forfeit", {"seat": "2", "reason": "kept"}),
        ("forfeit", {"seat": "", "reason": "kept"}),
    ]
    for form, typed in wrong:
        answer = send(house, f"{page}/{form}", "judge", **typed)
        assert answer.status_code == 422 or (form, answer.status_code) == ("void_hand", 409), (
            form,
            typed,
            answer.status_code,
        )
        assert 'role="alert"' in answer.text
        assert "kept" in answer.text
    assert send(house, f"{page}/forfeit", "judge", seat="0", reason=" ").status_code == 422
    assert send(house, f"{page}/nothing", "judge").status_code == 404
    assert house.get(f"/{match_id}").json["state"] == "playing"
    assert send(house, f"{page}/forfeit", "judge", seat="0", reason="left the hall").status_code == 303
    assert "The match is over" in see(house, page, "judge").text
    assert send(house, f"{page}/redeal", "judge", hand="1").status_code == 409

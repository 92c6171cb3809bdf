"""/account/webhooks: all that REST offers, with forms that need no script."""

import re
from typing import Any

from flask.testing import FlaskClient

from tests.integration.lobby.browsing import browser, send, signed_up
from tests.integration.lobby.hooking import Hooks, hooks

__all__ = ["hooks"]  # the fixture
PAGE = "/account/webhooks"
FORM = {"url": "", "description": "Our site", "events": "round.paired", "about": "all"}


def make(hooks: Hooks, page: FlaskClient, **changes: Any) -> Any:
    return send(page, PAGE, **(FORM | {"url": hooks.there.url} | changes))


def one(page: FlaskClient) -> Any:
    (webhook,) = page.get("/api/v1/webhooks").json["webhooks"]
    return webhook


def test_a_webhook_is_made_tried_out_changed_paused_and_removed(hooks: Hooks) -> None:
    page, _ = signed_up(hooks.lobby, "Ada")
    made = make(hooks, page)
    assert (made.status_code, made.headers["Cache-Control"]) == (201, "no-store")
    secret = re.search(r"whsec_[\w+/=]+", made.text)
    assert secret is not None
    at = f"{PAGE}/{one(page)['webhook_id']}"
    assert secret[0] not in page.get(at).text
    assert f'href="{at}"' in page.get(PAGE).text
    assert send(page, f"{at}/ping").location == f"{at}?done=ping"
    assert "a ping is on its way already" in send(page, f"{at}/ping").text
    hooks.send()
    assert "<code>ping</code>" in page.get(at).text
    event_id = hooks.there.ids()[0]
    assert send(page, f"{at}/deliveries/{event_id}/redelivery").status_code == 303
    hooks.send()
    assert hooks.there.ids() == [event_id] * 2
    tournament_id = hooks.lobby.tournament()
    changed = FORM | {
        "url": hooks.there.url,
        "about": "one",
        "which": f"https://x.example/tournaments/{tournament_id}/",
    }
    assert send(page, at, **changed, version="1").location == f"{at}?done=edit"
    assert one(page)["tournament_id"] == tournament_id
    assert send(page, at, **changed, version="1").status_code == 412
    assert send(page, f"{at}/pause").status_code == 303
    assert one(page)["state"] == "paused"
    assert send(page, f"{at}/resumption").status_code == 303
    renewed = send(page, f"{at}/secret")
    assert "whsec_" in renewed.text
    assert secret[0] not in renewed.text
    assert send(page, f"{at}/removal").location == PAGE
    assert page.get(at, headers={"Accept": "text/html"}).status_code == 404


def test_what_is_wrong_is_told_at_its_field_and_what_was_typed_is_kept(hooks: Hooks) -> None:
    page, _ = signed_up(hooks.lobby, "Ada")
    nobodys = "01990000-0000-7000-8000-000000000001"
    for changes, field in (
        ({"url": "https://user:word@club.example/"}, "url"),
        ({"description": "x" * 201}, "description"),
        ({"about": "one", "which": "the big one"}, "which"),
        ({"about": "one", "which": f"/tournaments/{nobodys}"}, "which"),
        ({"about": "one", "which": f"/series/{nobodys}"}, "which"),
    ):
        answer = make(hooks, page, **changes)
        assert answer.status_code == 422
        assert f'id="{field}-error"' in answer.text
        assert 'value="round.paired" checked' in answer.text
    nothing = send(page, PAGE, url=hooks.there.url, about="all", description="")
    assert (nothing.status_code, "What shall it be told?" in nothing.text) == (422, True)
    assert page.get("/api/v1/webhooks").json["webhooks"] == []


def test_nobody_sees_or_touches_the_webhook_of_another_on_a_page(hooks: Hooks) -> None:
    page, _ = signed_up(hooks.lobby, "Ada")
    make(hooks, page)
    at = f"{PAGE}/{one(page)['webhook_id']}"
    send(page, f"{at}/ping")
    hooks.send()
    before = one(page)
    other, _ = signed_up(hooks.lobby, "Bob")
    assert other.get(at, headers={"Accept": "text/html"}).status_code == 404
    for what in (
        "",
        "/ping",
        "/pause",
        "/resumption",
        "/secret",
        "/removal",
        f"/deliveries/{hooks.there.ids()[0]}/redelivery",
    ):
        assert send(other, f"{at}{what}", **FORM, version="1").status_code == 404, what
    assert one(page) == before
    guest = browser(hooks.lobby)
    guest.post("/api/v1/guests", headers={"Sec-Fetch-Site": "same-origin"})
    assert "sign up" in guest.get(PAGE).text

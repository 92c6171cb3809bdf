"""Webhooks by REST: made, changed, paused, given a new secret, and nobody's but their owner's."""

from datetime import timedelta
from typing import Any

from gin_lobby.use_cases.webhooks import MOST_WEBHOOKS
from tests.integration.lobby.browsing import PASSWORD, SAME, browser
from tests.integration.lobby.conftest import Lobby
from tests.integration.lobby.hooking import WEBHOOKS, Hooks, hooks
from tests.support.services import token_for

__all__ = ["hooks"]  # the fixture
URL = "https://club.example/hook"


def plan(**changes: Any) -> dict[str, Any]:
    return {"url": URL, "events": ["round.paired"]} | changes


def test_the_secret_is_told_when_it_is_made_and_replaced_and_nowhere_else(lobby: Lobby) -> None:
    made = lobby.organiser.post(WEBHOOKS, plan(description="Our site"))
    assert made.status_code == 201
    assert made.json["secret"].startswith("whsec_")
    at = f"{WEBHOOKS}/{made.json['webhook_id']}"
    shown = {name: value for name, value in made.json.items() if name != "secret"}
    assert lobby.organiser.get(at).json == shown
    assert lobby.organiser.get(WEBHOOKS).json == {"webhooks": [shown], "next_cursor": None}
    renewed = lobby.organiser.post(f"{at}/secret")
    assert renewed.status_code == 201
    assert renewed.json["secret"] not in (made.json["secret"], "")
    assert "secret" not in lobby.organiser.get(at).json


def test_the_same_key_makes_one_webhook_and_tells_its_secret_again(lobby: Lobby) -> None:
    answers = [lobby.organiser.post(WEBHOOKS, plan(), headers={"Idempotency-Key": "once"}) for _ in range(2)]
    assert answers[0].json == answers[1].json
    assert len(lobby.organiser.get(WEBHOOKS).json["webhooks"]) == 1


def test_what_is_wrong_is_told_at_its_field_and_nothing_is_made(lobby: Lobby) -> None:
    nobodys = "01990000-0000-7000-8000-000000000001"
    faults: list[tuple[dict[str, Any], str]] = [
        ({"url": "http://club.example/hook"}, "url"),
        ({"url": "https://127.0.0.1/hook"}, "url"),
        ({"url": "https://[::ffff:10.0.0.1]/hook"}, "url"),
        ({"url": "https://a:b@club.example/"}, "url"),
        ({"url": ""}, "url"),
        ({"events": []}, "events"),
        ({"events": ["round.paired", "moon.full"]}, "events.1"),
        ({"events": ["ping"]}, "events.0"),
        ({"tournament_id": nobodys}, "tournament_id"),
        ({"series_id": nobodys}, "series_id"),
        ({"tournament_id": lobby.tournament(), "mine": True}, "mine"),
        ({"description": "x" * 201}, "description"),
    ]
    for changes, field in faults:
        answer = lobby.organiser.post(WEBHOOKS, plan(**changes))
        assert answer.status_code == 422, changes
        assert [error["field"] for error in answer.json["errors"]] == [field]
    assert lobby.organiser.get(WEBHOOKS).json["webhooks"] == []


def test_a_draft_can_be_chosen_by_who_sees_it_alone(lobby: Lobby) -> None:
    ada, _ = lobby.sign_up("Ada")
    starts_at = (lobby.clock() + timedelta(hours=1)).isoformat()
    body = {"name": "Secret", "rounds": 3, "starts_at": starts_at, "draft": True}
    draft = lobby.organiser.post("/api/v1/tournaments", body).json["tournament_id"]
    assert ada.post(WEBHOOKS, plan(tournament_id=draft)).status_code == 422
    assert lobby.organiser.post(WEBHOOKS, plan(tournament_id=draft)).status_code == 201


def test_a_change_names_the_version_that_it_changes(lobby: Lobby) -> None:
    made = lobby.organiser.post(WEBHOOKS, plan()).json
    at = f"{WEBHOOKS}/{made['webhook_id']}"
    read = lobby.organiser.get(at)
    assert lobby.organiser.patch(at, {"mine": True}).status_code == 428
    changed = lobby.organiser.patch(
        at, {"events": ["standings.changed", "round.paired"]}, headers={"If-Match": read.headers["ETag"]}
    )
    assert changed.status_code == 200
    assert (changed.json["events"], changed.json["url"]) == (["round.paired", "standings.changed"], URL)
    late = lobby.organiser.patch(at, {"mine": True}, headers={"If-Match": read.headers["ETag"]})
    assert late.status_code == 412
    bad = lobby.organiser.patch(at, {"url": "https://10.0.0.1/"}, headers={"If-Match": changed.headers["ETag"]})
    assert (bad.status_code, lobby.organiser.get(at).json["url"]) == (422, URL)


def test_nobody_finds_or_touches_the_webhook_of_another_not_even_an_administrator(lobby: Lobby) -> None:
    made = lobby.organiser.post(WEBHOOKS, plan()).json
    event = lobby.organiser.post(f"{WEBHOOKS}/{made['webhook_id']}/ping").json["event_id"]
    ada, ada_id = lobby.sign_up("Ada")
    at = f"{WEBHOOKS}/{made['webhook_id']}"
    before = lobby.organiser.get(at).json
    for who in (ada, lobby.anonymous.as_(token_for(ada_id, administrator=True))):
        answers = [
            who.get(at),
            who.patch(at, {"mine": True}, headers={"If-Match": "*"}),
            who.delete(at),
            who.post(f"{at}/pause"),
            who.delete(f"{at}/pause"),
            who.post(f"{at}/secret"),
            who.post(f"{at}/ping"),
            who.get(f"{at}/deliveries"),
            who.get(f"{at}/deliveries/{event}"),
            who.post(f"{at}/deliveries/{event}/redelivery"),
        ]
        assert [answer.status_code for answer in answers] == [404] * 10
        assert who.get(WEBHOOKS).json["webhooks"] == []
    assert lobby.organiser.get(at).json == before


def test_guests_and_bots_have_none_and_an_account_only_so_many(lobby: Lobby) -> None:
    guest = browser(lobby)
    guest.post("/api/v1/guests", headers=SAME)
    assert guest.post(WEBHOOKS, json=plan(), headers=SAME).status_code == 403
    bot = lobby.organiser.post("/api/v1/players", {"name": "Robbie", "kind": "bot"}).json["player_id"]
    token = lobby.organiser.post(f"/api/v1/players/{bot}/tokens", {}).json["token"]
    assert lobby.anonymous.as_(token).post(WEBHOOKS, plan()).status_code == 403
    made = [lobby.organiser.post(WEBHOOKS, plan()).status_code for _ in range(MOST_WEBHOOKS + 1)]
    assert made == [201] * MOST_WEBHOOKS + [409]
    pages = lobby.organiser.get(f"{WEBHOOKS}?limit=15").json
    rest = lobby.organiser.get(f"{WEBHOOKS}?limit=15&cursor={pages['next_cursor']}").json
    assert (len(pages["webhooks"]), len(rest["webhooks"]), rest["next_cursor"]) == (15, 5, None)


def test_webhooks_of_a_deleted_account_are_told_nothing_more_not_even_what_waited(hooks: Hooks) -> None:
    lobby = hooks.lobby
    ada, _ = lobby.sign_up("Ada")
    hooks.make(ada, events=["tournament.announced"])
    lobby.tournament()
    hooks.spread()
    assert ada.post("/api/v1/accounts/me/deletion", {"password": PASSWORD}).status_code == 200
    lobby.tournament()
    assert hooks.send() == 0
    assert hooks.told() == []


def test_a_paused_webhook_is_not_pinged_and_goes_on_with_what_waited_but_not_with_what_it_missed(hooks: Hooks) -> None:
    lobby = hooks.lobby
    made = hooks.make(events=["tournament.announced"])
    at = f"{WEBHOOKS}/{made['webhook_id']}"
    first = lobby.tournament(name="Before")
    hooks.spread()
    assert lobby.organiser.post(f"{at}/pause").json["state"] == "paused"
    assert lobby.organiser.post(f"{at}/pause").status_code == 200, "once more is no fault"
    assert lobby.organiser.post(f"{at}/ping").json["type"] == "urn:ginhall:problem:webhook-not-active"
    lobby.tournament(name="Meanwhile")
    assert hooks.send() == 0
    assert lobby.organiser.delete(f"{at}/pause").json["state"] == "active"
    assert hooks.send() == 1
    assert hooks.told()[0]["data"]["tournament_id"] == first


def test_what_has_waited_for_days_is_not_sent_any_more_when_it_goes_on(hooks: Hooks) -> None:
    made = hooks.make()
    hooks.ping(made)
    hooks.lobby.organiser.post(f"{WEBHOOKS}/{made['webhook_id']}/pause")
    hooks.lobby.clock.move(days=5)
    hooks.lobby.organiser.delete(f"{WEBHOOKS}/{made['webhook_id']}/pause")
    assert hooks.send() == 0
    assert [d["state"] for d in hooks.deliveries(made)] == ["failed"]


def test_deliveries_are_listed_looked_at_and_sent_again_under_their_own_id(hooks: Hooks) -> None:
    made = hooks.make()
    at = f"{WEBHOOKS}/{made['webhook_id']}"
    events = []
    for _ in range(3):
        events.append(hooks.ping(made))
        assert hooks.lobby.organiser.post(f"{at}/ping").json["type"] == "urn:ginhall:problem:delivery-waits"
        hooks.send()
    page = hooks.lobby.organiser.get(f"{at}/deliveries?limit=2").json
    assert [d["event_id"] for d in page["deliveries"]] == events[:0:-1]
    rest = hooks.lobby.organiser.get(f"{at}/deliveries?limit=2&cursor={page['next_cursor']}").json
    assert [d["event_id"] for d in rest["deliveries"]] == events[:1]
    assert hooks.deliveries(made, "?state=failed") == []
    one = hooks.lobby.organiser.get(f"{at}/deliveries/{events[0]}").json
    assert one["body"] == hooks.told()[0]
    assert (one["state"], one["status"], one["attempts"], one["next_attempt_at"]) == ("delivered", 204, 1, None)
    assert hooks.lobby.organiser.post(f"{at}/deliveries/{events[0]}/redelivery").json["state"] == "waiting"
    again = hooks.lobby.organiser.post(f"{at}/deliveries/{events[0]}/redelivery")
    assert again.json["type"] == "urn:ginhall:problem:delivery-waits"
    hooks.send()
    assert hooks.there.ids() == [*events, events[0]]


def test_a_webhook_that_is_removed_takes_along_what_waited(hooks: Hooks) -> None:
    made = hooks.make()
    hooks.ping(made)
    assert hooks.lobby.organiser.delete(f"{WEBHOOKS}/{made['webhook_id']}").status_code == 204
    assert hooks.lobby.organiser.get(f"{WEBHOOKS}/{made['webhook_id']}").status_code == 404
    assert hooks.send() == 0

"""Deliveries: signed, repeated until they arrive, made by one worker at a time, and to nobody who must not be asked."""

import importlib.util
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook as Verifier

from gin_lobby.domain.webhooks import RETRY_AFTER
from gin_lobby.use_cases import webhook_delivery
from gin_lobby.use_cases.webhook_delivery import LEASE, Attempt
from gin_lobby.webhook_runners import WebhookRunners, send_one, sender, tidy_webhooks
from gin_servicekit.auth import SESSION_COOKIE
from gin_servicekit.outgoing import Outcome, Timeouts
from tests.integration.lobby.browsing import browser
from tests.integration.lobby.hooking import WEBHOOKS, Hooks, hooks
from tests.support.receiver import serving

__all__ = ["hooks"]  # the fixture
SHORT = Timeouts(connect=1, whole=0.3)
EXAMPLE = Path(__file__).parents[3] / "examples" / "webhook_receiver.py"


def claim(hooks: Hooks) -> Attempt | None:
    with hooks.lobby.service.transaction() as tx:
        return webhook_delivery.claim_attempt(tx, "http://hall.example")


def settle(hooks: Hooks, attempt: Attempt, outcome: Outcome) -> None:
    with hooks.lobby.service.transaction() as tx:
        webhook_delivery.settle_attempt(tx, attempt.claim, outcome, 0.5)


@contextmanager
def example(secret: str, told: list[Any]) -> Iterator[str]:
    """The receiver of the documentation, with an address."""
    spec = importlib.util.spec_from_file_location("webhook_receiver", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with serving(module.Receiver(("127.0.0.1", 0), secret, told.append)) as url:
        yield url


def test_the_receiver_of_the_documentation_believes_the_house_and_drops_doubles(hooks: Hooks) -> None:
    made, told = hooks.make(), list[Any]()
    at = f"{WEBHOOKS}/{made['webhook_id']}"
    with example(made["secret"], told) as url:
        hooks.lobby.organiser.patch(at, {"url": url}, headers={"If-Match": "*"})
        event = hooks.ping(made)
        assert hooks.send() == 1
        hooks.lobby.organiser.post(f"{at}/deliveries/{event}/redelivery")
        assert hooks.send() == 1
        assert [t["type"] for t in told] == ["ping"], "twice sent, once done"
        assert told[0]["data"]["webhook_id"] == made["webhook_id"]
        (delivery,) = hooks.deliveries(made)
        assert (delivery["state"], delivery["attempts"], delivery["status"]) == ("delivered", 2, 204)
    with example("whsec_" + "A" * 43 + "=", told) as url:
        hooks.lobby.organiser.patch(at, {"url": url}, headers={"If-Match": "*"})
        hooks.ping(made)
        hooks.send()
        assert len(told) == 1
        assert hooks.deliveries(made)[0]["status"] == 401, "who has another secret does not believe it"


def test_after_an_error_and_after_silence_it_comes_again_under_the_same_id(hooks: Hooks) -> None:
    made = hooks.make()
    hooks.there.answers = [500, "hang"]
    event = hooks.ping(made)
    assert hooks.send() == 1
    (delivery,) = hooks.deliveries(made)
    assert (delivery["state"], delivery["status"], delivery["problem"]) == ("waiting", 500, "it answered 500")
    assert hooks.send() == 0, "not before it is time"
    hooks.lobby.clock.move(seconds=6)
    assert hooks.send(SHORT) == 1
    (delivery,) = hooks.deliveries(made)
    assert (delivery["status"], delivery["problem"]) == (None, "no answer in time")
    hooks.lobby.clock.move(minutes=6)
    assert hooks.send() == 1
    assert hooks.there.ids() == [event] * 3
    stamps = [int(headers["webhook-timestamp"]) for headers, _ in hooks.there.received]
    assert stamps[1] - stamps[0] == 6, "the time is that of the attempt"
    assert len({body for _, body in hooks.there.received}) == 1
    (delivery,) = hooks.deliveries(made)
    assert (delivery["state"], delivery["attempts"]) == ("delivered", 3)


def test_while_the_secret_is_replaced_both_verify_and_a_day_later_the_new_one_alone(hooks: Hooks) -> None:
    made = hooks.make()
    renewed = hooks.lobby.organiser.post(f"{WEBHOOKS}/{made['webhook_id']}/secret").json
    hooks.ping(made)
    hooks.send()
    ((headers, body),) = hooks.there.received
    for secret in (made["secret"], renewed["secret"]):
        assert Verifier(secret).verify(body, headers)["type"] == "ping"
    # The clock of the house runs ahead of the receiver's from here on: only the number of signatures can be told.
    hooks.lobby.clock.move(hours=25)
    hooks.ping(made)
    hooks.send()
    assert len(hooks.there.received[1][0]["webhook-signature"].split()) == 1


def test_two_workers_never_make_the_same_attempt(hooks: Hooks) -> None:
    made = hooks.make()
    hooks.ping(made)
    start, claimed = threading.Barrier(4), list[Attempt | None]()

    def work() -> None:
        start.wait()
        claimed.append(claim(hooks))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(attempt is not None for attempt in claimed) == 1


def test_what_a_worker_took_along_into_its_grave_comes_again_under_the_same_id(hooks: Hooks) -> None:
    made = hooks.make()
    event = hooks.ping(made)
    taken = claim(hooks)
    assert taken is not None
    assert hooks.send() == 0, "it may still be at it"
    hooks.lobby.clock.move(seconds=LEASE.total_seconds() + 1)
    assert hooks.send() == 1
    assert hooks.there.ids() == [event]
    # And if it was only slow, what it says about its own attempt neither undoes nor repeats anything.
    settle(hooks, taken, Outcome(status=500))
    assert hooks.deliveries(made)[0]["state"] == "delivered"
    assert hooks.send() == 0


def test_what_a_slow_worker_says_late_takes_nobodys_turn(hooks: Hooks) -> None:
    made = hooks.make()
    hooks.ping(made)
    slow = claim(hooks)
    hooks.lobby.clock.move(seconds=LEASE.total_seconds() + 1)
    quick = claim(hooks)
    assert slow is not None
    assert quick is not None
    settle(hooks, slow, Outcome(problem="no answer in time"))
    assert claim(hooks) is None, "the other one is still at it"
    settle(hooks, quick, Outcome(status=200))
    assert hooks.deliveries(made)[0]["state"] == "delivered"


def test_a_receiver_that_wants_no_more_is_told_no_more_and_its_owner_is_told_so(hooks: Hooks) -> None:
    made = hooks.make()
    hooks.there.answers = [410]
    hooks.ping(made)
    hooks.send()
    webhook = hooks.webhook(made)
    assert (webhook["state"], "410 Gone" in webhook["disabled_because"]) == ("disabled", True)
    hooks.lobby.tournament()
    hooks.lobby.clock.move(days=1)
    assert hooks.send() == 0
    page = browser(hooks.lobby)
    page.set_cookie(SESSION_COOKIE, str(hooks.lobby.organiser.token))
    assert '1<span class="visually-hidden"> new</span>' in page.get("/account").text
    assert "410 Gone" in page.get("/notices").text
    assert hooks.lobby.organiser.delete(f"{WEBHOOKS}/{made['webhook_id']}/pause").json["disabled_because"] is None
    hooks.ping(made)
    assert hooks.send() == 1


def test_a_receiver_that_fails_for_days_is_given_up(hooks: Hooks) -> None:
    made = hooks.make()
    hooks.there.answers = [500] * 20
    hooks.ping(made)
    hooks.send()
    for pause in RETRY_AFTER:
        assert hooks.webhook(made)["state"] == "active"
        hooks.lobby.clock.move(seconds=pause.total_seconds() * 1.2 + 1)
        assert hooks.send() == 1
    assert hooks.webhook(made)["state"] == "disabled"
    assert "in a row failed" in hooks.webhook(made)["disabled_because"]
    assert hooks.deliveries(made)[0]["state"] == "failed"
    assert len(set(hooks.there.ids())) == 1
    assert len(hooks.there.received) == 10


def test_a_success_between_failures_forgives_them(hooks: Hooks) -> None:
    made = hooks.make()
    for answers in ([500, 204], [500, 204], [500, 204], [500, 204]):
        hooks.there.answers = list(answers)
        hooks.ping(made)
        hooks.send()
        hooks.lobby.clock.move(seconds=6)
        assert hooks.send() == 1, "it is never held back"


def test_an_overloaded_receiver_is_left_alone_with_everything(hooks: Hooks) -> None:
    made = hooks.make()
    hooks.there.answers = [(429, {"Retry-After": "60"})]
    hooks.ping(made)
    hooks.send()
    hooks.lobby.tournament()
    assert hooks.send() == 0
    hooks.lobby.clock.move(seconds=61)
    assert hooks.send() >= 2


def test_an_event_that_cannot_be_written_down_holds_up_no_other(hooks: Hooks) -> None:
    made = hooks.make()
    broken = hooks.ping(made)
    with hooks.lobby.service.transaction() as tx:
        tx.execute("UPDATE webhook_events SET type = 'moon.full' WHERE event_id = %s", (broken,))
    hooks.lobby.tournament()
    assert hooks.send() == 2
    assert broken not in hooks.there.ids()


def test_a_redirect_is_a_failure_and_is_not_followed(hooks: Hooks) -> None:
    made = hooks.make()
    hooks.there.answers = [(307, {"Location": hooks.there.url})]
    hooks.ping(made)
    hooks.send()
    assert len(hooks.there.received) == 1
    assert hooks.deliveries(made)[0]["problem"] == "it answered 307, and redirects are not followed"


def test_a_house_that_turns_public_asks_nobody_inside_any_more(hooks: Hooks) -> None:
    made = hooks.make(url=hooks.there.url.replace("http://127.0.0.1", "http://localhost"))
    hooks.ping(made)
    service = hooks.lobby.service
    public = replace(service, settings=replace(service.settings, webhooks_local=False))
    assert send_one(public, sender(public))
    assert hooks.there.received == []
    assert hooks.deliveries(made)[0]["problem"] == "it must begin with https://: plain http is not sent to"


def test_one_receiver_that_hangs_holds_up_no_other(hooks: Hooks) -> None:
    stuck, well = hooks.make(description="stuck"), hooks.make(description="well")
    hooks.there.answers = ["hang"]
    runners = WebhookRunners(send=sender(hooks.lobby.service))
    hooks.ping(stuck)
    runners.tick(hooks.lobby.service)
    hooks.there.wait_for_one()
    event = hooks.ping(well)
    runners.tick(hooks.lobby.service)
    hooks.there.wait_for_one()
    assert hooks.there.ids()[1] == event
    hooks.there.released.set()
    for thread in threading.enumerate():
        if thread.name == "webhooks":
            thread.join()
    assert [hooks.deliveries(webhook)[0]["state"] for webhook in (stuck, well)] == ["waiting", "delivered"]


def test_what_is_old_is_forgotten_and_who_is_far_behind_is_given_up(
    hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = hooks.make()
    hooks.ping(made)
    hooks.send()
    hooks.lobby.clock.move(days=29)
    tidy_webhooks(hooks.lobby.service)
    assert len(hooks.deliveries(made)) == 1
    hooks.lobby.clock.move(days=2)
    tidy_webhooks(hooks.lobby.service)
    assert hooks.deliveries(made) == []
    monkeypatch.setattr(webhook_delivery, "MOST_WAITING", 1)
    for _ in range(2):
        hooks.lobby.tournament()
    hooks.spread()
    tidy_webhooks(hooks.lobby.service)
    assert hooks.webhook(made)["state"] == "disabled"


def test_operators_see_what_waits(hooks: Hooks) -> None:
    hooks.ping(hooks.make())
    hooks.lobby.clock.move(seconds=30)
    metrics = hooks.lobby.anonymous.client.get("/metrics").text
    assert "webhook_deliveries_waiting 1.0" in metrics
    assert "webhook_oldest_seconds 30.0" in metrics

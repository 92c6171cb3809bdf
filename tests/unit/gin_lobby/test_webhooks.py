"""Webhooks without a database: when an attempt is made again, how a message looks, and that receivers are told all."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from gin_lobby.domain.webhooks import (
    EVENTS,
    RETRY_AFTER,
    EventType,
    encoded,
    hold_after,
    is_given_up,
    message,
    new_secret,
    next_attempt,
    signed_headers,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ID = UUID("01990000-0000-7000-8000-000000000001")
DOCS = Path(__file__).parents[3] / "docs" / "webhooks.md"


def pauses(chance: float) -> list[timedelta]:
    found, failed = [], 1
    while (at := next_attempt(failed, NOW, chance, None)) is not None:
        found.append(at - NOW)
        failed += 1
    return found


def test_an_event_is_tried_ten_times_within_about_three_days_each_later_than_the_last() -> None:
    assert pauses(0.5) == list(RETRY_AFTER)
    assert timedelta(days=3) < sum(pauses(0.5), timedelta()) < timedelta(days=3.5)
    for chance in (0.0, 1.0):
        assert len(pauses(chance)) == 9
        assert pauses(chance) == sorted(pauses(chance))
    assert pauses(0.0)[0] < pauses(1.0)[0], "those that fail together do not come back together"


def test_a_receiver_may_ask_for_a_longer_pause_but_not_for_ever() -> None:
    assert next_attempt(1, NOW, 0.5, timedelta(minutes=10)) == NOW + timedelta(minutes=10)
    assert next_attempt(2, NOW, 0.5, timedelta(seconds=1)) == NOW + timedelta(minutes=5)
    assert next_attempt(1, NOW, 0.5, timedelta(days=365)) == NOW + timedelta(hours=24)


def test_a_receiver_that_fails_again_and_again_is_left_alone_longer_and_longer() -> None:
    holds = [hold_after(failures, 500, None) for failures in range(1, 20)]
    assert holds[:2] == [timedelta(), timedelta()], "one bad event holds up no other"
    assert holds == sorted(holds)
    assert holds[-1] == timedelta(minutes=10)
    assert hold_after(1, 429, None) > timedelta(), "who says that it is too much is believed at once"
    assert hold_after(1, 503, timedelta(hours=1)) == timedelta(hours=1)


@pytest.mark.parametrize(
    ("failures", "hours", "given_up"), [(9, 100, False), (10, 59, False), (10, 60, True), (1000, 1, False)]
)
def test_it_takes_both_many_failures_and_days_to_be_given_up(failures: int, hours: int, given_up: bool) -> None:
    assert is_given_up(failures, NOW - timedelta(hours=hours), NOW) is given_up


def test_each_secret_verifies_what_several_have_signed_and_no_other_does() -> None:
    first, second, stranger = new_secret(), new_secret(), new_secret()
    body = encoded(message("ping", NOW, {"webhook_id": "ü"}, "https://hall.example"))
    headers = signed_headers(ID, datetime.now(UTC), body, [first, second])
    assert len(headers["webhook-signature"].split(" ")) == 2
    for secret in (first, second):
        assert Verifier(secret).verify(body.encode(), headers)["type"] == "ping"
    with pytest.raises(WebhookVerificationError):
        Verifier(stranger).verify(body.encode(), headers)
    with pytest.raises(WebhookVerificationError):
        Verifier(first).verify(body.replace("ping", "pong").encode(), headers)


def test_a_secret_has_the_form_and_size_that_the_specification_asks_for() -> None:
    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", new_secret())
    assert new_secret() != new_secret()


def test_a_message_tells_what_when_and_where_to_look() -> None:
    data = {"tournament_id": str(ID), "round": 3}
    assert message("round.paired", NOW, data, "https://hall.example") == {
        "type": "round.paired",
        "timestamp": "2026-11-30T12:00:00Z",
        "data": {
            "tournament_id": str(ID),
            "round": 3,
            "urls": {
                "tournament": f"https://hall.example/api/v1/tournaments/{ID}",
                "pairings": f"https://hall.example/api/v1/tournaments/{ID}/pairings?round=3",
                "standings": f"https://hall.example/api/v1/tournaments/{ID}/standings?round=3",
            },
        },
    }


def test_every_type_of_event_is_named_as_the_specification_asks_and_is_in_the_table_of_the_documentation() -> None:
    assert set(EVENTS) == set(EventType)
    assert all(re.fullmatch(r"[a-z_]+(\.[a-z_]+)*", kind.value) for kind in EventType)
    rows = re.findall(r"^\| `([a-z_.]+)` \| (.+?) \| (.+?) \| (.+?) \|$", DOCS.read_text("utf-8"), re.MULTILINE)
    told = {name: (about, re.findall(r"\w+", fields), re.findall(r"\w+", urls)) for name, about, fields, urls in rows}
    assert told == {kind.value: (k.about, list(k.fields), list(k.urls)) for kind, k in EVENTS.items()}


def test_messages_are_small() -> None:
    seats = {"tournament_id": str(ID), "round": 1, "match_id": str(ID), "seats": [str(ID)] * 4}
    assert len(json.dumps(message("match.opened", NOW, seats, "https://hall.example"))) < 2_000

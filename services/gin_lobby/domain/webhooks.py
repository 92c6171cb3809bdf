"""Webhooks as the lobby keeps them: what they may be told, how a message looks, and when it is sent again.

Signatures, headers and retries are those of the Standard Webhooks specification; docs/webhooks.md tells receivers.
"""

from __future__ import annotations

import base64
import enum
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, NewType
from uuid import UUID

from standardwebhooks import Webhook as Signer

WebhookId = NewType("WebhookId", UUID)
EventId = NewType("EventId", UUID)

SECRET_BYTES = 32
OLD_SECRET_SIGNS_FOR = timedelta(hours=24)
MOST_SECRETS = 4  # that sign at a time

# After the first attempt, which is made at once: about three days in all.
RETRY_AFTER = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=20),
    timedelta(hours=24),
)
JITTER = 0.2  # of each of these, in either direction
GIVE_UP_AFTER = timedelta(days=4)  # older events are not sent any more when a webhook goes on
GONE = 410
OVERLOADED = frozenset({429, 502, 503, 504})
HOLD_FIRST, HOLD_LONGEST = timedelta(seconds=5), timedelta(minutes=10)
FAILURES_BEFORE_HOLD = 3
DISABLE_AFTER_FAILURES, DISABLE_AFTER = 10, timedelta(hours=60)


class WebhookState(enum.StrEnum):
    ACTIVE = "active"
    PAUSED = "paused"  # by its owner
    DISABLED = "disabled"  # by the house: the receiver wants no more, or has not answered for days


class DeliveryState(enum.StrEnum):
    WAITING = "waiting"  # for its first attempt, or another
    DELIVERED = "delivered"
    FAILED = "failed"  # no further attempt is made
    WITHHELD = "withheld"  # its owner may not see it any more


class EventType(enum.StrEnum):
    TOURNAMENT_ANNOUNCED = "tournament.announced"
    TOURNAMENT_CHANGED = "tournament.changed"
    REGISTRATION_OPENED = "tournament.registration_opened"
    CHECK_IN_OPENED = "tournament.check_in_opened"
    TOURNAMENT_STARTED = "tournament.started"
    TOURNAMENT_PAUSED = "tournament.paused"
    TOURNAMENT_RESUMED = "tournament.resumed"
    TOURNAMENT_FINISHED = "tournament.finished"
    TOURNAMENT_REOPENED = "tournament.reopened"
    TOURNAMENT_CANCELLED = "tournament.cancelled"
    ENTRANTS_CHANGED = "entrants.changed"
    ROUND_PAIRED = "round.paired"
    ROUND_FINISHED = "round.finished"
    MATCH_OPENED = "match.opened"
    MATCH_WAITING = "match.waiting"
    MATCH_FINISHED = "match.finished"
    MATCH_CANCELLED = "match.cancelled"
    RESULT_CORRECTED = "result.corrected"
    STANDINGS_CHANGED = "standings.changed"
    RATING_CHANGED = "rating.changed"
    PING = "ping"


class Kind(NamedTuple):
    """What a type of event means; the fields of its `data`, and the addresses in `data.urls`."""

    about: str
    fields: tuple[str, ...]
    urls: tuple[str, ...]


_TOURNAMENT = (("tournament_id", "state", "round"), ("tournament",))
_ROUND = (("tournament_id", "round"), ("tournament", "pairings", "standings"))
_MATCH = (("tournament_id", "round", "match_id", "seats"), ("tournament", "match"))
EVENTS: Mapping[EventType, Kind] = {
    EventType.TOURNAMENT_ANNOUNCED: Kind("A tournament can be seen", *_TOURNAMENT),
    EventType.TOURNAMENT_CHANGED: Kind("Its plan or its start is another one", *_TOURNAMENT),
    EventType.REGISTRATION_OPENED: Kind("It can be entered", *_TOURNAMENT),
    EventType.CHECK_IN_OPENED: Kind("Its entrants can check in", *_TOURNAMENT),
    EventType.TOURNAMENT_STARTED: Kind("It runs", *_TOURNAMENT),
    EventType.TOURNAMENT_PAUSED: Kind("It is paused", *_TOURNAMENT),
    EventType.TOURNAMENT_RESUMED: Kind("It goes on after a pause", *_TOURNAMENT),
    EventType.TOURNAMENT_FINISHED: Kind("It is over", *_TOURNAMENT),
    EventType.TOURNAMENT_REOPENED: Kind("It runs again, after a correction that calls for more play", *_TOURNAMENT),
    EventType.TOURNAMENT_CANCELLED: Kind("It does not take place, or ends without a result", *_TOURNAMENT),
    EventType.ENTRANTS_CHANGED: Kind(
        "Somebody entered, checked in or left (told at most every few seconds)",
        ("tournament_id",),
        ("tournament", "entrants"),
    ),
    EventType.ROUND_PAIRED: Kind("A round is paired, for the first time or anew", *_ROUND),
    EventType.ROUND_FINISHED: Kind("Every pairing of a round is decided", *_ROUND),
    EventType.MATCH_OPENED: Kind("A match can be played", *_MATCH),
    EventType.MATCH_WAITING: Kind(
        "A match waits for you, or for a bot of yours that your program plays",
        ("tournament_id", "round", "match_id", "player_id", "deadline_at"),
        ("tournament", "match", "seat"),
    ),
    EventType.MATCH_FINISHED: Kind("The result of a match counts", *_MATCH),
    EventType.MATCH_CANCELLED: Kind(
        "A match that was opened is not played", ("tournament_id", "match_id"), ("tournament",)
    ),
    EventType.RESULT_CORRECTED: Kind(
        "A result was given another value",
        ("tournament_id", "round", "slot", "match_id"),
        ("tournament", "pairings", "standings"),
    ),
    EventType.STANDINGS_CHANGED: Kind(
        "The standings changed (told at most every few seconds)",
        ("tournament_id", "round"),
        ("tournament", "standings"),
    ),
    EventType.RATING_CHANGED: Kind(
        "A rating of yours, or of a bot of yours, changed", ("player_id", "pool", "match_id"), ("rating",)
    ),
    EventType.PING: Kind("You asked for it, to see whether it arrives", ("webhook_id",), ("webhook",)),
}
CHOOSABLE = tuple(kind.value for kind in EventType if kind is not EventType.PING)  # a ping is always told
COALESCED_FOR: Mapping[EventType, timedelta] = {
    EventType.STANDINGS_CHANGED: timedelta(seconds=3),
    EventType.ENTRANTS_CHANGED: timedelta(seconds=3),
}
_PATHS = {
    "tournament": "/tournaments/{tournament_id}",
    "entrants": "/tournaments/{tournament_id}/entrants",
    "pairings": "/tournaments/{tournament_id}/pairings?round={round}",
    "standings": "/tournaments/{tournament_id}/standings?round={round}",
    "match": "/matches/{match_id}",
    "seat": "/matches/{match_id}/seat",
    "rating": "/ratings/{player_id}",
    "webhook": "/webhooks/{webhook_id}",
}


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. `data` has the fields of its kind; a `player_id` makes it that player's alone."""

    type: EventType
    data: Mapping[str, Any]
    tournament_id: UUID | None = None
    player_id: UUID | None = None


class FormerSecret(NamedTuple):
    """A secret that another has taken the place of. It signs as well until then."""

    secret: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Webhook:
    """One row of `webhooks`, times in aware UTC. At most one of `tournament_id`, `series_id` and `mine` narrows it."""

    webhook_id: WebhookId
    owner_id: UUID
    url: str
    description: str
    events: list[str]
    tournament_id: UUID | None
    series_id: UUID | None
    mine: bool
    secret: str
    former_secrets: list[dict[str, str]]
    state: str
    disabled_because: str | None
    disabled_at: datetime | None
    revision: int
    failures: int
    failing_since: datetime | None
    created_at: datetime

    def signing_secrets(self, now: datetime) -> list[str]:
        """The newest first."""
        return [self.secret, *(former.secret for former in self.former(now))]

    def former(self, now: datetime) -> list[FormerSecret]:
        """Those before that still sign."""
        read = [FormerSecret(kept["secret"], datetime.fromisoformat(kept["until"])) for kept in self.former_secrets]
        return [former for former in read if former.until > now]


@dataclass(frozen=True, slots=True)
class Delivery:
    """One event for one webhook, and what has become of it. `status` is what the receiver answered last."""

    webhook_id: WebhookId
    event_id: EventId
    type: str
    data: dict[str, Any]
    occurred_at: datetime
    state: str
    attempts: int
    next_at: datetime | None
    attempted_at: datetime | None
    status: int | None
    problem: str | None


def new_secret() -> str:
    return "whsec_" + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def message(event_type: str, occurred_at: datetime, data: Mapping[str, Any], public_url: str) -> dict[str, Any]:
    """The body of every attempt to tell an event: what happened, when, and where to look."""
    urls = {name: f"{public_url}/api/v1{_PATHS[name].format(**data)}" for name in EVENTS[EventType(event_type)].urls}
    moment = occurred_at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return {"type": event_type, "timestamp": moment, "data": {**data, "urls": urls}}


def encoded(body: Mapping[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def signed_headers(event_id: UUID, at: datetime, body: str, signing: Sequence[str]) -> dict[str, str]:
    """The headers of an attempt at that time, with one signature for each secret."""
    moment = at.astimezone(UTC)  # the library takes the figures of a time for UTC
    return {
        "webhook-id": str(event_id),
        "webhook-timestamp": str(int(moment.timestamp())),
        "webhook-signature": " ".join(Signer(secret).sign(str(event_id), moment, body) for secret in signing),
    }


def next_attempt(failed: int, now: datetime, chance: float, wanted_pause: timedelta | None) -> datetime | None:
    """When to try again after so many failed attempts of the schedule; None: not any more.

    `chance` from 0 to 1 spreads those that failed together; `wanted_pause` is what the receiver asked for.
    """
    if failed > len(RETRY_AFTER):
        return None
    pause = RETRY_AFTER[failed - 1] * (1 - JITTER + 2 * JITTER * chance)
    return now + max(pause, min(wanted_pause or timedelta(), RETRY_AFTER[-1]))


def hold_after(failures: int, status: int | None, wanted_pause: timedelta | None) -> timedelta:
    """How long nothing at all is sent to a receiver after so many failures in a row, of which this was the last.

    So a receiver that is down or slow costs little, and one that says that it is overloaded is left alone at once.
    """
    doublings = failures - (1 if status in OVERLOADED else FAILURES_BEFORE_HOLD)
    hold = timedelta() if doublings < 0 else min(HOLD_FIRST * 2 ** min(doublings, 10), HOLD_LONGEST)
    return max(hold, min(wanted_pause or timedelta(), RETRY_AFTER[-1]))


def is_given_up(failures: int, failing_since: datetime, now: datetime) -> bool:
    """Whether a receiver has failed so often, and for so long, that nothing more is sent to it."""
    return failures >= DISABLE_AFTER_FAILURES and now - failing_since >= DISABLE_AFTER

"""What the owner of a webhook does with it: make, change, pause, try out, look at what was sent, and remove it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from gin_lobby.domain.problems import (
    DeliveryWaits,
    NoAccount,
    TooManyWebhooks,
    WebhookNotActive,
)
from gin_lobby.domain.versions import require_version
from gin_lobby.domain.webhooks import (
    CHOOSABLE,
    GIVE_UP_AFTER,
    MOST_SECRETS,
    OLD_SECRET_SIGNS_FOR,
    Delivery,
    Event,
    EventType,
    FormerSecret,
    Webhook,
    WebhookId,
    WebhookState,
    new_secret,
)
from gin_lobby.store import accounts, webhook_deliveries, webhook_events
from gin_lobby.store import series as series_store
from gin_lobby.store import webhooks as store
from gin_lobby.use_cases.rights import find_for
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction, parse_id
from gin_servicekit.outgoing import UnusableUrl, check_url
from gin_servicekit.problems import InvalidField, NotFound

MOST_WEBHOOKS = 20  # of one account


@dataclass(frozen=True, slots=True)
class WebhookPlan:
    """What an owner asks for. At most one of the last three narrows it to some tournaments."""

    url: str
    events: list[str]
    description: str = ""
    tournament_id: UUID | None = None
    series_id: UUID | None = None
    mine: bool = False


def create_webhook(tx: Transaction, caller: Caller, plan: WebhookPlan, *, local: bool) -> Webhook:
    """An active webhook, with the secret that is shown this once.

    Raises NoAccount for guests and bots, TooManyWebhooks, or InvalidField.
    """
    owner_id = UUID(caller.account_id)
    store.lock_owner(tx, owner_id)  # nobody deletes the account meanwhile
    account = accounts.account(tx, owner_id)
    if account is None or account.guest or not accounts.account_exists(tx, owner_id):
        raise NoAccount("only an account with a password has webhooks")
    if store.count(tx, owner_id) >= MOST_WEBHOOKS:
        raise TooManyWebhooks(f"an account has at most {MOST_WEBHOOKS} webhooks")
    webhook = _checked(
        tx,
        caller,
        Webhook(
            webhook_id=WebhookId(uuid7()),
            owner_id=owner_id,
            url=plan.url,
            description=plan.description,
            events=plan.events,
            tournament_id=plan.tournament_id,
            series_id=plan.series_id,
            mine=plan.mine,
            secret=new_secret(),
            former_secrets=[],
            state=WebhookState.ACTIVE,
            disabled_because=None,
            disabled_at=None,
            revision=1,
            failures=0,
            failing_since=None,
            created_at=tx.now,
        ),
        local=local,
    )
    store.insert(tx, webhook)
    return webhook


def find_own(tx: Transaction, caller: Caller, webhook_id: UUID | None) -> Webhook:
    """Raises NotFound, also for a webhook of somebody else: nobody learns that it exists."""
    return _own(caller, store.find(tx, webhook_id) if webhook_id else None)


def edit_webhook(
    tx: Transaction,
    caller: Caller,
    webhook_id: UUID | None,
    changes: Mapping[str, Any],
    if_match: str | None,
    *,
    local: bool,
) -> Webhook:
    """Changes where it leads and what it is told; what waits already goes to the new address.

    Raises NotFound, PreconditionRequired without the revision that is meant, Outdated where there is another by now,
    or InvalidField.
    """
    webhook = _locked(tx, caller, webhook_id)
    require_version(if_match, webhook.revision)
    changed = _checked(tx, caller, replace(webhook, **changes), local=local)
    if changed.url != webhook.url:  # what the old address has failed to do is not held against the new one
        store.hold(tx, webhook.webhook_id, None)
        changed = replace(changed, failures=0, failing_since=None)
    return _rewritten(tx, changed)


def pause_webhook(tx: Transaction, caller: Caller, webhook_id: UUID | None) -> Webhook:
    """Sends nothing until it goes on; what happens meanwhile it is never told. Once it is paused this does nothing."""
    webhook = _locked(tx, caller, webhook_id)
    if webhook.state == WebhookState.PAUSED:
        return webhook
    return _rewritten(tx, replace(webhook, state=WebhookState.PAUSED, disabled_because=None, disabled_at=None))


def resume_webhook(tx: Transaction, caller: Caller, webhook_id: UUID | None) -> Webhook:
    """Sends again, also after the house had disabled it: first what waited, unless that is days old."""
    webhook = _locked(tx, caller, webhook_id)
    if webhook.state == WebhookState.ACTIVE:
        return webhook
    webhook_deliveries.give_up_old(tx, webhook.webhook_id, tx.now - GIVE_UP_AFTER)
    store.hold(tx, webhook.webhook_id, None)
    active = replace(
        webhook,
        state=WebhookState.ACTIVE,
        disabled_because=None,
        disabled_at=None,
        failures=0,
        failing_since=None,
    )
    return _rewritten(tx, active)


def rotate_secret(tx: Transaction, caller: Caller, webhook_id: UUID | None) -> Webhook:
    """A new secret, shown this once. Those before it sign as well, each for a day after it was replaced."""
    webhook = _locked(tx, caller, webhook_id)
    former = [FormerSecret(webhook.secret, tx.now + OLD_SECRET_SIGNS_FOR), *webhook.former(tx.now)]
    kept = [{"secret": f.secret, "until": f.until.isoformat()} for f in former[: MOST_SECRETS - 1]]
    return _rewritten(tx, replace(webhook, secret=new_secret(), former_secrets=kept))


def delete_webhook(tx: Transaction, caller: Caller, webhook_id: UUID | None) -> None:
    """With all that waits to be sent."""
    store.delete(tx, _locked(tx, caller, webhook_id).webhook_id)


def ping(tx: Transaction, caller: Caller, webhook_id: UUID | None) -> Delivery:
    """Sends an event that means nothing. Raises NotFound, WebhookNotActive, or DeliveryWaits for a second one."""
    webhook = _active(_locked(tx, caller, webhook_id))
    if webhook_deliveries.is_waiting(tx, webhook.webhook_id, EventType.PING):
        raise DeliveryWaits("a ping is on its way already")
    store.hold(tx, webhook.webhook_id, None)  # somebody waits to see it arrive
    event = Event(EventType.PING, {"webhook_id": str(webhook.webhook_id)})
    return _delivery(tx, webhook, webhook_events.insert_for(tx, webhook.webhook_id, event))


def redeliver(tx: Transaction, caller: Caller, webhook_id: UUID | None, event_id: UUID | None) -> Delivery:
    """Sends an event again, under its own id. Raises NotFound, WebhookNotActive, or DeliveryWaits where it is due."""
    webhook = _active(_locked(tx, caller, webhook_id))
    delivery = _delivery(tx, webhook, event_id)
    if not webhook_deliveries.start_over(tx, webhook.webhook_id, delivery.event_id):
        raise DeliveryWaits("it has not been given up, and will be tried again by itself")
    store.hold(tx, webhook.webhook_id, None)
    return _delivery(tx, webhook, event_id)


def list_deliveries(
    tx: Transaction, caller: Caller, webhook_id: UUID | None, state: str | None, before: UUID | None, limit: int
) -> list[Delivery]:
    """The newest event first. Raises NotFound."""
    webhook = find_own(tx, caller, webhook_id)
    return webhook_deliveries.page(tx, webhook.webhook_id, state, before, limit)


def find_delivery(tx: Transaction, caller: Caller, webhook_id: UUID | None, event_id: UUID | None) -> Delivery:
    """Raises NotFound."""
    return _delivery(tx, find_own(tx, caller, webhook_id), event_id)


def _delivery(tx: Transaction, webhook: Webhook, event_id: UUID | None) -> Delivery:
    delivery = webhook_deliveries.find(tx, webhook.webhook_id, event_id) if event_id else None
    if delivery is None:
        raise NotFound("this webhook was told of no such event")
    return delivery


def _own(caller: Caller, webhook: Webhook | None) -> Webhook:
    if webhook is None or str(webhook.owner_id) != caller.account_id:
        raise NotFound("you have no such webhook")
    return webhook


def _locked(tx: Transaction, caller: Caller, webhook_id: UUID | None) -> Webhook:
    return _own(caller, store.lock(tx, webhook_id) if webhook_id else None)


def _active(webhook: Webhook) -> Webhook:
    if webhook.state != WebhookState.ACTIVE:
        raise WebhookNotActive(f"nothing is sent to it: it is {webhook.state}")
    return webhook


def _checked(tx: Transaction, caller: Caller, webhook: Webhook, *, local: bool) -> Webhook:
    """Raises InvalidField naming what cannot be."""
    try:
        check_url(webhook.url, local=local)
    except UnusableUrl as problem:
        raise InvalidField(str(problem), "url") from None
    for number, event in enumerate(webhook.events):
        if event not in CHOOSABLE:
            raise InvalidField(f"there is no event {event!r}; there are: {', '.join(CHOOSABLE)}", f"events.{number}")
    if not webhook.events:
        raise InvalidField("what shall it be told?", "events")
    narrowed = [
        name
        for name, is_set in (
            ("tournament_id", webhook.tournament_id is not None),
            ("series_id", webhook.series_id is not None),
            ("mine", webhook.mine),
        )
        if is_set
    ]
    if len(narrowed) > 1:
        raise InvalidField(f"only one of {' and '.join(narrowed)} can be chosen", narrowed[-1])
    if webhook.tournament_id is not None:
        try:
            find_for(tx, str(webhook.tournament_id), caller)
        except NotFound as problem:
            raise InvalidField(problem.detail, "tournament_id") from None
    if webhook.series_id is not None and series_store.find(tx, webhook.series_id) is None:
        raise InvalidField("there is no such series", "series_id")
    return replace(webhook, events=sorted(set(webhook.events), key=CHOOSABLE.index))


def _rewritten(tx: Transaction, webhook: Webhook) -> Webhook:
    changed = replace(webhook, revision=webhook.revision + 1)
    store.rewrite(tx, changed)
    return changed


def owned_page(tx: Transaction, caller: Caller, before: UUID | None, limit: int) -> list[Webhook]:
    """The caller's webhooks, newest first."""
    owner_id = parse_id(caller.account_id)
    return [] if owner_id is None else store.page(tx, owner_id, before, limit)

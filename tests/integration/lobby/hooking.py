"""What tests of webhooks do: make some, let things happen, and send what is due."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from gin_lobby.app import lobby_app
from gin_lobby.domain.webhooks import CHOOSABLE
from gin_lobby.store import webhook_events
from gin_lobby.webhook_runners import send_one, sender
from gin_servicekit.outgoing import Timeouts
from tests.integration.lobby.conftest import Lobby
from tests.support.receiver import Receiver, receiver
from tests.support.services import Api

WEBHOOKS = "/api/v1/webhooks"
TIMEOUTS = Timeouts(connect=5, whole=5)


@dataclass
class Hooks:
    """A house that sends to this machine too, and whoever listens there."""

    lobby: Lobby
    there: Receiver

    def make(self, who: Api | None = None, events: Sequence[str] = CHOOSABLE, **more: Any) -> dict[str, Any]:
        body = {"url": self.there.url, "events": list(events), **more}
        answer = (who or self.lobby.organiser).post(WEBHOOKS, body)
        assert answer.status_code == 201, answer.json
        made: dict[str, Any] = answer.json
        return made

    def ping(self, webhook: dict[str, Any]) -> str:
        """The id of the event."""
        answer = self.lobby.organiser.post(f"{WEBHOOKS}/{webhook['webhook_id']}/ping")
        assert answer.status_code == 202, answer.json
        event_id: str = answer.json["event_id"]
        return event_id

    def send(self, timeouts: Timeouts = TIMEOUTS) -> int:
        """Spreads and sends all that is due now; tells how many attempts that took."""
        self.spread()
        attempts = 0
        while send_one(self.lobby.service, sender(self.lobby.service, timeouts)):
            attempts += 1
        return attempts

    def spread(self) -> None:
        with self.lobby.service.transaction() as tx:
            webhook_events.spread(tx)

    def told(self) -> list[dict[str, Any]]:
        """What has been sent so far."""
        return [json.loads(body) for _, body in self.there.received]

    def types(self) -> set[str]:
        return {event["type"] for event in self.told()}

    def webhook(self, made: dict[str, Any], who: Api | None = None) -> Any:
        return (who or self.lobby.organiser).get(f"{WEBHOOKS}/{made['webhook_id']}").json

    def deliveries(self, made: dict[str, Any], query: str = "") -> Any:
        return self.lobby.organiser.get(f"{WEBHOOKS}/{made['webhook_id']}/deliveries{query}").json["deliveries"]


def local(lobby: Lobby) -> Lobby:
    """The same lobby, which admits addresses of this machine."""
    service = replace(lobby.service, settings=replace(lobby.service.settings, webhooks_local=True))
    client = lobby_app(service).test_client()
    anonymous = Api(client)
    return replace(lobby, service=service, anonymous=anonymous, organiser=anonymous.as_(lobby.organiser.token))


@pytest.fixture
def hooks(lobby: Lobby) -> Iterator[Hooks]:
    with receiver() as there:
        yield Hooks(local(lobby), there)

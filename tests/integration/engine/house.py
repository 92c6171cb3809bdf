"""The engine in a test: sends it messages as the queue would, runs its tasks, and asks its API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask.testing import FlaskClient
from uuid_utils.compat import uuid7
from werkzeug.test import TestResponse

from gin_engine import tasks
from gin_messages.envelope import Envelope, Message, MessageId, encode
from gin_messages.match import CancelMatch, OpenMatch, SeatPlan
from gin_servicekit import inbox
from gin_servicekit.auth import ISSUER
from gin_servicekit.service import Service
from tests.support.services import PRIVATE_KEY, Clock


@dataclass
class House:
    service: Service
    clock: Clock
    client: FlaskClient

    def receive(self, *messages: Message) -> None:
        """Messages of one kind, in one delivery."""
        payloads = [encode(Envelope(MessageId(uuid7()), self.clock(), "test", message)) for message in messages]
        kind = type(messages[0])
        inbox.receive(self.service, tasks.HANDLERS[kind], kind, "lobby", payloads)

    def open(self, *seats: SeatPlan, **changes: Any) -> str:
        request = open_match(*seats, **changes)
        self.receive(request)
        return request.match_id

    def cancel(self, match_id: str, reason: str = "not needed") -> None:
        self.receive(CancelMatch(match_id=match_id, reason=reason))

    def play(self) -> None:
        tasks.play(self.service)
        tasks.reply(self.service)

    def tick(self) -> None:
        for duty in tasks.DUTIES:
            duty(self.service)

    def told(self, match_id: str, consumer: str = "lobby") -> list[dict[str, Any]]:
        """Bodies of the MatchFinished messages about the match that left for the consumer."""
        with self.service.transaction() as tx:
            return tx.scalars(
                "SELECT payload->'body' FROM outbox WHERE consumer = %s AND name = 'match_finished'"
                " AND payload->'body'->>'match_id' = %s ORDER BY message_id",
                (consumer, match_id),
            )

    def stored(self, match_id: str) -> dict[str, Any]:
        with self.service.transaction() as tx:
            return tx.dicts("SELECT * FROM matches WHERE match_id = %s", (match_id,))[0]

    def secrets(self, match_id: str) -> dict[str, Any]:
        with self.service.transaction() as tx:
            return tx.dicts("SELECT server_seed, salt FROM match_secrets WHERE match_id = %s", (match_id,))[0]

    def blocks(self, match_id: str) -> list[dict[str, Any]]:
        with self.service.transaction() as tx:
            return tx.dicts("SELECT * FROM action_blocks WHERE match_id = %s ORDER BY first_action", (match_id,))

    def token(
        self, account_id: str, scopes: Sequence[str] = ("play",), *, guest: bool = False, administrator: bool = False
    ) -> dict[str, str]:
        """Headers of a request by this account."""
        claims = {
            "iss": ISSUER,
            "sub": account_id,
            "scope": " ".join(scopes),
            "adm": administrator,
            "name": account_id.title(),
            "guest": guest,
            "jti": uuid7().hex,
            "iat": datetime.now(UTC),
            "exp": datetime.now(UTC) + timedelta(hours=1),
        }
        key = Ed25519PrivateKey.from_private_bytes(PRIVATE_KEY)
        return {"Authorization": f"Bearer {jwt.encode(claims, key, algorithm='EdDSA')}"}

    def get(self, path: str, account_id: str | None = None, **query: Any) -> TestResponse:
        headers = self.token(account_id) if account_id else {}
        return self.client.get(f"/api/v1/matches{path}", headers=headers, query_string=query)

    def ask(self, method: str, path: str, account_id: str | None, body: Any = None, **token: Any) -> TestResponse:
        """A request below /api/v1 by this account."""
        headers = self.token(account_id, **token) if account_id else {}
        return self.client.open(f"/api/v1{path}", method=method, headers=headers, json=body)

    def open_table(self, host: str, **changes: Any) -> dict[str, Any]:
        answer = self.ask("POST", "/tables", host, table_wish(**changes))
        assert answer.status_code == 201, answer.text
        return dict(answer.json)

    def join(self, table_id: str, account_id: str, **body: Any) -> TestResponse:
        return self.ask("POST", f"/tables/{table_id}/players", account_id, body)

    def table(self, table_id: str, account_id: str | None = None) -> dict[str, Any]:
        answer = self.ask("GET", f"/tables/{table_id}", account_id)
        assert answer.status_code == 200, answer.text
        return dict(answer.json)

    def seat(self, match_id: str, account_id: str) -> dict[str, Any]:
        answer = self.get(f"/{match_id}/seat", account_id)
        assert answer.status_code == 200, answer.text
        return dict(answer.json)

    def act(self, match_id: str, account_id: str, action: str, count: int, **headers: str) -> TestResponse:
        return self.client.post(
            f"/api/v1/matches/{match_id}/actions",
            json={"action": action, "action_count": count},
            headers=self.token(account_id) | {name.replace("_", "-"): value for name, value in headers.items()},
        )


def table_wish(**changes: Any) -> dict[str, Any]:
    """A short match of two, open to everybody."""
    return {"game": "rummy", "rules": {"target": 30}, "opponent": "open"} | changes


def person(player_id: str) -> SeatPlan:
    return SeatPlan(player_id=player_id, name=player_id.title(), bot=None)


def bot(player_id: str, plays: str = "simple") -> SeatPlan:
    return SeatPlan(player_id=player_id, name=player_id.title(), bot=plays)


def open_match(*seats: SeatPlan, **changes: Any) -> OpenMatch:
    """The lobby's wish for a short match, between two bots where no seats are given."""
    wish: dict[str, Any] = {
        "match_id": str(uuid7()),
        "tournament_id": None,
        "round_number": None,
        "game": "rummy",
        "rules": {"target": 30},
        "seats": list(seats) or [bot("robin"), bot("rowan")],
        "rating_pool": "rummy/open",
        "deadline_at": None,
        "first_dealer": None,
    }
    return OpenMatch(**(wish | changes))

"""`Idempotency-Key`: the same key returns the same answer, and the work behind it is done once.

The key is claimed in the transaction of the work itself: two simultaneous requests with one key wait for each other,
and a request that failed leaves no trace, so that it can be tried again.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, LiteralString

from flask import Response, request
from marshmallow import Schema

from gin_servicekit.database import Transaction
from gin_servicekit.problems import IdempotencyKeyReused, InvalidField
from gin_servicekit.service import Service

KEEP = timedelta(days=2)
LONGEST_KEY = 255


# For a statement that does all the work of a request: the answer, for each row of `done`. A key that is there already
# makes it fail with UniqueViolation.
REMEMBER_ANSWER: LiteralString = """
    INSERT INTO idempotency_keys (account_id, key, fingerprint, status, body, created_at)
    SELECT %(key_account)s, %(key)s, %(key_fingerprint)s, 200, %(key_answer)s, %(key_now)s FROM done
"""


@dataclass(frozen=True, slots=True)
class Claim:
    """The key that a request came with: whose it is, and the fingerprint of the request."""

    account_id: str
    key: str
    fingerprint: str

    def remembering(self, answer: str, now: datetime) -> dict[str, Any]:
        """The parameters of REMEMBER_ANSWER."""
        return {
            "key_account": self.account_id,
            "key": self.key,
            "key_fingerprint": self.fingerprint,
            "key_answer": answer,
            "key_now": now,
        }


def claim_of_request(service: Service, account_id: str) -> Claim | None:
    """Of the current request, None without a key. Raises InvalidField for a key that cannot be one."""
    key = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is None:
        return None
    if not (0 < len(key) <= LONGEST_KEY and key.isprintable()):
        raise InvalidField(f"Idempotency-Key must be 1 to {LONGEST_KEY} printable characters", "Idempotency-Key")
    return Claim(account_id, key, _fingerprint(service))


def answer_once(
    service: Service, account_id: str, schema: Schema | None, status: int, work: Callable[[Transaction], Any]
) -> Response:
    """Runs `work` in one transaction and answers with what it returns, dumped by `schema`; without one it is JSON.

    Raises IdempotencyKeyReused when the key came before with another method, path or body.
    """
    claim = claim_of_request(service, account_id)
    with service.transaction() as tx:
        if claim is not None:
            replay = _replay(tx, claim)
            if replay is not None:
                return replay
        result = work(tx)
        body = as_json(result if schema is None else schema.dump(result))
        if claim is not None:
            tx.execute(
                "UPDATE idempotency_keys SET status = %s, body = %s WHERE account_id = %s AND key = %s",
                (status, body, account_id, claim.key),
            )
    return json_response(body, status)


def as_json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def json_response(body: str, status: int = 200) -> Response:
    return Response(body, status=status, content_type="application/json")


def _fingerprint(service: Service) -> str:
    """Of the current request. A body may hold a password: without this service's own secret nobody can try guesses."""
    secret = service.settings.database_url.encode()
    parts = (request.method.encode(), request.full_path.encode(), request.get_data(cache=True))
    return hmac.digest(secret, b"\n".join(parts), "sha256").hex()


def _replay(tx: Transaction, claim: Claim) -> Response | None:
    """None when the key is new and now ours; else the answer that it got before."""
    claimed = tx.execute(
        "INSERT INTO idempotency_keys (account_id, key, fingerprint, created_at) VALUES (%s, %s, %s, %s)"
        " ON CONFLICT DO NOTHING",
        (claim.account_id, claim.key, claim.fingerprint, tx.now),
    )
    if claimed:
        return None
    earlier = tx.dicts(
        "SELECT fingerprint, status, body FROM idempotency_keys WHERE account_id = %s AND key = %s",
        (claim.account_id, claim.key),
    )[0]
    if earlier["fingerprint"] != claim.fingerprint:
        raise IdempotencyKeyReused("this Idempotency-Key was used for another request", "Idempotency-Key")
    response = json_response(earlier["body"], earlier["status"])
    response.headers["Idempotent-Replayed"] = "true"
    return response


def prune(tx: Transaction) -> int:
    """Forgets keys that are older than any client may rely on."""
    return tx.execute("DELETE FROM idempotency_keys WHERE created_at < %s", (tx.now - KEEP,))

"""`Idempotency-Key`: the same key returns the same answer, and the work behind it is done once.

The key is claimed in the transaction of the work itself: two simultaneous requests with one key wait for each other,
and a request that failed leaves no trace, so that it can be tried again.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from flask import Response, request
from marshmallow import Schema

from gin_servicekit.database import Transaction
from gin_servicekit.problems import IdempotencyKeyReused, InvalidField
from gin_servicekit.service import Service

KEEP = timedelta(days=2)
LONGEST_KEY = 255


def answer_once(
    service: Service, account_id: str, schema: Schema | None, status: int, work: Callable[[Transaction], Any]
) -> Response:
    """Runs `work` in one transaction and answers with what it returns, dumped by `schema`; without one it is JSON.

    Raises IdempotencyKeyReused when the key came before with another method, path or body.
    """
    key = request.headers.get("Idempotency-Key")
    if key is not None and not (0 < len(key) <= LONGEST_KEY and key.isprintable()):
        raise InvalidField(f"Idempotency-Key must be 1 to {LONGEST_KEY} printable characters", "Idempotency-Key")
    with service.transaction() as tx:
        if key is not None:
            replay = _claim(tx, account_id, key, _fingerprint(service))
            if replay is not None:
                return replay
        result = work(tx)
        body = json.dumps(result if schema is None else schema.dump(result), separators=(",", ":"))
        if key is not None:
            tx.execute(
                "UPDATE idempotency_keys SET status = %s, body = %s WHERE account_id = %s AND key = %s",
                (status, body, account_id, key),
            )
    return Response(body, status=status, content_type="application/json")


def _fingerprint(service: Service) -> str:
    """Of the current request. A body may hold a password: without this service's own secret nobody can try guesses."""
    secret = service.settings.database_url.encode()
    parts = (request.method.encode(), request.full_path.encode(), request.get_data(cache=True))
    return hmac.digest(secret, b"\n".join(parts), "sha256").hex()


def _claim(tx: Transaction, account_id: str, key: str, fingerprint: str) -> Response | None:
    """None when the key is new and now ours; else the answer that it got before."""
    claimed = tx.execute(
        "INSERT INTO idempotency_keys (account_id, key, fingerprint, created_at) VALUES (%s, %s, %s, %s)"
        " ON CONFLICT DO NOTHING",
        (account_id, key, fingerprint, tx.now),
    )
    if claimed:
        return None
    earlier = tx.dicts(
        "SELECT fingerprint, status, body FROM idempotency_keys WHERE account_id = %s AND key = %s",
        (account_id, key),
    )[0]
    if earlier["fingerprint"] != fingerprint:
        raise IdempotencyKeyReused("this Idempotency-Key was used for another request", "Idempotency-Key")
    response = Response(earlier["body"], status=earlier["status"], content_type="application/json")
    response.headers["Idempotent-Replayed"] = "true"
    return response


def prune(tx: Transaction) -> int:
    """Forgets keys that are older than any client may rely on."""
    return tx.execute("DELETE FROM idempotency_keys WHERE created_at < %s", (tx.now - KEEP,))

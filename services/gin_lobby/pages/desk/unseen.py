"""How many notices a visitor has not looked at yet, for the head of the lobby's pages.

When somebody last looked is kept by the browser, in a cookie: it is nothing that the house needs to know.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from flask import Flask, Response, request
from psycopg_pool import PoolTimeout

from gin_lobby.store import log, webhooks
from gin_servicekit.auth import shown_visitor
from gin_servicekit.database import UNAVAILABLE, Transaction, parse_id
from gin_servicekit.service import Service

COOKIE = "ginhall-notices-seen"
MOST = 50
_NEW_FOR = timedelta(days=7)
_KEPT_FOR = timedelta(days=365)


def add_unseen(app: Flask, service: Service) -> None:
    """Templates find `unseen_notices()` there: a number, at most MOST. It is 0 where the database is away."""

    def unseen_notices() -> int:
        visitor = shown_visitor()
        known = parse_id(visitor.account_id) if visitor else None
        if known is None or request.path == "/notices":
            return 0
        try:
            with service.transaction() as tx:
                return count(tx, known, _seen_at(tx.now))
        except (*UNAVAILABLE, PoolTimeout):
            return 0

    @app.context_processor
    def head() -> dict[str, object]:
        return {"unseen_notices": unseen_notices}

    @app.after_request
    def keep(response: Response) -> Response:
        if request.path == "/notices" and response.status_code == 200 and shown_visitor() is not None:
            response.set_cookie(
                COOKIE, service.clock().isoformat(), max_age=_KEPT_FOR, httponly=True, samesite="Lax", path="/"
            )
        return response


def count(tx: Transaction, account_id: UUID, since: datetime) -> int:
    disabled = [w.disabled_at for w in webhooks.disabled(tx, account_id) if w.disabled_at is not None]
    return sum(at > since for at in (*disabled, *(entry.at for entry in log.touching(tx, account_id, None, MOST))))


def _seen_at(now: datetime) -> datetime:
    """What the cookie says, where it says anything; else a week ago."""
    earliest = now - _NEW_FOR
    try:
        seen = datetime.fromisoformat(request.cookies.get(COOKIE, ""))
    except ValueError:
        return earliest
    return max(seen, earliest) if seen.tzinfo is not None else earliest

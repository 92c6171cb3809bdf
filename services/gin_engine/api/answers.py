"""How a write is answered: once for each Idempotency-Key, with what the caller sees then."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response

from gin_engine.api.table_schemas import TableSchema, table_json
from gin_engine.domain.table import Table
from gin_engine.use_cases.seat_json import seat_json
from gin_engine.use_cases.show_matches import SeatView
from gin_servicekit.auth import Caller, caller
from gin_servicekit.database import Transaction
from gin_servicekit.http_app import current_service
from gin_servicekit.idempotency import answer_once, as_json


def answer_with_seat(work: Callable[[Transaction, Caller], SeatView]) -> Response:
    """Runs `work` for the caller in one transaction, and answers with the seat's view."""
    who = caller()
    return answer_once(current_service(), who.account_id, None, 200, lambda tx: seat_json(work(tx, who)))


def answer_with_table(work: Callable[[Transaction, Caller], Table], status: int = 200) -> Response:
    """Runs `work` for the caller in one transaction, and answers with the table as the caller may see it."""
    who = caller()
    return answer_once(
        current_service(), who.account_id, TableSchema(), status, lambda tx: table_json(work(tx, who), who.account_id)
    )


def seat_text(seen: SeatView) -> str:
    """The seat's view as the body of an answer."""
    return as_json(seat_json(seen))

"""The arbiters of tournaments in Postgres."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from gin_servicekit.database import Transaction


@dataclass(frozen=True, slots=True)
class Arbiter:
    account_id: UUID
    name: str


def arbiters(tx: Transaction, tournament_id: UUID) -> list[Arbiter]:
    return tx.rows(
        Arbiter,
        "SELECT account_id, name FROM arbiters JOIN accounts USING (account_id) WHERE tournament_id = %s"
        " ORDER BY name, account_id",
        (tournament_id,),
    )


def is_arbiter(tx: Transaction, tournament_id: UUID, account_id: UUID | None) -> bool:
    return account_id is not None and bool(
        tx.scalar(
            "SELECT 1 FROM arbiters WHERE tournament_id = %s AND account_id = %s",
            (tournament_id, account_id),
        )
    )


def add(tx: Transaction, tournament_id: UUID, account_id: UUID) -> bool:
    """False where the account is an arbiter already."""
    return bool(
        tx.execute(
            "INSERT INTO arbiters (tournament_id, account_id) VALUES (%s, %s) ON CONFLICT DO NOTHING",
            (tournament_id, account_id),
        )
    )


def remove(tx: Transaction, tournament_id: UUID, account_id: UUID) -> bool:
    """False where the account was no arbiter."""
    return bool(
        tx.execute(
            "DELETE FROM arbiters WHERE tournament_id = %s AND account_id = %s",
            (tournament_id, account_id),
        )
    )

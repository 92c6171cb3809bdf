"""Names that accounts gave up, and when they last got another one, in Postgres."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from gin_servicekit.database import Transaction


def renamed_at(tx: Transaction, account_id: UUID) -> datetime | None:
    """When the account last got another name; None where it has its first one."""
    found: datetime | None = tx.scalar("SELECT renamed_at FROM renamed_accounts WHERE account_id = %s", (account_id,))
    return found


def note_renaming(tx: Transaction, account_id: UUID) -> None:
    tx.execute(
        "INSERT INTO renamed_accounts (account_id, renamed_at) VALUES (%s, %s)"
        " ON CONFLICT (account_id) DO UPDATE SET renamed_at = excluded.renamed_at",
        (account_id, tx.now),
    )


def bot_renamed_at(tx: Transaction, player_id: UUID) -> datetime | None:
    """The same of a bot."""
    found: datetime | None = tx.scalar("SELECT renamed_at FROM renamed_bots WHERE player_id = %s", (player_id,))
    return found


def note_bot_renaming(tx: Transaction, player_id: UUID) -> None:
    tx.execute(
        "INSERT INTO renamed_bots (player_id, renamed_at) VALUES (%s, %s)"
        " ON CONFLICT (player_id) DO UPDATE SET renamed_at = excluded.renamed_at",
        (player_id, tx.now),
    )


def reserve(tx: Transaction, account_id: UUID, skeleton: str, until: datetime) -> None:
    """Nobody else gets a name that looks like this before then."""
    tx.execute(
        """
        INSERT INTO former_names (skeleton, account_id, leads_on, reserved_until) VALUES (%s, %s, true, %s)
        ON CONFLICT (skeleton) DO UPDATE
           SET account_id = excluded.account_id, leads_on = true, reserved_until = excluded.reserved_until
        """,
        (skeleton, account_id, until),
    )


def is_reserved(tx: Transaction, skeleton: str, account_id: UUID) -> bool:
    """For somebody else than this account."""
    return bool(
        tx.scalar(
            "SELECT EXISTS (SELECT FROM former_names WHERE skeleton = %s AND account_id <> %s AND reserved_until > %s)",
            (skeleton, account_id, tx.now),
        )
    )


def take_back(tx: Transaction, account_id: UUID, skeleton: str) -> None:
    """The account has the name again."""
    tx.execute("DELETE FROM former_names WHERE skeleton = %s AND account_id = %s", (skeleton, account_id))


def lead_nowhere(tx: Transaction, account_id: UUID) -> None:
    """The names that the account gave up stay reserved, and tell nobody who had them."""
    tx.execute("UPDATE former_names SET leads_on = false WHERE account_id = %s", (account_id,))


def owner(tx: Transaction, skeleton: str) -> UUID | None:
    """The account that had a name which looks like this."""
    found: UUID | None = tx.scalar(
        "SELECT account_id FROM former_names WHERE skeleton = %s AND leads_on AND reserved_until > %s",
        (skeleton, tx.now),
    )
    return found


def prune(tx: Transaction) -> int:
    """Forgets names that anybody may have again."""
    return tx.execute("DELETE FROM former_names WHERE reserved_until <= %s", (tx.now,))

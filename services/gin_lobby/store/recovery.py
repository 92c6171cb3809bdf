"""Recovery codes and links for a new password in Postgres: fingerprints, each good once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from gin_servicekit.database import Transaction


def replace_codes(tx: Transaction, account_id: UUID, fingerprints: Sequence[bytes]) -> None:
    """The account has these codes from now on, and no other."""
    tx.execute("DELETE FROM recovery_codes WHERE account_id = %s", (account_id,))
    tx.execute_many(
        "INSERT INTO recovery_codes (account_id, fingerprint, made_at) VALUES (%s, %s, %s)",
        [(account_id, fingerprint, tx.now) for fingerprint in fingerprints],
    )


def count_codes(tx: Transaction, account_id: UUID) -> int:
    return int(tx.scalar("SELECT count(*) FROM recovery_codes WHERE account_id = %s", (account_id,)))


def use_code(tx: Transaction, account_id: UUID, fingerprint: bytes) -> bool:
    """False when the account has no such code (any more)."""
    return bool(
        tx.execute(
            "DELETE FROM recovery_codes WHERE account_id = %s AND fingerprint = %s",
            (account_id, fingerprint),
        )
    )


def keep_link(tx: Transaction, account_id: UUID, fingerprint: bytes, expires_at: datetime) -> None:
    tx.execute(
        """
        INSERT INTO reset_links (account_id, fingerprint, expires_at) VALUES (%s, %s, %s)
        ON CONFLICT (account_id) DO UPDATE SET fingerprint = excluded.fingerprint, expires_at = excluded.expires_at
        """,
        (account_id, fingerprint, expires_at),
    )


def link_owner(tx: Transaction, fingerprint: bytes) -> UUID | None:
    """Whose link it is, while it is good."""
    found: UUID | None = tx.scalar(
        "SELECT account_id FROM reset_links WHERE fingerprint = %s AND expires_at > %s", (fingerprint, tx.now)
    )
    return found


def use_link(tx: Transaction, fingerprint: bytes) -> UUID | None:
    """The same; the link is good no more."""
    found: UUID | None = tx.scalar(
        "DELETE FROM reset_links WHERE fingerprint = %s AND expires_at > %s RETURNING account_id",
        (fingerprint, tx.now),
    )
    return found


def end_all(tx: Transaction, account_id: UUID) -> None:
    """No code and no link leads into the account any more."""
    tx.execute("DELETE FROM recovery_codes WHERE account_id = %s", (account_id,))
    tx.execute("DELETE FROM reset_links WHERE account_id = %s", (account_id,))

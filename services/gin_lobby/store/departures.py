"""Accounts that are gone, and what has yet to follow players who changed, in Postgres."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from gin_servicekit.database import Transaction


class ChangeDue(NamedTuple):
    """A tournament that has yet to follow a player."""

    tournament_id: UUID
    player_id: UUID


def note_deletion(tx: Transaction, account_id: UUID) -> bool:
    """False when the account was deleted before."""
    return bool(
        tx.execute(
            "INSERT INTO deleted_accounts (account_id, deleted_at) VALUES (%s, %s) ON CONFLICT DO NOTHING",
            (account_id, tx.now),
        )
    )


def next_number(tx: Transaction) -> int:
    return int(tx.scalar("SELECT nextval('deleted_player_numbers')"))


def is_gone(tx: Transaction, player_id: UUID) -> bool:
    """Whether the player's account, or that of the bot's owner, was deleted, or removed as that of a lost guest."""
    return not tx.scalar(
        """
        SELECT EXISTS (
            SELECT FROM players p JOIN accounts a ON a.account_id = coalesce(p.owner_id, p.player_id)
             WHERE p.player_id = %s
               AND NOT EXISTS (SELECT FROM deleted_accounts d WHERE d.account_id = a.account_id))
        """,
        (player_id,),
    )


def stays(tx: Transaction, player_id: UUID) -> bool:
    """The opposite, and that the account is not deleted until this transaction ends."""
    tx.execute(
        "SELECT FROM players p JOIN accounts a ON a.account_id = coalesce(p.owner_id, p.player_id)"
        " WHERE p.player_id = %s FOR KEY SHARE OF a",
        (player_id,),
    )
    return not is_gone(tx, player_id)


def bots_of(tx: Transaction, account_id: UUID) -> list[UUID]:
    return tx.scalars("SELECT player_id FROM players WHERE owner_id = %s ORDER BY player_id", (account_id,))


def end_rights(tx: Transaction, account_id: UUID) -> None:
    """The account is neither an arbiter nor an administrator any more, and neither it nor its bots have good tokens."""
    tx.execute("DELETE FROM arbiters WHERE account_id = %s", (account_id,))
    tx.execute("UPDATE accounts SET administrator = false WHERE account_id = %s", (account_id,))
    tx.execute(
        """
        UPDATE tokens t SET revoked_at = %(now)s
          FROM players p
         WHERE p.player_id = t.account_id AND %(account)s IN (p.player_id, p.owner_id)
           AND revoked_at IS NULL AND expires_at > %(now)s
        """,
        {"now": tx.now, "account": account_id},
    )


def not_opened(tx: Transaction, organiser_id: UUID) -> list[UUID]:
    """The organiser's tournaments that nobody could enter yet."""
    return tx.scalars(
        "SELECT tournament_id FROM tournaments WHERE organiser_id = %s AND state IN ('draft', 'announced')"
        " ORDER BY tournament_id",
        (organiser_id,),
    )


def series_of(tx: Transaction, organiser_id: UUID) -> list[UUID]:
    """The organiser's series that go on."""
    return tx.scalars(
        "SELECT series_id FROM series WHERE organiser_id = %s AND state <> 'ended' ORDER BY series_id", (organiser_id,)
    )


def tell_tournaments(tx: Transaction, player_id: UUID) -> None:
    """Every tournament that the player ever entered is to follow."""
    tx.execute(
        "INSERT INTO player_changes_due (tournament_id, player_id, due_at)"
        " SELECT tournament_id, player_id, %s FROM entrants WHERE player_id = %s ON CONFLICT DO NOTHING",
        (tx.now, player_id),
    )


def claim_due(tx: Transaction) -> ChangeDue | None:
    """Takes the change that has been due for longest, passing over those that somebody else works on."""
    return tx.row(
        ChangeDue,
        """
        DELETE FROM player_changes_due WHERE (tournament_id, player_id) IN (
            SELECT tournament_id, player_id FROM player_changes_due
             WHERE due_at <= %s ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING tournament_id, player_id
        """,
        (tx.now,),
    )


def put_off(tx: Transaction, due: ChangeDue, until: datetime) -> None:
    tx.execute("UPDATE player_changes_due SET due_at = %s WHERE tournament_id = %s AND player_id = %s", (until, *due))

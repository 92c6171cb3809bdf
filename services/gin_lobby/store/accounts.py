"""Players, accounts and tokens in Postgres."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from gin_lobby.domain.player import Account, Player, Token
from gin_messages.ratings import EarlierRatingChange, RatingChange
from gin_servicekit.database import Transaction


def insert_player(tx: Transaction, player: Player) -> None:
    tx.execute(
        "INSERT INTO players (player_id, name, kind, bot, owner_id, revision, created_at)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s)",
        (
            player.player_id,
            player.name,
            player.kind,
            player.bot,
            player.owner_id,
            player.revision,
            player.created_at,
        ),
    )


def insert_account(tx: Transaction, account: Account, skeleton: str) -> bool:
    """False when the name, or one that looks like it, is taken."""
    inserted = tx.execute(
        "INSERT INTO accounts (account_id, name, password_hash, administrator, created_at)"
        " VALUES (%s, %s, %s, %s, %s) ON CONFLICT (lower(name)) DO NOTHING",
        (account.account_id, account.name, account.password_hash, account.administrator, account.created_at),
    )
    if inserted and account.guest:
        tx.execute("INSERT INTO guests (account_id) VALUES (%s)", (account.account_id,))
    return bool(inserted) and insert_skeleton(tx, account.account_id, skeleton)


def insert_skeleton(tx: Transaction, account_id: UUID, skeleton: str) -> bool:
    """False when another account has it."""
    return bool(
        tx.execute(
            "INSERT INTO account_skeletons (skeleton, account_id) VALUES (%s, %s) ON CONFLICT DO NOTHING",
            (skeleton, account_id),
        )
    )


def delete_skeleton(tx: Transaction, account_id: UUID) -> None:
    tx.execute("DELETE FROM account_skeletons WHERE account_id = %s", (account_id,))


def accounts_without_skeleton(tx: Transaction) -> dict[UUID, str]:
    """The names of accounts that are older than skeletons, the oldest first."""
    rows = tx.dicts(
        "SELECT account_id, name FROM accounts LEFT JOIN account_skeletons s USING (account_id)"
        " WHERE s.account_id IS NULL ORDER BY created_at, account_id"
    )
    return {row["account_id"]: row["name"] for row in rows}


def next_guest_number(tx: Transaction) -> int:
    return int(tx.scalar("SELECT nextval('guest_numbers')"))


def end_guest(tx: Transaction, account_id: UUID) -> bool:
    """False when the account is no guest, or no more."""
    return bool(tx.execute("DELETE FROM guests WHERE account_id = %s", (account_id,)))


def name_account(tx: Transaction, account_id: UUID, name: str, password_hash: str) -> Player:
    """Gives an account, and the player that it plays as, a name and a password; the player as it is then."""
    set_password(tx, account_id, password_hash)
    return rename_account(tx, account_id, name)


def lock(tx: Transaction, account_id: UUID) -> Account | None:
    """The account, which nobody else changes until this transaction ends."""
    tx.execute("SELECT FROM accounts WHERE account_id = %s FOR UPDATE", (account_id,))
    return account(tx, account_id)


def rename_account(tx: Transaction, account_id: UUID, name: str) -> Player:
    """Gives a locked account, and the player that it plays as, another name; the player as it is then.

    Raises psycopg.errors.UniqueViolation where another account has it.
    """
    tx.execute("UPDATE accounts SET name = %s WHERE account_id = %s", (name, account_id))
    renamed = rename_player(tx, account_id, name)
    assert renamed is not None  # an account refers to its player
    return renamed


def rename_player(tx: Transaction, player_id: UUID, name: str) -> Player | None:
    """The player as it is then; None where there is none."""
    return tx.row(
        Player,
        "UPDATE players SET name = %s, revision = revision + 1 WHERE player_id = %s RETURNING *",
        (name, player_id),
    )


def set_password(tx: Transaction, account_id: UUID, password_hash: str) -> None:
    tx.execute("UPDATE accounts SET password_hash = %s WHERE account_id = %s", (password_hash, account_id))


def account_named(tx: Transaction, name: str, skeleton: str) -> Account | None:
    """The account of this name; where none has it, the one whose name looks like it."""
    return tx.row(
        Account,
        """
        SELECT account_id, name, password_hash, administrator, created_at,
               EXISTS (SELECT FROM guests g WHERE g.account_id = a.account_id) AS guest
          FROM accounts a
         WHERE account_id IN (SELECT account_id FROM accounts WHERE lower(name) = lower(%(name)s)
                              UNION ALL
                              SELECT account_id FROM account_skeletons WHERE skeleton = %(skeleton)s)
         ORDER BY name = %(name)s DESC, lower(name) = lower(%(name)s) DESC LIMIT 1
        """,
        {"name": name, "skeleton": skeleton},
    )


def account(tx: Transaction, account_id: UUID) -> Account | None:
    return tx.row(
        Account,
        """
        SELECT account_id, name, password_hash, administrator, created_at,
               EXISTS (SELECT FROM guests g WHERE g.account_id = a.account_id) AS guest
          FROM accounts a WHERE account_id = %s
        """,
        (account_id,),
    )


def account_exists(tx: Transaction, account_id: UUID) -> bool:
    """Whether it is there, and was not deleted."""
    return bool(
        tx.scalar(
            "SELECT EXISTS (SELECT FROM accounts WHERE account_id = %(id)s"
            " AND NOT EXISTS (SELECT FROM deleted_accounts WHERE account_id = %(id)s))",
            {"id": account_id},
        )
    )


def set_administrator(tx: Transaction, account_id: UUID, administrator: bool) -> None:
    tx.execute("UPDATE accounts SET administrator = %s WHERE account_id = %s", (administrator, account_id))


def player(tx: Transaction, player_id: UUID) -> Player | None:
    return tx.row(Player, "SELECT * FROM players WHERE player_id = %s", (player_id,))


def lock_player(tx: Transaction, player_id: UUID) -> Player | None:
    """The player, whom nobody else changes until this transaction ends."""
    return tx.row(Player, "SELECT * FROM players WHERE player_id = %s FOR NO KEY UPDATE", (player_id,))


def players(tx: Transaction, kind: str | None, owner_id: UUID | None, before: UUID | None, limit: int) -> list[Player]:
    """Newest first; `before` is the last id of the page before."""
    return tx.rows(
        Player,
        """
        SELECT * FROM players
         WHERE (%(kind)s::text IS NULL OR kind = %(kind)s)
           AND (%(owner)s::uuid IS NULL OR owner_id = %(owner)s)
           AND (%(before)s::uuid IS NULL OR player_id < %(before)s)
         ORDER BY player_id DESC LIMIT %(limit)s
        """,
        {"kind": kind, "owner": owner_id, "before": before, "limit": limit},
    )


def insert_token(tx: Transaction, token: Token) -> None:
    tx.execute(
        "INSERT INTO tokens (token_id, account_id, scopes, session, created_at, expires_at)"
        " VALUES (%s, %s, %s, %s, %s, %s)",
        (token.token_id, token.player_id, token.scopes, token.session, token.created_at, token.expires_at),
    )


def tokens(tx: Transaction, account_id: UUID) -> list[Token]:
    """Those of the account and of its bots that have not expired, newest first."""
    return tx.rows(
        Token,
        """
        SELECT token_id, p.player_id, p.name AS player_name, scopes, session, t.created_at, expires_at, revoked_at
          FROM tokens t JOIN players p ON p.player_id = t.account_id
         WHERE %(account)s IN (p.player_id, p.owner_id) AND expires_at > %(now)s ORDER BY t.created_at DESC
        """,
        {"account": account_id, "now": tx.now},
    )


def extend_session(tx: Transaction, token_id: str, expires_at: datetime) -> bool:
    """False when it is no session, or was revoked, or is over."""
    return bool(
        tx.execute(
            "UPDATE tokens SET expires_at = %s"
            " WHERE token_id = %s AND session AND revoked_at IS NULL AND expires_at > %s",
            (expires_at, token_id, tx.now),
        )
    )


def revoke_others(tx: Transaction, account_id: UUID, kept: str) -> None:
    """Revokes every token of the account itself but the one whose id is `kept`; those of its bots stay."""
    tx.execute(
        "UPDATE tokens SET revoked_at = %(now)s"
        " WHERE account_id = %(account)s AND token_id <> %(kept)s AND revoked_at IS NULL AND expires_at > %(now)s",
        {"now": tx.now, "account": account_id, "kept": kept},
    )


def revoke_all(tx: Transaction, account_id: UUID) -> None:
    """Revokes every token of the account itself; those of its bots stay."""
    revoke_others(tx, account_id, "")


def revoke_token(tx: Transaction, account_id: UUID, token_id: str) -> bool:
    """False when neither the account nor a bot of its has such a token. Revoking twice keeps the first time."""
    return bool(
        tx.execute(
            """
            UPDATE tokens t SET revoked_at = coalesce(revoked_at, %(now)s)
              FROM players p
             WHERE token_id = %(token)s AND p.player_id = t.account_id AND %(account)s IN (p.player_id, p.owner_id)
            """,
            {"now": tx.now, "token": token_id, "account": account_id},
        )
    )


def remove_tokens(tx: Transaction, over_before: datetime) -> None:
    """Removes tokens that expired before then, revoked or not, but for those that somebody else is at."""
    tx.execute(
        "DELETE FROM tokens WHERE token_id IN"
        " (SELECT token_id FROM tokens WHERE expires_at < %s FOR UPDATE SKIP LOCKED)",
        (over_before,),
    )


def revoked_tokens(tx: Transaction) -> dict[str, datetime]:
    """Tokens that would still be good had they not been revoked, with their expiry."""
    rows = tx.dicts(
        "SELECT token_id, expires_at FROM tokens WHERE revoked_at IS NOT NULL AND expires_at > %s", (tx.now,)
    )
    return {row["token_id"]: row["expires_at"] for row in rows}


class CopiedRating(NamedTuple):
    """What the ratings service last said of a player in a pool."""

    rating: float
    effective_games: float


def rating(tx: Transaction, player_id: UUID, pool: str) -> CopiedRating | None:
    """None for a player without one. Where only whole games were told, those count."""
    return tx.row(
        CopiedRating,
        "SELECT rating, coalesce(effective_games, games) AS effective_games"
        " FROM player_ratings WHERE player_id = %s AND pool = %s",
        (player_id, pool),
    )


def store_ratings(tx: Transaction, changes: Sequence[RatingChange]) -> None:
    """Keeps the newer of two ratings: messages may come late. At most one change a player and pool, in that order."""
    tx.execute(
        """
        INSERT INTO player_ratings (player_id, pool, rating, games, effective_games, sequence)
        SELECT * FROM unnest(%s::uuid[], %s::text[], %s::float8[], %s::int[], %s::float8[], %s::bigint[])
        ON CONFLICT (player_id, pool) DO UPDATE
           SET rating = excluded.rating, games = excluded.games, effective_games = excluded.effective_games,
               sequence = excluded.sequence
         WHERE player_ratings.sequence < excluded.sequence
        """,
        (
            [change.player_id for change in changes],
            [change.pool for change in changes],
            [change.after for change in changes],
            [change.games for change in changes],
            [change.effective_games for change in changes],
            [change.sequence for change in changes],
        ),
    )


def store_earlier_ratings(tx: Transaction, changes: Sequence[EarlierRatingChange]) -> None:
    """The same for changes that do not tell their place in the ledger."""
    tx.execute_many(
        """
        INSERT INTO player_ratings (player_id, pool, rating, games) VALUES (%s, %s, %s, %s)
        ON CONFLICT (player_id, pool) DO UPDATE SET rating = excluded.rating, games = excluded.games
         WHERE player_ratings.games < excluded.games
        """,
        sorted((change.player_id, change.pool, change.after, change.games) for change in changes),
    )

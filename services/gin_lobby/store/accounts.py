"""Players, accounts and tokens in Postgres."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
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


def insert_account(tx: Transaction, account: Account) -> bool:
    """False when the name is taken, in whatever case."""
    return bool(
        tx.execute(
            "INSERT INTO accounts (account_id, name, password_hash, administrator, created_at)"
            " VALUES (%s, %s, %s, %s, %s) ON CONFLICT (lower(name)) DO NOTHING",
            (account.account_id, account.name, account.password_hash, account.administrator, account.created_at),
        )
    )


def account_named(tx: Transaction, name: str) -> Account | None:
    return tx.row(Account, "SELECT * FROM accounts WHERE lower(name) = lower(%s)", (name,))


def account_exists(tx: Transaction, account_id: UUID) -> bool:
    return bool(tx.scalar("SELECT EXISTS (SELECT FROM accounts WHERE account_id = %s)", (account_id,)))


def player(tx: Transaction, player_id: UUID) -> Player | None:
    return tx.row(Player, "SELECT * FROM players WHERE player_id = %s", (player_id,))


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


def insert_token(tx: Transaction, account_id: UUID, token: Token) -> None:
    tx.execute(
        "INSERT INTO tokens (token_id, account_id, scopes, created_at, expires_at) VALUES (%s, %s, %s, %s, %s)",
        (token.token_id, account_id, token.scopes, token.created_at, token.expires_at),
    )


def tokens(tx: Transaction, account_id: UUID) -> list[Token]:
    """Those of the account and of its bots that have not expired, newest first."""
    return tx.rows(
        Token,
        """
        SELECT token_id, scopes, t.created_at, expires_at, revoked_at
          FROM tokens t JOIN players p ON p.player_id = t.account_id
         WHERE %(account)s IN (p.player_id, p.owner_id) AND expires_at > %(now)s ORDER BY t.created_at DESC
        """,
        {"account": account_id, "now": tx.now},
    )


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


def revoked_tokens(tx: Transaction) -> dict[str, datetime]:
    """Tokens that would still be good had they not been revoked, with their expiry."""
    rows = tx.dicts(
        "SELECT token_id, expires_at FROM tokens WHERE revoked_at IS NOT NULL AND expires_at > %s", (tx.now,)
    )
    return {row["token_id"]: row["expires_at"] for row in rows}


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

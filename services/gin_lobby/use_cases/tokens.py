"""Tokens: for a password, for a bot, and the one that a browser keeps as its session."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import timedelta
from uuid import UUID

from gin_lobby.domain.player import Account, Token
from gin_lobby.domain.problems import NotYourPlayer
from gin_lobby.store import accounts
from gin_lobby.use_cases.accounts import require_account, require_password
from gin_servicekit.auth import SESSION_LIFETIME, Caller, Scope, sign_token
from gin_servicekit.database import Transaction
from gin_servicekit.problems import InvalidField, NotFound

BOT_SCOPES = frozenset({Scope.PLAY.value, Scope.TOURNAMENT_READ.value, Scope.TOURNAMENT_WRITE.value})
ALL_SCOPES = frozenset(scope.value for scope in Scope)


@dataclass(frozen=True, slots=True)
class NewToken(Token):
    """A token as it is told once: `token` is the secret, of which no copy is kept."""

    token: str

    @property
    def account_id(self) -> UUID:
        """Whose token it is, under its other name: an account plays as the player that has its id."""
        return self.player_id


def sign_in(
    tx: Transaction, signing_key: bytes, name: str, password: str, scopes: frozenset[str], lifetime: timedelta
) -> NewToken:
    """A token for an account. Raises WrongPassword."""
    account = require_password(tx, name, password)
    return _issue_to_account(tx, signing_key, account, scopes, lifetime, session=False)


def start_session(tx: Transaction, signing_key: bytes, account_id: UUID) -> NewToken:
    """A token for the browser of whoever has proved to be this account, or has just made it."""
    account = accounts.account(tx, account_id)
    assert account is not None  # its id comes from this very transaction
    return _issue_to_account(tx, signing_key, account, ALL_SCOPES, SESSION_LIFETIME, session=True)


def begin_session_anew(tx: Transaction, signing_key: bytes, account_id: UUID) -> NewToken:
    """The same for a guest who has just become an account, and the end of every other token of it.

    Whoever knew the guest's session, or had planted it, must not be the account that it became.
    """
    token = start_session(tx, signing_key, account_id)
    accounts.revoke_others(tx, account_id, token.token_id)
    return token


def renew_session(tx: Transaction, signing_key: bytes, caller: Caller) -> str | None:
    """The caller's session signed anew: its name as it is now, good for SESSION_LIFETIME from now.

    It keeps its id, so that it is revoked as one. None when there is nothing to renew: it was revoked meanwhile, or is
    no session.
    """
    account = accounts.account(tx, UUID(caller.account_id))
    if account is None or not accounts.extend_session(tx, caller.token_id, tx.now + SESSION_LIFETIME):
        return None
    signed, _, _ = sign_token(
        signing_key,
        caller.account_id,
        caller.scopes,
        administrator=account.administrator,
        now=tx.now,
        lifetime=SESSION_LIFETIME,
        name=account.name,
        guest=account.guest,
        token_id=caller.token_id,
    )
    return signed


def bot_token(
    tx: Transaction, signing_key: bytes, caller: Caller, player_id: UUID | None, lifetime: timedelta
) -> NewToken:
    """A token with which a client plays as a bot, for the bot's owner.

    Raises NoAccount for one that is gone, NotFound, NotYourPlayer, or InvalidField for a bot that plays by itself.
    """
    require_account(tx, UUID(caller.account_id))
    player = accounts.player(tx, player_id) if player_id else None
    if player is None or player.kind != "bot":
        raise NotFound("there is no such bot")
    if str(player.owner_id) != caller.account_id:
        raise NotYourPlayer("only its owner gets a token for a bot")
    if player.bot is not None:
        raise InvalidField(f"the built-in bot {player.bot!r} plays for it: no client can", "player_id")
    signed, token_id, expires_at = sign_token(
        signing_key,
        str(player.player_id),
        BOT_SCOPES,
        administrator=False,
        now=tx.now,
        lifetime=lifetime,
        name=player.name,
    )
    token = Token(token_id, player.player_id, player.name, sorted(BOT_SCOPES), False, tx.now, expires_at, None)
    return _stored(tx, token, signed)


def revoke_token(tx: Transaction, account_id: UUID, token_id: str) -> None:
    """Raises NotFound when neither the account nor a bot of its has such a token."""
    if not accounts.revoke_token(tx, account_id, token_id):
        raise NotFound("you have no such token")


def _issue_to_account(
    tx: Transaction, signing_key: bytes, account: Account, scopes: frozenset[str], lifetime: timedelta, *, session: bool
) -> NewToken:
    signed, token_id, expires_at = sign_token(
        signing_key,
        str(account.account_id),
        scopes,
        administrator=account.administrator,
        now=tx.now,
        lifetime=lifetime,
        name=account.name,
        guest=account.guest,
    )
    token = Token(token_id, account.account_id, account.name, sorted(scopes), session, tx.now, expires_at, None)
    return _stored(tx, token, signed)


def _stored(tx: Transaction, token: Token, signed: str) -> NewToken:
    accounts.insert_token(tx, token)
    return NewToken(**asdict(token), token=signed)

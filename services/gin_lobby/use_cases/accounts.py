"""Sign-up, tokens, bots."""

from __future__ import annotations

import functools
from datetime import timedelta
from uuid import UUID

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error
from uuid_utils.compat import uuid7

from gin_bots import BOT_NAMES
from gin_lobby.domain.player import Account, Player, Token
from gin_lobby.domain.problems import NameTaken, WrongPassword
from gin_lobby.domain.tournament import PlayerId
from gin_lobby.store import accounts
from gin_messages.players import PlayerChanged
from gin_servicekit.auth import sign_token
from gin_servicekit.database import Transaction
from gin_servicekit.problems import InvalidField, NotFound

_passwords = PasswordHasher()


@functools.cache
def _nobody() -> str:
    """Checked when the account is unknown, so that the time to answer does not tell which names exist."""
    return _passwords.hash("nobody has this password")


def sign_up(tx: Transaction, name: str, password: str) -> Player:
    """A person's account and player. Raises NameTaken."""
    player = Player(PlayerId(uuid7()), name, "human", None, None, 1, tx.now)
    _create_player(tx, player)
    account = Account(player.player_id, name, _passwords.hash(password), administrator=False, created_at=tx.now)
    if not accounts.insert_account(tx, account):
        raise NameTaken(f"the name {name!r} is taken", "name")
    return player


def sign_in(
    tx: Transaction, private_key: bytes, name: str, password: str, scopes: frozenset[str], lifetime: timedelta
) -> tuple[str, Token, UUID]:
    """A signed token, its record and the account's id. Raises WrongPassword."""
    account = accounts.account_named(tx, name)
    try:
        _passwords.verify(account.password_hash if account else _nobody(), password)
    except Argon2Error:
        account = None
    if account is None:
        raise WrongPassword("no account has this name and password")
    signed, token_id, expires_at = sign_token(
        private_key,
        str(account.account_id),
        scopes,
        administrator=account.administrator,
        now=tx.now,
        lifetime=lifetime,
    )
    token = Token(token_id, sorted(scopes), tx.now, expires_at, None)
    accounts.insert_token(tx, account.account_id, token)
    return signed, token, account.account_id


def revoke_token(tx: Transaction, account_id: UUID, token_id: str) -> None:
    if not accounts.revoke_token(tx, account_id, token_id):
        raise NotFound("you have no such token")


def create_bot(tx: Transaction, owner_id: UUID, name: str, bot: str | None) -> Player:
    """A bot player. Raises InvalidField when `bot` is no built-in bot."""
    if bot is not None and bot not in BOT_NAMES:
        raise InvalidField(f"there is no bot {bot!r}; there are: {', '.join(BOT_NAMES)}", "bot")
    player = Player(PlayerId(uuid7()), name, "bot", bot, owner_id, 1, tx.now)
    _create_player(tx, player)
    return player


def _create_player(tx: Transaction, player: Player) -> None:
    accounts.insert_player(tx, player)
    tx.emit(PlayerChanged(str(player.player_id), player.name, player.kind, player.revision))

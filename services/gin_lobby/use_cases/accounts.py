"""Sign-up, tokens, bots."""

from __future__ import annotations

import functools
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from uuid import UUID

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error
from uuid_utils.compat import uuid7

from gin_bots import BOT_NAMES
from gin_lobby.domain.player import Account, Player, Token
from gin_lobby.domain.problems import NameTaken, NoAccount, NotYourPlayer, WrongPassword
from gin_lobby.domain.tournament import PlayerId
from gin_lobby.store import accounts
from gin_messages.players import PlayerChanged
from gin_servicekit.auth import Caller, Scope, sign_token
from gin_servicekit.database import Transaction
from gin_servicekit.problems import InvalidField, NotFound

_passwords = PasswordHasher()
BOT_SCOPES = frozenset({Scope.PLAY.value, Scope.TOURNAMENT_READ.value, Scope.TOURNAMENT_WRITE.value})


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token as it is told once: `token` is the secret, of which no copy is kept."""

    token: str
    account_id: str
    token_id: str
    scopes: list[str]
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None


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
    tx: Transaction, signing_key: bytes, name: str, password: str, scopes: frozenset[str], lifetime: timedelta
) -> NewToken:
    """A token for an account. Raises WrongPassword."""
    account = accounts.account_named(tx, name)
    try:
        _passwords.verify(account.password_hash if account else _nobody(), password)
    except Argon2Error:
        account = None
    if account is None:
        raise WrongPassword("no account has this name and password")
    return _issue(tx, signing_key, account.account_id, scopes, lifetime, administrator=account.administrator)


def bot_token(
    tx: Transaction, signing_key: bytes, caller: Caller, player_id: UUID | None, lifetime: timedelta
) -> NewToken:
    """A token with which a client plays as a bot, for the bot's owner.

    Raises NotFound, NotYourPlayer, or InvalidField for a bot that plays by itself.
    """
    player = accounts.player(tx, player_id) if player_id else None
    if player is None or player.kind != "bot":
        raise NotFound("there is no such bot")
    if str(player.owner_id) != caller.account_id:
        raise NotYourPlayer("only its owner gets a token for a bot")
    if player.bot is not None:
        raise InvalidField(f"the built-in bot {player.bot!r} plays for it: no client can", "player_id")
    return _issue(tx, signing_key, player.player_id, BOT_SCOPES, lifetime, administrator=False)


def _issue(
    tx: Transaction,
    signing_key: bytes,
    account_id: UUID,
    scopes: frozenset[str],
    lifetime: timedelta,
    *,
    administrator: bool,
) -> NewToken:
    signed, token_id, expires_at = sign_token(
        signing_key, str(account_id), scopes, administrator=administrator, now=tx.now, lifetime=lifetime
    )
    token = Token(token_id, sorted(scopes), tx.now, expires_at, None)
    accounts.insert_token(tx, account_id, token)
    return NewToken(signed, str(account_id), **asdict(token))


def revoke_token(tx: Transaction, account_id: UUID, token_id: str) -> None:
    if not accounts.revoke_token(tx, account_id, token_id):
        raise NotFound("you have no such token")


def create_bot(tx: Transaction, owner_id: UUID, name: str, bot: str | None) -> Player:
    """A bot player. Raises NoAccount, or InvalidField when `bot` is no built-in bot."""
    require_account(tx, owner_id)
    if bot is not None and bot not in BOT_NAMES:
        raise InvalidField(f"there is no bot {bot!r}; there are: {', '.join(BOT_NAMES)}", "bot")
    player = Player(PlayerId(uuid7()), name, "bot", bot, owner_id, 1, tx.now)
    _create_player(tx, player)
    return player


def require_account(tx: Transaction, account_id: UUID) -> None:
    """Raises NoAccount for the token of a bot, or of an account that is gone."""
    if not accounts.account_exists(tx, account_id):
        raise NoAccount("only a person's account may do this")


def _create_player(tx: Transaction, player: Player) -> None:
    accounts.insert_player(tx, player)
    tx.emit(PlayerChanged(str(player.player_id), player.name, player.kind, player.revision))

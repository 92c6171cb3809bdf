"""People's accounts, guests among them, and their bots."""

from __future__ import annotations

import functools
import secrets
from uuid import UUID

import psycopg
from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error
from uuid_utils.compat import uuid7

from gin_bots import BOT_NAMES
from gin_lobby.domain.names import GUEST, skeleton, why_not_an_account_name
from gin_lobby.domain.player import Account, Player
from gin_lobby.domain.problems import AlreadySignedUp, NameTaken, NoAccount, WrongPassword
from gin_lobby.domain.tasks import FOLLOW_PLAYERS
from gin_lobby.domain.tournament import PlayerId
from gin_lobby.store import accounts, departures, former_names
from gin_messages.players import PlayerChanged
from gin_servicekit.database import Transaction
from gin_servicekit.problems import InvalidField

_passwords = PasswordHasher()


@functools.cache
def nobodys_password() -> str:
    """The hash of a password that nobody knows, for guests; one for all of a process, as making one takes long.

    It is checked when the account is unknown, so that the time to answer does not tell which names exist.
    """
    return _passwords.hash(secrets.token_urlsafe(32))


def sign_up(tx: Transaction, name: str, password: str, guest_id: UUID | None = None) -> Player:
    """A person's account and player. A guest keeps both, and with them what the player has done.

    Raises NameTaken, AlreadySignedUp, or InvalidField for a name that no account may have.
    """
    reason = why_not_an_account_name(name)
    if reason:
        raise InvalidField(reason, "name")
    password_hash = hashed(password)
    if guest_id is not None:
        return _name_guest(tx, guest_id, name, password_hash)
    return _create(tx, name, password_hash, guest=False)


def create_guest(tx: Transaction) -> Player:
    """An account without a password, under a name that no other has: `Guest 4821`."""
    name = f"{GUEST} {accounts.next_guest_number(tx)}"
    while accounts.account_named(tx, name, skeleton(name)):
        name = f"{GUEST} {accounts.next_guest_number(tx)}"
    return _create(tx, name, nobodys_password(), guest=True)


def require_password(tx: Transaction, name: str, password: str) -> Account:
    """The account that has this name and password. Raises WrongPassword."""
    account = accounts.account_named(tx, name, skeleton(name))
    if account is None or account.guest:
        _is_password(nobodys_password(), password)
        raise WrongPassword("no account has this name and password")
    if not _is_password_until_the_end(tx, account, password):
        raise WrongPassword("no account has this name and password")
    return account


def change_password(tx: Transaction, account_id: UUID, old: str, new: str, token_id: str) -> None:
    """Sets a new password. Every token of the account but the caller's is revoked; those of its bots stay.

    Raises NoAccount, or WrongPassword naming the field.
    """
    require_own_password(tx, account_id, old, "old_password")
    accounts.set_password(tx, account_id, hashed(new))
    accounts.revoke_others(tx, account_id, token_id)


def require_own_password(tx: Transaction, account_id: UUID, password: str, field: str) -> None:
    """Whoever asks is the person themselves. Raises NoAccount for guests and bots, or WrongPassword naming `field`."""
    account = accounts.account(tx, account_id)
    if account is None or account.guest or not accounts.account_exists(tx, account_id):
        raise NoAccount("only an account with a password may do this")
    if not _is_password_until_the_end(tx, account, password):
        raise WrongPassword("that is not your password", field)


def create_bot(tx: Transaction, owner_id: UUID, name: str, bot: str | None) -> Player:
    """A bot player. Raises NoAccount, or InvalidField when `bot` is no built-in bot."""
    require_account(tx, owner_id)
    if bot is not None and bot not in BOT_NAMES:
        raise InvalidField(f"there is no bot {bot!r}; there are: {', '.join(BOT_NAMES)}", "bot")
    player = Player(PlayerId(uuid7()), name, "bot", bot, owner_id, 1, tx.now)
    accounts.insert_player(tx, player)
    tell(tx, player)
    return player


def require_account(tx: Transaction, account_id: UUID) -> None:
    """Raises NoAccount for the token of a bot, or of an account that is gone."""
    if not accounts.account_exists(tx, account_id):
        raise NoAccount("only a person's account may do this")


def compare_by_skeleton(tx: Transaction) -> None:
    """Gives accounts that are older than skeletons theirs. Of several that look alike the oldest has it to itself;
    the others keep their names and get one that no name can have.
    """
    for account_id, name in accounts.accounts_without_skeleton(tx).items():
        if not accounts.insert_skeleton(tx, account_id, skeleton(name)):
            accounts.insert_skeleton(tx, account_id, f"\n{account_id}")


def _create(tx: Transaction, name: str, password_hash: str, *, guest: bool) -> Player:
    player = Player(PlayerId(uuid7()), name, "human", None, None, 1, tx.now)
    accounts.insert_player(tx, player)
    account = Account(player.player_id, name, password_hash, administrator=False, guest=guest, created_at=tx.now)
    if not accounts.insert_account(tx, account, skeleton(name)) or is_reserved(tx, name, account.account_id):
        raise name_taken(name)
    tell(tx, player)
    return player


def _name_guest(tx: Transaction, guest_id: UUID, name: str, password_hash: str) -> Player:
    if not accounts.end_guest(tx, guest_id):
        raise AlreadySignedUp("this guest has signed up already")
    give_skeleton(tx, guest_id, name)
    try:
        player = accounts.name_account(tx, guest_id, name, password_hash)
    except psycopg.errors.UniqueViolation:
        raise name_taken(name) from None
    tell_everywhere(tx, player)
    return player


def give_skeleton(tx: Transaction, account_id: UUID, name: str) -> None:
    """No other account looks like this name from now on. Raises NameTaken where one does, or has lately."""
    accounts.delete_skeleton(tx, account_id)
    if not accounts.insert_skeleton(tx, account_id, skeleton(name)) or is_reserved(tx, name, account_id):
        raise name_taken(name)


def is_reserved(tx: Transaction, name: str, account_id: UUID) -> bool:
    """Whether somebody else gave the name up lately. Asked once the skeleton is taken: then nobody gives it up."""
    return former_names.is_reserved(tx, skeleton(name), account_id)


def hashed(password: str) -> str:
    """What is kept of a password."""
    return _passwords.hash(password)


def _is_password_until_the_end(tx: Transaction, account: Account, password: str) -> bool:
    """Whether it is the password, and stays it until this transaction ends.

    Checking takes so long that another may be set meanwhile, and all tokens revoked: none must be made after that.
    """
    if not _is_password(account.password_hash, password):
        return False
    now = accounts.lock(tx, account.account_id)
    return now is not None and now.password_hash == account.password_hash


def _is_password(password_hash: str, password: str) -> bool:
    try:
        return _passwords.verify(password_hash, password)
    except Argon2Error:
        return False


def name_taken(name: str) -> NameTaken:
    """The refusal of a name that is somebody else's, or looks like theirs."""
    return NameTaken(f"{name!r} is taken, or looks like a name that is", "name")


def tell(tx: Transaction, player: Player) -> None:
    """Lets the other services know how the player is called."""
    tx.emit(PlayerChanged(str(player.player_id), player.name, player.kind, player.revision))


def tell_everywhere(tx: Transaction, player: Player) -> None:
    """The same for another name than before, which the tournaments that the player entered show as well."""
    departures.tell_tournaments(tx, player.player_id)
    tx.kick(FOLLOW_PLAYERS)
    tell(tx, player)

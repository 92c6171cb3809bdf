"""Another name for an account or a bot: all that shows it follows; records of finished matches stay as they were."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import psycopg

from gin_lobby.domain.names import skeleton, why_not_an_account_name
from gin_lobby.domain.player import Player
from gin_lobby.domain.problems import NoAccount, NotYourPlayer, RenamedRecently
from gin_lobby.store import accounts, former_names
from gin_lobby.use_cases.accounts import give_skeleton, name_taken, require_account, tell_everywhere
from gin_servicekit.database import Transaction
from gin_servicekit.problems import InvalidField, NotFound

ONCE_IN = timedelta(days=30)
BOTS_ONCE_IN = timedelta(days=1)
RESERVED = timedelta(days=180)


def rename(tx: Transaction, account_id: UUID, name: str) -> Player:
    """Gives the account and its player another name, at most once in ONCE_IN; the old one is nobody else's for
    RESERVED, and leads here for as long. The name that it has already changes nothing.

    Raises NoAccount for guests and bots, NameTaken, RenamedRecently, or InvalidField for a name no account may have.
    """
    account = accounts.lock(tx, account_id)
    if account is None or account.guest or not accounts.account_exists(tx, account_id):
        raise NoAccount("only an account with a password has a name to change")
    player = accounts.player(tx, account_id)
    assert player is not None  # an account refers to its player
    if name == account.name:
        return player
    reason = why_not_an_account_name(name)
    if reason:
        raise InvalidField(reason, "name")
    before = former_names.renamed_at(tx, account_id)
    if before is not None and tx.now < before + ONCE_IN:
        again = before + ONCE_IN
        raise RenamedRecently(
            f"a name can be changed once in {ONCE_IN.days} days: again from {again.day} {again:%B %Y} on", "name"
        )
    give_skeleton(tx, account_id, name)
    try:
        player = accounts.rename_account(tx, account_id, name)
    except psycopg.errors.UniqueViolation:
        raise name_taken(name) from None
    if skeleton(account.name) != skeleton(name):
        former_names.reserve(tx, account_id, skeleton(account.name), tx.now + RESERVED)
    former_names.take_back(tx, account_id, skeleton(name))
    former_names.note_renaming(tx, account_id)
    tell_everywhere(tx, player)
    return player


def rename_bot(tx: Transaction, owner_id: UUID, player_id: UUID | None, name: str) -> Player:
    """Gives a bot another name for its owner, at most once in BOTS_ONCE_IN; names of bots need not differ.

    Raises NoAccount, NotFound, NotYourPlayer or RenamedRecently.
    """
    require_account(tx, owner_id)
    bot = accounts.lock_player(tx, player_id) if player_id else None
    if bot is None or bot.kind != "bot":
        raise NotFound("there is no such bot")
    if bot.owner_id != owner_id:
        raise NotYourPlayer("only its owner gives a bot another name")
    if name == bot.name:
        return bot
    before = former_names.bot_renamed_at(tx, bot.player_id)
    if before is not None and tx.now < before + BOTS_ONCE_IN:
        again = before + BOTS_ONCE_IN
        raise RenamedRecently(f"a bot is renamed once a day: again from {again:%H:%M} UTC on", "name")
    renamed = accounts.rename_player(tx, bot.player_id, name)
    assert renamed is not None  # it is locked
    former_names.note_bot_renaming(tx, bot.player_id)
    tell_everywhere(tx, renamed)
    return renamed


def named(tx: Transaction, name: str) -> UUID | None:
    """The player of the account that is called so, or was until lately."""
    account = accounts.account_named(tx, name, skeleton(name))
    return account.account_id if account is not None else former_names.owner(tx, skeleton(name))

"""Casual tables: people open them, sit down, and the last seat taken starts the match.

The deals are committed to when the table opens, and the match has the table's id: whoever sits down afterwards can add
entropy of their own, and the house can no longer choose any part of the cards.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from uuid_utils.compat import uuid7

from gin_engine.domain.match import PLAYING
from gin_engine.domain.opening import SEED_BYTES, new_match
from gin_engine.domain.problems import (
    CannotStart,
    GuestsAreUnrated,
    NotYourTable,
    TableFull,
    TableNotFound,
    TableNotWaiting,
    TooManyTables,
    WrongInvitation,
)
from gin_engine.domain.table import (
    BOT,
    GAMES,
    LINK,
    OPEN,
    REMATCH,
    WAITING,
    Table,
    TablePlayer,
    TableWish,
    bots_at,
    table_rules,
)
from gin_engine.store import tables
from gin_engine.use_cases.open_matches import start_matches
from gin_engine.use_cases.players import name_of
from gin_messages.match import OpenMatch, SeatPlan
from gin_rules.game import game_named
from gin_rules.shuffle import commitment
from gin_servicekit.auth import Caller
from gin_servicekit.database import Transaction
from gin_servicekit.problems import InvalidField
from gin_servicekit.word_lists import make_known

MOST_WAITING = 3
"""Tables at which one person may wait as host."""
IDLE = timedelta(days=3)
"""How long people without a clock may keep each other waiting, action by action."""
LONG_IDLE = timedelta(days=30)
"""The same against bots alone; and where a clock runs, which ends a match long before: nothing waits for ever."""
TABLES_PER_TRANSACTION = 200
INVITATION_BYTES = 16


def open_table(tx: Transaction, caller: Caller, wish: TableWish) -> Table:
    """A new table with the caller as host; against a bot its match has begun.

    Raises InvalidField naming what cannot be, GuestsAreUnrated, or TooManyTables.
    """
    if wish.game not in GAMES:
        raise InvalidField("there is no such game", "game")
    game = GAMES[wish.game]
    if wish.seats not in game_named(game).seat_counts:
        raise InvalidField(f"{game} is not played by {wish.seats}", "seats")
    if wish.rated and wish.opponent == BOT:
        raise InvalidField("a match against a bot is never rated", "rated")
    if wish.rated and caller.guest:
        raise GuestsAreUnrated("sign up to play rated matches", "rated")
    if game == "word":
        make_known(tx, [wish.rules])
    rules = table_rules(game, wish.rules, wish.seats, wish.advice)
    host = TablePlayer(0, caller.account_id, name_of(tx, caller), None)
    if wish.opponent != BOT:
        tables.hold_host(tx, caller.account_id)
        if tables.waiting_of(tx, caller.account_id) >= MOST_WAITING:
            raise TooManyTables(f"you wait at {MOST_WAITING} tables already: close one of them first")
    table = Table(
        table_id=str(uuid7()),
        state=WAITING,
        host_id=caller.account_id,
        game=game,
        rules=rules,
        seats=wish.seats,
        opponent=wish.opponent,
        bot=wish.bot,
        invitation=secrets.token_urlsafe(INVITATION_BYTES) if wish.opponent == LINK else None,
        rematch_of=None,
        clock=wish.clock,
        bot_pace_seconds=wish.bot_pace_seconds,
        rated=wish.rated,
        advice=bool(rules.get("advice", wish.advice is not False)),
        commitment="",
        opened_at=tx.now,
        expires_at=tx.now + timedelta(hours=wish.wait_hours),
        players=(host, *(bots_at(game, wish.bot or "", wish.seats) if wish.opponent == BOT else ())),
    )
    return set_up(tx, table)


def set_up(tx: Transaction, table: Table) -> Table:
    """Stores a new table with seed, salt and commitment of its own; when it is full, its match begins."""
    seed, salt = secrets.token_bytes(SEED_BYTES), secrets.token_bytes(SEED_BYTES)
    table = replace(table, commitment=commitment(salt, seed))
    tables.insert(tx, table, seed, salt)
    if len(table.players) == table.seats:
        return _start(tx, table)
    _tell_list(tx, table)
    return table


def join_table(tx: Transaction, caller: Caller, table_id: str, invitation: str | None, entropy: bytes) -> Table:
    """The caller takes the next free seat; the last one starts the match. Who sits there already stays seated.

    Raises TableNotFound, WrongInvitation, TableNotWaiting, TableFull or GuestsAreUnrated.
    """
    name = name_of(tx, caller)  # before the table is locked, as whoever changes names locks in this order
    table = _locked(tx, table_id)
    if table.player(caller.account_id) is not None:
        return table
    if table.opponent == REMATCH:
        raise TableFull("this table is for those who played before: ask for a rematch there")
    if table.opponent == BOT:
        raise TableFull("this table is for one player and a bot")
    if table.invitation is not None and not _same(table.invitation, invitation or ""):
        raise WrongInvitation("this table is for who has its link", "invitation")
    _check_waiting(tx, table)
    if table.rated and caller.guest:
        raise GuestsAreUnrated("this table is rated: sign up to play rated matches")
    return sit_down(tx, table, TablePlayer(_lowest_free(table), caller.account_id, name, None, entropy))


def sit_down(tx: Transaction, table: Table, player: TablePlayer) -> Table:
    """The player takes a free seat of a locked table that waits."""
    tables.seat(tx, table.table_id, [player])
    table = replace(table, players=tuple(sorted((*table.players, player), key=lambda seated: seated.seat)))
    _tell_list(tx, table)
    if len(table.players) == table.seats:
        return _start(tx, table)
    _tell_players(tx, table)
    return table


def _lowest_free(table: Table) -> int:
    """Raises TableFull."""
    free = set(range(table.seats)) - {player.seat for player in table.players}
    if not free:
        raise TableFull("every seat is taken")
    return min(free)


def leave_table(tx: Transaction, caller: Caller, table_id: str) -> Table:
    """The caller gets up before the match has begun; the host closes the table instead.

    Raises TableNotFound, NotYourTable or TableNotWaiting.
    """
    table = _locked(tx, table_id)
    if table.player(caller.account_id) is None or table.host_id == caller.account_id:
        raise NotYourTable("you do not sit at this table as a guest of its host")
    _check_waiting(tx, table)
    tables.unseat(tx, table_id, caller.account_id)
    table = replace(table, players=tuple(p for p in table.players if p.player_id != caller.account_id))
    _tell_list(tx, table)
    _tell_players(tx, table)
    return table


def close_table(tx: Transaction, caller: Caller, table_id: str) -> Table:
    """The host no longer waits. Raises TableNotFound, NotYourTable or TableNotWaiting."""
    table = _locked(tx, table_id)
    if table.host_id != caller.account_id:
        raise NotYourTable("only its host may close a table")
    _check_waiting(tx, table)
    tables.set_state(tx, table_id, "closed")
    _tell_list(tx, table)
    _tell_players(tx, table)
    return replace(table, state="closed")


def add_entropy(tx: Transaction, caller: Caller, table_id: str, entropy: bytes) -> Table:
    """The caller's own part in the deals to come, instead of what was given before.

    Raises TableNotFound, NotYourTable or TableNotWaiting.
    """
    table = _locked(tx, table_id)
    if table.player(caller.account_id) is None:
        raise NotYourTable("you do not sit at this table")
    _check_waiting(tx, table)
    tables.set_entropy(tx, table_id, caller.account_id, entropy)
    return table


def show_table(tx: Transaction, table_id: str) -> Table:
    """Raises TableNotFound."""
    table = tables.find(tx, table_id)
    if table is None:
        raise TableNotFound("there is no such table")
    return table


def list_open_tables(tx: Transaction, after: str, limit: int) -> tuple[list[Table], bool]:
    """Tables that anybody may sit down at, the newest first, and whether there are more."""
    found = tables.page_open(tx, after, limit + 1)
    return found[:limit], len(found) > limit


def expire_tables(tx: Transaction) -> int:
    """Closes tables at which nobody sat down in time; tells how many."""
    closed = tables.close_expired(tx, TABLES_PER_TRANSACTION)
    for table in tables.load(tx, closed):
        _tell_list(tx, table)
        _tell_players(tx, table)
    return len(closed)


def _start(tx: Transaction, table: Table) -> Table:
    tables.set_state(tx, table.table_id, "seated")
    people = [player for player in table.players if player.bot is None]
    idle = IDLE if len(people) > 1 and table.clock is None else LONG_IDLE
    request = OpenMatch(
        match_id=table.table_id,
        tournament_id=None,
        round_number=None,
        game=table.game,
        rules=table.rules,
        seats=[SeatPlan(player.player_id, player.player_name, player.bot) for player in table.players],
        rating_pool=f"{table.game}/open" if table.rated else None,
        deadline_at=tx.now + idle,
        first_dealer=None,
    )
    if table.game == "word":
        make_known(tx, [table.rules])
    seed, salt = tables.secrets_of(tx, table.table_id)
    match = new_match(request, None, _no_more_chance(seed, salt), tx.now)
    if match.state != PLAYING:
        raise CannotStart(f"the match cannot begin: {match.reason}")
    seats = tuple(
        replace(
            seat,
            entropy=player.entropy,
            bank_ms=table.clock.bank_ms if table.clock is not None and player.bot is None else None,
        )
        for seat, player in zip(match.seats, table.players, strict=True)
    )
    match = replace(
        match,
        seats=seats,
        casual=True,
        advice=table.advice,
        bot_pace_seconds=table.bot_pace_seconds,
        idle_seconds=int(idle.total_seconds()),
        clock=table.clock,
    )
    start_matches(tx, [match])
    _tell_players(tx, table)
    return replace(table, state="playing")


def _no_more_chance(seed: bytes, salt: bytes) -> Callable[[int], bytes]:
    # Seed and salt were committed to when the table opened; the house adds nothing to what the players gave.
    committed = iter((seed, salt))
    return lambda _: next(committed, b"")


def _locked(tx: Transaction, table_id: str) -> Table:
    table = tables.lock(tx, table_id)
    if table is None:
        raise TableNotFound("there is no such table")
    return table


def _check_waiting(tx: Transaction, table: Table) -> None:
    if table.state != WAITING:
        raise TableNotWaiting(f"the table is {table.state}")
    if table.expires_at <= tx.now:
        raise TableNotWaiting("nobody waits at this table any more")


def _same(secret: str, given: str) -> bool:
    return hmac.compare_digest(secret.encode(), given.encode())


def _tell_list(tx: Transaction, table: Table) -> None:
    if table.opponent == OPEN:
        tx.announce("tables", "changed", {})


def _tell_players(tx: Transaction, table: Table) -> None:
    for player in table.players:
        if player.bot is None:
            tx.announce(f"player:{player.player_id}", "table", {"table_id": table.table_id})

"""A casual table: where people meet, without a tournament, to play one match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from gin_bots import UnknownBot, bot_named
from gin_engine.domain.match import Clock
from gin_rules.game import InvalidRules, game_named
from gin_rules.shuffle import SEED_BYTES, SeededDeals
from gin_servicekit.problems import InvalidField

WAITING = "waiting"
"""For somebody to sit down."""
PLAYING = "playing"
FINISHED = "finished"
CLOSED = "closed"
"""Nobody came, or the host closed it."""
TABLE_STATES = (WAITING, PLAYING, FINISHED, CLOSED)

BOT = "bot"
OPEN = "open"
LINK = "link"
REMATCH = "rematch"

GAMES: Mapping[str, str] = {"rummy": "rummy", "word": "word", "gin_rummy": "rummy", "word_gin": "word"}
"""Games as they may be asked for, by name or written out."""
SLOWEST_BOT_SECONDS = 10.0
_SEATING = {3: "rotation3", 4: "rotation4"}


@dataclass(frozen=True, slots=True)
class TableWish:
    """What a host asks for. `opponent` is "bot" (then `bot` takes every other seat), "open" or "link".

    `advice` None leaves it to the rules; `wait_hours` is how long the table waits for players.
    """

    game: str
    rules: Mapping[str, Any] = field(default_factory=dict)
    seats: int = 2
    opponent: str = OPEN
    bot: str | None = None
    clock: Clock | None = None
    bot_pace_seconds: float = 0.0
    rated: bool = False
    advice: bool | None = None
    wait_hours: int = 24


@dataclass(frozen=True, slots=True)
class TablePlayer:
    """Who sits at the table, in the seat of the match to come; `bot` names the built-in bot that plays there."""

    seat: int
    player_id: str
    player_name: str
    bot: str | None
    entropy: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Table:
    """One table. Its match has its id and is there once the last seat is taken.

    `invitation` is the secret of a link, for the host alone. `commitment` is that of the deals to come, published
    before any player adds to them.
    """

    table_id: str
    state: str
    host_id: str
    game: str
    rules: dict[str, Any]
    seats: int
    opponent: str
    bot: str | None
    invitation: str | None = field(repr=False)
    rematch_of: str | None
    clock: Clock | None
    bot_pace_seconds: float
    rated: bool
    advice: bool
    commitment: str
    opened_at: datetime
    expires_at: datetime
    players: tuple[TablePlayer, ...]

    @property
    def match_id(self) -> str | None:
        return self.table_id if self.state in (PLAYING, FINISHED) else None

    @property
    def host(self) -> TablePlayer:
        """Who opened the table: nobody leaves it before its host does."""
        return next(player for player in self.players if player.player_id == self.host_id)

    def player(self, player_id: str) -> TablePlayer | None:
        return next((player for player in self.players if player.player_id == player_id), None)


def table_rules(game_name: str, given: Mapping[str, Any], seats: int, advice: bool | None) -> dict[str, Any]:
    """Every field of the rule set for so many seats.

    At a table of three or four Gin Rummy rotates unless the rules say otherwise. Raises InvalidField naming what cannot
    be: `seats` or `rules.<field>`.
    """
    game = game_named(game_name)
    try:
        rules = game.rules_to_json(game.rules_from_json(given))
        if rules.get("seating") == "two" and "seating" not in given and seats in _SEATING:
            rules = game.rules_to_json(game.rules_from_json({**given, "seating": _SEATING[seats]}))
        if advice is not None and "advice" in rules:
            rules["advice"] = advice
        rule_set = game.rules_from_json(rules)
        # Dealt on trial: rules that do not seat so many are refused before anybody sits down.
        game.new_match(rule_set, seats, SeededDeals(bytes(SEED_BYTES), (), "", game.deck_size(rule_set)))
    except InvalidRules as problem:
        raise InvalidField(problem.reason, "seats" if problem.field == "seats" else f"rules.{problem.field}") from None
    return rules


def bots_at(game: str, bot: str, seats: int) -> tuple[TablePlayer, ...]:
    """The bot in every seat but the host's. Raises InvalidField unless there is such a bot and it plays the game."""
    try:
        games = bot_named(bot).games
    except UnknownBot as problem:
        raise InvalidField(str(problem), "opponent.bot") from None
    if game not in games:
        raise InvalidField(f"the bot {bot!r} does not play {game}", "opponent.bot")
    title = bot_title(bot)
    if seats == 2:
        return (TablePlayer(1, f"bot-{bot}", title, bot),)
    return tuple(TablePlayer(seat, f"bot-{bot}-{seat}", f"{title} {seat}", bot) for seat in range(1, seats))


def bot_title(name: str) -> str:
    """A bot's name as people read it."""
    return bot_named(name).title

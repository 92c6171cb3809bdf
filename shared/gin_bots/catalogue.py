"""The bots by name."""

from __future__ import annotations

from random import Random
from typing import Any, Final, Protocol

from gin_bots.random_player import RandomPlayer
from gin_bots.simple_player import SimplePlayer
from gin_bots.wordsmith import Wordsmith
from gin_rules.game import Action


class Bot(Protocol):
    """A player that decides from its view alone. Holds no state: one instance serves any matches."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str:
        """How it plays and how well, in a sentence or two, for the people who meet it."""

    @property
    def games(self) -> tuple[str, ...]:
        """Names of the games that it plays."""

    def choose_action(self, view: Any, rng: Random) -> Action:
        """A legal action for the seat of the view, which must be to act. The same view and rng state decide
        alike.
        """


class UnknownBot(LookupError):
    """No bot has this name."""


BOTS: Final[tuple[Bot, ...]] = (
    RandomPlayer(),
    SimplePlayer(),
    Wordsmith("wordsmith", percent=100),
    Wordsmith("wordsmith-50", percent=50),
)
BOT_NAMES: Final[tuple[str, ...]] = tuple(bot.name for bot in BOTS)


def bot_named(name: str) -> Bot:
    """The bot of this name. Raises `UnknownBot`."""
    for bot in BOTS:
        if bot.name == name:
            return bot
    raise UnknownBot(f"no bot is called {name!r}; there are: {', '.join(BOT_NAMES)}")


def bots_for(game: str) -> tuple[Bot, ...]:
    """The bots that play this game."""
    return tuple(bot for bot in BOTS if game in bot.games)

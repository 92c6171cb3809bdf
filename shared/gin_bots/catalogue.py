"""The bots by name, from the weakest to the strongest, with what was measured of each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any, Final, Protocol

from gin_bots.beginner import Beginner
from gin_bots.collector import Collector
from gin_bots.expert import Expert
from gin_bots.planner import Planner
from gin_bots.random_player import RandomPlayer
from gin_bots.simple_player import SimplePlayer
from gin_bots.wordsmith import Wordsmith
from gin_rules.game import Action

MEASURED_FILE: Final = Path(__file__).with_name("measured.json")
"""What ``python -m benchmarks bots`` found; it writes this file."""
_NORMAL_95: Final = 1.959964


class Player(Protocol):
    """What decides: from a view alone. Holds no state, so that one instance serves any matches."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str:
        """The name as people read it."""

    @property
    def summary(self) -> str:
        """How it plays, in a few words that follow the title and a colon."""

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


@dataclass(frozen=True, slots=True)
class Measurement:
    """Matches of two that a bot was measured in; who deals first alternates."""

    game: str
    opponent: str
    """The bot that it is measured against: `simple`, or in Word Gin `wordsmith-50`."""
    preset: str
    """The rules, by the name of their preset."""
    matches: int
    wins: int
    draws: int

    @property
    def win_rate(self) -> float:
        """Won matches, drawn ones as halves, of all: 0 to 1."""
        return (self.wins + self.draws / 2) / self.matches

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true rate lies, with 95 % confidence (Wilson)."""
        rate, spread = self.win_rate, _NORMAL_95**2 / self.matches
        middle = (rate + spread / 2) / (1 + spread)
        half = sqrt(rate * (1 - rate) * spread + spread * spread / 4) / (1 + spread)
        return max(middle - half, 0.0), min(middle + half, 1.0)


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot as it stands in the catalogue."""

    name: str
    title: str
    summary: str
    description: str
    games: tuple[str, ...]
    strength: int
    """Its place in the order of strength of each game that it plays: 1 is the weakest."""
    measurements: tuple[Measurement, ...]
    player: Player

    def choose_action(self, view: Any, rng: Random) -> Action:
        """`Player.choose_action` of the bot's player."""
        return self.player.choose_action(view, rng)

    def measured_in(self, game: str) -> Measurement | None:
        """What was measured in this game; None for a bot that others are measured against."""
        return next((measurement for measurement in self.measurements if measurement.game == game), None)


class UnknownBot(LookupError):
    """No bot has this name."""


BOTS: Final[tuple[Player, ...]] = (
    RandomPlayer(),
    Beginner(),
    SimplePlayer(),
    Collector(),
    Planner(),
    Expert(),
    Wordsmith("wordsmith-10", "Word beginner", percent=10),
    Wordsmith("wordsmith-25", "Word learner", percent=25),
    Wordsmith("wordsmith-50", "Word player", percent=50),
    Wordsmith("wordsmith", "Wordsmith", percent=100),
)
"""The players themselves, in the order of the catalogue; `bots` tells more of each."""
BOT_NAMES: Final[tuple[str, ...]] = tuple(player.name for player in BOTS)
"""From the weakest to the strongest of each game."""
BASELINES: Final = {"rummy": "simple", "word": "wordsmith-50"}
"""By game, the bot that the others are measured against."""

FRIENDLY: Final = {"rummy": "simple", "word": "wordsmith-25"}
"""By game, the opponent for who does not choose: of middling strength, so that both may win."""


@lru_cache(maxsize=1)
def bots() -> tuple[Bot, ...]:
    """Every bot; of one game, in the order of their strength."""
    measured = _measured()
    ranks: dict[str, int] = {}
    found = []
    for player in BOTS:
        for game in player.games:
            ranks[game] = ranks.get(game, 0) + 1
        own = tuple(Measurement(**one) for one in measured.get(player.name, ()))
        rank = max(ranks[game] for game in player.games)
        found.append(_bot(player, rank, own))
    return tuple(found)


def _bot(player: Player, strength: int, measured: tuple[Measurement, ...]) -> Bot:
    return Bot(player.name, player.title, player.summary, player.description, player.games, strength, measured, player)


def bot_named(name: str) -> Bot:
    """The bot of this name. Raises `UnknownBot`."""
    bot = _by_name().get(name)
    if bot is None:
        raise UnknownBot(f"no bot is called {name!r}; there are: {', '.join(BOT_NAMES)}")
    return bot


def bots_for(game: str) -> tuple[Bot, ...]:
    """The bots that play this game, weakest first."""
    return tuple(bot for bot in bots() if game in bot.games)


@lru_cache(maxsize=1)
def _by_name() -> dict[str, Bot]:
    return {bot.name: bot for bot in bots()}


def _measured() -> dict[str, list[dict[str, Any]]]:
    document: dict[str, list[dict[str, Any]]] = json.loads(MEASURED_FILE.read_text())
    return document
